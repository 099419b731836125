//     if (a or b) and c: x = d and not (e or f)
// The conditions are `a or b` and all of the test. Whether `e or f` is true CPython asks of the value that it has computed.
#include "frontend/passes/conditions.h"

namespace lantern::passes {

using namespace syntax;

Conditions::Conditions(Function& function) { in(function.def.body); }

void Conditions::in(Block& block) {
  for (StmtPtr& stmt : block) {
    if (auto* node = as<If>(stmt)) condition(*node->test);
    if (auto* node = as<While>(stmt)) condition(*node->test);
    if (auto* node = as<Assert>(stmt)) condition(*node->test);
    for_each_load(*stmt, [&](ExprPtr& expr) { inside(*expr); });
    if (is<FunctionDef>(*stmt) || is<ClassDef>(*stmt)) continue;
    for_each_block(*stmt, [&](Block& nested) { in(nested); });
  }
}

void Conditions::inside(const Expr& expr) {
  if (auto* choice = as<IfExp>(expr)) condition(*choice->test);
  for_each_child(expr, [&](const Expr& child) { inside(child); });
}

void Conditions::condition(const Expr& expr) {
  if (auto* negation = as<UnaryOp>(expr); negation && negation->op == UnaryOperator::not_) condition(*negation->operand);
  auto* logical = as<BoolOp>(expr);
  if (!logical) return;
  found_.insert(&expr);
  for (const ExprPtr& operand : logical->values) condition(*operand);
}

}  // namespace lantern::passes
