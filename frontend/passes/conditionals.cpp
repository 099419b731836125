//     a if c else b
// becomes
//     ag__.if_exp(c, lambda: a, lambda: b, (1, 1))()
//
// A branch that binds a name (`:=`) cannot stand in a lambda: such a conditional stays plain.
#include "frontend/passes/passes.h"

namespace lantern::passes {

using namespace syntax;

void convert_conditionals(Function& function) {
  rewrite_loads(function, [&](ExprPtr& expr) {
    auto* choice = as<IfExp>(expr);
    if (!choice || !may_be_delayed(*choice->body) || !may_be_delayed(*choice->orelse)) return;
    const Range at = expr->range;
    expr = call(function.operation(
        "if_exp",
        list_of<ExprPtr>(std::move(choice->test), thunk(std::move(choice->body)), thunk(std::move(choice->orelse))), at));
    inherit(expr, at);
  });
}

}  // namespace lantern::passes
