//     a < b,  a < b <= c,  x is None,  w in words
// becomes
//     ag__.compare('<', a, b, (1, 1)),  ag__.compare_chain(a, '<', b, ('<=', lambda: c), (1, 9)),
//     ag__.is_(x, None, (1, 22)),  ag__.in_(w, words, (1, 33))
//
// A chain evaluates each operand once, and none behind the first that fails. One that binds a name (`:=`) in an
// operand that would be delayed stays plain.
#include "frontend/passes/passes.h"

namespace lantern::passes {

using namespace syntax;

namespace {

ExprPtr single(const Function& function, CompareOperator op, ExprPtr left, ExprPtr right, const Range& at) {
  const auto identity = [&](const char* name) {
    return function.operation(name, list_of<ExprPtr>(std::move(left), std::move(right)), at);
  };
  switch (op) {
    case CompareOperator::is: return identity("is_");
    case CompareOperator::is_not: return identity("is_not");
    case CompareOperator::in: return identity("in_");
    case CompareOperator::not_in: return identity("not_in");
    default:
      return function.operation("compare", list_of<ExprPtr>(string(spelling(op)), std::move(left), std::move(right)), at);
  }
}

}  // namespace

void convert_comparisons(Function& function) {
  rewrite_loads(function, [&](ExprPtr& expr) {
    auto* compare = as<Compare>(expr);
    if (!compare) return;
    const Range at = expr->range;
    if (compare->ops.size() == 1) {
      expr = single(function, compare->ops[0], std::move(compare->left), std::move(compare->comparators[0]), at);
      return;
    }
    for (const ExprPtr& operand : compare->comparators) {
      if (!may_be_delayed(*operand)) return;
    }
    std::vector<ExprPtr> arguments = list_of<ExprPtr>(
        std::move(compare->left), string(spelling(compare->ops[0])), std::move(compare->comparators[0]));
    for (std::size_t i = 1; i < compare->ops.size(); ++i) {
      arguments.push_back(
          tuple(list_of<ExprPtr>(string(spelling(compare->ops[i])), thunk(std::move(compare->comparators[i])))));
    }
    expr = function.operation("compare_chain", std::move(arguments), at);
  });
}

}  // namespace lantern::passes
