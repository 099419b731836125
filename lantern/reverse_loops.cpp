// A loop in whose turns nothing is called that carries an adjoint, but for functions with a derivative of their own, runs backwards as a loop. Going forward it saves the state at
// the beginning of each turn, of which the reverse sweep of the turn computes what it needs anew:
//
//   for (int64_t i = 0; i < n; ++i) {            for (int64_t i = n; i-- > 0;) {
//     s_saved.push(s);                             s = s_saved.pop();
//     s = sin(s) * w;                              w_adj += s_adj * sin(s);
//   }                                              s_adj = s_adj * w * cos(s);
//                                                }
#include <algorithm>
#include <utility>

#include "lantern/lowering.h"
#include "lantern/pullback.h"
#include "lantern/reverse_sweep.h"
#include "lantern/taken_memory.h"
#include "lantern/turn_values.h"
#include "lantern/walk.h"

namespace lantern {

using namespace lowered;
using ir::has_adjoint_by_reference;

namespace {

/// An operation that has been checked going forward, if it can fail at all.
ExprPtr checked_before(const char* op, std::vector<ExprPtr> operands, Type type) {
  std::vector<Type> types;
  for (const auto& operand : operands) types.push_back(operand->type);
  return lowered::make(Apply{select_operator(op, types), std::move(operands), {}, true}, std::move(type));
}

bool is_integer(const ExprPtr& e, std::int64_t value) {
  const auto* constant = std::get_if<Constant>(&e->node);
  const auto* number = constant ? std::get_if<std::int64_t>(&constant->value) : nullptr;
  return number && *number == value;
}

/// Over a range by ones: its element says which turn it is.
bool counts_up(const For& loop) { return !loop.range.empty() && is_integer(loop.range[2], 1); }

/// What has been printed and asserted going forward is not again, and what would have raised has not.
void leave_out_effects(Statements& statements) {
  for (auto& statement : statements) for_each_list(statement, leave_out_effects);
  std::erase_if(statements, [](const Statement& s) {
    const auto* branch = std::get_if<If>(&s.node);
    const bool only_raises = branch && branch->otherwise.empty() && !branch->then.empty() && std::holds_alternative<Raise>(branch->then.back().node);
    return only_raises || std::holds_alternative<Print>(s.node) || std::holds_alternative<Assert>(s.node);
  });
}

/// Whether all that a step does is undone at the beginning of the sweep; then neither is done.
bool leave_out_undone(const Statements& step, Statements& sweep) {
  const auto is = [](const Statement& s, Change::Act act) {
    const auto* change = std::get_if<Change>(&s.node);
    return change && change->act == act;
  };
  const auto count = [&](const Statements& list, Change::Act act) { return std::find_if_not(list.begin(), list.end(), [&](const Statement& s) { return is(s, act); }) - list.begin(); };
  const auto begun = count(step, Change::Act::begin);
  if (begun == 0 || count(sweep, Change::Act::undo_to_begin) < begun) return false;
  sweep.erase(sweep.begin(), sweep.begin() + begun);
  return true;
}

/// A loop that saves its state marks the arena in each turn: what is saved stays where it is.
void mark_each_turn(Statement& loop) {
  const auto move = [](auto& n) {
    if (std::exchange(n.marks, false)) n.body.insert(n.body.begin(), {MarkArena{}});
  };
  if (auto* iteration = std::get_if<For>(&loop.node)) move(*iteration);
  else move(std::get<While>(loop.node));
}

Statements& body_of(Statement& loop) {
  if (auto* iteration = std::get_if<For>(&loop.node)) return iteration->body;
  return std::get<While>(loop.node).body;
}

}  // namespace

// The reverse sweep of a block: what it needs of the forward sweep, computed anew where `keeps` does not say that it is kept, and behind
// that the pullbacks. `adjoints`: the variables, or null, whose adjoints are those of the block's results. `end` adds what stands behind.
Statements FormBuilder::reverse_block(const ir::Block& block, const std::vector<ir::Variable*>& adjoints, ReverseSweep& sweep, const std::function<void()>& end,
                                      const Keeps& keeps) {
  std::vector<Statements> steps;
  for (std::size_t i = 0; i < block.bindings.size(); ++i) {
    const ir::Binding& binding = block.bindings[i];
    auto& step = steps.emplace_back();
    if (!is_reversed_loop(binding)) change_around(Change::Act::begin, binding, step);
    if (activity_.carries_adjoint(binding) && !std::holds_alternative<ir::If>(binding.node)) {
      taped_binding(binding, sweep, step);
      if (ir::Variable* whole = whole_of(binding, sweep)) {
        sweep.declared_within(binding.results[0], whole);
        steps.push_back({adjoint_within(binding, whole)});
      }
      continue;
    }
    direct_binding(block, i, step);
    for (const auto* result : binding.results) sweep.defined_here(result);
  }
  for (std::size_t i = 0; i < block.results.size(); ++i) {
    const ir::Operand& result = block.results[i];
    if (adjoints[i] && !changed(adjoints[i]) && activity_.is_active(result)) add(sweep, result.variable, adjoint_of(adjoints[i]), {});
  }
  for (auto binding = block.bindings.rbegin(); binding != block.bindings.rend(); ++binding) {
    if (!is_reversed_loop(*binding)) change_around(Change::Act::undo_to_begin, *binding, sweep.statements);
    undo_item(*binding, sweep.statements);
    if (activity_.carries_adjoint(*binding)) pull_back(*binding, sweep);
  }
  end();
  ask_operands_for_shapes(sweep.statements, steps);
  Needs mentions;
  mentions.add(sweep.statements);
  std::vector<Statements*> needed;
  for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
    if (!mentions.need(*step) || keeps(*step, mentions)) continue;
    if (needed.empty() && !mentions.need_values(*step) && leave_out_undone(*step, sweep.statements)) continue;
    leave_out_effects(*step);
    if (mentions.changes(*step)) leave_out_unread(*step);
    mentions.add(*step);
    needed.push_back(&*step);
  }
  Statements all;
  for (auto step = needed.rbegin(); step != needed.rend(); ++step) {
    for (auto& statement : **step) all.push_back(std::move(statement));
  }
  for (auto& statement : sweep.statements) all.push_back(std::move(statement));
  return all;
}

