// Bindings that carry an adjoint and do not leave the segment: forwards, and their pullbacks.
#include "lantern/lowering.h"
#include "lantern/pullback.h"
#include "lantern/reverse_sweep.h"

namespace lantern {

using namespace lowered;
using ir::has_adjoint_by_reference;

ir::Variable* FormBuilder::held(ir::Variable* variable) const {
  const auto found = held_.find(variable);
  return found == held_.end() ? variable : found->second;
}

/// An element of a list has no adjoint of its own for what touches a part of it: `rows_adj += index_at(i, index_at(j, x_adj))`.
void FormBuilder::note_row(const ir::Binding& binding) {
  const auto* read = std::get_if<ir::Operate>(&binding.node);
  const Type type = binding.results[0]->type;
  if (read && read->op->name == "index" && is(read->operands[0].type, TypeKind::list) && !is_one_number(type) && !has_adjoint_by_reference(type)) rows_[binding.results[0]] = read;
}

void FormBuilder::add(ReverseSweep& sweep, ir::Variable* variable, ExprPtr value, const Location& location) const {
  variable = held(variable);
  const auto row = rows_.find(variable);
  if (row != rows_.end() && sweep.begins_here(variable) && touches_part_only(value)) {
    const ir::Operand& whole = row->second->operands[0];
    const std::vector<ExprPtr> operands{expr(row->second->operands[1]), std::move(value), expr(whole)};
    std::vector<Type> types;
    for (const auto& operand : operands) types.push_back(operand->type);
    return add(sweep, whole.variable, lowered::make(Apply{select_operator("index-at", types), operands, {}, true, row->second->unchecked}, whole.type), location);
  }
  const auto before = before_.find(variable);
  sweep.add(before == before_.end() ? variable : before->second, std::move(value), location);
}

// The forward sweep of one binding that carries an adjoint and does not leave the segment.
void FormBuilder::taped_binding(const ir::Binding& binding, ReverseSweep& sweep, Statements& out) {
  const bool loop = std::holds_alternative<ir::While>(binding.node) || std::holds_alternative<ir::For>(binding.node);
  if (loop) {
    forward_loop(binding, out);
    for (auto* result : binding.results) {
      if (!changed(result)) sweep.defined_here(held(result));
    }
    return;
  }
  if (const auto* call = std::get_if<ir::Call>(&binding.node)) {
    if (is_taped_call(binding)) forward_call(binding, out);
    else own_forward(binding, *call, out);
    for (auto* result : binding.results) {
      if (activity_.is_active(result)) sweep.defined_here(result);
    }
    return;
  }
  ir::Variable* result = binding.results[0];
  if (const ChangedArray* array = changed(result)) return set_item(binding, *array, out);
  out.push_back({Let{binding.results, value_of(binding)}, binding.location});
  note_row(binding);
  sweep.defined_here(result);
  if (!has_adjoint_by_reference(result->type)) return;
  out.push_back({DeclareAdjoint{result, referred_adjoint(binding), true}, binding.location});
  sweep.declared_before(result);
}

// Its reverse sweep.
void FormBuilder::pull_back(const ir::Binding& binding, ReverseSweep& sweep) {
  if (std::holds_alternative<ir::While>(binding.node) || std::holds_alternative<ir::For>(binding.node)) return backward_loop(binding, sweep);
  if (std::holds_alternative<ir::If>(binding.node)) return backward_branch(binding, sweep);
  if (is_taped_call(binding)) return reverse_call(binding, sweep);
  if (const auto* call = std::get_if<ir::Call>(&binding.node)) return own_backward(binding, *call, sweep);
  ir::Variable* y = binding.results[0];
  if (const ChangedArray* array = changed(y)) return pull_back_item(binding, *array, sweep);
  if (!sweep.has_adjoint(y) || sweep.is_within(y)) return;
  const ExprPtr known = sweep.take_out_number(y);
  const ExprPtr y_adj = known ? known : adjoint_of(y);
  if (const auto* made = std::get_if<ir::Make>(&binding.node)) {
    for (std::size_t i = 0; i < made->fields.size(); ++i) {
      const ir::Operand& operand = made->fields[i];
      if (!activity_.is_active(operand) || has_adjoint_by_reference(operand.type)) continue;
      add(sweep, operand.variable, lowered::make(FieldOf{y_adj, program_.structure(made->structure)->fields[i].first}, operand.type), binding.location);
    }
    return;
  }
  if (has_adjoint_by_reference(y->type)) return;
  if (const auto* field = std::get_if<ir::Field>(&binding.node)) {
    sweep.add_to_field(held(field->object.variable), y_adj, field->name, binding.location);
    return;
  }
  if (const auto* copy = std::get_if<ir::Copy>(&binding.node)) {
    if (activity_.is_active(copy->value)) add(sweep, copy->value.variable, y_adj, binding.location);
    return;
  }
  const auto& operate = std::get<ir::Operate>(binding.node);
  std::vector<bool> wanted;
  for (const auto& operand : operate.operands) wanted.push_back(activity_.is_active(operand));
  for (auto& contribution : lantern::pull_back(*operate.op, operate.attributes, exprs(operate.operands), reading(y), y_adj, wanted)) {
    const bool is_place = operate.unchecked && operate.op->name == "index";  // and so is that in the adjoint
    add(sweep, operate.operands[contribution.operand].variable, unchecked(contribution.value, is_place), binding.location);
  }
}

}  // namespace lantern
