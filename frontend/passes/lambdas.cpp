//     key = lambda x: x + 1
// becomes (its body is the other passes' business)
//     key = ag__.converted_lambda(lambda x: x + 1)
//
// Runs before the passes that make lambdas of their own. Such a lambda finds an empty cell where a variable that `:=` binds has
// no value yet, which Python reports in other words than an unbound local:
//     lambda x: x and (y := f(x)) or y
// becomes
//     ag__.converted_lambda(lambda x: (y := ag__.Undefined('y'), x and (y := f(x)) or ag__.ld(y))[1])
#include <algorithm>

#include "frontend/passes/passes.h"
#include "frontend/passes/state.h"

namespace lantern::passes {

using namespace syntax;

namespace {

bool reads_one_of(const Expr& expr, const NameSet& names) {
  auto* name = as<Name>(expr);
  bool reads = name && names.count(name->id);
  for_each_child(expr, [&](const Expr& child) { reads = reads || reads_one_of(child, names); });
  return reads;
}

// Whether an operand that becomes a lambda of ours reads one of the names.
bool reads_when_delayed(const Expr& expr, const NameSet& names) {
  if (is<Lambda>(expr)) return false;
  const auto behind_the_first = [&](const std::vector<ExprPtr>& operands) {
    return std::any_of(operands.begin() + 1, operands.end(), [&](const ExprPtr& operand) { return reads_one_of(*operand, names); });
  };
  if (auto* logical = as<BoolOp>(expr); logical && behind_the_first(logical->values)) return true;
  if (auto* chain = as<Compare>(expr); chain && behind_the_first(chain->comparators)) return true;
  auto* choice = as<IfExp>(expr);
  if (choice && (reads_one_of(*choice->body, names) || reads_one_of(*choice->orelse, names))) return true;
  bool reads = false;
  for_each_child(expr, [&](const Expr& child) { reads = reads || reads_when_delayed(child, names); });
  return reads;
}

void define_what_may_be_unbound(const Function& function, Lambda& lambda) {
  const std::vector<std::string> walrus = analysis::walrus_names(*lambda.body);
  NameSet names(walrus.begin(), walrus.end());
  for (const std::string& parameter : analysis::parameter_names(lambda.parameters)) names.erase(parameter);
  if (names.empty() || !reads_when_delayed(*lambda.body, names)) return;
  const Range at = lambda.body->range;
  std::vector<ExprPtr> values;
  for (const std::string& id : names) {
    values.push_back(make(NamedExpr{name(id), function.placeless("Undefined", list_of<ExprPtr>(string(id)), at)}));
  }
  guard_reads(function, lambda.body, std::move(names));
  const auto place = static_cast<long long>(values.size());
  values.push_back(std::move(lambda.body));
  lambda.body = subscript(tuple(std::move(values)), number(place));
  inherit(lambda.body, at);
}

}  // namespace

void convert_lambdas(Function& function) {
  rewrite_loads(function, [&](ExprPtr& expr) {
    auto* lambda = as<Lambda>(expr);
    if (!lambda) return;
    define_what_may_be_unbound(function, *lambda);
    const Range at = expr->range;
    expr = function.placeless("converted_lambda", list_of<ExprPtr>(std::move(expr)), at);
  });
}

}  // namespace lantern::passes
