#include "lantern/branch_exits.h"

#include <algorithm>

#include "lantern/assignments.h"
#include "lantern/conditions.h"
#include "lantern/expression_effects.h"
#include "lantern/leaving.h"
#include "lantern/mentions.h"
#include "lantern/walk.h"

namespace lantern {

using namespace lowered;

namespace {

void append(Statements& to, Statements from) { std::move(from.begin(), from.end(), std::back_inserter(to)); }

bool holds_mark(const If& branch) {
  const auto is_mark = [](const Statement& s) { return std::holds_alternative<MarkArena>(s.node); };
  return std::any_of(branch.then.begin(), branch.then.end(), is_mark) || std::any_of(branch.otherwise.begin(), branch.otherwise.end(), is_mark);
}

/// Whether an assignment does the same in front of the statement that it is behind.
bool can_go_before(const Assign& assign, Statement& s) {
  if (!are_atoms(assign) || breaks_in(s) > 0) return false;
  for (std::size_t i = 0; i < assign.variables.size(); ++i) {
    if (!mentions_of(assign.variables[i], s).none()) return false;
    const ir::Variable* read = variable_of(assign.values[i]);
    if (read && !mentions_of(read, s).unchanged()) return false;
  }
  return true;
}

/// Whether an assignment is of numbers, and short enough to stand in several places: `i = i + 1`.
bool is_short(const Assign& assign) {
  constexpr std::size_t longest = 3;
  return std::all_of(assign.values.begin(), assign.values.end(), [](const ExprPtr& value) { return is_one_number(value->type) && size(value) <= longest && !has_effect(value); });
}

bool reads_numbers_alone(const ExprPtr& e) {
  bool numbers = is_one_number(e->type);
  for_each_operand(*e, [&](const ExprPtr& operand) { numbers = numbers && reads_numbers_alone(operand); });
  return numbers;
}

/// Whether the value that an assignment gives a flag can be computed behind what it gives the other variables: an array may change where it is.
bool can_come_last(const ExprPtr& value, const Assign& assign) {
  return reads_numbers_alone(value) && !has_effect(value) && !failures(value).any() &&
         std::all_of(assign.variables.begin(), assign.variables.end(), [&](const ir::Variable* variable) { return mentions_of(variable, value).none(); });
}

/// Whether each way through the branch leaves, or ends by giving the flag a value.
bool can_be_threaded(If& branch, const ir::Variable* flag) {
  for (Statements* way : {&branch.then, &branch.otherwise}) {
    if (way->empty()) return false;
    if (always_leaves(*way)) continue;
    if (mentions_of(flag, *way, 0, way->size() - 1).assignments > 0) return false;
    if (auto* inner = std::get_if<If>(&way->back().node)) {
      if (inner->otherwise.empty() || !can_be_threaded(*inner, flag)) return false;
      continue;
    }
    const auto* assign = assignment(way->back());
    const ExprPtr value = assign ? value_for(*assign, flag) : nullptr;
    if (!value || (!truth(value) && !(is_atom(value) && are_atoms(*assign)) && !can_come_last(value, *assign))) return false;
    if (std::count(assign->variables.begin(), assign->variables.end(), variable_of(value)) > 0) return false;
  }
  return true;
}

void thread(Statements& way, const ir::Variable* flag, const Statements& between, const Statements& leaving) {
  if (always_leaves(way)) return;
  if (auto* inner = std::get_if<If>(&way.back().node)) {
    thread(inner->then, flag, between, leaving);
    thread(inner->otherwise, flag, between, leaving);
    return;
  }
  auto& assign = std::get<Assign>(way.back().node);
  const ExprPtr value = value_for(assign, flag);
  take_out(assign, flag);
  Statements exit = between;
  if (truth(value)) {
    if (*truth(value)) {
      append(exit, leaving);
      append(way, std::move(exit));
    }
    return;
  }
  append(exit, leaving);
  const Location location = leaving.back().location;
  if (can_come_last(value, assign)) {
    way.push_back({If{value, std::move(exit), {}}, location});
    return;
  }
  // What the exit reads is not assigned yet.
  Statements before = {way.back()};
  append(before, std::move(exit));
  way.insert(way.end() - 1, Statement{If{value, std::move(before), {}}, location});
}

/// A flag as that of a variable which has not changed since it was computed from it, in front of a statement: `const bool x = !changed`.
Flag computed_from(const ir::Variable* variable, Flag flag, Statements& list, std::size_t end) {
  for (std::size_t i = end; flag.variable && flag.variable != variable && i-- > 0;) {
    const auto* let = std::get_if<Let>(&list[i].node);
    if (!let || let->variables.size() != 1 || let->variables[0] != flag.variable) continue;
    const Flag inner = flag_of(let->value);
    if (inner.variable == variable && mentions_of(variable, list, i + 1, end).unchanged()) return {inner.variable, inner.negated != flag.negated};
  }
  return flag;
}

}  // namespace

bool merge_branches(Statements& list, std::size_t i, const Flags& flags, bool copies) {
  auto* first = std::get_if<If>(&list[i].node);
  if (!first || i + 1 >= list.size()) return false;
  const bool is_constant = flags.constant(first->condition).variable;
  const Flag flag = is_constant ? flags.constant(first->condition) : flag_of(first->condition);
  if (!flag.variable || (!is_constant && !mentions_of(flag.variable, list[i]).unchanged())) return false;
  std::size_t next = i + 1;
  Statements before, copied;  // what stands between them, and goes before, and what does not
  if (auto* between = assignment(list[next]); between && next + 1 < list.size()) {
    const bool goes_before = can_go_before(*between, list[i]);
    if (!goes_before && (!copies || !is_short(*between) || !mentions_of(flag.variable, list[next]).unchanged())) return false;
    (goes_before ? before : copied).push_back(list[next++]);
  }
  while (next + 1 < list.size() && std::holds_alternative<ResetArena>(list[next].node)) copied.push_back(list[next++]);
  auto* second = std::get_if<If>(&list[next].node);
  if (!second || (!copied.empty() && !always_leaves(second->then) && !always_leaves(second->otherwise))) return false;
  const Flag other = is_constant ? flags.constant(second->condition) : computed_from(flag.variable, flag_of(second->condition), list, i);
  if (other.variable != flag.variable || holds_mark(*first) || holds_mark(*second)) return false;
  if (other.negated != flag.negated) std::swap(second->then, second->otherwise);
  list[next].location = list[i].location;
  If both = std::move(*first);
  const auto go_on = [&](Statements& way, Statements& with) {
    if (always_leaves(way)) return;
    append(way, copied);
    append(way, std::move(with));
  };
  go_on(both.then, second->then);
  go_on(both.otherwise, second->otherwise);
  list[next].node = std::move(both);
  const auto at = list.erase(list.begin() + static_cast<std::ptrdiff_t>(i), list.begin() + static_cast<std::ptrdiff_t>(next));
  list.insert(at, std::make_move_iterator(before.begin()), std::make_move_iterator(before.end()));
  return true;
}

bool thread_flag(Statements& list, std::size_t i, bool of_function, const Flags& flags, bool copies) {
  auto* setting = std::get_if<If>(&list[i].node);
  if (!setting || setting->otherwise.empty()) return false;
  std::size_t behind = i + 1;
  if (const auto* assign = behind < list.size() ? assignment(list[behind]) : nullptr; assign && can_go_before(*assign, list[i])) ++behind;
  std::size_t at = behind;
  const auto can_be_between = [&](const Statement& s) {
    const auto* assign = std::get_if<Assign>(&s.node);
    return std::holds_alternative<ResetArena>(s.node) || (copies && assign && !assign->kept && at == behind && behind == i + 1 && is_short(*assign));
  };
  while (at < list.size() && can_be_between(list[at])) ++at;
  auto* deciding = at < list.size() ? std::get_if<If>(&list[at].node) : nullptr;
  if (!deciding) return false;
  const Flag flag = flag_of(deciding->condition);
  if (!flag.variable || !flags.may_change(flag.variable) || !is_condition(flag.variable->type)) return false;
  Statements& leaving = flag.negated ? deciding->otherwise : deciding->then;
  if (!can_be_copied(leaving) || (!of_function && !std::holds_alternative<Break>(leaving.back().node))) return false;
  const auto declared = declaration_of(flag.variable, list, i);
  if (!declared || std::get<Declare>(list[*declared].node).initial) return false;
  for (std::size_t j = *declared + 1; j < list.size(); ++j) {
    const auto mentions = mentions_of(flag.variable, list[j]);
    if (mentions.others || ((j < i || (j > i && j < at)) && !mentions.none()) || (j > i && mentions.assignments > 0)) return false;
  }
  if (mentions_of(flag.variable, list[i]).reads > 0 || !can_be_threaded(*setting, flag.variable)) return false;
  Statements left = std::move(leaving), staying = std::move(flag.negated ? deciding->then : deciding->otherwise);
  const Statements between(list.begin() + static_cast<std::ptrdiff_t>(behind), list.begin() + static_cast<std::ptrdiff_t>(at));
  const ExprPtr yes = lowered::make(Constant{true}, scalar(DType::boolean)), no = lowered::make(Constant{false}, scalar(DType::boolean));
  for (auto& s : left) substitute(s, {{flag.variable, yes}});
  thread(setting->then, flag.variable, between, left);
  thread(setting->otherwise, flag.variable, between, left);
  list.erase(list.begin() + static_cast<std::ptrdiff_t>(at));
  list.insert(list.begin() + static_cast<std::ptrdiff_t>(at), std::make_move_iterator(staying.begin()), std::make_move_iterator(staying.end()));
  for (std::size_t j = at; j < list.size(); ++j) substitute(list[j], {{flag.variable, no}});
  if (behind > i + 1) std::swap(list[i], list[i + 1]);
  return true;
}

}  // namespace lantern
