// What a generated header includes: the types of an API, without Eigen and without operations.
#pragma once

#include "lantern/arena.h"
#include "lantern/array.h"
#include "lantern/continuation.h"
#include "lantern/deferred_steps.h"
#include "lantern/error.h"
#include "lantern/gradient.h"
#include "lantern/list.h"
#include "lantern/memory.h"
#include "lantern/stack.h"
#include "lantern/tensor.h"
