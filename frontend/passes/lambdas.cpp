//     key = lambda x: x + 1
// becomes (its body is the other passes' business)
//     key = ag__.converted_lambda(lambda x: x + 1)
//
// Runs before the passes that make lambdas of their own.
#include "frontend/passes/passes.h"

namespace lantern::passes {

using namespace syntax;

void convert_lambdas(Function& function) {
  rewrite_loads(function, [&](ExprPtr& expr) {
    if (!is<Lambda>(*expr)) return;
    const Range at = expr->range;
    expr = function.placeless("converted_lambda", list_of<ExprPtr>(std::move(expr)), at);
  });
}

}  // namespace lantern::passes
