// Before:  const double x1 = 2 * a;     After:  const double h = 2 * a + b;
//          const double h = x1 + b;
// A value without a name of the user's that is used once, in the same list of statements, is written where it is
// used, unless something in between could change it or must come first. What is never used is left out, unless
// computing it can fail.
#include <algorithm>
#include <map>
#include <unordered_map>

#include "lantern/lowering.h"
#include "lantern/walk.h"

namespace lantern {

using namespace lowered;

namespace {

using Uses = std::unordered_map<const ir::Variable*, int>;

void count(const ExprPtr& e, Uses& uses) {
  if (const auto* read = std::get_if<Read>(&e->node)) ++uses[read->variable];
  for_each_operand(*e, [&](const ExprPtr& operand) { count(operand, uses); });
}

void count(Statements& statements, Uses& uses) {
  for (auto& statement : statements) {
    for_each_expr(statement, [&](const ExprPtr& e) { count(e, uses); });
    // A value beside which an adjoint is declared keeps its name, and gives a zero adjoint its shape.
    if (const auto* adjoint = std::get_if<DeclareAdjoint>(&statement.node); adjoint && !adjoint->value) uses[adjoint->variable] += 2;
    for_each_list(statement, [&](Statements& nested) { count(nested, uses); });
  }
}

bool has_effect(const ExprPtr& e) {
  const auto* apply = std::get_if<Apply>(&e->node);
  bool effect = (apply && apply->op->effect) || std::holds_alternative<DirectCall>(e->node);
  for_each_operand(*e, [&](const ExprPtr& operand) { effect = effect || has_effect(operand); });
  return effect;
}

bool can_fail(const ExprPtr& e) {
  bool fails = false;
  if (const auto* apply = std::get_if<Apply>(&e->node)) {
    const auto name = apply->op->name;
    const bool number = is(e->type, TypeKind::scalar);
    fails = name == "index" || name == "slice" || name == "gather" || name == "cross_entropy" ||
            (number && name == "cast" && is_floating(apply->operands[0]->type) && !is_floating(e->type)) ||
            (number && (name == "/" || name == "//" || name == "%" || name == "**" || name == "log" || name == "sqrt"));
  }
  if (const auto* field = std::get_if<FieldOf>(&e->node)) {
    fails = is(field->object->type, TypeKind::optional) && !field->object->present;
  }
  for_each_operand(*e, [&](const ExprPtr& operand) { fails = fails || can_fail(operand); });
  return fails;
}

bool reads_what_changes(const ExprPtr& e) {
  const auto* read = std::get_if<Read>(&e->node);
  bool reads = (read && read->variable->storage != ir::Storage::local) || std::holds_alternative<GradientOf>(e->node);
  for_each_operand(*e, [&](const ExprPtr& operand) { reads = reads || reads_what_changes(operand); });
  return reads;
}

// Names that a front end makes up: x12, t, t_3.
bool is_made_up(const std::string& name) {
  if (name.empty() || (name[0] != 'x' && name[0] != 't')) return false;
  if (name == "t") return true;
  return name.size() > 1 && (name[1] == '_' || std::isdigit(static_cast<unsigned char>(name[1]))) &&
         name.find_first_not_of("0123456789_", 1) == std::string::npos;
}

ExprPtr substitute(const ExprPtr& e, const ir::Variable* variable, const ExprPtr& value) {
  if (const auto* read = std::get_if<Read>(&e->node)) {
    if (read->variable != variable) return e;
    if (!e->present || value->present) return value;
    Expr present = *value;
    present.present = true;
    return std::make_shared<const Expr>(std::move(present));
  }
  Expr copy = *e;
  bool changed = false;
  const auto replace = [&](ExprPtr& operand) {
    ExprPtr after = substitute(operand, variable, value);
    changed = changed || after != operand;
    operand = std::move(after);
  };
  if (auto* n = std::get_if<Apply>(&copy.node)) for (auto& operand : n->operands) replace(operand);
  if (auto* n = std::get_if<FieldOf>(&copy.node)) replace(n->object);
  if (auto* n = std::get_if<NoneTest>(&copy.node)) replace(n->object);
  if (auto* n = std::get_if<Construct>(&copy.node)) for (auto& operand : n->fields) replace(operand);
  if (auto* n = std::get_if<DirectCall>(&copy.node)) for (auto& operand : n->operands) replace(operand);
  return changed ? std::make_shared<const Expr>(std::move(copy)) : e;
}

int reads_in(Statement& statement, const ir::Variable* variable) {
  Uses uses;
  for_each_expr(statement, [&](const ExprPtr& e) { count(e, uses); });
  const auto found = uses.find(variable);
  return found == uses.end() ? 0 : found->second;
}

/// Whether what reads the variable in this statement may fail, or what may be computed before that: in C++ the operands
/// of an expression have no order, but the values that are returned do.
bool may_fail_first(Statement& statement, const ir::Variable* variable) {
  const bool in_order = std::holds_alternative<Return>(statement.node);
  bool fails = false, read = false;
  for_each_expr(statement, [&](const ExprPtr& e) {
    if (in_order && read) return;
    Uses uses;
    count(e, uses);
    read = uses.contains(variable);
    fails = fails || can_fail(e);
  });
  return fails;
}

/// May a value be computed behind this statement as well as before it? Of two that can fail the first says why.
bool lets_pass(const Statement& statement, bool value_can_change, bool value_can_fail) {
  if (const auto* let = std::get_if<Let>(&statement.node)) return !has_effect(let->value) && !(value_can_fail && can_fail(let->value));
  if (value_can_change && std::holds_alternative<Gradient>(statement.node)) return false;
  return std::holds_alternative<DeclareAdjoint>(statement.node) || std::holds_alternative<Comment>(statement.node) ||
         std::holds_alternative<MarkArena>(statement.node) || std::holds_alternative<Accumulate>(statement.node);
}

bool takes_inlined(const Statement& statement) {
  if (const auto* loop = std::get_if<For>(&statement.node)) return !loop->condition;
  return !std::holds_alternative<While>(statement.node) && !std::holds_alternative<Step>(statement.node);
}

void inline_values(Statements& statements, const Uses& uses) {
  for (std::size_t i = 0; i < statements.size(); ++i) {
    for_each_list(statements[i], [&](Statements& nested) { inline_values(nested, uses); });
  }
  for (std::size_t i = statements.size(); i-- > 0;) {
    const auto* let = std::get_if<Let>(&statements[i].node);
    if (!let || let->variables.size() != 1 || !is_made_up(let->variables[0]->name) || has_effect(let->value)) continue;
    const ir::Variable* variable = let->variables[0];
    const auto found = uses.find(variable);
    if (found == uses.end() || found->second != 1) continue;
    const bool changes = reads_what_changes(let->value), fails = can_fail(let->value);
    for (std::size_t j = i + 1; j < statements.size(); ++j) {
      if (reads_in(statements[j], variable) == 1) {
        if (!takes_inlined(statements[j]) || (fails && may_fail_first(statements[j], variable))) break;
        const ExprPtr value = let->value;
        for_each_expr(statements[j], [&](ExprPtr& e) { e = substitute(e, variable, value); });
        statements.erase(statements.begin() + static_cast<std::ptrdiff_t>(i));
        break;
      }
      if (!lets_pass(statements[j], changes, fails)) break;
    }
  }
}

bool remove_unused(Statements& statements, const Uses& uses) {
  bool removed = false;
  for (auto& statement : statements) {
    for_each_list(statement, [&](Statements& nested) { removed = remove_unused(nested, uses) || removed; });
  }
  const auto end = std::remove_if(statements.begin(), statements.end(), [&](Statement& statement) {
    const auto* let = std::get_if<Let>(&statement.node);
    if (!let || has_effect(let->value) || can_fail(let->value)) return false;
    return std::all_of(let->variables.begin(), let->variables.end(), [&](const ir::Variable* v) { return !uses.contains(v); });
  });
  removed = removed || end != statements.end();
  statements.erase(end, statements.end());
  return removed;
}

ExprPtr rename_adjoints(const ExprPtr& e, const std::map<const ir::Variable*, ir::Variable*>& other) {
  if (const auto* adjoint = std::get_if<AdjointOf>(&e->node)) {
    const auto found = other.find(adjoint->variable);
    return found == other.end() ? e : lowered::make(AdjointOf{found->second}, e->type, e->location);
  }
  Expr copy = *e;
  bool changed = false;
  if (auto* apply = std::get_if<Apply>(&copy.node)) {
    for (auto& operand : apply->operands) {
      ExprPtr after = rename_adjoints(operand, other);
      changed = changed || after != operand;
      operand = std::move(after);
    }
  }
  return changed ? std::make_shared<const Expr>(std::move(copy)) : e;
}

// An adjoint that is another one as it stands needs no name of its own: `const t_adj = y_adj`.
void share_adjoints(Statements& statements) {
  std::map<const ir::Variable*, ir::Variable*> other;
  Statements kept;
  for (auto& statement : statements) {
    for_each_list(statement, [](Statements& nested) { share_adjoints(nested); });
    for_each_expr(statement, [&](ExprPtr& e) { e = rename_adjoints(e, other); });
    if (const auto* declared = std::get_if<DeclareAdjoint>(&statement.node); declared && declared->constant && declared->value) {
      const auto* same = std::get_if<AdjointOf>(&declared->value->node);
      if (same && same->variable->storage == ir::Storage::local && same_type(same->variable->type, declared->variable->type)) {
        other[declared->variable] = same->variable;
        continue;
      }
    }
    kept.push_back(std::move(statement));
  }
  statements = std::move(kept);
}

}  // namespace

void tidy(lowered::Function& function) {
  Uses uses;
  do {
    uses.clear();
    count(function.body, uses);
  } while (remove_unused(function.body, uses));
  inline_values(function.body, uses);
  share_adjoints(function.body);
}

}  // namespace lantern
