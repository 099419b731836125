// Before:  Vector<double> out = a;                       After:  Vector<double> out = copy(a);
//          for (int64_t i = 0; i < n; ++i) {                     for (int64_t i = 0; i < n; ++i) {
//            const auto mark = arena().mark();                     set_item(out, i, f(i));
//            const Vector<double> out_2 =                        }
//                with_item(out, i, f(i));
//            out = keep(mark, out_2);
//          }
// In the language arrays and lists are values: `with-item` gives a new one. followed.h says which of a loop's can be changed where they are.
#include "lantern/writes_in_place.h"

#include <algorithm>
#include <map>
#include <utility>

#include "lantern/assignments.h"
#include "lantern/followed.h"
#include "lantern/mentions.h"
#include "lantern/operators.h"
#include "lantern/taken_memory.h"
#include "lantern/walk.h"

namespace lantern {

using namespace lowered;

namespace {

/// Behind which loop of a list of statements a variable's elements are nobody's but its own, and how deep.
struct Owner {
  std::size_t loop;
  Depth depth;
};
using Owners = std::map<const ir::Variable*, Owner>;

bool is_row_alone(Statements& list, const ExprPtr& row, std::size_t at, const Owners& owners);

/// Whether nobody else has the elements, to that depth, of a value that statement `at` of a list reads.
bool is_alone(Statements& list, const ExprPtr& value, std::size_t at, const Owners& owners, Depth depth) {
  if (const auto* apply = std::get_if<Apply>(&value->node)) {
    if (apply->op->name == "append") {
      const ir::Variable* row = variable_of(apply->operands[1]);
      const bool is_new = depth == Depth::elements || ((!row || mentions_of(row, apply->operands[0]).none()) && is_row_alone(list, apply->operands[1], at, owners));
      return is_new && is_alone(list, apply->operands[0], at, owners, depth);
    }
    return apply->op->name == "empty" || (depth == Depth::elements && makes_its_own(value));
  }
  const ir::Variable* source = variable_of(value);
  if (!source) return false;
  const auto is_last_read = [&](std::size_t made) { return mentions_of(source, list, made + 1, at).none() && mentions_of(source, list, at + 1, list.size()).none(); };
  if (const auto owner = owners.find(source); owner != owners.end()) return owner->second.depth >= depth && is_last_read(owner->second.loop);
  for (std::size_t i = 0; i < at; ++i) {
    const auto* let = std::get_if<Let>(&list[i].node);
    if (let && let->variables.size() == 1 && let->variables[0] == source) return is_last_read(i) && is_alone(list, let->value, i, owners, depth);
  }
  return false;
}
/// The same of all that is in a row of a list.
bool is_row_alone(Statements& list, const ExprPtr& row, std::size_t at, const Owners& owners) {
  return is_alone(list, row, at, owners, has_rows(row->type) ? Depth::rows : Depth::elements);
}
bool begins_alone(Statements& list, std::size_t declared, const Owners& owners, Depth depth) {
  return is_alone(list, std::get<Declare>(list[declared].node).initial, declared, owners, depth);
}

/// `Vector<double> a = copy(b)`, where b is nobody's else.
void leave_out_copy(Statements& list, std::size_t declared, const Owners& owners) {
  auto* declare = std::get_if<Declare>(&list[declared].node);
  const auto* apply = declare && declare->initial ? std::get_if<Apply>(&declare->initial->node) : nullptr;
  if (!apply || apply->op->name != "copied") return;
  const ExprPtr copy = declare->initial;
  declare->initial = apply->operands[0];
  if (!begins_alone(list, declared, owners, Depth::elements)) declare->initial = copy;
}

/// The same of what is put into a list: `append_to(rows, copy(row))`.
ExprPtr without_copies(Statements& list, const ExprPtr& e, std::size_t at, const Owners& owners) {
  const auto* apply = std::get_if<Apply>(&e->node);
  if (!apply) return e;
  const bool is_copy = (apply->op->name == "copied" || apply->op->name == "deep-copied") && is(e->type, TypeKind::list);
  if (is_copy && variable_of(apply->operands[0]) && is_row_alone(list, apply->operands[0], at, owners)) return apply->operands[0];
  Apply without = *apply;
  for (auto& operand : without.operands) operand = without_copies(list, operand, at, owners);
  return without.operands == apply->operands ? e : lowered::make(std::move(without), e->type, e->location);
}
void leave_out_copies_put_in(Statements& list, std::size_t at, const Owners& owners) {
  auto* assign = std::get_if<Assign>(&list[at].node);
  if (!assign || !change_in_place(*assign)) return;
  for (auto& value : assign->values) value = without_copies(list, value, at, owners);
}

bool are_numbers(const Assign& assign) {
  return std::all_of(assign.variables.begin(), assign.variables.end(), [](const ir::Variable* v) { return is_one_number(v->type); });
}

/// `s = keep(mark, x)` of a number is `s = x`, and the mark goes where nothing takes memory.
void reset_behind_numbers(Statement& loop) {
  const bool takes = takes_memory(loop);
  if (auto* n = std::get_if<For>(&loop.node); n && !takes) n->marks = false;
  if (auto* n = std::get_if<While>(&loop.node); n && !takes) n->marks = false;
  for_each_list(loop, [&](Statements& list) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      reset_behind_numbers(list[i]);
      auto* assign = std::get_if<Assign>(&list[i].node);
      if (!assign || !assign->kept || !are_numbers(*assign)) continue;
      assign->kept = false;
      const Location location = list[i++].location;
      list.insert(list.begin() + static_cast<std::ptrdiff_t>(i), Statement{ResetArena{}, location});
    }
    if (!takes) std::erase_if(list, [](const Statement& s) { return std::holds_alternative<MarkArena>(s.node) || std::holds_alternative<ResetArena>(s.node); });
  });
}

