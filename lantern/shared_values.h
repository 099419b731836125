#pragma once

#include "lantern/ir.h"

namespace lantern {

/// What is computed once more, in the same block or one within, of the same values, is what was computed before: an operation that is costly, of
/// arrays, or a call of a function that does nothing else (global value numbering, by dominance).
///
///   k = call kernel(x, l); y = solve(k, b); k_2 = call kernel(x, l); z = cholesky(k_2)
///
///   k = call kernel(x, l); y = solve(k, b); z = cholesky(k)
///
/// It comes before anything is differentiated: the adjoints of both uses are added up, and go through it once.
void share_values(ir::Program& program);

}  // namespace lantern
