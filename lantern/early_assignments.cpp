// Before:  const double x1 = sum + x;          After:  sum = sum + x;
//          if (x1 > 9.0) {                             if (sum > 9.0) {
//            print(x1);                                  print(sum);
//            sum = 0.0;                                  sum = 0.0;
//          } else {                                    }
//            sum = x1;
//          }
// And:     int64_t j = i;                      After:  while (xs[i] < x) {
//          while (xs[j] < x) {                            i = i + 1;
//            j = j + 1;                                 }
//          }                                            if (i < n) {
//          if (j < n) {                                   i = i + 2;
//            i = j + 2;                                 }
//          } else {
//            i = j;
//          }
#include "lantern/early_assignments.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <initializer_list>
#include <optional>
#include <vector>

#include "lantern/assignments.h"
#include "lantern/leaving.h"
#include "lantern/mentions.h"
#include "lantern/walk.h"

namespace lantern {

using namespace lowered;

namespace {

/// The assignments that a branch's ways end with; none where one does not.
bool find_ends(If& branch, std::vector<Assign*>& ends) {
  const auto ends_so = [&](Statements* way) {
    if (way->empty()) return false;
    if (auto* inner = std::get_if<If>(&way->back().node)) return find_ends(*inner, ends);
    auto* assign = std::get_if<Assign>(&way->back().node);
    if (assign) ends.push_back(assign);
    return assign != nullptr;
  };
  return ends_so(&branch.then) && ends_so(&branch.otherwise);
}

void drop_empty_ends(If& branch) {
  for (Statements* way : {&branch.then, &branch.otherwise}) {
    if (way->empty()) continue;
    if (auto* inner = std::get_if<If>(&way->back().node)) drop_empty_ends(*inner);
    const auto* assign = std::get_if<Assign>(&way->back().node);
    if (assign && assign->variables.empty() && !assign->kept) way->pop_back();
  }
}

std::optional<std::size_t> place_of(const ir::Variable* target, const Assign& assign) {
  const auto found = std::find(assign.variables.begin(), assign.variables.end(), target);
  return found == assign.variables.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - assign.variables.begin()));
}

/// Where the list, before `end`, makes a number that is called after nothing, or as the target.
std::optional<std::size_t> made_for(const ir::Variable* target, const ir::Variable* variable, const Statements& list, std::size_t end) {
  const bool is_its_next = ir::is_made_up(variable->name) || ir::have_one_name(variable->name, target->name);
  if (!is_its_next || !is_one_number(target->type) || target->storage != ir::Storage::local || !same_type(target->type, variable->type)) return std::nullopt;
  for (std::size_t i = 0; i < end; ++i) {
    const auto* let = std::get_if<Let>(&list[i].node);
    const auto* declare = std::get_if<Declare>(&list[i].node);
    if ((let && let->variables.size() == 1 && let->variables[0] == variable) || (declare && declare->variable == variable && declare->initial)) return i;
  }
  return std::nullopt;
}

/// Whether the target, which the branch at `at` gives a value on each way, has become what is the variable there.
bool assign_early(Statements& list, std::size_t at, const std::vector<Assign*>& ends, ir::Variable* target, ir::Variable* variable) {
  const auto made = made_for(target, variable, list, at);
  if (!made || !mentions_of(target, list, *made + 1, at).none()) return false;
  for (std::size_t i = *made + 1; i <= at; ++i) {
    if (breaks_in(list[i]) > 0) return false;  // the target would have the value behind the loop
  }
  const auto declared = declaration_of(target, list, at);
  if (declared && *declared > *made) return false;  // it is of this branch alone, and may be a value of one expression
  const auto of_target = mentions_of(target, list[at]);
  if (of_target.reads > 0 || of_target.others || of_target.assignments != static_cast<int>(ends.size())) return false;
  if (mentions_of(variable, list, *made + 1, at + 1).others || !mentions_of(variable, list, at + 1, list.size()).none()) return false;
  for (const Assign* end : ends) {
    const auto own = place_of(target, *end);
    if (!own) return false;
    for (std::size_t i = 0; i < end->values.size(); ++i) {
      if (i != *own && !mentions_of(variable, end->values[i]).none()) return false;
    }
  }
  for (Assign* end : ends) {
    const auto own = *place_of(target, *end);
    if (lowered::variable_of(end->values[own]) == variable) take_out(*end, own);
  }
  const auto* let = std::get_if<Let>(&list[*made].node);
  const ExprPtr value = let ? let->value : std::get<Declare>(list[*made].node).initial;
  if (lowered::variable_of(value) == target) list[*made].node = Assign{};
  else list[*made].node = Assign{{target}, {value}};
  for (std::size_t i = *made + 1; i <= at; ++i) rename(list[i], variable, target);
  return true;
}

