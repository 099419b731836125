// Before:  bool c{};                  After:  const bool c = a && b;
//          if (a) {
//            c = b;
//          } else {
//            c = false;
//          }
// And:     int64_t cost{};            After:  const int64_t cost = a == b ? 0 : 1;
//          if (a == b) {
//            cost = 0;
//          } else {
//            cost = 1;
//          }
#include "lantern/conditions.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "lantern/expression_effects.h"
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
  const auto* full = applied(e, "full");  // NumPy's True
  if (full && is_one_number(e->type)) return truth(full->operands[0]);
  const auto* constant = std::get_if<Constant>(&e->node);
  const auto* value = constant ? std::get_if<bool>(&constant->value) : nullptr;
  return value ? std::optional(*value) : std::nullopt;
}

bool is_condition(const Type& type) { return is_one_number(type) && resolve(type)->dtype == DType::boolean; }

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
  const bool equates = (name == "==" || name == "!=") && std::all_of(apply->operands.begin(), apply->operands.end(), [](const ExprPtr& operand) {
    return is(operand->type, TypeKind::scalar) || is(operand->type, TypeKind::string);
  });
  if ((name == "and" || name == "or") && std::all_of(apply->operands.begin(), apply->operands.end(), [](const ExprPtr& operand) { return is_condition(operand->type); })) {
    const ExprPtr first = negated(apply->operands[0]), second = negated(apply->operands[1]);
    if (size(first) + size(second) < size(e)) return condition(name == "and" ? "or" : "and", {first, second});
  }
  static const std::map<std::string_view, const char*> opposites = {{"==", "!="}, {"!=", "=="}, {"<", ">="}, {">=", "<"}, {">", "<="}, {"<=", ">"}};
  const auto opposite = opposites.find(name);
  return (ordered || equates) && opposite != opposites.end() ? condition(opposite->second, apply->operands) : condition("not", {e});
}

namespace {

bool are_one(const ExprPtr& a, const ExprPtr& b) {
  const auto *constant = std::get_if<Constant>(&a->node), *other = std::get_if<Constant>(&b->node);
  const auto *number = constant ? std::get_if<double>(&constant->value) : nullptr, *second = other ? std::get_if<double>(&other->value) : nullptr;
  return number && second ? *number == *second && std::signbit(*number) == std::signbit(*second) : are_equal(a, b);
}

/// `b > a ? b : a` is C++'s std::max(a, b), of NaN, too; null: it is no such choice.
ExprPtr larger_or_smaller(const Apply& choice, const ExprPtr& e) {
  const ExprPtr &c = choice.operands[0], &then = choice.operands[1], &otherwise = choice.operands[2];
  const auto *more = applied(c, ">"), *compares = more ? more : applied(c, "<");
  if (!compares || !is(e->type, TypeKind::scalar) || has_effect(e)) return nullptr;
  for (const auto& o : {then, otherwise, compares->operands[0], compares->operands[1]}) {
    if (!same_type(o->type, e->type)) return nullptr;
  }
  const ExprPtr &first = compares->operands[0], &second = compares->operands[1];
  const bool is_first = are_one(then, first) && are_one(otherwise, second);
  if (!is_first && !(are_one(then, second) && are_one(otherwise, first))) return nullptr;
  const std::vector<Type> types = {e->type, e->type};
  return lowered::make(Apply{select_operator(is_first == (more != nullptr) ? "larger" : "smaller", types), {otherwise, then}}, e->type, e->location);
}

/// `true && c`, `c || false` and the like as what they are.
ExprPtr simpler(const ExprPtr& e) {
  const auto* apply = std::get_if<Apply>(&e->node);
  if (!apply) return e;
  Apply copy = *apply;
  for (auto& operand : copy.operands) operand = simpler(operand);
  const bool is_and = copy.op->name == "and", is_or = copy.op->name == "or";
  if ((is_and || is_or) && is_condition(e->type)) {
    const auto first = truth(copy.operands[0]), second = truth(copy.operands[1]);
    if (first) return *first == is_and ? copy.operands[1] : copy.operands[0];
    if (second == is_and) return copy.operands[0];
  }
  if (copy.op->name == "where") {
    if (const ExprPtr chosen = larger_or_smaller(copy, e)) return chosen;
  }
  return copy.operands == apply->operands ? e : lowered::make(std::move(copy), e->type, e->location);
}

/// `c = b` alone, b a condition.
ExprPtr only_value(const Statements& way, ir::Variable*& target) {
  const auto* assign = way.size() == 1 ? std::get_if<Assign>(&way[0].node) : nullptr;
  if (!assign || assign->kept || assign->variables.size() != 1 || !is_condition(assign->variables[0]->type) || !is_condition(assign->values[0]->type)) return nullptr;
  if (target && target != assign->variables[0]) return nullptr;
  target = assign->variables[0];
  return assign->values[0];
}

}  // namespace

