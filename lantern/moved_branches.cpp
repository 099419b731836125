// Before:  bool x1{};                          After:  if (board[a] != 0) {
//          if (board[a] != 0) {                          const int64_t x2 = board[a];
//            const int64_t x2 = board[a];                if (x2 == board[b]) {
//            x1 = x2 == board[b];                          return x2;
//          } else {                                      }
//            x1 = false;                               }
//          }
//          if (x1) {
//            return x2;
//          }
#include "lantern/moved_branches.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "lantern/assignments.h"
#include "lantern/conditions.h"
#include "lantern/leaving.h"
#include "lantern/mentions.h"
#include "lantern/walk.h"

namespace lantern {

using namespace lowered;

namespace {

/// The ways of a branch, which end by giving the variable its value; whether all do.
bool find_ways(If& branch, const ir::Variable* variable, std::vector<Statements*>& ways) {
  for (Statements* way : {&branch.then, &branch.otherwise}) {
    if (way->empty()) return false;
    if (auto* inner = std::get_if<If>(&way->back().node)) {
      if (!find_ways(*inner, variable, ways)) return false;
      continue;
    }
    const Assign* assign = assignment(way->back());
    if (!assign || assign->variables.size() != 1 || assign->variables[0] != variable) return false;
    ways.push_back(way);
  }
  return true;
}

const ExprPtr& value_at_end(const Statements& way) { return std::get<Assign>(way.back().node).values[0]; }

/// The branch in front of `end`, but for declarations that may stand in front of it as well; `end`: there is none.
std::size_t branch_before(Statements& list, std::size_t end) {
  for (std::size_t at = end; at-- > 0;) {
    if (std::holds_alternative<If>(list[at].node)) {
      const auto may_go_before = [&](const Statement& between) {
        const auto& declare = std::get<Declare>(between.node);
        const auto* source = declare.initial ? lowered::variable_of(declare.initial) : nullptr;
        return !declare.initial || (is_one_number(declare.variable->type) &&
                                    (std::holds_alternative<Constant>(declare.initial->node) || (source && mentions_of(source, list[at]).unchanged())));
      };
      return std::all_of(list.begin() + static_cast<std::ptrdiff_t>(at) + 1, list.begin() + static_cast<std::ptrdiff_t>(end), may_go_before) ? at : end;
    }
    if (!std::holds_alternative<Declare>(list[at].node)) break;
  }
  return end;
}

/// Whether what stands at `at`, done where a variable is true that the branch in front of it gives a value, has gone there.
bool move_branch(Statements& list, std::size_t at) {
  auto* use = std::get_if<If>(&list[at].node);
  const std::size_t before = use ? branch_before(list, at) : at;
  auto* branch = before < at ? std::get_if<If>(&list[before].node) : nullptr;
  ir::Variable* variable = use && (use->otherwise.empty() || always_leaves(use->then)) ? lowered::variable_of(use->condition) : nullptr;
  const auto declared = variable && branch && is_condition(variable->type) ? declaration_of(variable, list, before) : std::nullopt;
  if (!declared || std::get<Declare>(list[*declared].node).initial) return false;
  std::vector<Statements*> ways;
  if (!find_ways(*branch, variable, ways)) return false;
  const auto given = mentions_of(variable, list[before]);
  if (given.reads > 0 || given.others || given.assignments != static_cast<int>(ways.size())) return false;
  if (!mentions_of(variable, list, *declared + 1, before).none() || !mentions_of(variable, list, at + 1, list.size()).none()) return false;
  if (!mentions_of(variable, use->then).none() || !mentions_of(variable, use->otherwise).none()) return false;
  const auto is_false = [](const Statements* way) { return truth(value_at_end(*way)) == false; };
  if (std::ranges::count_if(ways, is_false) + 1 != std::ssize(ways)) return false;

  Statement moved = std::move(list[at]);
  const Statements behind = std::exchange(std::get<If>(moved.node).otherwise, {});  // where what is moved has left
  for (Statements* way : ways) {
    const bool holds_here = !is_false(way);
    const ExprPtr value = value_at_end(*way);
    way->pop_back();
    if (!holds_here) continue;
    auto& inner = std::get<If>(moved.node);
    if (truth(value)) {
      std::move(inner.then.begin(), inner.then.end(), std::back_inserter(*way));
    } else {
      inner.condition = value;
      way->push_back(std::move(moved));
    }
  }
  std::rotate(list.begin() + static_cast<std::ptrdiff_t>(before), list.begin() + static_cast<std::ptrdiff_t>(before) + 1, list.begin() + static_cast<std::ptrdiff_t>(at));
  list.erase(list.begin() + static_cast<std::ptrdiff_t>(at));
  list.insert(list.begin() + static_cast<std::ptrdiff_t>(at), behind.begin(), behind.end());
  list.erase(list.begin() + static_cast<std::ptrdiff_t>(*declared));
  return true;
}

}  // namespace

void move_branches(Statements& list) {
  for (std::size_t at = 1; at < list.size(); ++at) {
    if (move_branch(list, at)) at -= 2;  // what is behind has come to `at - 1`: two are gone
  }
  for (auto& statement : list) for_each_list_with_condition(statement, move_branches);
}

}  // namespace lantern
