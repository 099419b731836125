//     y = -a + b * 2
// becomes
//     y = ag__.binary('+', ag__.unary('-', a, (1, 5)), ag__.binary('*', b, 2, (1, 10)), (1, 5))
//
// Literals alone (`2 * 3`, `-1`) stay: nothing in them can be staged.
#include "frontend/passes/passes.h"

namespace lantern::passes {

using namespace syntax;

void convert_arithmetic(Function& function) {
  rewrite_loads(function, [&](ExprPtr& expr) {
    const Range at = expr->range;
    if (auto* binary = as<BinOp>(expr)) {
      if (is_constant(*binary->left) && is_constant(*binary->right)) return;
      expr = function.operation(
          "binary",
          list_of<ExprPtr>(string(spelling(binary->op)), std::move(binary->left), std::move(binary->right)), at);
    } else if (auto* unary = as<UnaryOp>(expr); unary && unary->op != UnaryOperator::not_) {
      if (is_constant(*unary->operand)) return;
      expr = function.operation("unary", list_of<ExprPtr>(string(spelling(unary->op)), std::move(unary->operand)), at);
    }
  });
}

}  // namespace lantern::passes
