//     f(a, *b, k=v, **m)
// becomes
//     ag__.call(f, (a, *b), dict(k=v, **m), (1, 1))
//
// Without keywords the third argument is None. Functions that look at the frame that calls them (`super`,
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

ExprPtr keyword_arguments(const Function& function, std::vector<Keyword> keywords) {
  if (keywords.empty()) return none();
  if (!function.file.bound.count("dict")) return call(name("dict"), {}, std::move(keywords));
  std::vector<DictItem> items;
  for (Keyword& keyword : keywords) {
    items.push_back({keyword.name.empty() ? nullptr : string(keyword.name), std::move(keyword.value)});
  }
  return make(Dict{std::move(items)});
}

}  // namespace

void convert_calls(Function& function) {
  rewrite_loads(function, [&](ExprPtr& expr) {
    auto* node = as<Call>(expr);
    if (!node || function.is_operator(*node->func) || looks_at_its_caller(*node)) return;
    const Range at = expr->range;
    expr = function.operation("call",
                              list_of<ExprPtr>(std::move(node->func), tuple(std::move(node->args)),
                                               keyword_arguments(function, std::move(node->keywords))),
                              at);
  });
}

}  // namespace lantern::passes
