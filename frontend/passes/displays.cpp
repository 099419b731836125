//     [*xs, y],  (*xs, y),  f(*xs, **d),  {**d}
// becomes
//     ag__.gathered([*ag__.spread(xs, 'list', (1, 2)), y], (1, 1)),  (*ag__.spread(xs, 'tuple', (1, 13)), y),
//     f(*ag__.spread(xs, 'call', (1, 24)), **ag__.spread_mapping(d, (1, 31))),  {**ag__.spread_mapping(d, (1, 40))}
//
// Python puts the list together: where the length of `xs` is known only when the program runs, there is one element in it that
// stands for all of them. Of what Python goes through, the trace knows that it has been read.
#include "frontend/passes/passes.h"

namespace lantern::passes {

using namespace syntax;

namespace {

bool spread(const Function& function, std::vector<ExprPtr>& elements, const char* display) {
  bool found = false;
  for (ExprPtr& element : elements) {
    auto* star = as<Starred>(element);
    if (!star) continue;
    const Range at = element->range;
    star->value = function.operation("spread", list_of<ExprPtr>(std::move(star->value), string(display)), at);
    found = true;
  }
  return found;
}

void spread_mapping(const Function& function, ExprPtr& value) {
  const Range at = value->range;
  value = function.operation("spread_mapping", list_of<ExprPtr>(std::move(value)), at);
}

}  // namespace

void convert_displays(Function& function) {
  rewrite_loads(function, [&](ExprPtr& expr) {
    const Range at = expr->range;
    if (auto* tuple = as<Tuple>(expr)) spread(function, tuple->elts, "tuple");
    if (auto* set = as<Set>(expr)) spread(function, set->elts, "set");
    if (auto* dict = as<Dict>(expr)) {
      for (DictItem& item : dict->items) {
        if (!item.key) spread_mapping(function, item.value);
      }
    }
    if (auto* call = as<Call>(expr); call && !function.is_operator(*call->func)) {
      spread(function, call->args, "call");
      for (Keyword& keyword : call->keywords) {
        if (keyword.name.empty()) spread_mapping(function, keyword.value);
      }
    }
    auto* list = as<List>(expr);
    if (list && spread(function, list->elts, "list")) expr = function.operation("gathered", list_of<ExprPtr>(std::move(expr)), at);
  });
}

}  // namespace lantern::passes
