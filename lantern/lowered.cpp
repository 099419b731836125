#include "lantern/lowered.h"

#include "lantern/operators.h"

namespace lantern::lowered {

ExprPtr make(decltype(Expr::node) node, Type type, Location location) {
  return std::make_shared<const Expr>(Expr{std::move(node), std::move(type), std::move(location)});
}

namespace {

/// Whether an operation writes its result to elements of its own, whatever its operands are.
bool makes_elements(const ExprPtr& e) {
  const auto* apply = std::get_if<Apply>(&e->node);
  return apply && (apply->op->elementwise || apply->op->name == "outer" || apply->op->name == "matmul");
}

}  // namespace

bool may_be_view(const ExprPtr& e) {
  const auto* apply = std::get_if<Apply>(&e->node);
  if (!apply) return std::holds_alternative<AdjointOf>(e->node) || std::holds_alternative<Read>(e->node);
  const bool views = apply->op->cheap_view || apply->op->name == "index" || apply->op->name == "reshape-like";
  return views && !makes_elements(apply->operands[0]);
}

}  // namespace lantern::lowered
