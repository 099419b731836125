// Before:  bool found = false;                  After:  bool found = false;
//          int64_t place = 0;                           int64_t place = 0;
//          for (const double x : xs) {                  for (const double x : xs) {
//            const bool c = x > limit;                    if (x > limit) {
//            found = c;                                     found = true;
//            if (c) {                                       break;
//              place = place + 1;                         }
//              break;                                     place = place + 1;
//            } else {                                   }
//              place = place + 1;
//            }
//          }
#include "lantern/loop_flags.h"

#include <algorithm>
#include <optional>

#include "lantern/assignments.h"
#include "lantern/conditions.h"
#include "lantern/dead_variables.h"
#include "lantern/leaving.h"
#include "lantern/mentions.h"

namespace lantern {

using namespace lowered;

namespace {

Statements* body_of(Statement& s) {
  if (auto* loop = std::get_if<While>(&s.node)) return &loop->body;
  auto* loop = std::get_if<For>(&s.node);
  return loop ? &loop->body : nullptr;
}

void remove_empty_within(Statements& list) {
  for (auto& s : list) {
    if (auto* branch = std::get_if<If>(&s.node)) remove_empty_within(branch->then), remove_empty_within(branch->otherwise);
  }
  remove_empty(list);
}

/// The truth that a condition has in front of the loop at i; nothing if that is not known.
std::optional<bool> truth_before(const ir::Variable* variable, Statements& list, std::size_t i) {
  if (!is_condition(variable->type) || mentions_of(variable, list[i]).others) return std::nullopt;
  const auto declared = declaration_of(variable, list, i);
  if (!declared || !mentions_of(variable, list, *declared + 1, i).unchanged()) return std::nullopt;
  const auto& initial = std::get<Declare>(list[*declared].node).initial;
  return initial ? truth(initial) : std::nullopt;
}

// `found = c; if (c) break;` is `if (c) { found = true; break; }`.
bool set_in_branch(Statements& list, std::size_t i, Statements& body, std::size_t k, const Flags& flags) {
  auto* assign = assignment(body[k]);
  auto* branch = assign && k + 1 < body.size() ? std::get_if<If>(&body[k + 1].node) : nullptr;
  if (!branch || always_leaves(branch->then) == always_leaves(branch->otherwise)) return false;
  const Flag tested = flags.constant(branch->condition);
  if (!tested.variable) return false;
  for (std::size_t at = 0; at < assign->variables.size(); ++at) {
    ir::Variable* variable = assign->variables[at];
    const Flag given = flags.constant(assign->values[at]);
    const auto before = truth_before(variable, list, i);
    if (!before || given.variable != tested.variable || mentions_of(variable, list[i]).assignments != 1) continue;
    const bool is_then = always_leaves(branch->then), holds_in_then = tested.negated == given.negated;
    if ((is_then ? holds_in_then : !holds_in_then) == *before) continue;
    Statements& leaving = is_then ? branch->then : branch->otherwise;
    leaving.insert(leaving.begin(), {Assign{{variable}, {lowered::make(Constant{!*before}, variable->type)}}, body[k].location});
    take_out(*assign, at);
    return true;
  }
  return false;
}

bool set_in_branches(Statements& list, std::size_t i, Statements& body, const Flags& flags) {
  bool any = false;
  for (std::size_t k = 0; k < body.size(); ++k) {
    any = set_in_branch(list, i, body, k, flags) || any;
    if (auto* branch = std::get_if<If>(&body[k].node)) {
      any = set_in_branches(list, i, branch->then, flags) || any;
      any = set_in_branches(list, i, branch->otherwise, flags) || any;
    }
  }
  return any;
}

/// Of the assignments to a condition those on ways that go on, and which all give it the truth that it has; nothing if others are among them.
struct Repeated {
  const ir::Variable* variable;
  bool truth;
  std::vector<Assign*> assigns = {};
  int seen = 0;

  bool find(Statements& statements, bool is_left) {
    is_left = is_left || always_leaves(statements);
    for (auto& s : statements) {
      if (auto* branch = std::get_if<If>(&s.node)) {
        if (!find(branch->then, is_left) || !find(branch->otherwise, is_left)) return false;
      }
      auto* assign = std::get_if<Assign>(&s.node);
      const ExprPtr value = assign ? value_for(*assign, variable) : nullptr;
      if (!value) continue;
      ++seen;
      if (is_left) continue;
      if (lantern::truth(value) != std::optional(truth)) return false;
      assigns.push_back(assign);
    }
    return true;
  }
};

// What a condition is already, it is not given once more.
bool leave_out_repeated(Statements& list, std::size_t i, Statements& body) {
  bool any = false;
  for (std::size_t at = 0; at < i; ++at) {
    const auto* declare = std::get_if<Declare>(&list[at].node);
    const auto before = declare ? truth_before(declare->variable, list, i) : std::nullopt;
    if (!before) continue;
    Repeated repeated{declare->variable, *before};
    if (!repeated.find(body, false) || repeated.seen != mentions_of(declare->variable, list[i]).assignments) continue;
    for (Assign* assign : repeated.assigns) take_out(*assign, declare->variable);
    any = any || !repeated.assigns.empty();
  }
  return any;
}

// What nobody reads behind the loop is not computed in front of a break.
bool forget_where_left(Statements& list, std::size_t i, Statements& statements) {
  bool any = false;
  for (auto& s : statements) {
    if (auto* branch = std::get_if<If>(&s.node)) {
      any = forget_where_left(list, i, branch->then) || any;
      any = forget_where_left(list, i, branch->otherwise) || any;
    }
  }
  if (statements.empty() || !std::holds_alternative<Break>(statements.back().node)) return any;
  for (std::size_t k = statements.size() - 1; k-- > 0;) {
    auto* assign = assignment(statements[k]);
    if (!assign) break;
    for (std::size_t at = assign->variables.size(); at-- > 0;) {
      const ir::Variable* variable = assign->variables[at];
      const bool is_read = !mentions_of(variable, statements, k + 1, statements.size()).none() || !mentions_of(variable, list, i + 1, list.size()).none();
      if (is_read || !can_be_left_out(assign->values[at]) || !declaration_of(variable, list, i)) continue;
      take_out(*assign, at);
      any = true;
    }
  }
  return any;
}

}  // namespace

bool set_where_left(Statements& list, std::size_t i, const Flags& flags) {
  Statements* body = body_of(list[i]);
  if (!body || breaks_in(*body) == 0) return false;
  bool any = set_in_branches(list, i, *body, flags);
  any = leave_out_repeated(list, i, *body) || any;
  any = forget_where_left(list, i, *body) || any;
  if (any) remove_empty_within(*body);
  return any;
}

}  // namespace lantern
