#pragma once

#include "lantern/lowered.h"

namespace lantern {

/// IR → lowered program. Every function that the exports reach gets a direct form; one that carries an adjoint for a
/// value-and-grad (or for the differentiable entry) gets a form in continuation-passing style, with its reverse sweep
/// behind each call of a continuation ("backpropagation with continuation callbacks", Wang et al., NeurIPS 2018), or, if it is
/// among `taped`, one for each of the two sweeps; the gradient of one among `inlined` is written where it is taken.
/// Code behind a branch becomes a join point, once: the output is linear in the input. users: how many of the functions are the user's; those that passes have
/// made stand behind them.
lowered::Program lower(ir::Program& program, Activity activity, const std::set<const ir::Function*>& taped, const std::set<const ir::Function*>& inlined,
                       std::size_t users);

}  // namespace lantern
