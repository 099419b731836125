#include "lantern/loop_exits.h"

#include <algorithm>
#include <map>
#include <optional>

#include "lantern/assignments.h"
#include "lantern/conditions.h"
#include "lantern/expression_effects.h"
#include "lantern/leaving.h"
#include "lantern/mentions.h"
#include "lantern/walk.h"

namespace lantern {

using namespace lowered;

namespace {

/// What a loop goes on by besides its flag; null: by nothing else. Nothing if it has no flag in front.
struct LoopFlag { ir::Variable* variable; ExprPtr rest; };
std::optional<LoopFlag> loop_flag(const ExprPtr& e) {
  if (!e) return std::nullopt;
  const Flag flag = flag_of(e);
  if (flag.variable && flag.negated) return LoopFlag{flag.variable, nullptr};
  const auto* both = applied(e, "and");
  if (!both || !is_condition(both->operands[0]->type) || !is_condition(both->operands[1]->type)) return std::nullopt;
  const Flag first = flag_of(both->operands[0]);
  return first.variable && first.negated ? std::optional(LoopFlag{first.variable, both->operands[1]}) : std::nullopt;
}

/// Whether the variable is false at a statement: declared so, and not changed since.
bool begins_false(Statements& list, std::size_t declared, std::size_t end, const ir::Variable* variable) {
  const auto& initial = std::get<Declare>(list[declared].node).initial;
  const auto value = initial ? truth(initial) : std::nullopt;
  const auto mentions = mentions_of(variable, list, declared + 1, end);
  return value && !*value && mentions.assignments == 0 && !mentions.others;
}

/// The assignment that a turn ends with, in front of resets of the arena.
Assign* last_assignment(Statements& body) {
  std::size_t i = body.size();
  while (i > 0 && std::holds_alternative<ResetArena>(body[i - 1].node)) --i;
  return i > 0 ? std::get_if<Assign>(&body[i - 1].node) : nullptr;
}

/// Whether a value is made of numbers, which no reset of the arena takes away.
bool is_of_numbers(const ExprPtr& e) {
  bool all = is_one_number(e->type);
  for_each_operand(*e, [&](const ExprPtr& operand) { all = all && is_of_numbers(operand); });
  return all;
}

/// A flag's value on one way through a turn, and the conditions that are known there. No value: the way has been left.
struct Way {
  ExprPtr value;
  std::map<const ir::Variable*, bool> known;

