//     raise ValueError(x)
// becomes
//     ag__.raise_(ValueError(x), None, (1, 1))
//
// `raise` alone, and `raise … from …`, stay plain: they belong to Python's handling of exceptions. Runs last, so that
// the analyses still see where control ends.
#include "frontend/passes/passes.h"

namespace lantern::passes {

using namespace syntax;

namespace {

void convert(const Function& function, Block& block) {
  for (StmtPtr& stmt : block) {
    if (is<ClassDef>(*stmt)) continue;
    for_each_block(*stmt, [&](Block& nested) { convert(function, nested); });
    auto* node = as<Raise>(*stmt);
    if (!node || !node->exc || node->cause) continue;
    const Range at = stmt->range;
    stmt = expr_stmt(function.operation("raise_", list_of<ExprPtr>(std::move(node->exc), none()), at));
    inherit(stmt, at);
  }
}

}  // namespace

void convert_raises(Function& function) { convert(function, function.def.body); }

}  // namespace lantern::passes
