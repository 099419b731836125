#include "lantern/expression_effects.h"

#include "lantern/walk.h"

namespace lantern {

using namespace lowered;

bool has_effect(const ExprPtr& e) {
  const auto* apply = std::get_if<Apply>(&e->node);
  bool effect = (apply && apply->op->effect) || std::holds_alternative<DirectCall>(e->node);
  for_each_operand(*e, [&](const ExprPtr& operand) { effect = effect || has_effect(operand); });
  return effect;
}

namespace {

/// How the operation of an expression can fail, its operands aside.
Failures own_failures(const ExprPtr& e) {
  if (const auto* field = std::get_if<FieldOf>(&e->node)) return {.other = is(field->object->type, TypeKind::optional) && !field->object->present};
  const auto* apply = std::get_if<Apply>(&e->node);
  if (!apply || apply->in_reverse || apply->unchecked) return {};  // a derivative's primal has been checked
  std::vector<Type> types;
  std::vector<std::optional<std::int64_t>> literals;
  for (const auto& operand : apply->operands) {
    types.push_back(operand->type);
    literals.push_back(integer_value(operand));
  }
  return failures_of(*apply->op, {types, literals, apply->attributes}, e->type);
}

}  // namespace

Failures failures(const ExprPtr& e) {
  Failures all = own_failures(e);
  for_each_operand(*e, [&](const ExprPtr& operand) { all = all | failures(operand); });
  return all;
}

bool are_equal(const ExprPtr& a, const ExprPtr& b) {
  const auto *read = std::get_if<Read>(&a->node), *other_read = std::get_if<Read>(&b->node);
  if (read || other_read) return read && other_read && read->variable == other_read->variable;
  if (const auto number = integer_value(a)) return number == integer_value(b);
  const auto *apply = std::get_if<Apply>(&a->node), *other = std::get_if<Apply>(&b->node);
  return apply && other && apply->op == other->op && apply->in_reverse == other->in_reverse && apply->attributes == other->attributes &&
         std::equal(apply->operands.begin(), apply->operands.end(), other->operands.begin(), other->operands.end(), are_equal);
}

}  // namespace lantern
