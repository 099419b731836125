//     if tree.is_empty:
//         y = base
//     else:
//         l = f(tree.left)
//         y = l * l
//     return y
// becomes
//     y = ag__.Undefined('y')
//     def get_state__():
//         return (y,)
//     def set_state__(state__):
//         nonlocal y
//         (y,) = state__
//     def if_body__():
//         nonlocal y
//         y = base
//     def else_body__():
//         nonlocal y
//         l = f(tree.left)
//         y = l * l
//     ag__.if_stmt(tree.is_empty, if_body__, else_body__, get_state__, set_state__, ('y',), 1, (1, 1))()
//     return y
//
// The operator gives the branch to be called, so that no frame of ours stands around it, or stages both.
// A missing `else`, and the state of a statement that has none, is `ag__.nothing`.
#include "frontend/passes/control_flow.h"

namespace lantern::passes {

using namespace syntax;

Block convert_if(Function& function, const StatementState& state, If& node, const Range& at) {
  const Shape shape(function, state, at);
  const std::string body = function.local_name("if_body__"), orelse = function.local_name("else_body__");
  Block result = shape.prologue();
  result.push_back(shape.branch(body, {}, state.body, std::move(node.body)));
  const bool has_else = !node.orelse.empty();
  if (has_else) result.push_back(shape.branch(orelse, {}, state.orelse, std::move(node.orelse)));
  ExprPtr otherwise = has_else ? name(orelse) : attribute(name(function.operators), "nothing");
  StmtPtr choice = shape.operation("if_stmt", list_of<ExprPtr>(std::move(node.test), name(body), std::move(otherwise),
                                                               shape.get_state(), shape.set_state(), shape.names(),
                                                               number(state.outputs)));
  ExprPtr& chosen = as<ExprStmt>(choice)->value;
  chosen = call(std::move(chosen));
  inherit(choice, at);
  result.push_back(std::move(choice));
  return result;
}

}  // namespace lantern::passes
