//     while x > 1:
//         x = x / 2
// becomes
//     def get_state__():
//         return (x,)
//     def set_state__(state__):
//         nonlocal x
//         (x,) = state__
//     def loop_test__():
//         return x > 1
//     def loop_body__():
//         nonlocal x
//         x = x / 2
//     ag__.while_stmt(loop_test__, loop_body__, get_state__, set_state__, ('x',), {}, (1, 1))
#include "frontend/passes/control_flow.h"

namespace lantern::passes {

using namespace syntax;

Block convert_while(Function& function, const StatementState& state, While& node, const Range& at) {
  const Shape shape(function, state, at);
  const std::string test = function.local_name("loop_test__"), body = function.local_name("loop_body__");
  Block result = shape.prologue();
  result.push_back(shape.branch(test, {}, state.test, list_of<StmtPtr>(return_(std::move(node.test)))));
  result.push_back(shape.branch(body, {}, state.body, std::move(node.body)));
  result.push_back(shape.operation("while_stmt", list_of<ExprPtr>(name(test), name(body), shape.get_state(),
                                                                  shape.set_state(), shape.names(), make(Dict{}))));
  return result;
}

}  // namespace lantern::passes
