#include "lantern/model_use.h"

#include <map>
#include <set>

#include "lantern/walk.h"

namespace lantern {

using namespace lowered;

namespace {

using Key = std::pair<const ir::Function*, Form>;

bool mentions_model(const ExprPtr& e) {
  const auto* read = std::get_if<Read>(&e->node);
  const auto* apply = std::get_if<Apply>(&e->node);
  bool mentions = (read && read->variable->storage != ir::Storage::local) || std::holds_alternative<GradientOf>(e->node) ||
                  (apply && (apply->op->name == "save-parameters" || apply->op->name == "load-parameters"));
  for_each_operand(*e, [&](const ExprPtr& operand) { mentions = mentions || mentions_model(operand); });
  return mentions;
}

bool mentions_model(Statements& statements) {
  bool mentions = false;
  for (auto& statement : statements) {
    for_each_expr(statement, [&](const ExprPtr& e) { mentions = mentions || mentions_model(e); });
    for_each_list(statement, [&](Statements& nested) { mentions = mentions || mentions_model(nested); });
    if (const auto* gradient = std::get_if<Gradient>(&statement.node)) mentions = mentions || !gradient->parameters.empty();
    if (const auto* add = std::get_if<Accumulate>(&statement.node)) mentions = mentions || add->variable->storage != ir::Storage::local;
    mentions = mentions || std::holds_alternative<Step>(statement.node) || std::holds_alternative<Store>(statement.node) ||
               std::holds_alternative<Initialize>(statement.node);
  }
  return mentions;
}

void collect_asked(Statements& statements, std::set<const ir::Variable*>& asked) {
  for (auto& statement : statements) {
    for_each_list(statement, [&](Statements& nested) { collect_asked(nested, asked); });
    if (const auto* gradient = std::get_if<Gradient>(&statement.node)) asked.insert(gradient->parameters.begin(), gradient->parameters.end());
  }
}

void collect_callees(const ExprPtr& e, std::vector<Key>& callees) {
  if (const auto* call = std::get_if<DirectCall>(&e->node)) callees.emplace_back(call->callee, Form::direct);
  for_each_operand(*e, [&](const ExprPtr& operand) { collect_callees(operand, callees); });
}

void collect_callees(Statements& statements, const Activity& activity, std::vector<Key>& callees) {
  for (auto& statement : statements) {
    for_each_expr(statement, [&](const ExprPtr& e) { collect_callees(e, callees); });
    for_each_list(statement, [&](Statements& nested) { collect_callees(nested, activity, callees); });
    if (const auto* call = std::get_if<CallThen>(&statement.node)) callees.emplace_back(call->callee, Form::cps);
    if (const auto* call = std::get_if<Forward>(&statement.node)) callees.emplace_back(call->callee, Form::forward);
    if (const auto* call = std::get_if<Reverse>(&statement.node)) callees.emplace_back(call->callee, Form::reverse);
    if (const auto* gradient = std::get_if<Gradient>(&statement.node)) callees.emplace_back(gradient->callee, form_called(*gradient, activity));
  }
}

}  // namespace

void find_model_use(lowered::Program& program) {
  std::map<Key, std::vector<Function*>> callers;
  std::vector<Function*> pending;  // use the model, and their callers do not know yet
  for (auto& function : program.functions) {
    std::vector<Key> callees;
    collect_callees(function.body, program.activity, callees);
    for (const auto& callee : callees) callers[callee].push_back(&function);
    function.uses_model = mentions_model(function.body);
    if (function.uses_model) pending.push_back(&function);
  }
  while (!pending.empty()) {
    const auto* function = pending.back();
    pending.pop_back();
    for (auto* caller : callers[{function->source, function->form}]) {
      if (caller->uses_model) continue;
      caller->uses_model = true;
      pending.push_back(caller);
    }
  }
  std::set<const ir::Variable*> asked;  // the gradient of what nothing depends on is zero
  for (auto& function : program.functions) collect_asked(function.body, asked);
  program.gradients.clear();
  for (const auto& global : program.source->globals) {
    if (program.activity.is_active(global.variable) || asked.contains(global.variable)) program.gradients.push_back(global.variable);
  }
}

}  // namespace lantern