bool sets_items(Statement& s) {
  const auto* assign = std::get_if<Assign>(&s.node);
  const auto* change = assign ? change_in_place(*assign) : nullptr;
  bool sets = change && (change->op->name == "set-item" || change->op->name == "write-to");
  for_each_list(s, [&](Statements& nested) { sets = sets || std::any_of(nested.begin(), nested.end(), [](Statement& each) { return sets_items(each); }); });
  return sets;
}

Statements* turns_of(Statement& s) {
  if (auto* loop = std::get_if<For>(&s.node)) return &loop->body;
  if (auto* loop = std::get_if<While>(&s.node)) return &loop->body;
  return nullptr;
}

/// Whether all that a loop does with a list is to put rows behind it which nobody else has: `x = append(state, row); state = x;`.
bool appends_own_rows(Statement& loop, const ir::Variable* state, const Calls& calls) {
  Statements& body = *turns_of(loop);
  const auto mentions = mentions_of(state, loop);
  if (mentions.reads != 1 || mentions.assignments != 1 || mentions.others) return false;
  Owners owners;
  for (std::size_t i = 0; i < body.size(); ++i) {
    for (std::size_t d = 0; turns_of(body[i]) && d < i; ++d) {  // a row that a loop makes
      const auto* declare = std::get_if<Declare>(&body[d].node);
      if (!declare || !declare->initial || !is(declare->variable->type, TypeKind::list) || has_rows(declare->variable->type)) continue;
      Followed followed(declare->variable, calls);
      if (mentions_of(declare->variable, body[i]).assignments > 0 && followed.run(body[i]) && begins_alone(body, d, owners, Depth::elements)) owners[declare->variable] = {i, Depth::elements};
    }
    const auto* let = std::get_if<Let>(&body[i].node);
    const auto* apply = let && let->variables.size() == 1 ? std::get_if<Apply>(&let->value->node) : nullptr;
    if (!apply || apply->op->name != "append" || variable_of(apply->operands[0]) != state) continue;
    const auto longer = mentions_of(let->variables[0], body);
    const auto* assign = i + 1 < body.size() ? std::get_if<Assign>(&body.back().node) : nullptr;
    const bool is_next = assign && !assign->kept && longer.reads == 1 && mentions_of(let->variables[0], body.back()).reads == 1 && mentions_of(state, body.back()).assignments == 1;
    return is_next && is_row_alone(body, apply->operands[1], i, owners);
  }
  return false;
}

/// Whether the loop at a place of the list changes that state, to that depth, where it is. False: it is as it was.
bool write_state(Statements& list, std::size_t at, std::size_t declared, Depth depth, const Calls& calls, Owners& owners) {
  auto& declare = std::get<Declare>(list[declared].node);
  Followed followed(declare.variable, calls, depth);
  if (!followed.run(list[at])) return false;
  const bool alone = begins_alone(list, declared, owners, depth);
  const bool pays = followed.pays() || (alone && depth == Depth::elements && followed.saves_names(list[at]));
  const bool stays_alone = alone && (depth == Depth::elements || appends_own_rows(list[at], declare.variable, calls));
  const auto owner = owners.find(declare.variable);
  const bool is_known = owner != owners.end() && owner->second.loop == at && owner->second.depth > depth;
  if ((stays_alone || pays) && !is_known) owners[declare.variable] = {at, depth};
  if (!pays) return false;
  if (!alone) {
    const Type type = declare.initial->type;
    const auto* copied = select_operator(depth == Depth::rows ? "deep-copied" : "copied", std::vector<Type>{type});
    declare.initial = lowered::make(Apply{copied, {declare.initial}}, type, declare.initial->location);
  }
  followed.rewrite(list[at]);
  reset_behind_numbers(list[at]);
  return true;
}

