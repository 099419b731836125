#pragma once

#include "lantern/lowered.h"

namespace lantern {

/// One term of an adjoint: to be added to the adjoint of `operand`.
struct Contribution {
  std::size_t operand;
  lowered::ExprPtr value;
};

/// The table's pullbacks of one operation, instantiated: for each operand for which `wanted` holds, what y's adjoint
/// contributes to its own. `operands` and `y` are the primal values; simplified where types allow.
std::vector<Contribution> pull_back(const Operator& op, const Attributes& attributes,
                                    const std::vector<lowered::ExprPtr>& operands, const lowered::ExprPtr& y,
                                    const lowered::ExprPtr& y_adj, const std::vector<bool>& wanted);

/// The adjoint of an operation's result where it may share the elements of an operand's (`ys_adj = append(xs_adj, 0)`), so
/// that adding to the one adds to the other. Null where the table has no such rule, or where an adjoint that the rule
/// speaks of is null in `adjoints`.
lowered::ExprPtr shared_adjoint(const Operator& op, const std::vector<lowered::ExprPtr>& operands, const std::vector<lowered::ExprPtr>& adjoints);

/// What an operation stands for in the language, where its row says so.
lowered::ExprPtr stood_for(const Operator& op, const std::vector<lowered::ExprPtr>& operands);

/// An adjoint of its own for a value, to which nothing has been added.
lowered::ExprPtr zeros_of(const lowered::ExprPtr& value);

}  // namespace lantern