void FormBuilder::backward_branch(const ir::Binding& binding, ReverseSweep& sweep) {
  const auto& branch = std::get<ir::If>(binding.node);
  std::vector<ir::Variable*> adjoints;
  for (auto* result : binding.results) adjoints.push_back(sweep.has_adjoint(result) ? result : nullptr);
  const bool is_read = std::any_of(adjoints.begin(), adjoints.end(), [](const auto* v) { return v != nullptr; });
  if (!is_read && !changes_array(binding) && form_ != Form::reverse) return;
  If statement{expr(branch.condition), {}, {}};
  for (const bool side : {true, false}) {
    const ir::Block& block = side ? *branch.then : *branch.otherwise;
    if (block.raises) continue;
    ReverseSweep within;
    declare_adjoints(within);
    (side ? statement.then : statement.otherwise) = form_ == Form::reverse ? reverse_with_tape(block, adjoints, within) : reverse_block(block, adjoints, within, [] {}, [](auto&, auto&) { return false; });
    for (auto* variable : within.added_outside) sweep.require(variable);
  }
  if (statement.then.empty()) {
    statement.condition = checked_before("not", {statement.condition}, scalar(DType::boolean));
    std::swap(statement.then, statement.otherwise);
  }
  if (!statement.then.empty()) sweep.statements.push_back({std::move(statement), binding.location});
}