void write_states(Statements& list, std::size_t at, const Calls& calls, Owners& owners) {
  if (sets_items(list[at])) reset_behind_numbers(list[at]);  // a loop that goes backwards, too
  for (std::size_t d = 0; d < at; ++d) {
    auto* declare = std::get_if<Declare>(&list[d].node);
    if (!declare || !declare->initial || !has_places(declare->variable->type)) continue;
    const ir::Variable* state = declare->variable;
    if (mentions_of(state, list[at]).assignments == 0 || !mentions_of(state, list, d + 1, at).none()) continue;
    if (is(state->type, TypeKind::list)) for_each_list(list[at], take_elements_first);
    if (has_rows(state->type) && write_state(list, at, d, Depth::rows, calls, owners)) continue;
    write_state(list, at, d, Depth::elements, calls, owners);
  }
}

ExprPtr operand(const Statement& call, std::size_t i) {
  if (const auto* then = std::get_if<CallThen>(&call.node)) return then->arguments[i].value;
  return std::get<DirectCall>(std::get<Let>(call.node).value->node).operands[i];
}

/// What a call is given for its operand i is the variable that takes its result j. Gives what it was.
ExprPtr name_result(Statement& call, std::size_t i, std::size_t j) {
  if (auto* then = std::get_if<CallThen>(&call.node)) return std::exchange(then->arguments[i].value, reading(then->parameters[j].variable));
  auto& let = std::get<Let>(call.node);
  DirectCall changing = std::get<DirectCall>(let.value->node);
  const ExprPtr given = std::exchange(changing.operands[i], reading(let.variables[j]));
  let.value = lowered::make(std::move(changing), let.value->type, let.value->location);
  return given;
}

/// In front of a call that changes what it is given: `List<bool> seen_1 = copy(seen);`, without a copy if nobody else has it. The call is one
/// statement further for each of these.
void give_own(Statements& list, std::size_t& at, const Calls& calls, Owners& owners) {
  const auto callee = called_by(list[at]);
  const auto found = callee ? calls.changed.find(*callee) : calls.changed.end();
  if (found == calls.changed.end()) return;
  for (const auto& [i, changes] : found->second) {
    ExprPtr given = name_result(list[at], i, changes.result);
    const ir::Variable* source = variable_of(given);
    ir::Variable* const changed = variable_of(operand(list[at], i));
    if (source == changed) continue;
    bool twice = false;
    for (std::size_t other = 0; source && other < callee->first->formals.size(); ++other) twice = twice || !mentions_of(source, operand(list[at], other)).none();
    if (twice || !is_alone(list, given, at, owners, changes.depth)) {
      const auto* copied = select_operator(changes.depth == Depth::rows ? "deep-copied" : "copied", std::vector<Type>{given->type});
      given = lowered::make(Apply{copied, {given}}, given->type, given->location);
    }
    const Location location = list[at].location;
    list.insert(list.begin() + static_cast<std::ptrdiff_t>(at), Statement{Declare{changed, given}, location});
    ++at;
  }
  for (const auto& [i, changes] : found->second) owners[variable_of(operand(list[at], i))] = {at, changes.depth};
}

void write_all(Statements& list, const Calls& calls) {
  Owners owners;
  for (std::size_t i = 0; i < list.size(); ++i) {
    leave_out_copy(list, i, owners);
    leave_out_copies_put_in(list, i, owners);
    give_own(list, i, calls, owners);
    if (std::holds_alternative<For>(list[i].node) || std::holds_alternative<While>(list[i].node)) write_states(list, i, calls, owners);
    for_each_list(list[i], [&](Statements& nested) { write_all(nested, calls); });
  }
}

}  // namespace

void write_in_place(lowered::Program& program) {
  const Calls calls = change_formals(program);
  for (auto& function : program.functions) write_all(function.body, calls);
  leave_out_changed(program, calls);
}

}  // namespace lantern
