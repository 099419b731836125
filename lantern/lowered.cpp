#include "lantern/lowered.h"

namespace lantern::lowered {

ExprPtr make(decltype(Expr::node) node, Type type, Location location) {
  return std::make_shared<const Expr>(Expr{std::move(node), std::move(type), std::move(location)});
}

}  // namespace lantern::lowered