bool are_one_constant(const ExprPtr& a, const ExprPtr& b) {
  const auto *constant = std::get_if<Constant>(&a->node), *other = std::get_if<Constant>(&b->node);
  if (!constant || !other || constant->value != other->value) return false;
  const auto* number = std::get_if<double>(&constant->value);
  return !number || std::signbit(*number) == std::signbit(std::get<double>(other->value));
}

/// The assignments that the ways of a branch end with which go on behind it; whether all of these do.
bool find_ends_that_go_on(If& branch, std::vector<Assign*>& ends) {
  return std::ranges::all_of(std::initializer_list<Statements*>{&branch.then, &branch.otherwise}, [&](Statements* way) {
    if (always_leaves(*way)) return true;
    if (way->empty()) return false;
    if (auto* inner = std::get_if<If>(&way->back().node)) return find_ends_that_go_on(*inner, ends);
    ends.push_back(assignment(way->back()));
    return ends.back() != nullptr;
  });
}

/// What a variable that a branch gives a value, on each way, may begin with: null, if there is nothing to gain.
ExprPtr common_constant(const ir::Variable* variable, const std::vector<Assign*>& ends) {
  ExprPtr common;
  std::ptrdiff_t most = 1;
  for (const Assign* end : ends) {
    const ExprPtr value = value_for(*end, variable);
    const auto gives_it = [&](const Assign* other) {
      const ExprPtr given = value_for(*other, variable);
      return value && given && are_one_constant(value, given);
    };
    const auto times = std::ranges::count_if(ends, gives_it);
    if (times > most && same_type(value->type, variable->type)) common = value, most = times;
  }
  return common;
}

/// The last `else` of a chain, if it does no more than give variables constants; null: it does.
Assign* constants_of_else(If& branch) {
  If* last = &branch;
  while (last->otherwise.size() == 1 && std::holds_alternative<If>(last->otherwise[0].node)) last = &std::get<If>(last->otherwise[0].node);
  auto* assign = last->otherwise.size() == 1 ? assignment(last->otherwise[0]) : nullptr;
  const bool constant = assign && std::ranges::all_of(assign->values, [](const ExprPtr& value) { return std::holds_alternative<Constant>(value->node); });
  return constant ? assign : nullptr;
}

}  // namespace

void begin_with_constants(Statements& list) {
  for (auto& s : list) for_each_list_with_condition(s, begin_with_constants);
  for (std::size_t at = 1; at < list.size(); ++at) {
    auto* branch = std::get_if<If>(&list[at].node);
    std::vector<Assign*> ends;
    if (!branch || branch->otherwise.empty() || !find_ends_that_go_on(*branch, ends) || ends.size() < 2) continue;
    const auto declared_for = [&](const ir::Variable* variable) -> Declare* {
      const auto declared = declaration_of(variable, list, at);
      auto* declare = declared ? std::get_if<Declare>(&list[*declared].node) : nullptr;
      if (!declare || declare->initial || !mentions_of(variable, list, *declared + 1, at).none()) return nullptr;
      const auto given = mentions_of(variable, list[at]);
      return given.assignments == static_cast<int>(ends.size()) && given.reads == 0 && !given.others ? declare : nullptr;
    };
    const Assign* otherwise = constants_of_else(*branch);
    const bool begins_with_else = otherwise && std::ranges::all_of(otherwise->variables, [&](const auto* variable) {
      return declared_for(variable) && same_type(value_for(*otherwise, variable)->type, variable->type);
    });
    const std::vector<ir::Variable*> given = ends[0]->variables;
    bool any = false;
    for (ir::Variable* variable : given) {
      Declare* declare = declared_for(variable);
      const ExprPtr begun = !declare ? nullptr : begins_with_else ? value_for(*otherwise, variable) : common_constant(variable, ends);
      if (!begun) continue;
      declare->initial = begun;
      any = true;
      for (Assign* end : ends) {
        if (const ExprPtr value = value_for(*end, variable); value && are_one_constant(value, begun)) take_out(*end, variable);
      }
    }
    drop_empty_ends(*branch);
    if (any) --at;  // a branch within may end a way now
  }
}

