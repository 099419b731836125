// Before:  List<double> h{};                                 After:  const List<double> h = repeated(0.0, length(b));
//          for (int64_t _ = 0; _ < length(b); ++_) {
//            h = append(h, 0.0);
//          }
// And:     const auto [t, t_2] = f_loop(n, i + 1, x);        After:  return f_loop(n, i + 1, x);
//          return {t, t_2};
#include "lantern/shorter_forms.h"

#include <algorithm>
#include <iterator>

#include "lantern/assignments.h"
#include "lantern/conditions.h"
#include "lantern/expression_effects.h"
#include "lantern/mentions.h"
#include "lantern/operators.h"
#include "lantern/walk.h"

namespace lantern {

using namespace lowered;

namespace {

bool is_empty_list(const ExprPtr& e) { return e && applied(e, "empty") && is(e->type, TypeKind::list); }

struct Append { ir::Variable* list; ExprPtr element; };

/// What a loop appends to which lists in each turn, if that is all it does; none: it is more, or differs from turn to turn.
std::vector<Append> appends(const For& loop) {
  if (loop.range.size() != 3 || integer_value(loop.range[0]) != 0 || integer_value(loop.range[2]) != 1) return {};
  if (!loop.test.empty() || loop.condition || loop.marks || has_effect(loop.range[1])) return {};
  std::vector<Append> all;
  for (const auto& s : loop.body) {
    const auto* assign = std::get_if<Assign>(&s.node);
    if (!assign || assign->kept) return {};
    for (std::size_t i = 0; i < assign->variables.size(); ++i) {
      const auto* append = applied(assign->values[i], "append");
      if (!append || variable_of(append->operands[0]) != assign->variables[i] || !is_atom(append->operands[1])) return {};
      all.push_back({assign->variables[i], append->operands[1]});
    }
  }
  for (const auto& [list, element] : all) {
    const auto is_other = [list = list](const Append& other) { return other.list == list; };
    const bool varies = variable_of(element) == loop.element && loop.element;
    const bool is_read = std::any_of(all.begin(), all.end(), [list = list](const Append& other) { return variable_of(other.element) == list; });
    if (varies || is_read || std::count_if(all.begin(), all.end(), is_other) > 1 || mentions_of(list, loop.range[1]).reads > 0) return {};
  }
  return all;
}

/// How often: n, of as many as a list has that is `repeated(x, n)`, or is said to be in front of place i.
ExprPtr count_of(const ExprPtr& times, Statements& before, std::size_t i) {
  const auto* length = applied(times, "length");
  if (!length) return times;
  const ir::Variable* named = variable_of(length->operands[0]);
  const auto is_it = [named](const Statement& s) {
    const auto* let = std::get_if<Let>(&s.node);
    return let && let->variables.size() == 1 && let->variables[0] == named;
  };
  const auto end = before.begin() + static_cast<std::ptrdiff_t>(i), found = named ? std::find_if(before.begin(), end, is_it) : end;
  const auto* list = applied(found == end ? length->operands[0] : std::get<Let>(found->node).value, "repeated");
  if (!list || !is_atom(list->operands[1])) return times;
  const ir::Variable* count = variable_of(list->operands[1]);
  const bool is_as_then = !count || mentions_of(count, before, static_cast<std::size_t>(found - before.begin()), i).unchanged();
  return is_as_then ? list->operands[1] : times;
}

}  // namespace

void gather_repeated(Statements& list) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    for_each_list(list[i], gather_repeated);
    const auto* loop = std::get_if<For>(&list[i].node);
    if (!loop) continue;
    const std::vector<Append> all = appends(*loop);
    std::vector<std::size_t> declared;
    for (const auto& append : all) {
      const auto found = declaration_of(append.list, list, i);
      if (found && is_empty_list(std::get<Declare>(list[*found].node).initial) && mentions_of(append.list, list, *found + 1, i).none()) declared.push_back(*found);
    }
    if (all.empty() || declared.size() < all.size()) continue;
    const ExprPtr count = count_of(loop->range[1], list, i);
    Statements made;
    for (const auto& [target, element] : all) {
      const std::vector<Type> types = {element->type, count->type};
      const ExprPtr value = lowered::make(Apply{select_operator("repeated", types), {element, count}}, target->type, list[i].location);
      const bool stays = mentions_of(target, list, i + 1, list.size()).unchanged();
      made.push_back(list[i]);
      if (stays) made.back().node = Let{{target}, value};
      else made.back().node = Declare{target, value};
    }
    const auto at = list.erase(list.begin() + static_cast<std::ptrdiff_t>(i));
    list.insert(at, std::make_move_iterator(made.begin()), std::make_move_iterator(made.end()));
    std::sort(declared.rbegin(), declared.rend());
    for (const std::size_t place : declared) list.erase(list.begin() + static_cast<std::ptrdiff_t>(place));
    --i;
  }
}

void return_calls(Statements& list) {
  for (auto& s : list) for_each_list(s, return_calls);
  if (list.size() < 2) return;
  const auto* let = std::get_if<Let>(&list[list.size() - 2].node);
  auto* returned = std::get_if<Return>(&list.back().node);
  if (!let || !returned || let->variables.size() < 2 || let->variables.size() != returned->values.size() || !std::holds_alternative<DirectCall>(let->value->node)) return;
  for (std::size_t i = 0; i < returned->values.size(); ++i) {
    if (variable_of(returned->values[i]) != let->variables[i]) return;
  }
  returned->values = {ExprPtr(let->value)};
  if (list[list.size() - 2].location.known()) list.back().location = list[list.size() - 2].location;
  list.erase(list.end() - 2);
}

}  // namespace lantern
