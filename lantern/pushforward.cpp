// y = x * w, where x varies: the table's pullback of x is (sum-to (* y_adj b) a). Multiplication is elementwise, so a tangent
// goes forwards as an adjoint goes back, but for the sum: y_dot = x_dot * w.
#include "lantern/pushforward.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "lantern/rule_text.h"

namespace lantern {

using namespace ir;

namespace {

using Names = std::map<std::string, Operand, std::less<>>;

struct {
  Operand operator()(std::int64_t value) const { return {.literal = value, .type = scalar(DType::i64)}; }
  Operand operator()(double value) const { return {.literal = value, .type = scalar(DType::f64)}; }
  Operand operator()(bool value) const { return {.literal = value, .type = scalar(DType::boolean)}; }
} constexpr literal;

template <class T>
const T* literal_of(const Operand& operand) {
  return operand.variable ? nullptr : std::get_if<T>(&operand.literal);
}

std::optional<Operand> simplified(std::string_view name, const std::vector<Operand>& operands) {
  if (name == "like" || name == "cast-like") {
    const Type from = resolve(operands[0].type), to = resolve(operands[1].type);
    const bool shape = name == "cast-like" || (from->kind == to->kind && certainly_same_shape(from, to));
    if (shape && from->dtype == to->dtype) return operands[0];
  }
  if (name == "where") {
    if (const auto* condition = literal_of<bool>(operands[0])) return operands[*condition ? 1 : 2];
  }
  if (operands.size() != 2) return {};
  const auto *a = literal_of<std::int64_t>(operands[0]), *b = literal_of<std::int64_t>(operands[1]);
  if (name == "**" && b && *b == 1 && is_floating(operands[0].type)) return operands[0];
  if (!a || !b) return {};
  if (name == "==") return literal(*a == *b);
  std::int64_t difference = 0;
  if (name == "-" && !__builtin_sub_overflow(*a, *b, &difference)) return literal(difference);
  return {};
}

bool by_pullback(const Operator& op) { return op.elementwise || op.symmetric; }

template <class Rule, std::size_t most>
const Rule* rule_for(const Few<Rule, most>& rules, std::string_view operand) {
  const auto found = std::find_if(rules.begin(), rules.end(), [&](const Rule& rule) { return rule.operand == operand; });
  return found == rules.end() ? nullptr : &*found;
}

/// The operands, by position, that the row is linear in together with that of this name; null: it is not linear in it.
const std::string_view* group_with(const Operator& op, std::string_view operand) {
  for (const auto& group : op.linear) {
    const std::string padded = fmt::format(" {} ", group);
    if (padded.find(fmt::format(" {} ", operand)) != std::string::npos) return &group;
  }
  return nullptr;
}

void collect_symbols(const sexpr::Datum& datum, std::set<std::string, std::less<>>& symbols) {
  if (datum.is_symbol()) symbols.insert(std::string(datum.text()));
  for (const auto* element : datum.elements()) collect_symbols(*element, symbols);
}

}  // namespace

std::string DerivedOperations::unique(const std::string& name) {
  int& uses = taken_[name];
  std::string unique = uses++ == 0 ? name : fmt::format("{}_{}", name, uses);
  while (uses > 1 && taken_.contains(unique)) unique = fmt::format("{}_{}", name, ++uses);
  if (uses > 1) taken_[unique] = 1;
  return unique;
}

Variable* DerivedOperations::variable(const std::string& name, Type type) {
  return program_.add_variable({.name = unique(name), .type = std::move(type), .location = location});
}

Operand DerivedOperations::operate(const Operate& operation, const Type& type) {
  auto* result = variable(ir::temporary, type);
  block->bindings.push_back({{result}, operation, location});
  return {.variable = result, .type = type};
}

Operand DerivedOperations::operate(std::string_view name, std::vector<Operand> operands) {
  if (auto simple = simplified(name, operands)) return *simple;
  std::vector<Type> types;
  std::vector<std::optional<std::int64_t>> literals;
  for (const auto& operand : operands) {
    types.push_back(operand.type);
    const auto* integer = literal_of<std::int64_t>(operand);
    literals.push_back(integer ? std::optional(*integer) : std::nullopt);
  }
  const Operator* op = select_operator(name, types);
  if (!op) bug("pushforward", fmt::format("no row '{}' for these ranks", name));
  try {
    return operate(Operate{op, std::move(operands), {}, true}, op->rule({types, literals, {}}));
  } catch (const TypeMismatch& mismatch) {
    bug("pushforward", fmt::format("'{}' {}", name, mismatch.message));
  }
}

Operand DerivedOperations::zero(const Operand& primal) {
  const Type type = resolve(primal.type);
  if (type->kind == TypeKind::scalar) return {.literal = 0.0, .type = type};
  const Operator* zeros = operators_named("zeros-of")[0];
  return operate(Operate{zeros, {primal}, {}, true}, type);
}

bool has_pushforward(const Operator& op, std::size_t operand) {
  const auto name = operand_name(op, operand);
  const auto* pullback = rule_for(op.pullbacks, name);
  return group_with(op, name) || rule_for(op.pushforwards, name) || (pullback && (by_pullback(op) || pullback->expression == "none"));
}

Operand push_forward(const Operate& operation, const Operand& y, const std::vector<std::optional<Operand>>& tangents, DerivedOperations& emit) {
  const Operator& op = *operation.op;
  const auto& operands = operation.operands;
  Names names{{"y", y}};
  for (std::size_t i = 0; i < operands.size(); ++i) names[std::string(operand_name(op, i))] = operands[i];
  const auto apply = [&](std::string_view name, std::vector<Operand> of) {
    return name == "sum-to" ? of[0] : emit.operate(name, std::move(of));  // what has not been stretched
  };

  const std::size_t before = emit.block->bindings.size();
  std::optional<Operand> sum;
  std::set<std::string, std::less<>> spanned;  // the operands whose shapes have gone into the sum
  std::set<const std::string_view*> done;
  const auto add = [&](const Operand& term) { sum = sum ? emit.operate("+", {*sum, term}) : term; };
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (!tangents[i]) continue;
    const std::string name(operand_name(op, i));
    if (const auto* group = group_with(op, name)) {
      if (!done.insert(group).second) continue;
      Operate same{operation.op, operands, operation.attributes, true};
      for (std::size_t j = 0; j < operands.size(); ++j) {
        if (group_with(op, operand_name(op, j)) == group) same.operands[j] = tangents[j] ? *tangents[j] : emit.zero(operands[j]);
      }
      add(emit.operate(same, y.type));
      continue;
    }
    if (const auto* rule = rule_for(op.pushforwards, name)) {
      names[name + "_dot"] = *tangents[i];
      add(instantiate<Operand>(parsed_rule(rule->expression), names, literal, apply));
      continue;
    }
    const auto text = rule_for(op.pullbacks, name)->expression;
    if (text == "none") continue;
    const auto& expression = parsed_rule(text);
    names["y_adj"] = *tangents[i];
    add(instantiate<Operand>(expression, names, literal, apply));
    collect_symbols(expression, spanned);
    spanned.insert(name);
    for (std::size_t j = 0; j < operands.size(); ++j) {
      if (certainly_same_shape(operands[j].type, operands[i].type)) spanned.insert(std::string(operand_name(op, j)));
    }
  }
  if (!sum) return emit.zero(y);
  if (op.elementwise) {
    bool whole = spanned.contains("y");
    if (!whole) {
      whole = true;
      for (std::size_t i = 0; i < operands.size(); ++i) whole = whole && (rank(operands[i].type) == 0 || spanned.contains(operand_name(op, i)));
    }
    sum = emit.operate("cast-like", {*sum, y});
    if (!whole || resolve(sum->type)->kind != resolve(y.type)->kind) sum = emit.operate("like", {*sum, y});
  }
  // It may be a literal, or what was there before, though operations were made on the way.
  const auto& bindings = emit.block->bindings;
  if (bindings.size() > before && bindings.back().results[0] == sum->variable) sum->variable->name = emit.tangent_name(y.variable->name);
  return *sum;
}

}  // namespace lantern