void simplify_conditions(Statements& list) {
  for (auto& s : list) {
    for_each_expr(s, [](ExprPtr& e) { e = simpler(e); });
    for_each_list(s, simplify_conditions);
  }
}

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

namespace {

// A longer choice stays a branch, which is easier to read.
constexpr std::size_t longest_choice = 16, deepest_choice = 2;

/// What each way through gives the variable, and nothing else, as an expression; null: that is more than one would write so.
ExprPtr choice(const Statements& way, const ir::Variable* target, std::size_t depth = 0) {
  if (way.size() != 1) return nullptr;
  if (const auto* assign = std::get_if<Assign>(&way[0].node)) {
    if (assign->kept || assign->variables.size() != 1 || assign->variables[0] != target) return nullptr;
    const ExprPtr& value = assign->values[0];
    return same_type(value->type, target->type) && !has_effect(value) && !failures(value).shapes ? value : nullptr;
  }
  const auto* branch = std::get_if<If>(&way[0].node);
  if (!branch || depth == deepest_choice || !is_condition(branch->condition->type) || has_effect(branch->condition)) return nullptr;
  const ExprPtr then = choice(branch->then, target, deepest_choice), otherwise = then ? choice(branch->otherwise, target, depth + 1) : nullptr;
  if (!otherwise) return nullptr;
  const std::vector<Type> types = {branch->condition->type, target->type, target->type};
  return lowered::make(Apply{select_operator("where", types), {branch->condition, then, otherwise}}, target->type, way[0].location);
}

}  // namespace

void choose_values(Statements& list) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    for_each_list(list[i], choose_values);
    const auto* declare = std::get_if<Declare>(&list[i].node);
    if (!declare || declare->initial || !(is(declare->variable->type, TypeKind::scalar) || is(declare->variable->type, TypeKind::string))) continue;
    ir::Variable* target = declare->variable;
    std::size_t at = i + 1;
    while (at < list.size() && mentions_of(target, list[at]).none()) ++at;
    if (at == list.size() || !std::holds_alternative<If>(list[at].node)) continue;
    const ExprPtr value = choice({list[at]}, target);
    if (!value || size(value) > longest_choice) continue;
    if (mentions_of(target, list, at + 1, list.size()).unchanged()) list[at].node = Let{{target}, value};
    else list[at].node = Declare{target, value};
    list.erase(list.begin() + static_cast<std::ptrdiff_t>(i--));
  }
}

namespace {

/// Where a list stands: behind an `else`, at the end of a loop's turn, or elsewhere.
enum class Place { anywhere, otherwise, end_of_turn };

void tidy_branches(Statements& list, Place place) {
  for (auto& statement : list) {
    auto* branch = std::get_if<If>(&statement.node);
    const bool ends_turn = place == Place::end_of_turn && &statement == &list.back();
    const bool turns = std::holds_alternative<For>(statement.node) || std::holds_alternative<While>(statement.node);
    if (!branch) {
      for_each_list(statement, [&](Statements& nested) { tidy_branches(nested, turns ? Place::end_of_turn : Place::anywhere); });
      continue;
    }
    tidy_branches(branch->then, Place::anywhere);
    tidy_branches(branch->otherwise, ends_turn && branch->then.empty() ? Place::end_of_turn : Place::otherwise);
    if (!is_condition(branch->condition->type)) continue;
    if (const auto* apply = applied(branch->condition, "not"); apply && is_condition(apply->operands[0]->type)) branch->condition = negated(apply->operands[0]);
    if (branch->otherwise.empty() || (place == Place::otherwise && list.size() == 1 && !branch->then.empty())) continue;  // of `else if`
    if (!branch->then.empty() && (always_leaves(branch->then) || !always_leaves(branch->otherwise))) continue;
    if (branch->then.empty() && ends_turn && branch->otherwise.size() > 1) continue;  // C++'s `continue`
    branch->condition = negated(branch->condition);
    std::swap(branch->then, branch->otherwise);
  }
}

}  // namespace

void tidy_branches(Statements& list) { tidy_branches(list, Place::anywhere); }

}  // namespace lantern
