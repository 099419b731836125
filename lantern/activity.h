#pragma once

#include <map>
#include <set>
#include <vector>

#include "lantern/ir.h"

namespace lantern {

/// Which values carry an adjoint: those that are *varied* (they depend on what is differentiated with respect to),
/// *useful* (the differentiated result depends on them) and hold floating
/// numbers.
struct Activity {
  /// Every variable that carries an adjoint in the differentiable form of its function.
  std::set<const ir::Variable*> active;
  /// The results, by position, whose adjoint the differentiable form of a function takes.
  std::map<const ir::Function*, std::vector<bool>> active_results;
  /// Functions that a gradient is taken of, or that carry an adjoint for one: those need a differentiable form.
  std::vector<ir::Function*> differentiable;

  bool is_active(const ir::Variable* variable) const { return active.contains(variable); }
  bool is_active(const ir::Operand& operand) const { return operand.variable && is_active(operand.variable); }
  bool carries_adjoint(const ir::Binding& binding) const;
};

/// Over the whole program, from every value-and-grad in it and from the differentiable entry, whose first formal is what
/// it is differentiated with respect to. Throws Failure LT0503 where a varied value reaches a useful one by a way
/// that has no derivative.
Activity find_activity(const ir::Program& program);

}  // namespace lantern