// arrays: from which one on they begin with this loop.
FormBuilder::Backward FormBuilder::loop_both_ways(const ir::Binding& binding, std::size_t arrays, Statements& out) {
  Statements loop;
  const auto have_happened = [&](bool have) { std::for_each(arrays_.begin() + static_cast<std::ptrdiff_t>(arrays), arrays_.end(), [&](ChangedArray& a) { a.has_happened = have; }); };
  direct_loop(binding, loop);
  mark_each_turn(loop.back());
  const std::vector<ir::Variable*> state = moving(state_of(binding.node));
  for (std::size_t i = 0; i < binding.results.size(); ++i) {
    if (!changed(binding.results[i])) held_[binding.results[i]] = state_of(binding.node)[i];
  }
  Statements& body = body_of(loop.back());
  const bool numbers_only = std::all_of(state.begin(), state.end(), [](const auto* v) { return is_one_number(v->type); });
  if (numbers_only && !takes_memory(body)) {
    std::erase_if(body, [](const Statement& s) { return std::holds_alternative<MarkArena>(s.node) || std::holds_alternative<ResetArena>(s.node); });
  }
  const bool arrays_only = !leaves_items(binding) && std::all_of(state.begin(), state.end(), [](const auto* v) { return is_numeric(v->type); });

  // The turns that there were: those of all that it goes over, unless it may end before.
  const auto* iteration = std::get_if<For>(&loop.back().node);
  Turns turns{iteration && counts_up(*iteration) ? iteration->range[0] : integer(0), nullptr};
  if (iteration && !iteration->condition && counts_up(*iteration)) turns.stop = iteration->range[1];
  if (iteration && !iteration->condition && iteration->range.empty()) turns.stop = checked_before("length", {iteration->sequence}, scalar(DType::i64));
  Statements prologue, saves;
  if (!turns.stop) {
    auto* counter = fresh("turns", scalar(DType::i64));
    turns.stop = is_integer(turns.start, 0) ? reading(counter) : checked_before("+", {turns.start, reading(counter)}, scalar(DType::i64));
    prologue.push_back({Declare{counter, integer(0)}, binding.location});
    saves.push_back({Assign{{counter}, {checked_before("+", {reading(counter), integer(1)}, scalar(DType::i64))}}, binding.location});
  }

  have_happened(true);
  Backward backward = backward_of(binding, iteration, turns);
  have_happened(false);
  for (std::size_t i = arrays; i < arrays_.size(); ++i) {
    if (arrays_[i].history) prologue.push_back({Change{Change::Act::declare, arrays_[i].history}, binding.location});
  }
  for (const auto& [variable, saved] : backward.saved) {
    prologue.push_back({DeclareSaved{saved}, binding.location});
    saves.push_back({Save{saved, variable}, binding.location});
  }
  change_around(Change::Act::begin, binding, saves);
  std::vector<ir::Variable*> kept_arrays;
  for (const auto& [variable, saved, outline] : backward.values) {
    prologue.push_back({DeclareSaved{saved}, binding.location});
    if (!outline && rank(variable->type) > 0) kept_arrays.push_back(variable);
  }
  std::map<const ir::Variable*, ir::Variable*> kept;
  if (!kept_arrays.empty() && arrays_only) {
    std::erase_if(body, [](const Statement& s) { return std::holds_alternative<MarkArena>(s.node) || std::holds_alternative<ResetArena>(s.node); });
    auto& next = std::get<Assign>(body.back().node);
    next.kept = true;
    for (auto* array : kept_arrays) {
      kept[array] = fresh(ir::without_number(array->name) + "_kept", array->type);
      prologue.push_back({Declare{kept[array]}, binding.location});
      next.variables.push_back(kept[array]);
      next.values.push_back(reading(array));
    }
    body.insert(body.begin(), {MarkArena{}});
  }
  for (const auto& [variable, saved, outline] : backward.values) {
    body.push_back({Save{saved, kept.contains(variable) ? kept[variable] : variable, outline}, binding.location});
  }
  body.insert(body.begin(), saves.begin(), saves.end());
  loop.insert(loop.end() - 1, prologue.begin(), prologue.end());
  for (auto& statement : loop) out.push_back(std::move(statement));
  return backward;
}

