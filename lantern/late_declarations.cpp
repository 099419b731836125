// Before:  double best{};                       After:  if (length(xs) == 0) {
//          if (length(xs) == 0) {                         raise_error(…);
//            raise_error(…);                            }
//          }                                            double most = xs[0];
//          double most = xs[0];                         …
//          …                                            …
//          best = most;                                 return most;
//          return best;
#include "lantern/late_declarations.h"

#include <algorithm>

#include "lantern/assignments.h"
#include "lantern/leaving.h"
#include "lantern/mentions.h"
#include "lantern/walk.h"

namespace lantern {

using namespace lowered;

namespace {

/// What is reached where the branch at i does not leave, behind it, and not within it; whether it is.
bool put_behind(Statements& list, std::size_t i) {
  auto* branch = std::get_if<If>(&list[i].node);
  if (!branch || !always_leaves(branch->then) || branch->otherwise.empty()) return false;
  if (std::any_of(branch->otherwise.begin(), branch->otherwise.end(), [](const Statement& s) { return std::holds_alternative<MarkArena>(s.node); })) return false;
  Statements behind = std::move(branch->otherwise);
  branch->otherwise.clear();
  list.insert(list.begin() + static_cast<std::ptrdiff_t>(i) + 1, std::make_move_iterator(behind.begin()), std::make_move_iterator(behind.end()));
  return true;
}

/// Whether the list gives the variable a value, at its top, where it first mentions it.
bool gives_first(const ir::Variable* variable, Statements& list) {
  const auto first = std::find_if(list.begin(), list.end(), [&](Statement& s) { return !mentions_of(variable, s).none(); });
  const auto* assign = first == list.end() ? nullptr : assignment(*first);
  return assign && assign->variables.size() == 1 && assign->variables[0] == variable;
}

/// Whether the other variable is the one, which has no name of the user's, from there on.
bool can_stand_for(const ir::Variable* variable, Statements& list, std::size_t at, const ir::Variable* other) {
  return other && ir::is_made_up(variable->name) && declaration_of(other, list, at) && mentions_of(other, list, at + 1, list.size()).unchanged();
}

}  // namespace

void declare_late(Statements& list) {
  for (auto& s : list) for_each_list_with_condition(s, [](Statements& nested) { declare_late(nested); });
  for (std::size_t i = list.size(); i-- > 0;) {
    const auto* declare = std::get_if<Declare>(&list[i].node);
    if (!declare || declare->initial || !is_one_number(declare->variable->type)) continue;
    ir::Variable* variable = declare->variable;
    std::size_t at = i + 1;
    const auto go_on = [&] {
      while (at < list.size() && mentions_of(variable, list[at]).none()) ++at;
    };
    go_on();
    auto* branch = at < list.size() ? std::get_if<If>(&list[at].node) : nullptr;
    if (branch && mentions_of(variable, branch->condition).none() && mentions_of(variable, branch->then).none() && gives_first(variable, branch->otherwise) && put_behind(list, at)) go_on();
    const auto* assign = at < list.size() ? assignment(list[at]) : nullptr;
    if (!assign || assign->variables.size() != 1 || assign->variables[0] != variable) continue;
    const ExprPtr value = assign->values[0];
    if (!mentions_of(variable, value).none() || !same_type(variable->type, value->type)) continue;
    if (!mentions_of(variable, list, at + 1, list.size()).unchanged()) {
      list[at].node = Declare{variable, value};
    } else if (can_stand_for(variable, list, at, lowered::variable_of(value))) {
      for (std::size_t j = at + 1; j < list.size(); ++j) substitute(list[j], {{variable, value}});
      list.erase(list.begin() + static_cast<std::ptrdiff_t>(at));
    } else {
      list[at].node = Let{{variable}, value};
    }
    list.erase(list.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

}  // namespace lantern