  std::optional<bool> truth() const {
    if (const auto constant = lantern::truth(value)) return constant;
    const auto found = known.find(variable_of(value));
    return found == known.end() ? std::nullopt : std::optional(found->second);
  }
};

/// The way behind the statements; nothing if that is not known, a break is taken without the flag, or it is read when it is set.
std::optional<Way> follow(Statements& list, const ir::Variable* flag, Way way, const Flags& flags) {
  const Assign* latest = nullptr;  // just before, but for resets of the arena
  for (auto& s : list) {
    bool reads = false;
    for_each_expr(s, [&](const ExprPtr& e) { reads = reads || mentions_of(flag, e).reads > 0; });
    if (reads && way.truth() != std::optional(false)) return std::nullopt;
    if (const auto* assign = std::get_if<Assign>(&s.node)) {
      if (const ExprPtr value = value_for(*assign, flag)) way.value = value;
    } else if (auto* branch = std::get_if<If>(&s.node)) {
      const Flag condition = flags.constant(branch->condition), tested = flag_of(branch->condition);
      Way then = way, otherwise = way;
      if (condition.variable) then.known[condition.variable] = !condition.negated, otherwise.known[condition.variable] = condition.negated;
      else if (tested.variable && latest && value_for(*latest, flag) == way.value && variable_of(way.value) == tested.variable && !value_for(*latest, tested.variable)) {
        then.value = lowered::make(Constant{!tested.negated}, scalar(DType::boolean));
        otherwise.value = lowered::make(Constant{tested.negated}, scalar(DType::boolean));
      }
      const auto one = follow(branch->then, flag, std::move(then), flags), other = follow(branch->otherwise, flag, std::move(otherwise), flags);
      if (!one || !other) return std::nullopt;
      if (one->value && other->value) {
        if (one->value != other->value && (!one->truth() || one->truth() != other->truth())) return std::nullopt;
        if (one->value != other->value) way.value = lowered::make(Constant{*one->truth()}, scalar(DType::boolean));
        else way.value = one->value;
      } else {
        way = one->value ? *one : *other;
      }
      if (!way.value) return way;
    } else if (std::holds_alternative<Break>(s.node)) {
      if (way.truth() != std::optional(true)) return std::nullopt;
      way.value = nullptr;
      return way;
    } else if (leaves(s)) {
      way.value = nullptr;
      return way;
    } else if (const auto mentions = mentions_of(flag, s); !mentions.unchanged() || (mentions.reads > 0 && way.truth() != std::optional(false))) {
      return std::nullopt;
    }
    if (!std::holds_alternative<ResetArena>(s.node)) latest = std::get_if<Assign>(&s.node);
  }
  return way;
}

void replace_breaks(Statements& body, const Statements& by) {
  for (std::size_t i = 0; i < body.size(); ++i) {
    if (auto* branch = std::get_if<If>(&body[i].node)) replace_breaks(branch->then, by), replace_breaks(branch->otherwise, by);
    if (!std::holds_alternative<Break>(body[i].node)) continue;
    body.erase(body.begin() + static_cast<std::ptrdiff_t>(i), body.end());
    body.insert(body.end(), by.begin(), by.end());
    return;
  }
}

/// Leaves out what is assigned to a flag that nobody reads.
void forget(Statements& list, const ir::Variable* flag) {
  for (auto& s : list) {
    if (auto* assign = std::get_if<Assign>(&s.node)) take_out(*assign, flag);
    if (auto* branch = std::get_if<If>(&s.node)) forget(branch->then, flag), forget(branch->otherwise, flag);
  }
  remove_empty(list);
}

}  // namespace

bool leave_loop(Statements& list, std::size_t i, bool by_any_condition) {
  auto* while_loop = std::get_if<While>(&list[i].node);
  auto* for_loop = std::get_if<For>(&list[i].node);
  if (!while_loop && !for_loop) return false;
  Statements& test = while_loop ? while_loop->test : for_loop->test;
  Statements& body = while_loop ? while_loop->body : for_loop->body;
  ExprPtr& goes_on = while_loop ? while_loop->condition : for_loop->condition;
  const auto flag = loop_flag(goes_on);
  if (!flag || !test.empty() || body.empty()) return false;
  if (for_loop && flag->rest) return false;
  const auto declared = declaration_of(flag->variable, list, i);
  if (!declared || !begins_false(list, *declared, i, flag->variable)) return false;
  if (flag->rest && !mentions_of(flag->variable, flag->rest).none()) return false;
  auto* last = last_assignment(body);
  const ExprPtr value = last ? value_for(*last, flag->variable) : nullptr;
  if (!value || mentions_of(flag->variable, body).others || mentions_of(flag->variable, body).assignments != 1) return false;
  // It is computed behind the assignment then.
  const bool is_read_behind = !mentions_of(flag->variable, list, i + 1, list.size()).none();
  const bool is_moved = flag_of(value).variable || (by_any_condition && !is_read_behind && is_of_numbers(value) && (last->values.size() == 1 || (!has_effect(value) && !failures(value).any())));
  const auto reads = [&](const ir::Variable* variable) { return !mentions_of(variable, value).none(); };
  if (!is_moved || std::ranges::any_of(last->variables, reads)) return false;
  Values none = {{flag->variable, lowered::make(Constant{false}, scalar(DType::boolean))}};  // it is, until the turn's end
  for (std::size_t k = 0; k < last->variables.size(); ++k) {                                // and so are those that are what it is
    const ir::Variable* same = last->variables[k];
    const bool is_same = same != flag->variable && variable_of(value) && variable_of(last->values[k]) == variable_of(value) && mentions_of(same, body).assignments == 1 && !mentions_of(same, body).others;
    const auto begun = is_same ? declaration_of(same, list, i) : std::nullopt;
    if (begun && begins_false(list, *begun, i, same)) none[same] = none[flag->variable];
  }
  for (auto& s : body) substitute(s, none);
  if (!is_read_behind) take_out(*last, flag->variable);
  body.push_back({If{value, {Statement{Break{}, list[i].location}}, {}}, list[i].location});
  goes_on = flag->rest ? flag->rest : while_loop ? lowered::make(Constant{true}, scalar(DType::boolean)) : nullptr;
  remove_empty(body);
  return true;
}

void leave_loops(Statements& list) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    for_each_list_with_condition(list[i], leave_loops);
    leave_loop(list, i, true);
  }
}

