//     [*xs, y],  (*xs, y),  f(*xs, **d)
// becomes
//     ag__.gathered([*ag__.spread(xs, 'list', (1, 2)), y], (1, 1)),  (*ag__.spread(xs, 'tuple', (1, 13)), y),
//     f(*ag__.spread(xs, 'call', (1, 24)), **ag__.spread_mapping(d, (1, 31)))
//
// Python puts the list together: where the length of `xs` is known only when the program runs, there is one element in it that
// stands for all of them. Of what Python goes through, the trace knows that it has been read.
//
//     {k: v, **d},  {x, *xs}
// becomes
//     ag__.dict_display(((k, v), (ag__.spread_mapping(d, (1, 10)),)), (1, 1)),  ag__.set_display((x, *ag__.spread(xs, 'set', (1, 19))), (1, 15))
//
// for a key that is known only when the program runs is none that Python can put into a dict or set.
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

// Its keys and values, and what `**` stands before alone.
ExprPtr pairs(const Function& function, std::vector<DictItem>& items) {
  std::vector<ExprPtr> pairs;
  for (DictItem& item : items) {
    if (!item.key) spread_mapping(function, item.value);
    pairs.push_back(tuple(item.key ? list_of<ExprPtr>(std::move(item.key), std::move(item.value)) : list_of<ExprPtr>(std::move(item.value))));
  }
  return tuple(std::move(pairs));
}

}  // namespace

void convert_displays(Function& function) {
  rewrite_loads(function, [&](ExprPtr& expr) {
    const Range at = expr->range;
    if (auto* tuple = as<Tuple>(expr)) spread(function, tuple->elts, "tuple");
    if (auto* set = as<Set>(expr)) {
      spread(function, set->elts, "set");
      expr = function.operation("set_display", list_of<ExprPtr>(tuple(std::move(set->elts))), at);
      return;
    }
    if (auto* dict = as<Dict>(expr)) {
      expr = function.operation("dict_display", list_of<ExprPtr>(pairs(function, dict->items)), at);
      return;
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
