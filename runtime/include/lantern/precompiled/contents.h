// The headers that programs take in. Readers of files that need a library of their own are not among them.
#pragma once

#include "lantern/runtime.h"

#include "lantern/blocks.h"
#include "lantern/checkpoint.h"
#include "lantern/host.h"
#include "lantern/progress.h"
#include "lantern/safetensors.h"
#include "lantern/treebank.h"
