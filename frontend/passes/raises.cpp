//     raise ValueError(x)
//     raise ValueError(x) from error
//     raise
// becomes
//     ag__.raise_(ValueError(x), (1, 1))
//     ag__.raise_from(ValueError(x), error, (2, 1))
//     ag__.reraise((3, 1))
//
// Runs last, so that the analyses still see where control ends.
#include "frontend/passes/passes.h"

namespace lantern::passes {

using namespace syntax;

namespace {

ExprPtr operation(const Function& function, Raise& node, const Range& at) {
  if (!node.exc) return function.operation("reraise", {}, at);
  if (!node.cause) return function.operation("raise_", list_of<ExprPtr>(std::move(node.exc)), at);
  return function.operation("raise_from", list_of<ExprPtr>(std::move(node.exc), std::move(node.cause)), at);
}

void convert(const Function& function, Block& block) {
  for (StmtPtr& stmt : block) {
    if (is_users_definition(function, *stmt)) continue;
    for_each_block(*stmt, [&](Block& nested) { convert(function, nested); });
    auto* node = as<Raise>(*stmt);
    if (!node) continue;
    const Range at = stmt->range;
    stmt = expr_stmt(operation(function, *node, at));
    inherit(stmt, at);
  }
}

}  // namespace

void convert_raises(Function& function) { convert(function, function.def.body); }

}  // namespace lantern::passes
