// Before:  List<double> h{};                                 After:  const List<double> h = repeated(0.0, length(b));
//          for (int64_t _ = 0; _ < length(b); ++_) {
//            h = append(h, 0.0);
//          }
// And:     const auto [t, t_2] = f_loop(n, i + 1, x);        After:  return f_loop(n, i + 1, x);
//          return {t, t_2};
#include "lantern/shorter_forms.h"

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

/// What a loop appends to the variable in each turn, if that is all it does; null: it is more, or differs from turn to turn.
ExprPtr appended(const For& loop, const ir::Variable* list) {
  if (loop.range.size() != 3 || integer_value(loop.range[0]) != 0 || integer_value(loop.range[2]) != 1) return nullptr;
  if (!loop.test.empty() || loop.condition || loop.marks || loop.body.size() != 1 || has_effect(loop.range[1])) return nullptr;
  const auto* assign = std::get_if<Assign>(&loop.body[0].node);
  if (!assign || assign->kept || assign->variables.size() != 1 || assign->variables[0] != list) return nullptr;
  const auto* append = applied(assign->values[0], "append");
  if (!append || variable_of(append->operands[0]) != list || !is_atom(append->operands[1])) return nullptr;
  const ir::Variable* element = variable_of(append->operands[1]);
  return element == list || element == loop.element || mentions_of(list, loop.range[1]).reads > 0 ? nullptr : append->operands[1];
}

}  // namespace

void gather_repeated(Statements& list) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    for_each_list(list[i], gather_repeated);
    const auto* loop = std::get_if<For>(&list[i].node);
    if (!loop || loop->body.size() != 1 || !std::holds_alternative<Assign>(loop->body[0].node)) continue;
    const auto& assign = std::get<Assign>(loop->body[0].node);
    ir::Variable* target = assign.variables.size() == 1 ? assign.variables[0] : nullptr;
    const auto declared = target ? declaration_of(target, list, i) : std::nullopt;
    const ExprPtr element = declared ? appended(*loop, target) : nullptr;
    if (!element || !is_empty_list(std::get<Declare>(list[*declared].node).initial) || !mentions_of(target, list, *declared + 1, i).none()) continue;
    const std::vector<Type> types = {element->type, loop->range[1]->type};
    const ExprPtr value = lowered::make(Apply{select_operator("repeated", types), {element, loop->range[1]}}, target->type, list[i].location);
    if (mentions_of(target, list, i + 1, list.size()).unchanged()) list[i].node = Let{{target}, value};
    else list[i].node = Declare{target, value};
    list.erase(list.begin() + static_cast<std::ptrdiff_t>(*declared));
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
