#include "lantern/mentions.h"

#include <algorithm>

#include "lantern/walk.h"

namespace lantern::lowered {

namespace {

void count(const ExprPtr& e, const ir::Variable* variable, Mentions& mentions) {
  if (const auto* read = std::get_if<Read>(&e->node)) mentions.reads += read->variable == variable;
  if (const auto* adjoint = std::get_if<AdjointOf>(&e->node)) mentions.others = mentions.others || adjoint->variable == variable;
  if (const auto* call = std::get_if<DirectCall>(&e->node)) {
    for (const std::size_t i : call->changes) mentions.assignments += std::get<Read>(call->operands[i]->node).variable == variable;
  }
  for_each_operand(*e, [&](const ExprPtr& operand) { count(operand, variable, mentions); });
}

void count(Statement& statement, const ir::Variable* variable, Mentions& mentions) {
  for_each_expr(statement, [&](const ExprPtr& e) { count(e, variable, mentions); });
  const auto other = [&](const ir::Variable* named) { mentions.others = mentions.others || named == variable; };
  if (const auto* n = std::get_if<Assign>(&statement.node)) mentions.assignments += static_cast<int>(std::count(n->variables.begin(), n->variables.end(), variable));
  if (const auto* n = std::get_if<DeclareAdjoint>(&statement.node)) other(n->variable);
  for_each_saved(statement, other);
  if (const auto* n = std::get_if<Restore>(&statement.node)) other(n->variable);
  if (const auto* n = std::get_if<ClearItem>(&statement.node)) other(n->variable);
  if (const auto* n = std::get_if<Accumulate>(&statement.node)) other(n->variable);
  if (const auto* n = std::get_if<AssignAdjoints>(&statement.node)) std::for_each(n->variables.begin(), n->variables.end(), other);
  const auto adjoints = [&](const std::vector<Argument>& arguments) {
    for (const auto& argument : arguments) other(argument.adjoint);
  };
  if (const auto* n = std::get_if<Gradient>(&statement.node)) adjoints(n->arguments);
  if (const auto* n = std::get_if<CallThen>(&statement.node)) {
    adjoints(n->arguments);
    for (const std::size_t i : n->changes) mentions.assignments += std::get<Read>(n->arguments[i].value->node).variable == variable;
  }
  if (const auto* n = std::get_if<Resume>(&statement.node)) adjoints(n->arguments);
  if (const auto* n = std::get_if<Reverse>(&statement.node)) adjoints(n->arguments);
  for_each_list(statement, [&](Statements& nested) {
    for (auto& each : nested) count(each, variable, mentions);
  });
}

}  // namespace

Mentions mentions_of(const ir::Variable* variable, Statement& statement) {
  Mentions mentions;
  count(statement, variable, mentions);
  return mentions;
}

Mentions mentions_of(const ir::Variable* variable, const ExprPtr& e) {
  Mentions mentions;
  count(e, variable, mentions);
  return mentions;
}

Mentions mentions_of(const ir::Variable* variable, Statements& list, std::size_t begin, std::size_t end) {
  Mentions mentions;
  for (std::size_t i = begin; i < end; ++i) count(list[i], variable, mentions);
  return mentions;
}

ExprPtr substitute(const ExprPtr& e, const Values& values) {
  if (const auto* read = std::get_if<Read>(&e->node)) {
    const auto found = values.find(read->variable);
    if (found == values.end()) return e;
    if (!e->present || found->second->present) return found->second;
    Expr present = *found->second;
    present.present = true;
    return std::make_shared<const Expr>(std::move(present));
  }
  Expr copy = *e;
  bool changed = false;
  const auto replace = [&](ExprPtr& operand) {
    ExprPtr after = substitute(operand, values);
    changed = changed || after != operand;
    operand = std::move(after);
  };
  if (auto* n = std::get_if<Apply>(&copy.node)) std::for_each(n->operands.begin(), n->operands.end(), replace);
  if (auto* n = std::get_if<FieldOf>(&copy.node)) replace(n->object);
  if (auto* n = std::get_if<NoneTest>(&copy.node)) replace(n->object);
  if (auto* n = std::get_if<Construct>(&copy.node)) std::for_each(n->fields.begin(), n->fields.end(), replace);
  if (auto* n = std::get_if<DirectCall>(&copy.node)) std::for_each(n->operands.begin(), n->operands.end(), replace);
  return changed ? std::make_shared<const Expr>(std::move(copy)) : e;
}

void substitute(Statement& statement, const Values& values) {
  for_each_expr(statement, [&](ExprPtr& e) { e = substitute(e, values); });
  for_each_list(statement, [&](Statements& nested) {
    for (auto& each : nested) substitute(each, values);
  });
}

}  // namespace lantern::lowered
