#pragma once

#include <set>

#include "lantern/activity.h"
#include "lantern/ir.h"

namespace lantern {

/// The functions whose gradient is taken in one place, and that run to their end without a call or a branch that carries an adjoint: values and, behind
/// them, the reverse sweep are written in that place. They need no continuation, and what is first added to an argument's adjoint is what it begins as.
///
///   x_adj = 0                                      const d = x - y
///   loss(x, x_adj, y, [&](l, l_adj) { l_adj = 1 })   // reverse sweep
///                                                  const x_adj = 2 * d
///
/// Those that add to the gradients of the model are none of them.
std::set<const ir::Function*> inlined_gradients(const ir::Program& program, const Activity& activity, const std::set<const ir::Function*>& taped);

}  // namespace lantern
