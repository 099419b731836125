//     for x in xs:
//         if a: continue
//         b
// becomes
//     for x in xs:
//         if a: pass
//         else: b
//
// or, where the jump is nested too deep for that, a flag `continue_` that is False at the beginning of each turn.
#include "frontend/passes/jumps.h"
#include "frontend/passes/passes.h"

namespace lantern::passes {

using namespace syntax;

void lower_continues(Function& function) {
  NameSet unread;
  rewrite_statements(function, [&](StmtPtr stmt) {
    auto* counted = as<For>(*stmt);
    auto* conditional = as<While>(*stmt);
    Jump jump{[](const Stmt& inner) { return is<Continue>(inner); }, {}, {}};
    if (counted || conditional) {
      Block& body = counted ? counted->body : conditional->body;
      if (contains(body, jump)) {
        jump.flag = function.variable("continue_");
        jump.replace = [&](StmtPtr inner) { return list_of<StmtPtr>(set_flag(jump.flag, true, inner->range)); };
        const Range at = body[0]->range;
        cancel_where_caught(body, jump);
        if (!lower_jumps(body, jump)) unread.insert(jump.flag);
        body.insert(body.begin(), set_flag(jump.flag, false, at));
      }
    }
    return list_of<StmtPtr>(std::move(stmt));
  });
  for (const std::string& flag : unread) remove_flag(function, flag);
}

}  // namespace lantern::passes
