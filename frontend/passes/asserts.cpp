//     assert n > 0, f"bad {n}"
// becomes
//     ag__.assert_(n > 0, lambda: f"bad {n}", (1, 1))
//
// Without a message the second argument is None.
#include "frontend/passes/passes.h"

namespace lantern::passes {

using namespace syntax;

void convert_asserts(Function& function) {
  rewrite_statements(function, [&](StmtPtr stmt) {
    auto* check = as<Assert>(*stmt);
    if (!check || (check->msg && !may_be_delayed(*check->msg))) return list_of<StmtPtr>(std::move(stmt));
    ExprPtr message = check->msg ? thunk(std::move(check->msg)) : none();
    const Range at = stmt->range;
    StmtPtr result =
        expr_stmt(function.operation("assert_", list_of<ExprPtr>(std::move(check->test), std::move(message)), at));
    inherit(result, at);
    return list_of<StmtPtr>(std::move(result));
  });
}

}  // namespace lantern::passes
