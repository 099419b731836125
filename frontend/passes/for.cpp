//     for x in xs:
//         total = total + x
// becomes (loop_elements.cpp has moved the target into the body)
//     def get_state__():
//         return (total,)
//     def set_state__(state__):
//         nonlocal total
//         (total,) = state__
//     def loop_body__(element__):
//         nonlocal total
//         x = element__
//         total = total + x
//     ag__.for_stmt(xs, None, loop_body__, get_state__, set_state__, ('total',), {'iterate_names': 'x'}, (1, 1))
//
// A loop with a `break` has a function in the place of None that says whether to go on.
#include "frontend/passes/control_flow.h"

namespace lantern::passes {

using namespace syntax;

Block convert_for(Function& function, const StatementState& state, For& node, const Range& at, const std::string& target,
                  const std::string& break_flag) {
  const Shape shape(function, state, at);
  const std::string body = function.local_name("loop_body__"), test = function.local_name("extra_test__");
  Block result = shape.prologue();
  ExprPtr extra_test = none();
  if (!break_flag.empty()) {
    StmtPtr goes_on = return_(function.operation("not_", list_of<ExprPtr>(name(break_flag)), at));
    result.push_back(shape.branch(test, {}, {}, list_of<StmtPtr>(std::move(goes_on))));
    extra_test = name(test);
  }
  const std::string element = as<Name>(node.target)->id;
  result.push_back(shape.branch(body, {element}, state.body, std::move(node.body)));
  std::vector<DictItem> options;
  options.push_back({string("iterate_names"), string(target)});
  result.push_back(shape.operation(
      "for_stmt", list_of<ExprPtr>(std::move(node.iter), std::move(extra_test), name(body), shape.get_state(),
                                   shape.set_state(), shape.names(), make(Dict{std::move(options)}))));
  return result;
}

}  // namespace lantern::passes
