//     tree.left
// becomes
//     ag__.getattr_(tree, 'left', (1, 1))
#include "frontend/passes/passes.h"

namespace lantern::passes {

using namespace syntax;

void convert_attributes(Function& function) {
  rewrite_loads(function, [&](ExprPtr& expr) {
    auto* attribute = as<Attribute>(expr);
    if (!attribute || function.is_operator(*expr)) return;
    const Range at = expr->range;
    expr = function.operation("getattr_", list_of<ExprPtr>(std::move(attribute->value), string(attribute->attr)), at);
  });
}

}  // namespace lantern::passes
