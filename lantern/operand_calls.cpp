// Before:  const double x4 = total(tree.left);              After:  const double x5 = tree.value + total(tree.left);
//          const double x5 = tree.value + x4;                      return x5 + total(tree.right);
//          const double x7 = total(tree.right);
//          return x5 + x7;
// Two calls stand in one expression only if one is an argument of the other: C++ might run the second first.
#include "lantern/operand_calls.h"

#include <algorithm>

#include "lantern/assignments.h"
#include "lantern/expression_effects.h"
#include "lantern/mentions.h"
#include "lantern/operators.h"
#include "lantern/walk.h"

namespace lantern {

using namespace lowered;

namespace {

bool is_local(const ExprPtr& e) {
  const auto* read = std::get_if<Read>(&e->node);
  return read && read->variable->storage == ir::Storage::local;
}

/// Whether an expression is the same before a call as behind it: of numbers that nothing else can change, without errors.
bool outlasts_call(const ExprPtr& e) {
  if (std::holds_alternative<Read>(e->node)) return is_local(e) && is_one_number(e->type);
  if (const auto* field = std::get_if<FieldOf>(&e->node)) return is_one_number(e->type) && std::holds_alternative<Read>(field->object->node) && !failures(e).any();
  const auto* apply = std::get_if<Apply>(&e->node);
  if (!apply) return std::holds_alternative<Constant>(e->node);
  bool outlasts = !apply->op->effect && !failures(e).any();
  for_each_operand(*e, [&](const ExprPtr& operand) { outlasts = outlasts && outlasts_call(operand); });
  return outlasts;
}

/// Whether no place in the program is told before the operation, in case that it fails (codegen/shape_checks.h): of numbers, or of what cannot.
bool tells_no_place(const ExprPtr& e, const Apply& apply) {
  const auto& operands = apply.operands;
  const bool of_numbers = is_one_number(e->type) && std::all_of(operands.begin(), operands.end(), [](const ExprPtr& operand) { return is_one_number(operand->type); });
  if (of_numbers) return apply.op->name != "**";
  return is(e->type, TypeKind::list) ? apply.op->fails == Fails::never : apply.op->fails == Fails::possible && !failures(e).any();
}

bool takes(const ExprPtr& e, const ir::Variable* result) {
  if (mentions_of(result, e).reads == 0) return outlasts_call(e);
  const auto* apply = std::get_if<Apply>(&e->node);
  if (!apply && !std::holds_alternative<DirectCall>(e->node)) return std::holds_alternative<Read>(e->node);
  bool all = !apply || tells_no_place(e, *apply);
  for_each_operand(*e, [&](const ExprPtr& operand) { all = all && (is_local(operand) || takes(operand, result)); });  // what is in it is read behind the call
  return all;
}

bool changes_in_place(const ExprPtr& e) {
  const auto* apply = std::get_if<Apply>(&e->node);
  bool changes = apply && apply->op->in_place;
  for_each_operand(*e, [&](const ExprPtr& operand) { changes = changes || changes_in_place(operand); });
  return changes;
}

bool has_call_beside(const ExprPtr& e, const ir::Variable* variable) {
  if (mentions_of(variable, e).reads == 0) return has_effect(e);
  bool calls = false;
  for_each_operand(*e, [&](const ExprPtr& operand) { calls = calls || has_call_beside(operand, variable); });
  return calls;
}

}  // namespace

bool is_call(const ExprPtr& e) {
  return std::holds_alternative<DirectCall>(e->node) || (is_one_number(e->type) && has_effect(e) && !changes_in_place(e));
}

bool takes_call(Statement& statement, const ir::Variable* result, const ExprPtr& value) {
  if (const auto* call = std::get_if<DirectCall>(&value->node)) {  // what it changes is read in front of it, or behind it
    for (const std::size_t i : call->changes) {
      if (!mentions_of(variable_of(call->operands[i]), statement).none()) return false;
    }
  }
  const auto* assign = std::get_if<Assign>(&statement.node);
  bool all = std::holds_alternative<Let>(statement.node) || std::holds_alternative<Return>(statement.node) || std::holds_alternative<Print>(statement.node) ||
             std::holds_alternative<If>(statement.node) || (assign && !assign->kept && assign->values.size() == 1);
  all = all && is_numeric(result->type);
  for_each_expr(statement, [&](const ExprPtr& e) { all = all && takes(e, result); });
  return all;
}

bool stands_beside_calls(Statement& statement, const ir::Variable* variable, const ExprPtr& value) {
  if (outlasts_call(value)) return true;
  bool calls = false;
  for_each_expr(statement, [&](const ExprPtr& e) { calls = calls || has_call_beside(e, variable); });
  return !calls;
}

}  // namespace lantern
