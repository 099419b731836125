#include "lantern/operators.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "support/diagnostic.h"

namespace lantern {

namespace {

const std::map<std::string_view, std::vector<const Operator*>>& by_name() {
  static const auto index = [] {
    std::map<std::string_view, std::vector<const Operator*>> rows;
    for (const auto& row : operators()) rows[row.name].push_back(&row);
    return rows;
  }();
  return index;
}

bool all_dims_known(const std::vector<Type>& arrays) {
  return std::all_of(arrays.begin(), arrays.end(), [](const Type& type) {
    return std::all_of(type->dims.begin(), type->dims.end(), [](const Dim& dim) { return dim.known(); });
  });
}

}  // namespace

std::span<const Operator* const> operators_named(std::string_view name) {
  const auto found = by_name().find(name);
  if (found == by_name().end()) return {};
  return found->second;
}

namespace {

struct OperandCount {
  std::size_t least;
  bool or_more;
};

OperandCount count_of(const Operator& op) {
  std::size_t named = 0;
  bool in_name = false;
  for (const char c : op.operands) {
    if (c != ' ' && !in_name) ++named;
    in_name = c != ' ';
  }
  const bool variadic = op.operands.ends_with("*");
  return {variadic ? named - 1 : named, variadic};
}

bool takes(const Operator& op, std::size_t count) {
  const OperandCount wanted = count_of(op);
  return wanted.or_more ? count >= wanted.least : count == wanted.least;
}

}  // namespace

const Operator* select_operator(std::string_view name, std::span<const Type> operands) {
  const auto of_these_ranks = [&](const Operator& row) {
    return std::equal(row.ranks.begin(), row.ranks.end(), operands.begin(), operands.end(), [](char wanted, const Type& type) {
      if (wanted == 'l' || is(type, TypeKind::list)) return wanted == 'l' && is(type, TypeKind::list);
      return wanted == '+' ? rank(type) > 2 : rank(type) == static_cast<std::size_t>(wanted - '0');
    });
  };
  for (const Operator* row : operators_named(name)) {
    if (takes(*row, operands.size()) && (row->ranks.empty() || of_these_ranks(*row))) return row;
  }
  return nullptr;
}

Failures failures_of(const Operator& op, const Application& call, const Type& result) {
  std::vector<Type> arrays;
  bool all_known = true;  // then the type rule has looked at everything,
  bool has_places = false;  // but for what an array of indices or labels holds
  const auto look_at = [&](const Type& given) {
    const Type type = resolve(given);
    if (type->kind == TypeKind::list || type->kind == TypeKind::dataset || type->kind == TypeKind::string) all_known = false;
    for (const auto& dim : type->dims) all_known = all_known && dim.size > 0;
    return type;
  };
  for (std::size_t i = 0; i < call.operands.size(); ++i) {
    const Type type = look_at(call.operands[i]);
    if (!type->dims.empty()) arrays.push_back(type);
    has_places = has_places || (i > 0 && type->kind == TypeKind::tensor && !is_floating(type->dtype));
    if (type->kind == TypeKind::scalar && !is_floating(type->dtype) && !call.literals[i]) all_known = false;
  }
  look_at(result);

  Failures failures;
  if (op.elementwise) {
    failures.shapes = arrays.size() > 1 && !all_dims_known(arrays) && !std::all_of(arrays.begin(), arrays.end(), [&](const Type& type) { return certainly_same_shape(type, arrays[0]); });
  } else if (op.fails == Fails::shapes) {
    failures.shapes = !all_known;
  }
  if (op.fails == Fails::numbers) {
    const bool to_integer = op.leading != Leading::dtype || (is_floating(resolve(call.operands[0])->dtype) && !is_floating(resolve(result)->dtype));
    failures.other = resolve(result)->kind == TypeKind::scalar && to_integer;
  }
  if (op.fails == Fails::possible) failures.other = !all_known || has_places;
  return failures;
}

void check_operand_count(std::span<const Operator* const> rows, std::size_t count) {
  std::string wanted;
  bool several = true;
  for (const Operator* row : rows) {
    if (takes(*row, count)) return;
    const OperandCount counted = count_of(*row);
    const std::string text = fmt::format("{}{}", counted.or_more ? "at least " : "", counted.least);
    if (wanted.find(text) == std::string::npos) wanted += (wanted.empty() ? "" : " or ") + text;
    several = several && counted.least != 1;
  }
  throw TypeMismatch{fmt::format("takes {} operand{}, not {}", wanted, several ? "s" : "", count), {}};
}

namespace {

std::string_view to_string(Fails fails) {
  switch (fails) {
    case Fails::shapes: return "shapes";
    case Fails::numbers: return "numbers";
    case Fails::possible: return "possible";
    case Fails::outside: return "outside";
    case Fails::never: return "never";
  }
  bug("operators", "a failure of no kind");
}

}  // namespace

std::string describe_operators() {
  std::string text;
  for (const auto& row : operators()) {
    text += fmt::format("(operator {} (operands {})", row.name, row.operands);
    if (!row.ranks.empty()) {
      text += " (ranks";
      for (const char wanted : row.ranks) text += fmt::format(" {}", wanted);
      text += ")";
    }
    if (row.fails != Fails::never) text += fmt::format(" (fails {} {})", to_string(row.fails), row.raises);
    if (row.elementwise) text += " (elementwise)";
    if (row.smoothness == Smoothness::flat) text += " (flat)";
    if (row.internal) text += " (internal)";
    if (row.effect) text += " (effect)";
    if (row.symmetric) text += " (symmetric)";
    for (const auto& group : row.linear) text += fmt::format(" (linear {})", group);
    for (const auto& rule : row.pushforwards) text += fmt::format(" (pushforward {} {})", rule.operand, rule.expression);
    for (const auto& pullback : row.pullbacks) text += fmt::format(" (pullback {} {})", pullback.operand, pullback.expression);
    text += ")\n";
  }
  return text;
}

}  // namespace lantern
