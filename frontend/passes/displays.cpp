//     [*xs, y],  (*xs, y)
// becomes
//     ag__.gathered([*ag__.spread(xs, 'list', (1, 2)), y], (1, 1)),  (*ag__.spread(xs, 'tuple', (1, 13)), y)
//
// Python puts the list together: where the length of `xs` is known only when the program runs, there is one element in it that
// stands for all of them.
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

}  // namespace

void convert_displays(Function& function) {
  rewrite_loads(function, [&](ExprPtr& expr) {
    const Range at = expr->range;
    if (auto* tuple = as<Tuple>(expr)) spread(function, tuple->elts, "tuple");
    if (auto* set = as<Set>(expr)) spread(function, set->elts, "set");
    auto* list = as<List>(expr);
    if (list && spread(function, list->elts, "list")) expr = function.operation("gathered", list_of<ExprPtr>(std::move(expr)), at);
  });
}

}  // namespace lantern::passes