bool leave_function(Statements& list, std::size_t i, const Flags& flags) {
  auto* while_loop = std::get_if<While>(&list[i].node);
  auto* for_loop = std::get_if<For>(&list[i].node);
  if ((!while_loop && !for_loop) || i + 1 >= list.size()) return false;
  Statements& body = while_loop ? while_loop->body : for_loop->body;
  if (breaks_in(body) == 0) return false;
  if (while_loop && truth(while_loop->condition) == std::optional(true) && while_loop->test.empty() && i + 2 == list.size() &&
      std::holds_alternative<Return>(list[i + 1].node)) {
    replace_breaks(body, {std::move(list[i + 1])});
    list.pop_back();
    return true;
  }
  // `return found;` and `return !found;` decide, too.
  const auto* returned = std::get_if<Return>(&list[i + 1].node);
  std::optional<If> made;
  if (returned && returned->values.size() == 1 && flag_of(returned->values[0]).variable && is_condition(returned->values[0]->type)) {
    const auto returning = [&](bool value) { return Statements{{Return{{lowered::make(Constant{value}, scalar(DType::boolean))}}, list[i + 1].location}}; };
    made = If{returned->values[0], returning(true), returning(false)};
  }
  auto* deciding = made ? &*made : std::get_if<If>(&list[i + 1].node);
  if (!deciding) return false;
  const Flag flag = flag_of(deciding->condition);
  if (!flag.variable || !is_condition(flag.variable->type)) return false;
  Statements& leaving = flag.negated ? deciding->otherwise : deciding->then;
  if (!can_be_copied(leaving) || std::holds_alternative<Break>(leaving.back().node)) return false;
  const auto declared = declaration_of(flag.variable, list, i);
  if (!declared || !begins_false(list, *declared, i, flag.variable)) return false;
  const auto within = mentions_of(flag.variable, list[i]), behind = mentions_of(flag.variable, list, i + 1, list.size());
  if (within.others || !behind.unchanged()) return false;
  const ExprPtr no = lowered::make(Constant{false}, scalar(DType::boolean)), yes = lowered::make(Constant{true}, scalar(DType::boolean));
  const auto end = follow(body, flag.variable, {no, {}}, flags);
  if (!end || (end->value && end->truth() != std::optional(false))) return false;
  Statements left = std::move(leaving), staying = std::move(flag.negated ? deciding->then : deciding->otherwise);
  for (auto& s : left) substitute(s, {{flag.variable, yes}});
  replace_breaks(body, left);
  forget(body, flag.variable);
  list.erase(list.begin() + static_cast<std::ptrdiff_t>(i + 1));
  list.insert(list.begin() + static_cast<std::ptrdiff_t>(i + 1), std::make_move_iterator(staying.begin()), std::make_move_iterator(staying.end()));
  for (std::size_t j = i; j < list.size(); ++j) substitute(list[j], {{flag.variable, no}});
  return true;
}

}  // namespace lantern