// The loop that runs backwards; it takes the adjoints of the state behind the loop, and leaves those of the initial state.
FormBuilder::Backward FormBuilder::backward_of(const ir::Binding& binding, const For* iteration, const Turns& turns) {
  const auto& state = state_of(binding.node);
  const auto* loop = std::get_if<ir::For>(&binding.node);
  const ir::Block& block = loop ? *loop->body : *std::get<ir::While>(binding.node).body;
  ReverseSweep sweep;
  declare_adjoints(sweep);
  std::vector<ir::Variable*> adjoints, active, before;
  for (auto* variable : state) {
    adjoints.push_back(activity_.is_active(variable) ? variable : nullptr);
    if (!adjoints.back() || changed(variable)) continue;
    active.push_back(variable);
    before.push_back(before_[variable] = fresh(ir::without_number(variable->name) + "_before", variable->type));
    sweep.defined_here(before.back(), is_one_number(variable->type) ? nullptr : zeros_of(reading(variable)));
  }

  // The element of the turn.
  Statements begin;
  const auto* sequence = loop ? std::get_if<ir::Operand>(&loop->sequence) : nullptr;
  const bool by_itself = iteration && counts_up(*iteration);
  ir::Variable* turn = by_itself ? loop->element : fresh("turn", scalar(DType::i64));
  const ExprPtr place = reading(turn);
  if (loop && !by_itself) {
    ExprPtr element;
    if (sequence) {
      element = unchecked(checked_before("index", {expr(*sequence), place}, loop->element->type));
    } else {
      element = checked_before("+", {iteration->range[0], checked_before("*", {place, iteration->range[2]}, scalar(DType::i64))}, scalar(DType::i64));
    }
    begin.push_back({Let{{loop->element}, element}, binding.location});
    sweep.defined_here(loop->element);
    if (activity_.is_active(loop->element) && has_adjoint_by_reference(loop->element->type)) {
      const ExprPtr all = activity_.is_active(*sequence) ? adjoint_of(held(sequence->variable)) : zeros_of(expr(*sequence));
      begin.push_back({DeclareAdjoint{loop->element, unchecked(checked_before("index", {all, place}, loop->element->type)), true}, binding.location});
      sweep.declared_before(loop->element);
    }
  }

  const bool arrays_only = !leaves_items(binding) && std::all_of(active.begin(), active.end(), [](const auto* v) { return is_numeric(v->type); });
  const bool numbers_only = std::all_of(active.begin(), active.end(), [](const auto* v) { return is_one_number(v->type); });
  TurnValues kept{block, state, {}, {}};
  Statements body = reverse_block(block, adjoints, sweep, [&] {
    if (sequence && activity_.is_active(*sequence) && !has_adjoint_by_reference(loop->element->type) && sweep.has_adjoint(loop->element)) {
      const auto* index = select_operator("index", std::vector<Type>{sequence->type, place->type});
      for (auto& contribution : lantern::pull_back(*index, {}, {expr(*sequence), place}, reading(loop->element), adjoint_of(loop->element), {true, false})) {
        add(sweep, sequence->variable, unchecked(contribution.value), binding.location);
      }
    }
    AssignAdjoints next{{}, {}, arrays_only && !numbers_only};
    for (std::size_t i = 0; i < active.size(); ++i) {
      const bool has_one = sweep.has_adjoint(before[i]);
      ExprPtr value = next.kept ? nullptr : sweep.take_out(before[i]);
      if (!value) value = has_one ? adjoint_of(before[i]) : is_one_number(active[i]->type) ? lowered::make(Constant{0.0}, active[i]->type) : zeros_of(reading(active[i]));
      next.variables.push_back(active[i]);
      next.values.push_back(std::move(value));
    }
    if (!next.variables.empty()) sweep.statements.push_back({std::move(next), binding.location});
  }, [&](const Statements& step, Needs& mentions) { return kept.keeps(step, mentions); });
  for (auto* variable : active) before_.erase(variable);

  Backward backward;
  Needs mentions;
  mentions.add(body);
  Statements restored;
  for (const auto& [value, behind] : kept.next) {
    restored.push_back({Let{{value}, reading(behind)}, binding.location});
    mentions.values.insert(behind);
  }
  for (auto* variable : state) {
    if (changed(variable) || (!mentions.values.contains(variable) && !mentions.shapes.contains(variable))) continue;
    auto* saved = fresh(ir::without_number(variable->name) + "_saved", variable->type);
    backward.saved.emplace_back(variable, saved);
    restored.push_back({Restore{saved, variable}, binding.location});
  }
  const auto keep = [&](ir::Variable* variable, bool outline) {
    auto* saved = fresh(ir::without_number(variable->name) + "_saved", variable->type);
    backward.values.push_back({variable, saved, outline});
    restored.push_back({Restore{saved, variable, true}, binding.location});
  };
  for (auto* variable : kept.saved) keep(variable, false);
  for (auto* variable : kept.outlines) keep(variable, true);
  if (mentions.need(begin)) restored.insert(restored.end(), begin.begin(), begin.end());
  if (arrays_only && (!numbers_only || takes_memory(body) || takes_memory(restored))) {
    restored.insert(restored.begin(), {MarkArena{}});
    if (numbers_only) body.push_back({ResetArena{}});
  }
  body.insert(body.begin(), restored.begin(), restored.end());
  Statements behind;
  change_around(Change::Act::undo_to_begin, binding, behind);
  body.insert(body.begin(), behind.begin(), behind.end());
  backward.loop.push_back({Backwards{turn, turns.start, turns.stop, std::move(body)}, binding.location});
  backward.added_outside = std::move(sweep.added_outside);
  return backward;
}

void FormBuilder::backward_loop(const ir::Binding& binding, ReverseSweep& sweep) {
  const auto& state = state_of(binding.node);
  const auto* loop = std::get_if<ir::For>(&binding.node);
  const auto& initial = loop ? loop->initial : std::get<ir::While>(binding.node).initial;
  if (!changes_array(binding) && std::none_of(state.begin(), state.end(), [&](const auto* v) { return sweep.has_adjoint(v); })) return;
  Backward& backward = backward_.at(&binding);
  for (auto* variable : state) {
    if (activity_.is_active(variable) && !changed(variable)) sweep.require(variable);
  }
  for (auto* variable : backward.added_outside) sweep.require(variable);
  for (auto& statement : backward.loop) sweep.statements.push_back(std::move(statement));
  for (std::size_t i = 0; i < state.size(); ++i) {
    if (activity_.is_active(state[i]) && activity_.is_active(initial[i]) && !changed(state[i])) add(sweep, initial[i].variable, adjoint_of(state[i]), binding.location);
  }
}

}  // namespace lantern
