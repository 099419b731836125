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
// else it computes of the turn, and undoes each at its pullback. A list, and a list of lists, is changed in the same way. What is put in its places
// may be arrays or lists: as those of their adjoint go to what was put there, others follow, of what was there before.
#include <algorithm>
#include <iterator>

#include "lantern/lowering.h"
#include "lantern/pullback.h"
#include "lantern/reverse_sweep.h"
#include "lantern/turn_values.h"

namespace lantern {

using namespace lowered;

namespace {

/// What the places lead to, in a list of lists. unchecked: the last of them is certainly there.
ExprPtr item_of(ExprPtr list, const std::vector<ExprPtr>& places, bool unchecked) {
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Type element = resolve(list->type)->elements[0];
    const auto* index = select_operator("index", std::vector<Type>{list->type, places[i]->type});
    list = lowered::make(Apply{index, {std::move(list), places[i]}, {}, true, unchecked && i + 1 == places.size()}, element);
  }
  return list;
}

/// Whether the places that a write has from the whole on, of a list the last of them, are the operation's own, and certainly there.
bool is_unchecked(const ir::Operate& operate, const ItemWrite& write, bool list) {
  return operate.unchecked && !write.places.empty() && (list || write.places.size() + 2 == operate.operands.size());
}

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

/// With elements of its own: a list with rows of their own, too.
ExprPtr FormBuilder::copied(ExprPtr array) {
  const Type type = array->type;
  const auto* made = std::get_if<Apply>(&array->node);
  if (made && made->op->name == "empty") return array;
  const Location location = array->location;
  const bool has_lists = is(type, TypeKind::list) && is(resolve(type)->elements[0], TypeKind::list);
  return lowered::make(Apply{select_operator(has_lists ? "deep-copied" : "copied", std::vector<Type>{type}), {std::move(array)}}, type, location);
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
  Needs mentions;
  mentions.add(backward.loop);
  bool any = false;
  for (std::size_t i = begin; i < arrays_.size(); ++i) {
    ChangedArray& array = arrays_[i];
    const bool has_memory = has_memory_in_items(array);
    if (!mentions.values.contains(array.variable) && !(has_memory && activity_.is_active(array.variable))) continue;
    const Type row = array.writes.begin()->second.row.type;
    array.history = fresh(array.variable->name + "_changes", is(row, TypeKind::list) && !has_memory ? resolve(row)->elements[0] : array.variable->type);
    any = true;
  }
  return any;
}

void FormBuilder::set_item(const ir::Binding& binding, const ChangedArray& array, Statements& out) {
  const auto say = [&](auto node) { out.push_back({std::move(node), binding.location}); };
  const auto found = array.writes.find(&binding);
  if (found == array.writes.end()) return;  // another name, or a row on its way
  const ItemWrite& write = found->second;
  if (array.has_happened) {
    if (array.history) say(Change{Change::Act::redo, array.history});
    return;
  }
  const auto& operate = std::get<ir::Operate>(binding.node);
  const bool list = is(write.row.type, TypeKind::list);
  const auto put = [&](const ir::Operand& item) { return is(item.type, TypeKind::list) ? copied(expr(item)) : expr(item); };
  std::vector<ExprPtr> operands{expr(write.row)}, places;
  if (!write.places.empty()) places = exprs(list ? std::vector<ir::Operand>{write.places.back()} : write.places);
  if (array.history) say(Change{Change::Act::note, array.history, operands[0], places});
  operands.insert(operands.end(), places.begin(), places.end());
  if (write.places.empty()) std::transform(operate.operands.begin() + 1, operate.operands.end(), std::back_inserter(operands), put);
  else operands.push_back(put(write.item));
  std::vector<Type> types;
  for (const auto& operand : operands) types.push_back(operand->type);
  const auto* op = write.places.empty() ? operate.op : select_operator(list ? "write-to" : "set-item", types);
  say(Assign{{array.variable}, {lowered::make(Apply{op, std::move(operands), {}, operate.derived, is_unchecked(operate, write, list)}, array.variable->type, binding.location)}});
}

/// The item has been put back: what `like` stands for is what it was.
void FormBuilder::pull_back_item(const ir::Binding& binding, const ChangedArray& array, ReverseSweep& sweep) {
  const auto found = array.writes.find(&binding);
  if (found == array.writes.end() || !activity_.is_active(array.variable)) return;
  const ItemWrite& write = found->second;
  const auto& operate = std::get<ir::Operate>(binding.node);
  const bool list = is(array.variable->type, TypeKind::list), unchecked = is_unchecked(operate, write, list);
  const std::vector<ExprPtr> places = exprs(write.places);
  if (list && !places.empty()) {
    if (activity_.is_active(write.item)) add(sweep, write.item.variable, item_of(adjoint_of(array.variable), places, unchecked), binding.location);
  } else {
    std::vector<bool> wanted;
    for (const auto& operand : operate.operands) wanted.push_back(activity_.is_active(operand));
    wanted[0] = list;
    auto contributions = lantern::pull_back(*operate.op, operate.attributes, exprs(operate.operands), reading(array.variable), adjoint_of(array.variable), wanted);
    std::reverse(contributions.begin(), contributions.end());  // what was put into the list comes first
    for (auto& [operand, given] : contributions) {
      ExprPtr value = lowered::unchecked(given, unchecked && !places.empty() && operand + 1 == operate.operands.size());
      if (operand == 0) return sweep.statements.push_back({AssignAdjoints{{array.variable}, {std::move(value)}}, binding.location});
      ir::Variable* item = operate.operands[operand].variable;
      add(sweep, item, rank(item->type) > 0 && !list ? copied(std::move(value)) : std::move(value), binding.location);
    }
  }
  const ExprPtr like = has_memory(write) ? item_of(reading(array.variable), places, unchecked) : nullptr;
  sweep.statements.push_back({ClearItem{array.variable, places, like, unchecked}, binding.location});
}

void FormBuilder::undo_item(const ir::Binding& binding, Statements& out) const {
  for (const auto& array : arrays_) {
    if (array.history && array.writes.contains(&binding)) out.push_back({Change{Change::Act::undo, array.history}, binding.location});
  }
}

/// For each array with a history that is changed within the binding.
void FormBuilder::change_around(Change::Act act, const ir::Binding& binding, Statements& out) const {
  for (const auto& array : arrays_) {
    if (array.history && array.around.contains(&binding)) out.push_back({Change{act, array.history}, binding.location});
  }
}

/// Whether the turns of a loop put in lists what has memory of its own, which is not to be forgotten.
bool FormBuilder::leaves_items(const ir::Binding& loop) const {
  return std::any_of(arrays_.begin(), arrays_.end(), [&](const auto& array) { return has_memory_in_items(array) && array.around.contains(&loop); });
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
