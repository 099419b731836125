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
  const std::size_t own = function.role == Role::generator;     // of the parameters, ours in front
  const auto& positional = parameters.posonly.size() == own ? parameters.args : parameters.posonly;
  const std::size_t first = &positional == &parameters.posonly ? own : 0;
  if (function.class_name.empty() || positional.size() <= first || function.file.bound.count("super")) return;
  rewrite_loads(function, [&](ExprPtr& expr) {
    auto* node = as<Call>(expr);
    auto* callee = node ? as<Name>(node->func) : nullptr;
    if (!callee || callee->id != "super" || !node->args.empty() || !node->keywords.empty()) return;
    node->args = list_of<ExprPtr>(name("__class__"), name(positional[first].name));
    inherit(expr, expr->range);
  });
}

}  // namespace lantern::passes
