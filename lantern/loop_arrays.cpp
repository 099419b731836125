// An array that a loop changes item by item, running backwards. There is one of it, and one of its adjoint, of which an item goes to what was set:
//
//   for (int64_t i = 0; i < n; ++i) {            for (int64_t i = n; i-- > 0;) {
//     a_changes.begin();                           a_changes.undo_to_begin();
//     const double t = index(a, i) * w;            const double t_adj = index(a_adj, i);
//     a_changes.note(a, i);                        clear_item(a_adj, i);
//     set_item(a, i, t);                           w_adj += t_adj * index(a, i);
//   }                                              a_adj += index_at(i, t_adj * w);
//                                                }
//
// Where the reverse sweep reads items, it does so of the array as it was at that place: it undoes the changes of a turn, makes them anew with what
// else it computes of the turn, and undoes each behind its pullback.
#include <algorithm>

#include "lantern/lowering.h"
#include "lantern/pullback.h"
#include "lantern/reverse_sweep.h"
#include "lantern/turn_values.h"

namespace lantern {

using namespace lowered;

namespace {

std::vector<ExprPtr> places_of(const std::vector<ExprPtr>& operands) { return {operands.begin() + 1, operands.end() - 1}; }

}  // namespace

const std::vector<ir::Variable*>& state_of(const ir::Node& loop) {
  if (const auto* iteration = std::get_if<ir::For>(&loop)) return iteration->state;
  return std::get<ir::While>(loop).state;
}

void FormBuilder::forward_loop(const ir::Binding& binding, Statements& out) {
  const std::size_t arrays = begin_arrays(binding);
  Statements made;
  Backward backward = loop_both_ways(binding, arrays, made);
  if (begin_histories(arrays, backward)) {
    made.clear();
    backward = loop_both_ways(binding, arrays, made);
  }
  for (auto& statement : made) out.push_back(std::move(statement));
  end_arrays(arrays, binding, out);
  backward_[&binding] = std::move(backward);
}

ExprPtr FormBuilder::copied(ExprPtr array) {
  const Type type = array->type;
  const Location location = array->location;
  return lowered::make(Apply{select_operator("copied", std::vector<Type>{type}), {std::move(array)}}, type, location);
}

const ChangedArray* FormBuilder::changed(const ir::Variable* variable) const {
  const auto found = std::find_if(arrays_.begin(), arrays_.end(), [&](const ChangedArray& array) { return array.versions.contains(variable); });
  return found == arrays_.end() ? nullptr : &*found;
}

/// Of a loop's state what each turn gives anew.
std::vector<ir::Variable*> FormBuilder::moving(const std::vector<ir::Variable*>& state) const {
  std::vector<ir::Variable*> all;
  std::copy_if(state.begin(), state.end(), std::back_inserter(all), [&](const ir::Variable* v) { return !changed(v); });
  return all;
}

/// The arrays that begin with a loop, behind those of the loops around; every version of them is read under one name.
std::size_t FormBuilder::begin_arrays(const ir::Binding& loop) {
  const std::size_t begin = arrays_.size();
  const auto& state = state_of(loop.node);
  for (std::size_t i = 0; i < state.size(); ++i) {
    auto array = changed(state[i]) ? std::nullopt : changed_array(loop.node, i);
    if (!array) continue;
    array->around.insert(&loop);
    for (const auto* version : array->versions) {
      held_[version] = state[i];
      inlined_[version] = reading(state[i]);
    }
    arrays_.push_back(std::move(*array));
  }
  return begin;
}

/// Behind the loop. What is undone on the way back was somebody's result: they get a copy.
void FormBuilder::end_arrays(std::size_t begin, const ir::Binding& loop, Statements& out) {
  const auto& state = state_of(loop.node);
  for (; arrays_.size() > begin; arrays_.pop_back()) {
    const ChangedArray& array = arrays_.back();
    for (const auto* version : array.versions) {
      held_.erase(version);
      inlined_.erase(version);
    }
    ir::Variable* result = loop.results[static_cast<std::size_t>(std::find(state.begin(), state.end(), array.variable) - state.begin())];
    held_[result] = array.variable;
    if (array.history) out.push_back({Let{{result}, copied(reading(array.variable))}, loop.location});
    else inlined_[result] = reading(array.variable);
  }
}

/// Whether some array's items are read on the way back, and it had no history yet.
bool FormBuilder::begin_histories(std::size_t begin, Backward& backward) {
  Mentions mentions;
  mentions.add(backward.loop);
  bool any = false;
  for (std::size_t i = begin; i < arrays_.size(); ++i) {
    ChangedArray& array = arrays_[i];
    if (!mentions.values.contains(array.variable)) continue;
    array.history = fresh(array.variable->name + "_changes", array.variable->type);
    any = true;
  }
  return any;
}

void FormBuilder::set_item(const ir::Binding& binding, const ir::Operate& write, const ChangedArray& array, Statements& out) {
  const auto say = [&](auto node) { out.push_back({std::move(node), binding.location}); };
  if (array.has_happened) {
    if (array.history) say(Change{Change::Act::redo, array.history});
    return;
  }
  std::vector<ExprPtr> operands = exprs(write.operands);
  std::vector<Type> types;
  for (const auto& operand : operands) types.push_back(operand->type);
  if (array.history) say(Change{Change::Act::note, array.history, operands[0], places_of(operands)});
  Apply set{select_operator("set-item", types), std::move(operands), write.attributes, write.derived};
  say(Assign{{array.variable}, {lowered::make(std::move(set), array.variable->type, binding.location)}});
}

void FormBuilder::pull_back_item(const ir::Binding& binding, const ir::Operate& write, const ChangedArray& array, ReverseSweep& sweep) {
  if (!activity_.is_active(array.variable)) return;
  const std::vector<ExprPtr> operands = exprs(write.operands);
  const ir::Operand& item = write.operands.back();
  if (activity_.is_active(item)) {
    std::vector<bool> wanted(operands.size());
    wanted.back() = true;
    for (auto& contribution : lantern::pull_back(*write.op, write.attributes, operands, reading(array.variable), adjoint_of(array.variable), wanted)) {
      add(sweep, item.variable, rank(item.type) > 0 ? copied(contribution.value) : contribution.value, binding.location);
    }
  }
  sweep.statements.push_back({ClearItem{array.variable, places_of(operands)}, binding.location});
}

/// For each array with a history that has the binding among its writes, or around them.
void FormBuilder::change(Change::Act act, std::set<const ir::Binding*> ChangedArray::*of, const ir::Binding& binding, Statements& out) const {
  for (const auto& array : arrays_) {
    if (array.history && (array.*of).contains(&binding)) out.push_back({Change{act, array.history}, binding.location});
  }
}

/// Whether arrays, or their adjoints, are to be taken back to what they were in front of the binding.
bool FormBuilder::changes_array(const ir::Binding& binding) const {
  return std::any_of(arrays_.begin(), arrays_.end(), [&](const auto& array) { return (array.history || activity_.is_active(array.variable)) && array.around.contains(&binding); });
}

/// It goes by its turns.
bool FormBuilder::is_reversed_loop(const ir::Binding& binding) const {
  return (std::holds_alternative<ir::While>(binding.node) || std::holds_alternative<ir::For>(binding.node)) && activity_.carries_adjoint(binding);
}

/// The array whose adjoint is there, and holds that of the row of it that the binding gives; null if it is none. Elements of tables are read row by row.
ir::Variable* FormBuilder::whole_of(const ir::Binding& binding, const ReverseSweep& sweep) const {
  const auto* operate = std::get_if<ir::Operate>(&binding.node);
  if (!operate || operate->op->name != "index" || !is(binding.results[0]->type, TypeKind::tensor) || rank(binding.results[0]->type) == 0) return nullptr;
  const ir::Operand& operand = operate->operands[0];
  if (!is(operand.type, TypeKind::tensor) || !activity_.is_active(binding.results[0]) || !activity_.is_active(operand)) return nullptr;
  ir::Variable* whole = held(operand.variable);
  return whole->storage == ir::Storage::local && !before_.contains(whole) && sweep.is_declared(whole) ? whole : nullptr;
}

Statement FormBuilder::adjoint_within(const ir::Binding& binding, ir::Variable* whole) const {
  const auto& index = std::get<ir::Operate>(binding.node);
  ir::Variable* part = binding.results[0];
  return {DeclareAdjoint{part, lowered::make(Apply{index.op, {adjoint_of(whole), expr(index.operands[1])}, {}, true}, part->type), true}, binding.location};
}

/// The adjoints of arrays are there all the time.
void FormBuilder::declare_adjoints(ReverseSweep& sweep) const {
  for (const auto& array : arrays_) {
    if (activity_.is_active(array.variable)) sweep.declared_before(array.variable);
  }
}

}  // namespace lantern
