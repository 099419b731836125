//     y = a and not b or c
//     if a and b: …
// becomes
//     y = ag__.or_(ag__.and_(a, lambda: ag__.not_(b, (1, 7)), (1, 1)), lambda: c, (1, 1))
//     if ag__.all_true(a, lambda: b, (2, 4)): …
//
// The value of an `and` or `or` is an operand's, but for one that stands for a condition: there Python asks each operand's truth
// and gives nobody a value, so that the operands need not be of one type. An operand behind the first that binds a name (`:=`)
// cannot stand in a lambda: such an `and` or `or` stays plain.
#include <algorithm>

#include "frontend/passes/conditions.h"
#include "frontend/passes/passes.h"

namespace lantern::passes {

using namespace syntax;

void convert_logical(Function& function) {
  const Conditions conditions(function);
  rewrite_loads(function, [&](ExprPtr& expr) {
    const Range at = expr->range;
    if (auto* logical = as<BoolOp>(expr)) {
      const auto delayed = [](const ExprPtr& operand) { return may_be_delayed(*operand); };
      if (!std::all_of(logical->values.begin() + 1, logical->values.end(), delayed)) return;
      const bool is_and = logical->op == BoolOperator::and_;
      const char* operation = conditions.has(*expr) ? (is_and ? "all_true" : "any_true") : (is_and ? "and_" : "or_");
      std::vector<ExprPtr> operands;
      for (ExprPtr& operand : logical->values) {
        operands.push_back(operands.empty() ? std::move(operand) : thunk(std::move(operand)));
      }
      expr = function.operation(operation, std::move(operands), at);
    } else if (auto* negation = as<UnaryOp>(expr); negation && negation->op == UnaryOperator::not_) {
      expr = function.operation("not_", list_of<ExprPtr>(std::move(negation->operand)), at);
    }
  });
}

}  // namespace lantern::passes
