//     f(a, *b, k=v, **m),  x.f(a)
//     @cached
//     def g(x): ...
// becomes
//     ag__.callee(f, (1, 1))(a, *b, k=v, **m),  ag__.method(x, 'f', (1, 22))(a)
//     @ag__.callee(cached, (2, 2))
//     def g(x): ...
//
// The call itself stays Python's: where nothing is staged, the callee is the function, and sees its caller. Functions that look at the frame that calls them (`super`,
// `globals`, `exec` and `eval` with name spaces of their own) are called plainly.
#include "frontend/passes/passes.h"

namespace lantern::passes {

using namespace syntax;

namespace {

bool looks_at_its_caller(const Call& call) {
  auto* callee = as<Name>(call.func);
  if (!callee) return false;
  static const NameSet always{"super", "globals", "eval", "exec", "locals"};
  static const NameSet alone{"vars", "dir"};
  return always.count(callee->id) || (alone.count(callee->id) && call.args.empty());
}

bool is_comprehension(const Function& function, const Call& call) {
  auto* callee = as<Name>(call.func);
  const auto made = callee ? function.made.find(callee->id) : function.made.end();
  return made != function.made.end() && made->second == Role::comprehension;
}

bool is_ours(const Function& function, const Expr& decorator) {
  auto* call = as<Call>(decorator);
  return function.is_operator(call ? *call->func : decorator);
}

void convert_decorators(Function& function, Block& block) {
  for (StmtPtr& stmt : block) {
    if (auto* def = as<FunctionDef>(*stmt)) {
      for (ExprPtr& decorator : def->decorator_list) {
        if (is_ours(function, *decorator)) continue;
        const Range at = decorator->range;
        decorator = function.operation("callee", list_of<ExprPtr>(std::move(decorator)), at);
      }
    }
    if (is<FunctionDef>(*stmt) || is<ClassDef>(*stmt)) continue;
    for_each_block(*stmt, [&](Block& nested) { convert_decorators(function, nested); });
  }
}

}  // namespace

void convert_calls(Function& function) {
  rewrite_loads(function, [&](ExprPtr& expr) {
    auto* node = as<Call>(expr);
    if (!node || function.is_operator(*node->func) || looks_at_its_caller(*node) || is_comprehension(function, *node)) return;
    const Range at = expr->range;
    if (auto* member = as<Attribute>(node->func)) {
      node->func = function.operation("method", list_of<ExprPtr>(std::move(member->value), string(member->attr)), at);
    } else {
      node->func = function.operation("callee", list_of<ExprPtr>(std::move(node->func)), at);
    }
  });
  convert_decorators(function, function.def.body);
}

}  // namespace lantern::passes
