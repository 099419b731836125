// Before:  bool c{};                  After:  const bool c = a && b;
//          if (a) {
//            c = b;
//          } else {
//            c = false;
//          }
#include "lantern/conditions.h"

#include <algorithm>
#include <map>

#include "lantern/leaving.h"
#include "lantern/mentions.h"
#include "lantern/operators.h"
#include "lantern/walk.h"

namespace lantern {

using namespace lowered;

const Apply* applied(const ExprPtr& e, std::string_view name) {
  const auto* apply = std::get_if<Apply>(&e->node);
  return apply && apply->op->name == name ? apply : nullptr;
}

std::optional<bool> truth(const ExprPtr& e) {
  const auto* constant = std::get_if<Constant>(&e->node);
  const auto* value = constant ? std::get_if<bool>(&constant->value) : nullptr;
  return value ? std::optional(*value) : std::nullopt;
}

bool is_condition(const Type& type) { return is(type, TypeKind::scalar) && resolve(type)->dtype == DType::boolean; }

ExprPtr condition(const char* op, std::vector<ExprPtr> operands) {
  std::vector<Type> types;
  for (const auto& operand : operands) types.push_back(operand->type);
  const Location location = operands[0]->location;
  return lowered::make(Apply{select_operator(op, types), std::move(operands)}, scalar(DType::boolean), location);
}

ExprPtr negated(const ExprPtr& e) {
  const auto* apply = std::get_if<Apply>(&e->node);
  const std::string_view name = apply ? std::string_view(apply->op->name) : "";
  if (name == "not" && is_condition(apply->operands[0]->type)) return apply->operands[0];
  const bool ordered = apply && std::all_of(apply->operands.begin(), apply->operands.end(), [](const ExprPtr& operand) {  // not nan
    return is(operand->type, TypeKind::scalar) && !is_floating(operand->type);
  });
  static const std::map<std::string_view, const char*> opposites = {{"==", "!="}, {"!=", "=="}, {"<", ">="}, {">=", "<"}, {">", "<="}, {"<=", ">"}};
  const auto opposite = opposites.find(name);
  return ordered && opposite != opposites.end() ? condition(opposite->second, apply->operands) : condition("not", {e});
}

namespace {

/// `c = b` alone, b a condition.
ExprPtr only_value(const Statements& way, ir::Variable*& target) {
  const auto* assign = way.size() == 1 ? std::get_if<Assign>(&way[0].node) : nullptr;
  if (!assign || assign->kept || assign->variables.size() != 1 || !is_condition(assign->variables[0]->type) || !is_condition(assign->values[0]->type)) return nullptr;
  if (target && target != assign->variables[0]) return nullptr;
  target = assign->variables[0];
  return assign->values[0];
}

}  // namespace

bool join_conditions(Statements& list) {
  bool any = false;
  for (std::size_t i = 0; i < list.size(); ++i) {
    for_each_list(list[i], [&](Statements& nested) { any = join_conditions(nested) || any; });
    auto* branch = std::get_if<If>(&list[i].node);
    if (!branch || !is_condition(branch->condition->type)) continue;
    ir::Variable* target = nullptr;
    const ExprPtr then = only_value(branch->then, target), otherwise = then ? only_value(branch->otherwise, target) : nullptr;
    if (!otherwise) continue;
    const auto yes = truth(then), no = truth(otherwise);
    const ExprPtr c = branch->condition;
    ExprPtr joined;
    if (no == std::optional(false)) joined = yes == std::optional(true) ? c : condition("and", {c, then});
    else if (yes == std::optional(true)) joined = condition("or", {c, otherwise});
    else if (yes == std::optional(false)) joined = no == std::optional(true) ? negated(c) : condition("and", {negated(c), otherwise});
    else if (no == std::optional(true)) joined = condition("or", {negated(c), then});
    if (!joined) continue;
    any = true;
    const Location location = list[i].location;
    for (std::size_t d = i; d-- > 0;) {
      const auto* declare = std::get_if<Declare>(&list[d].node);
      if (!declare || declare->variable != target || declare->initial) continue;
      auto mentions = mentions_of(target, list, d + 1, list.size());
      if (mentions.assignments == 2 && !mentions.others && mentions_of(target, list, d + 1, i).none()) {
        list[i] = {Let{{target}, joined}, location};
        list.erase(list.begin() + static_cast<std::ptrdiff_t>(d));
        --i;
        joined = nullptr;
      }
      break;
    }
    if (joined) list[i] = {Assign{{target}, {joined}}, location};
  }
  return any;
}

void tidy_branches(Statements& list) {
  for (auto& statement : list) {
    for_each_list(statement, [](Statements& nested) { tidy_branches(nested); });
    auto* branch = std::get_if<If>(&statement.node);
    if (!branch || !is_condition(branch->condition->type)) continue;
    if (const auto* apply = applied(branch->condition, "not"); apply && is_condition(apply->operands[0]->type)) branch->condition = negated(apply->operands[0]);
    if (branch->otherwise.empty()) continue;
    if (!branch->then.empty() && (always_leaves(branch->then) || !always_leaves(branch->otherwise))) continue;
    branch->condition = negated(branch->condition);
    std::swap(branch->then, branch->otherwise);
  }
}

}  // namespace lantern
