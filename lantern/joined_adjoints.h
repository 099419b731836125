#pragma once

#include "lantern/lowered.h"

namespace lantern {

/// Adds up terms of an array's adjoint that nobody reads before the last of them, in one loop over the elements.
///
///   d_adj = y_adj * x;                      d_adj = y_adj * x + z_adj * d;
///   d_adj += z_adj * d;
void join_terms(lowered::Statements& statements);

/// Writes the adjoint of an array of which every part has an adjoint of its own, as one array: it need not begin as zeros.
///
///   gates_adj = 0;                          gates_adj = concat(c_adj * u * i * (1 - i), c_adj * i * (1 - u * u), o_adj);
///   gates_adj += placed(c_adj * u * i * (1 - i), 0);
///   gates_adj += placed(c_adj * i * (1 - u * u), 150);
///   gates_adj += placed(o_adj, 300);
void join_adjoints(lowered::Statements& statements);

}  // namespace lantern
