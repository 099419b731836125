//     try:
//         y = 1 / x
//     except ZeroDivisionError:
//         y = 0
// becomes
//     y = ag__.Undefined('y')
//     def get_state__():
//         return (y,)
//     def set_state__(state__):
//         nonlocal y
//         (y,) = state__
//     def try__():
//         nonlocal y
//         try:
//             y = 1 / x
//         except ZeroDivisionError:
//             y = 0
//     ag__.try_stmt(try__, get_state__, set_state__, ('y',), 1, (1, 1))()
//
// The operator gives the statement to be called, or stages it: then it is run once for each way that it may go.
#include <utility>

#include "frontend/analysis/cfg.h"
#include "frontend/passes/control_flow.h"

namespace lantern::passes {

using namespace syntax;

namespace {

bool mentions(const Expr& expr, const std::string& id) {
  auto* read = as<Name>(expr);
  bool found = read && read->id == id;
  for_each_child(expr, [&](const Expr& child) { found = found || mentions(child, id); });
  return found;
}

bool mentions(const Stmt& stmt, const std::string& id) {
  bool found = false;
  for_each_expression(stmt, [&](const Expr& expr) { found = found || mentions(expr, id); });
  for_each_block(stmt, [&](const Block& block) {
    for (const StmtPtr& each : block) found = found || mentions(*each, id);
  });
  return found;
}

}  // namespace

// One that hands elements on stays Python's: who goes through them runs there, once for each.
bool is_converted_try(const Function& function, const Stmt& stmt) {
  auto* attempt = as<Try>(stmt);
  return attempt && !attempt->is_star && !(function.hands_elements_on() && mentions(stmt, function.into()));
}

namespace {

// Python takes an exception's name away where a handler ends, also from whoever shares the variable: that has no value then.
//     except E as e: …    →    except E as error__: e = error__; …; e = ag__.Undefined('e')
void keep_shared_names(const Function& function, const StatementState& state, Try& node) {
  for (ExceptHandler& handler : node.handlers) {
    if (!state.shared.count(handler.name)) continue;
    const Range at = handler.range;
    const std::string variable = std::exchange(handler.name, function.local_name("error__"));
    StmtPtr stored = assign(name(variable), name(handler.name));
    inherit(stored, at);
    handler.body.insert(handler.body.begin(), std::move(stored));
    if (!analysis::completes(handler.body)) continue;
    for (StmtPtr& gone : undefined(function, {variable}, at)) handler.body.push_back(std::move(gone));
  }
}

}  // namespace

Block convert_try(Function& function, const StatementState& state, StmtPtr stmt, const Range& at) {
  const Shape shape(function, state, at);
  const std::string whole = function.local_name("try__");
  keep_shared_names(function, state, *as<Try>(*stmt));
  Block result = shape.prologue();
  result.push_back(shape.branch(whole, {}, state.body, list_of<StmtPtr>(std::move(stmt))));
  StmtPtr chosen = shape.operation("try_stmt", list_of<ExprPtr>(name(whole), shape.get_state(), shape.set_state(), shape.names(),
                                                                number(state.outputs)), false);
  ExprPtr& called = as<ExprStmt>(chosen)->value;
  called = call(std::move(called));
  inherit(chosen, at);
  result.push_back(std::move(chosen));
  return result;
}

}  // namespace lantern::passes
