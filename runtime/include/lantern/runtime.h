// What a generated source file includes: the types and all operations. Readers of files are headers of their own
// (treebank.h, safetensors.h), and so is the progress bar (progress.h).
#pragma once

#include "lantern/api.h"

#include "lantern/accumulate.h"
#include "lantern/batch.h"
#include "lantern/elementwise.h"
#include "lantern/evaluate.h"
#include "lantern/expression.h"
#include "lantern/indexing.h"
#include "lantern/keep.h"
#include "lantern/kernels.h"
#include "lantern/list_adjoints.h"
#include "lantern/list_operations.h"
#include "lantern/matmul.h"
#include "lantern/random.h"
#include "lantern/rearrange.h"
#include "lantern/reduction_adjoints.h"
#include "lantern/reductions.h"
#include "lantern/saved.h"
#include "lantern/scalar.h"
#include "lantern/softmax.h"
#include "lantern/tangents.h"
#include "lantern/text.h"
#include "lantern/structure_adjoints.h"
#include "lantern/update.h"
#include "lantern/windows.h"
