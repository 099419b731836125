// What a generated header includes: the types of an API, without Eigen and without operations. A Model has gradients, too (gradient.h, deferred_steps.h).
#pragma once

#include "lantern/arena.h"
#include "lantern/array.h"
#include "lantern/continuation.h"
#include "lantern/error.h"
#include "lantern/list.h"
#include "lantern/memory.h"
#include "lantern/results.h"
#include "lantern/stack.h"
#include "lantern/tensor.h"
