#pragma once

#include "lantern/lowered.h"
#include "support/match.h"

/// Traversals of the lowered program.
namespace lantern::lowered {

/// Calls `visit` with each expression that the statement evaluates itself; `visit` may replace it. Nested statements aside.
template <class StatementRef, class Visit>
void for_each_expr(StatementRef& statement, Visit visit) {
  const auto all = [&](auto& exprs) {
    for (auto& e : exprs) visit(e);
  };
  const auto maybe = [&](auto& e) {
    if (e) visit(e);
  };
  const auto arguments = [&](auto& list) {
    for (auto& argument : list) visit(argument.value);
  };
  match(
      statement.node, [&](Let& n) { visit(n.value); },
      [&](Declare& n) { maybe(n.initial); }, [&](Assign& n) { all(n.values); }, [&](DeclareAdjoint& n) { maybe(n.value); },
      [&](Accumulate& n) { visit(n.value); }, [&](AssignAdjoints& n) { all(n.values); },
      [&](InOneLoop& n) {
        for (auto& [e, element] : n.operands) visit(e);
        for (auto& [element, value] : n.values) visit(value);
        for (auto& result : n.results) visit(result.value);
      },
      [&](DeclareSaved&) {}, [&](Save&) {},
      [&](Restore&) {}, [&](DeclareTape&) {}, [&](Push&) {}, [&](Pop&) {}, [&](Forward& n) { all(n.operands); },
      [&](Reverse& n) {
        arguments(n.arguments);
        all(n.adjoints);
      },
      [&](Change& n) {
        maybe(n.array);
        all(n.places);
      },
      [&](ClearItem& n) {
        all(n.places);
        maybe(n.like);
      },
      [&](Backwards& n) { visit(n.start), visit(n.stop); }, [&](If& n) { visit(n.condition); }, [&](While& n) { visit(n.condition); },
      [&](For& n) {
        all(n.range);
        maybe(n.sequence);
        maybe(n.condition);
      },
      [&](CallThen& n) { arguments(n.arguments); }, [&](Together&) {}, [&](Each& n) { visit(n.turns); }, [&](LetTogether&) {}, [&](LetEach& n) { visit(n.turns); },
      [&](EachTurn& n) { visit(n.turns); }, [&](Join&) {}, [&](Resume& n) { arguments(n.arguments); },
      [&](Return& n) { all(n.values); }, [&](Do& n) { visit(n.value); }, [&](Print& n) { all(n.values); },
      [&](Assert& n) { visit(n.condition); }, [&](Raise& n) { all(n.values); }, [&](Gradient& n) { arguments(n.arguments); },
      [&](Step& n) {
        all(n.values);
        maybe(n.unless);
      },
      [&](Store& n) { visit(n.value); }, [&](Initialize& n) { all(n.dims); },
      [&](Break&) {}, [&](MarkArena&) {}, [&](ResetArena&) {}, [&](Comment&) {});
}

/// Calls `visit` with each variable whose value the statement puts by, which it names itself.
template <class Visit>
void for_each_saved(const Statement& statement, Visit visit) {
  if (const auto* n = std::get_if<Save>(&statement.node)) visit(n->variable);
  if (const auto* n = std::get_if<Push>(&statement.node)) {
    for (auto* variable : n->variables) visit(variable);
  }
}

/// Calls `visit` with each list of statements nested directly in the statement.
template <class Visit>
void for_each_list(Statement& statement, Visit visit) {
  if (auto* n = std::get_if<If>(&statement.node)) visit(n->then), visit(n->otherwise);
  if (auto* n = std::get_if<While>(&statement.node)) visit(n->test), visit(n->body);
  if (auto* n = std::get_if<For>(&statement.node)) visit(n->test), visit(n->body);
  if (auto* n = std::get_if<Backwards>(&statement.node)) visit(n->body);
  if (auto* n = std::get_if<CallThen>(&statement.node)) visit(n->body);
  if (auto* n = std::get_if<Together>(&statement.node)) {
    for (auto& part : n->parts) visit(part.statements);
    visit(n->body);
  }
  if (auto* n = std::get_if<Each>(&statement.node)) visit(n->each.statements), visit(n->body);
  if (auto* n = std::get_if<LetTogether>(&statement.node)) {
    for (auto& part : n->parts) visit(part.statements);
  }
  if (auto* n = std::get_if<LetEach>(&statement.node)) visit(n->each.statements);
  if (auto* n = std::get_if<EachTurn>(&statement.node)) visit(n->each.statements), visit(n->then);
  if (auto* n = std::get_if<Join>(&statement.node)) visit(n->body);
}

/// The same for who asks what is read behind a statement of a list: that of a loop's test ends with what the loop's condition reads, as a statement.
template <class Visit>
void for_each_list_with_condition(Statement& statement, Visit visit) {
  Statements* test = nullptr;
  ExprPtr* condition = nullptr;
  if (auto* n = std::get_if<While>(&statement.node)) test = &n->test, condition = &n->condition;
  if (auto* n = std::get_if<For>(&statement.node)) test = &n->test, condition = &n->condition;
  const bool is_read = test && !test->empty() && *condition;
  if (is_read) test->push_back({Do{*condition}, statement.location});
  for_each_list(statement, visit);
  if (!is_read) return;
  *condition = std::move(std::get<Do>(test->back().node).value);
  test->pop_back();
}

/// Calls `visit` with the operands of an expression.
template <class Visit>
void for_each_operand(const Expr& e, Visit visit) {
  if (const auto* n = std::get_if<Apply>(&e.node)) {
    for (const auto& operand : n->operands) visit(operand);
  } else if (const auto* n = std::get_if<FieldOf>(&e.node)) {
    visit(n->object);
  } else if (const auto* n = std::get_if<NoneTest>(&e.node)) {
    visit(n->object);
  } else if (const auto* n = std::get_if<Construct>(&e.node)) {
    for (const auto& field : n->fields) visit(field);
  } else if (const auto* n = std::get_if<DirectCall>(&e.node)) {
    for (const auto& operand : n->operands) visit(operand);
  }
}

/// Whether an expression reads the adjoint of a variable.
inline bool reads_adjoint(const ExprPtr& e, const ir::Variable* variable) {
  const auto* adjoint = std::get_if<AdjointOf>(&e->node);
  bool found = adjoint && adjoint->variable == variable;
  for_each_operand(*e, [&](const ExprPtr& operand) { found = found || reads_adjoint(operand, variable); });
  return found;
}

/// Parts of an expression, itself included.
inline std::size_t size(const ExprPtr& e) {
  std::size_t parts = 1;
  for_each_operand(*e, [&](const ExprPtr& operand) { parts += size(operand); });
  return parts;
}

}  // namespace lantern::lowered
