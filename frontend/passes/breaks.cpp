//     while a:
//         if b: break
//         c
//     else: d
// becomes
//     break_ = False
//     while not break_ and a:
//         if b: break_ = True
//         else: c
//     if not break_: d
//
// A `for` keeps its head; its operator asks for `not break_` before it fetches another element.
#include <iterator>

#include "frontend/analysis/cfg.h"
#include "frontend/passes/jumps.h"
#include "frontend/passes/passes.h"

namespace lantern::passes {

using namespace syntax;

namespace {

ExprPtr continue_test(const std::string& flag, ExprPtr test) {
  const Range at = test->range;
  ExprPtr result = not_(name(flag));
  if (!analysis::is_always_true(*test)) {
    result = make(BoolOp{BoolOperator::and_, list_of<ExprPtr>(std::move(result), std::move(test))});
  }
  inherit(result, at);
  return result;
}

}  // namespace

void lower_breaks(Function& function) {
  rewrite_statements(function, [&](StmtPtr stmt) {
    auto* counted = as<For>(*stmt);
    auto* conditional = as<While>(*stmt);
    if (!counted && !conditional) return list_of<StmtPtr>(std::move(stmt));
    Block& body = counted ? counted->body : conditional->body;
    Block orelse = std::move(counted ? counted->orelse : conditional->orelse);
    (counted ? counted->orelse : conditional->orelse).clear();
    const Range at = stmt->range;

    Jump jump{[](const Stmt& inner) { return is<Break>(inner); }, {}, {}};
    if (!contains(body, jump)) {
      Block result = list_of<StmtPtr>(std::move(stmt));
      std::move(orelse.begin(), orelse.end(), std::back_inserter(result));
      return result;
    }
    jump.flag = function.variable("break_");
    jump.replace = [&](StmtPtr inner) { return list_of<StmtPtr>(set_flag(jump.flag, true, inner->range)); };
    cancel_where_caught(body, jump);
    lower_jumps(body, jump);
    if (counted) {
      function.break_flags[stmt.get()] = jump.flag;
    } else {
      conditional->test = continue_test(jump.flag, std::move(conditional->test));
    }
    Block result = list_of<StmtPtr>(set_flag(jump.flag, false, at), std::move(stmt));
    if (!orelse.empty()) {
      StmtPtr otherwise = if_(not_(name(jump.flag)), std::move(orelse));
      inherit(otherwise, at);
      result.push_back(std::move(otherwise));
    }
    return result;
  });
}

}  // namespace lantern::passes
