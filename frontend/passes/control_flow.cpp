// Analyses the function once, then rewrites its `if`s, loops and `try`s, inner ones first. The functions that a statement
// needs may have the names that its neighbours' have: each is used only in the call behind it.
#include "frontend/passes/control_flow.h"

#include <algorithm>
#include <iterator>

#include "frontend/passes/passes.h"

namespace lantern::passes {

using namespace syntax;

namespace {

// From the statement's first character to the end of its head.
Range head(const Stmt& stmt) {
  if (is<Try>(stmt)) return {stmt.range.line, stmt.range.column, stmt.range.line, stmt.range.column};
  auto* branch = as<If>(stmt);
  auto* loop = as<While>(stmt);
  const Expr& last = branch ? *branch->test : loop ? *loop->test : *as<For>(stmt)->iter;
  return {stmt.range.line, stmt.range.column, last.range.end_line, last.range.end_column};
}

Block converted(Function& function, const StatementState& state, StmtPtr owned, const Range& at) {
  Stmt& stmt = *owned;
  if (is<Try>(stmt)) return convert_try(function, state, std::move(owned), at);
  if (auto* branch = as<If>(stmt)) return convert_if(function, state, *branch, at);
  if (auto* loop = as<While>(stmt)) return convert_while(function, state, *loop, at);
  const auto flag = function.break_flags.find(&stmt);
  return convert_for(function, state, *as<For>(stmt), at, function.loop_targets.at(&stmt),
                     flag == function.break_flags.end() ? "" : flag->second);
}

}  // namespace

Shape::Shape(Function& function, const StatementState& state, const Range& at)
    : function_(function), state_(state), at_(at) {}

ExprPtr Shape::get_state() const { return state_function("get_state__"); }
ExprPtr Shape::set_state() const { return state_function("set_state__"); }

ExprPtr Shape::state_function(const std::string& base) const {
  return state_.names.empty() ? attribute(name(function_.operators), "nothing") : name(function_.local_name(base));
}

ExprPtr Shape::names() const {
  std::vector<std::string> texts;
  for (const QualifiedName& place : state_.names) texts.push_back(place.text());
  return strings(texts);
}

void Shape::declare(const NameSet& written, Block& body) const {
  std::vector<std::string> globals, nonlocals;
  for (const std::string& name : function_.bindings.globals) {
    if (written.count(name)) globals.push_back(name);
  }
  for (const std::string& name : state_.shared) {
    if (written.count(name) && !function_.bindings.globals.count(name)) nonlocals.push_back(name);
  }
  if (!globals.empty()) body.push_back(make(Global{std::move(globals)}));
  if (!nonlocals.empty()) body.push_back(nonlocal_(std::move(nonlocals)));
}

Block Shape::prologue() const {
  Block result = undefined(function_, state_.undefined, at_);
  if (state_.names.empty()) return result;
  std::vector<ExprPtr> values, targets;
  NameSet simple;
  // `ag__.own(b).v`: a property is no state, but what it stores. `ag__.owner(lambda: xs[0]).v`: an element may not be there, or be one of the
  // program's. `ag__.held(b)`: what the variable holds on the paths where it has a value.
  const auto spelled = [&](const QualifiedName& place) {
    if (place.is_simple()) return place.expression();
    ExprPtr object = name(place.root);
    if (state_.unsure.count(place.root)) object = function_.placeless("held", list_of<ExprPtr>(std::move(object)), at_);
    if (place.selectors.back().kind == analysis::Selector::Kind::item) return place.expression(std::move(object));
    QualifiedName owner = place;
    owner.selectors.pop_back();
    const bool is_element = std::any_of(owner.selectors.begin(), owner.selectors.end(), [](const auto& selector) { return selector.kind == analysis::Selector::Kind::item; });
    ExprPtr found = owner.expression(std::move(object));
    if (is_element) found = thunk(std::move(found));
    return attribute(function_.placeless(is_element ? "owner" : "own", list_of<ExprPtr>(std::move(found)), at_), place.selectors.back().text);
  };
  for (const QualifiedName& place : state_.names) {
    targets.push_back(spelled(place));
    const bool unsure = !place.is_simple() || function_.bindings.is_declared(place.root);
    if (place.is_simple()) simple.insert(place.root);
    values.push_back(!unsure ? spelled(place)
                             : function_.placeless("ldu", list_of<ExprPtr>(thunk(spelled(place)), string(place.text())), at_));
  }
  result.push_back(function_def(function_.local_name("get_state__"), {}, list_of<StmtPtr>(return_(tuple(std::move(values))))));

  const std::string parameter = function_.local_name("state__");
  Block body;
  declare(simple, body);
  body.push_back(assign(tuple(std::move(targets)), name(parameter)));
  result.push_back(function_def(function_.local_name("set_state__"), parameters({parameter}), std::move(body)));
  inherit(result, at_);
  return result;
}

StmtPtr Shape::branch(const std::string& branch_name, std::vector<std::string> formals, const Branch& branch,
                      Block body) const {
  Block whole;
  declare(branch.writes, whole);
  Block values = undefined(function_, branch.undefined, at_);
  std::move(values.begin(), values.end(), std::back_inserter(whole));
  std::move(body.begin(), body.end(), std::back_inserter(whole));
  if (whole.empty() || is<Global>(*whole.back()) || is<Nonlocal>(*whole.back())) whole.push_back(pass());
  StmtPtr result = function_def(branch_name, parameters(std::move(formals)), std::move(whole));
  inherit(result, at_);
  return result;
}

StmtPtr Shape::operation(const std::string& operator_name, std::vector<ExprPtr> arguments) const {
  return operation(operator_name, std::move(arguments), function_.hands_elements_on());
}

StmtPtr Shape::operation(const std::string& operator_name, std::vector<ExprPtr> arguments, bool hands_elements_on) const {
  arguments.push_back(function_.place(at_));
  ExprPtr owner = name(hands_elements_on ? function_.into() : function_.operators);
  StmtPtr result = expr_stmt(call(attribute(std::move(owner), operator_name), std::move(arguments)));
  inherit(result, at_);
  return result;
}

Block undefined(const Function& function, const std::vector<std::string>& names, const Range& at) {
  Block result;
  for (const std::string& variable : names) {
    result.push_back(assign(name(variable), function.placeless("Undefined", list_of<ExprPtr>(string(variable)), at)));
    inherit(result.back(), at);
  }
  return result;
}

void convert_control_flow(Function& function) {
  const ControlFlow flow = analyse_control_flow(function);
  guard_undefined(function, flow);
  rewrite_statements(function, [&](StmtPtr stmt) {
    const auto found = flow.statements.find(stmt.get());
    if (found == flow.statements.end()) return list_of<StmtPtr>(std::move(stmt));
    const Range at = head(*stmt);
    Block result = converted(function, found->second, std::move(stmt), at);
    for (const QualifiedName& place : found->second.names) {  // what its branches store to is stored to by the statement
      if (!place.is_simple()) continue;
      for (StmtPtr& note : function.note_of_store(place.root, at)) {
        inherit(note, at);
        result.push_back(std::move(note));
      }
    }
    return result;
  });
  prepend(function.def.body, undefined(function, flow.undefined, function.def.body[0]->range));
}

}  // namespace lantern::passes
