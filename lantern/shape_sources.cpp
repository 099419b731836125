#include "lantern/shape_sources.h"

#include <algorithm>
#include <vector>

#include "lantern/walk.h"

namespace lantern {

using namespace lowered;

namespace {

/// What was made in front of a statement, in its list or around it, is there for it, and what that was made of.
void ask_sources(Statements& statements, Shapes& shapes) {
  std::vector<const ir::Variable*> made;
  for (auto& statement : statements) {
    for_each_expr(statement, [&](ExprPtr& e) { e = shapes.asked_of_operands(e); });
    if (const auto* let = std::get_if<Let>(&statement.node); let && shapes.note(*let)) made.push_back(let->variables[0]);
    for_each_list(statement, [&](Statements& nested) { ask_sources(nested, shapes); });
  }
  for (const auto* variable : made) shapes.forget(variable);
}

}  // namespace

bool has_shape_of(const Operator& op) { return op.name == "sum-to" || op.name == "like" || op.name == "reshape-like" || op.name == "spread"; }

bool Shapes::note(const Let& let) {
  const ExprPtr lazy = deferred(let.value), value = lazy ? lazy : let.value;
  const auto* apply = let.variables.size() == 1 ? std::get_if<Apply>(&value->node) : nullptr;
  if (!apply || !apply->op->elementwise || rank(value->type) == 0) return false;
  computed_[let.variables[0]] = value;
  return true;
}

ExprPtr Shapes::asked_of_operands(const ExprPtr& e) const {
  Expr copy = *e;
  auto* apply = std::get_if<Apply>(&copy.node);
  if (!apply) return e;
  const bool asks = has_shape_of(*apply->op) && rank(e->type) > 0;
  bool changed = false;
  for (std::size_t i = 0; i < apply->operands.size(); ++i) {
    const ExprPtr after = asks && i + 1 == apply->operands.size() ? source(apply->operands[i]) : asked_of_operands(apply->operands[i]);
    changed = changed || after != apply->operands[i];
    apply->operands[i] = after;
  }
  return changed ? std::make_shared<const Expr>(std::move(copy)) : e;
}

ExprPtr Shapes::source(const ExprPtr& e) const {
  const auto* read = std::get_if<Read>(&e->node);
  const auto found = read ? computed_.find(read->variable) : computed_.end();
  if (found == computed_.end()) return e;
  const auto& operands = std::get<Apply>(found->second->node).operands;
  for (const auto& whole : operands) {
    const bool alone = std::holds_alternative<Read>(whole->node) && rank(whole->type) == rank(e->type) && std::ranges::all_of(operands, [&](const ExprPtr& other) { return other == whole || certainly_fits(other->type, whole->type); });
    if (alone) return source(whole);
  }
  Expr copy = *found->second;
  for (auto& operand : std::get<Apply>(copy.node).operands) operand = source(operand);
  const auto whole = std::make_shared<const Expr>(std::move(copy));
  return size(whole) <= most_parts_ ? whole : e;
}

void ask_sources_for_shapes(Statements& body) {
  Shapes shapes(0);
  ask_sources(body, shapes);
}

}  // namespace lantern
