// Before:  double x_before_adj = x_adj;          After:  const double dx_adj = -x_adj;
//          const double dx_adj = -x_adj;                 x_adj += dx_adj * b;
//          x_before_adj += dx_adj * b;
//          x_adj = x_before_adj;
// And:     double x_before_adj = y_adj;            After:  x_adj = y_adj;
//          x_before_adj += y_adj * b;                    x_adj += y_adj * b;
//          x_adj = x_before_adj;
// And:     inbox_changes.redo();                  After:
//          inbox_changes.undo();
#include "lantern/shorter_sweeps.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "lantern/walk.h"

namespace lantern {

using namespace lowered;

namespace {

/// What a statement, with those within it, does with the adjoint of a variable.
struct Uses {
  bool reads = false, adds = false, others = false;
};

Uses uses_of(Statement& statement, const ir::Variable* variable) {
  Uses uses;
  for_each_expr(statement, [&](const ExprPtr& e) { uses.reads = uses.reads || reads_adjoint(e, variable); });
  const auto names = [&](const ir::Variable* named) { uses.others = uses.others || named == variable; };
  const auto all = [&](const std::vector<ir::Variable*>& named) { std::ranges::for_each(named, names); };
  const auto arguments = [&](const std::vector<Argument>& list) {
    for (const auto& argument : list) names(argument.adjoint);
  };
  if (const auto* n = std::get_if<Accumulate>(&statement.node)) uses.adds = n->variable == variable;
  if (const auto* n = std::get_if<DeclareAdjoint>(&statement.node)) names(n->variable);
  if (const auto* n = std::get_if<AssignAdjoints>(&statement.node)) all(n->variables);
  if (const auto* n = std::get_if<ClearItem>(&statement.node)) names(n->variable);
  if (const auto* n = std::get_if<lowered::Gradient>(&statement.node)) arguments(n->arguments);
  if (const auto* n = std::get_if<Reverse>(&statement.node)) arguments(n->arguments);
  if (const auto* n = std::get_if<Resume>(&statement.node)) arguments(n->arguments);
  if (const auto* n = std::get_if<CallThen>(&statement.node)) arguments(n->arguments);
  for_each_list(statement, [&](Statements& nested) {
    for (auto& each : nested) {
      const Uses within = uses_of(each, variable);
      uses = {uses.reads || within.reads, uses.adds || within.adds, uses.others || within.others};
    }
  });
  return uses;
}

ExprPtr with_adjoint(const ExprPtr& e, const ir::Variable* from, ir::Variable* to) {
  if (!reads_adjoint(e, from)) return e;
  if (std::holds_alternative<AdjointOf>(e->node)) return lowered::make(AdjointOf{to}, e->type, e->location);
  Expr copy = *e;
  const auto all = [&](std::vector<ExprPtr>& operands) {
    for (auto& operand : operands) operand = with_adjoint(operand, from, to);
  };
  if (auto* n = std::get_if<Apply>(&copy.node)) all(n->operands);
  if (auto* n = std::get_if<DirectCall>(&copy.node)) all(n->operands);
  if (auto* n = std::get_if<Construct>(&copy.node)) all(n->fields);
  return std::make_shared<const Expr>(std::move(copy));
}

void rename_adjoint(Statement& statement, const ir::Variable* from, ir::Variable* to) {
  for_each_expr(statement, [&](ExprPtr& e) { e = with_adjoint(e, from, to); });
  if (auto* n = std::get_if<Accumulate>(&statement.node); n && n->variable == from) n->variable = to;
  for_each_list(statement, [&](Statements& nested) {
    for (auto& each : nested) rename_adjoint(each, from, to);
  });
}

/// Where the list last gives the variable's adjoint to that of another one of its type, and that one; null: nowhere.
std::pair<std::size_t, ir::Variable*> handed_on(Statements& list, const ir::Variable* variable) {
  for (std::size_t i = list.size(); i-- > 0;) {
    const auto* assign = std::get_if<AssignAdjoints>(&list[i].node);
    if (!assign || assign->kept) continue;
    for (std::size_t k = 0; k < assign->values.size(); ++k) {
      const auto* value = std::get_if<AdjointOf>(&assign->values[k]->node);
      if (value && value->variable == variable && same_type(assign->variables[k]->type, variable->type)) return {i, assign->variables[k]};
    }
  }
  return {0, nullptr};
}

/// Whether the adjoint that is declared at `begin` may be the other one, until that is given it at `end`: nothing reads the other one where they differ.
bool may_be_one(Statements& list, std::size_t begin, std::size_t end, const ir::Variable* variable, const ir::Variable* other, bool differ) {
  for (std::size_t i = begin + 1; i < end; ++i) {
    const Uses own = uses_of(list[i], variable), of_other = uses_of(list[i], other);
    if (own.others || of_other.others || of_other.adds) return false;
    const bool is_one_addition = std::holds_alternative<Accumulate>(list[i].node);
    if (of_other.reads && (differ || (own.adds && !is_one_addition))) return false;
    differ = differ || own.adds;
  }
  const auto& assign = std::get<AssignAdjoints>(list[end].node);
  if (differ && std::ranges::any_of(assign.values, [&](const ExprPtr& value) { return reads_adjoint(value, other); })) return false;
  for (std::size_t i = end + 1; i < list.size(); ++i) {
    const Uses own = uses_of(list[i], variable);
    if (own.reads || own.adds || own.others) return false;
  }
  return true;
}

void add_where_they_are(Statements& list) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    const auto* declared = std::get_if<DeclareAdjoint>(&list[i].node);
    if (!declared || declared->constant || !declared->value || !is_one_number(declared->variable->type)) continue;
    ir::Variable* variable = declared->variable;
    const auto [end, other] = handed_on(list, variable);
    if (!other || end < i) continue;
    const auto* from = std::get_if<AdjointOf>(&declared->value->node);
    const bool begins_as_other = from && from->variable == other;
    if (!may_be_one(list, i, end, variable, other, !begins_as_other)) continue;
    for (std::size_t k = i + 1; k <= end; ++k) rename_adjoint(list[k], variable, other);
    auto& assign = std::get<AssignAdjoints>(list[end].node);
    const auto place = std::ranges::find(assign.variables, other) - assign.variables.begin();
    assign.variables.erase(assign.variables.begin() + place);
    assign.values.erase(assign.values.begin() + place);
    if (assign.variables.empty()) list.erase(list.begin() + static_cast<std::ptrdiff_t>(end));
    if (begins_as_other) list.erase(list.begin() + static_cast<std::ptrdiff_t>(i--));
    else list[i].node = AssignAdjoints{{other}, {ExprPtr(std::get<DeclareAdjoint>(list[i].node).value)}};
  }
}

void leave_out_redone(Statements& list) {
  const auto change = [&](std::size_t i, Change::Act act) {
    const auto* n = std::get_if<Change>(&list[i].node);
    return n && n->act == act ? n->history : nullptr;
  };
  for (std::size_t i = 0; i + 1 < list.size(); ++i) {
    const auto* redone = change(i, Change::Act::redo);
    if (!redone || change(i + 1, Change::Act::undo) != redone) continue;
    list.erase(list.begin() + static_cast<std::ptrdiff_t>(i), list.begin() + static_cast<std::ptrdiff_t>(i) + 2);
    i -= std::min<std::size_t>(i, 2);
  }
}

}  // namespace

void shorten_sweeps(Statements& body) {
  for (auto& statement : body) {
    for_each_list(statement, shorten_sweeps);
    if (auto* loop = std::get_if<Backwards>(&statement.node)) {
      leave_out_redone(loop->body);
      add_where_they_are(loop->body);
    }
  }
}

}  // namespace lantern
