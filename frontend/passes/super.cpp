//     super().__init__(x)
// becomes
//     super(__class__, self).__init__(x)
//
// which is what the call without arguments means, and goes on meaning it in the function that an `if`'s branch
// becomes.
#include "frontend/passes/passes.h"

namespace lantern::passes {

using namespace syntax;

void convert_super(Function& function) {
  const Parameters& parameters = function.def.parameters;
  const auto& positional = parameters.posonly.empty() ? parameters.args : parameters.posonly;
  if (function.class_name.empty() || positional.empty() || function.file.bound.count("super")) return;
  rewrite_loads(function, [&](ExprPtr& expr) {
    auto* node = as<Call>(expr);
    auto* callee = node ? as<Name>(node->func) : nullptr;
    if (!callee || callee->id != "super" || !node->args.empty() || !node->keywords.empty()) return;
    node->args = list_of<ExprPtr>(name("__class__"), name(positional[0].name));
    inherit(expr, expr->range);
  });
}

}  // namespace lantern::passes
