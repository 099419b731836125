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
#include <optional>
#include <vector>

#include "lantern/assignments.h"
#include "lantern/leaving.h"
#include "lantern/mentions.h"

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

}  // namespace

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
