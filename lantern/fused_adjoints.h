#pragma once

#include <unordered_map>

#include "lantern/lowered.h"

namespace lantern {

/// How often each adjoint is read, or handed to somebody, which counts for many.
using AdjointUses = std::unordered_map<const ir::Variable*, int>;
void count_adjoints(const lowered::ExprPtr& e, AdjointUses& uses);
void count_adjoints(lowered::Statements& statements, AdjointUses& uses);

/// Writes an elementwise adjoint that is read once, by another one or by a sum into an adjoint that begins there, where it is read:
/// one loop over the elements, and no array in between.
///
///   x_adj = y_adj * w;                      gates_adj = 0;
///   w_adj += y_adj * x;                     gates_adj += placed(y_adj * w * (1 - x * x), 600);
///   u_adj = x_adj * (1 - x * x);            w_adj += y_adj * x;
///   gates_adj = 0;
///   gates_adj += placed(u_adj, 600);
void fuse_adjoints(lowered::Statements& statements);

}  // namespace lantern