bool return_in_branch(Statements& list) {
  const auto* returned = list.size() < 2 ? nullptr : std::get_if<Return>(&list.back().node);
  auto* branch = returned ? std::get_if<If>(&list[list.size() - 2].node) : nullptr;
  std::vector<Assign*> ends;
  if (!branch || branch->otherwise.empty() || !find_ends_that_go_on(*branch, ends)) return false;
  bool is_for_return = false;
  for (const auto& value : returned->values) {
    const ir::Variable* variable = lowered::variable_of(value);
    if (!variable && !std::holds_alternative<Constant>(value->node)) return false;
    is_for_return = is_for_return || (variable && ir::is_made_up(variable->name));
  }
  const auto is_returned = [&](const ir::Variable* variable) {
    return std::ranges::any_of(returned->values, [&](const ExprPtr& value) { return lowered::variable_of(value) == variable; });
  };
  for (const Assign* end : ends) {
    if (change_in_place(*end)) return false;
    for (std::size_t i = 0; i < end->variables.size(); ++i) {
      const bool once = is_atom(end->values[i]) || mentions_of(end->variables[i], list.back()).reads == 1;
      if (!is_returned(end->variables[i]) || !once || !same_type(end->variables[i]->type, end->values[i]->type)) return false;
    }
    const bool in_order = std::ranges::is_sorted(end->variables, {}, [&](const ir::Variable* variable) {
      return std::ranges::find_if(returned->values, [&](const ExprPtr& value) { return lowered::variable_of(value) == variable; }) - returned->values.begin();
    });
    if (!in_order) return false;
  }
  if (!is_for_return) return false;
  const Statement leaving = std::move(list.back());
  list.pop_back();
  branch = std::get_if<If>(&list.back().node);
  const std::function<void(If&)> leave = [&](If& from) {
    for (Statements* way : {&from.then, &from.otherwise}) {
      if (always_leaves(*way)) continue;
      if (auto* inner = std::get_if<If>(&way->back().node)) {
        leave(*inner);
        continue;
      }
      const Assign given = std::get<Assign>(way->back().node);
      way->back() = leaving;
      for (auto& value : std::get<Return>(way->back().node).values) {
        if (const ExprPtr own = lowered::variable_of(value) ? value_for(given, lowered::variable_of(value)) : nullptr) value = own;
      }
    }
  };
  leave(*branch);
  return true;
}

void assign_early(Statements& list) {
  for (std::size_t at = 0; at < list.size(); ++at) {
    auto* branch = std::get_if<If>(&list[at].node);
    std::vector<Assign*> ends;
    if (!branch || !find_ends(*branch, ends)) continue;
    for (const Assign* end : ends) {
      for (std::size_t i = end->variables.size(); i-- > 0;) {
        ir::Variable* variable = lowered::variable_of(end->values[i]);
        if (variable && assign_early(list, at, ends, end->variables[i], variable)) i = std::min(i, end->variables.size());
      }
    }
    drop_empty_ends(*branch);
  }
  std::erase_if(list, [](const Statement& s) {
    const auto* assign = std::get_if<Assign>(&s.node);
    return assign && assign->variables.empty() && !assign->kept;
  });
}

}  // namespace lantern
