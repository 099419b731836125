#pragma once

#include "lantern/ir.h"

namespace lantern {

/// Products of parameters that share their vectors are one product, of a matrix whose blocks the parameters are (ir::BlockMatrix), and each of their results is a
/// slice of what it gives: those of one block, of known lengths, of which there are at least two results. A parameter that is added to each result is added to all at
/// once. Each stays where it is. Before anything is differentiated or batched. True: there were some.
bool join_products(ir::Program& program);

}  // namespace lantern
