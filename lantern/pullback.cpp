// The table says (* y_adj b); here that becomes an expression over this operation's own operands, typed by the
// table's rules. What the types prove to be nothing (summing to a shape it already has) is left out.
#include "lantern/pullback.h"

#include <fmt/format.h>

#include <algorithm>

#include "lantern/rule_text.h"
#include "support/diagnostic.h"

namespace lantern {

using namespace lowered;

namespace {

using Names = std::map<std::string, ExprPtr, std::less<>>;

struct {
  ExprPtr operator()(std::int64_t value) const { return integer(value); }
  ExprPtr operator()(double value) const { return lowered::make(Constant{value}, scalar(DType::f64)); }
} constexpr literal;

/// The number that an expression is known to be.
std::optional<double> number_value(const ExprPtr& e) {
  if (const auto whole = integer_value(e)) return static_cast<double>(*whole);
  const auto* constant = std::get_if<Constant>(&e->node);
  const auto* value = constant ? std::get_if<double>(&constant->value) : nullptr;
  return value ? std::optional(*value) : std::nullopt;
}

/// What a rule says of an exponent that is known: x² has the derivative 2 x, and no question whether 2 is 0.
ExprPtr simplify_known(const Operator& op, const std::vector<ExprPtr>& operands) {
  const auto known = [&](std::size_t i) { return number_value(operands[i]); };
  if (op.name == "==" && known(0) && known(1)) return lowered::make(Constant{*known(0) == *known(1)}, scalar(DType::boolean));
  if (op.name == "-" && integer_value(operands[0]) && integer_value(operands[1])) return integer(*integer_value(operands[0]) - *integer_value(operands[1]));
  if (op.name == "-" && known(0) && known(1)) return literal(*known(0) - *known(1));
  if (op.name == "**" && known(1) == 1.0 && is_floating(operands[0]->type)) return operands[0];
  if (op.name == "where") {
    const auto* constant = std::get_if<Constant>(&operands[0]->node);
    const auto* value = constant ? std::get_if<bool>(&constant->value) : nullptr;
    const ExprPtr& otherwise = operands[2];
    const bool is_like_it = known(1).has_value() || (is_one_number(operands[1]->type) && is_one_number(otherwise->type) && resolve(operands[1]->type)->dtype == resolve(otherwise->type)->dtype);
    if (value && !*value && is_floating(otherwise->type) && is_like_it) return otherwise;
  }
  return nullptr;
}

/// Whether one is an array of f32 and the other, an array or a number, of f64, or the other way round.
bool has_other_dtype(const ExprPtr& array, const ExprPtr& other) {
  return rank(array->type) > 0 && is_floating(array->type) && is_floating(other->type) && resolve(array->type)->dtype != resolve(other->type)->dtype;
}

ExprPtr apply(std::string_view name, std::vector<ExprPtr> operands);

ExprPtr simplify(const Operator& op, std::vector<ExprPtr>& operands) {
  if (op.name == "sum-to" || op.name == "like") {
    const Type from = operands[0]->type, to = operands[1]->type;
    if (rank(from) == 0 && rank(to) == 0) return operands[0];
    if (certainly_same_shape(from, to)) return op.name == "sum-to" && has_other_dtype(operands[0], operands[1]) ? apply("cast-like", {operands[0], operands[1]}) : operands[0];
  }
  if (op.name == "cast-like" && resolve(operands[0]->type)->dtype == resolve(operands[1]->type)->dtype) return operands[0];
  if (op.name == "size") {
    const Type type = resolve(operands[0]->type);
    if (type->kind != TypeKind::tensor) return nullptr;
    std::int64_t size = 1;
    for (const Dim& dim : type->dims) {
      if (!dim.known() || __builtin_mul_overflow(size, dim.size, &size)) return nullptr;
    }
    return integer(size);
  }
  if (op.name == "length") {
    const Type type = resolve(operands[0]->type);
    if (type->kind == TypeKind::tensor && type->dims[0].known()) return integer(type->dims[0].size);
  }
  if (op.name == "shape") {
    const Type type = resolve(operands[0]->type);
    const std::int64_t axis = integer_value(operands[1]).value_or(0);
    const Dim& dim = type->dims[static_cast<std::size_t>(axis < 0 ? axis + std::ssize(type->dims) : axis)];
    if (dim.known() && integer_value(operands[1])) return integer(dim.size);
  }
  if (op.name == "+") {
    const auto a = integer_value(operands[0]), b = integer_value(operands[1]);
    if (a && b) return integer(*a + *b);
    if (a == 0) return operands[1];
  }
  return simplify_known(op, operands);
}

ExprPtr apply(std::string_view name, std::vector<ExprPtr> operands) {
  std::vector<Type> types;
  std::vector<std::optional<std::int64_t>> literals;
  for (const auto& operand : operands) {
    types.push_back(operand->type);
    literals.push_back(integer_value(operand));
  }
  const Operator* op = select_operator(name, types);
  if (!op) bug("pullback", fmt::format("no row '{}' for these ranks", name));
  if (auto simple = simplify(*op, operands)) return simple;
  if ((name == "sum-to" || name == "reshape-like") && has_other_dtype(operands[0], operands[1])) {
    const Type type = tensor(resolve(operands[0]->type)->dtype, resolve(operands[1]->type)->dims);
    return apply("cast-like", {lowered::make(Apply{op, operands, {}, true}, type), operands[1]});
  }
  const Attributes none;
  try {
    const Type type = op->rule({types, literals, none});
    return lowered::make(Apply{op, std::move(operands), {}, true}, type);
  } catch (const TypeMismatch& mismatch) {
    bug("pullback", fmt::format("'{}' {}", name, mismatch.message));
  }
}

/// Whether an elementwise operation certainly gives its operand's shape.
bool keeps_shape(const Operator& op, const std::vector<ExprPtr>& operands, std::size_t operand) {
  if (!op.elementwise || !is_numeric(operands[operand]->type) || rank(operands[operand]->type) == 0) return false;
  return std::all_of(operands.begin(), operands.end(), [&](const ExprPtr& other) {
    return other == operands[operand] || (is_numeric(other->type) && certainly_fits(other->type, operands[operand]->type));
  });
}

/// The sum to a shape that it has.
ExprPtr without_sum(const ExprPtr& value) {
  const auto* apply = std::get_if<Apply>(&value->node);
  const bool sums = apply && apply->op->name == "sum-to" && rank(apply->operands[0]->type) == rank(value->type) &&
                    resolve(apply->operands[0]->type)->dtype == resolve(value->type)->dtype;
  return sums ? apply->operands[0] : value;
}

bool are_equal(const ExprPtr& a, const ExprPtr& b) {
  if (a == b) return true;
  if (a->node.index() != b->node.index()) return false;
  if (const auto* read = std::get_if<Read>(&a->node)) return read->variable == std::get<Read>(b->node).variable;
  if (const auto* adjoint = std::get_if<AdjointOf>(&a->node)) return adjoint->variable == std::get<AdjointOf>(b->node).variable;
  if (std::holds_alternative<Constant>(a->node)) return number_value(a) && number_value(a) == number_value(b);
  const auto *one = std::get_if<Apply>(&a->node), *other = std::get_if<Apply>(&b->node);
  return one && one->op == other->op && std::ranges::equal(one->operands, other->operands, are_equal);
}

/// Of x * x, what x's adjoint is given twice: once, doubled.
void join_equal(std::vector<Contribution>& contributions, const std::vector<ExprPtr>& operands) {
  if (contributions.size() != 2 || !are_equal(operands[contributions[0].operand], operands[contributions[1].operand])) return;
  ExprPtr& value = contributions[0].value;
  if (!is_floating(value->type) || rank(value->type) == 0 || !are_equal(value, contributions[1].value)) return;
  value = apply("*", {literal(2.0), value});
  contributions.pop_back();
}

}  // namespace

std::vector<Contribution> pull_back(const Operator& op, const Attributes&, const std::vector<ExprPtr>& operands,
                                    const ExprPtr& y, const ExprPtr& y_adj, const std::vector<bool>& wanted) {
  const std::vector<std::string> formals = operand_names(op);
  Names names{{"y", y}, {"y_adj", y_adj}};
  const bool variadic = !formals.empty() && formals.back() == "*";
  const std::size_t named = formals.size() - (variadic ? 1 : 0);
  for (std::size_t i = 0; i < named; ++i) names[formals[i]] = operands[i];

  std::vector<Contribution> contributions;
  ExprPtr before = integer(0);
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const std::string_view formal = i < named ? std::string_view(formals[i]) : "*";
    for (const auto& pullback : op.pullbacks) {
      if (pullback.operand != formal || pullback.expression == "none") continue;
      if (formal == "*") {
        names["each"] = operands[i];
        names["before"] = before;
        names["position"] = integer(static_cast<std::int64_t>(i - named));
        const auto axis = names.find("axis");
        const auto extent = [&] { return axis == names.end() ? apply("length", {operands[i]}) : apply("shape", {operands[i], axis->second}); };
        if (rank(operands[i]->type) > 0 || is(operands[i]->type, TypeKind::list)) before = apply("+", {before, extent()});
      }
      if (!wanted[i]) continue;
      ExprPtr value = instantiate<ExprPtr>(parsed_rule(pullback.expression), names, literal, apply);
      if (!op.elementwise && has_other_dtype(value, operands[i])) value = apply("cast-like", {value, operands[i]});
      contributions.push_back({i, keeps_shape(op, operands, i) ? without_sum(value) : value});
    }
  }
  if (op.elementwise) join_equal(contributions, operands);
  return contributions;
}

ExprPtr shared_adjoint(const Operator& op, const std::vector<ExprPtr>& operands, const std::vector<ExprPtr>& adjoints) {
  if (op.shared_adjoint.empty()) return nullptr;
  const std::vector<std::string> formals = operand_names(op);
  if (op.shared_adjoint == "*") {  // the operation itself, of the adjoints
    if (std::find(adjoints.begin(), adjoints.end(), nullptr) != adjoints.end()) return nullptr;
    return apply(op.name, adjoints);
  }
  Names names;
  for (std::size_t i = 0; i < formals.size(); ++i) {
    names[formals[i]] = operands[i];
    const ExprPtr adjoint = is_numeric(operands[i]->type) ? zeros_of(operands[i]) : adjoints[i];
    if (!adjoint) return nullptr;
    names[formals[i] + "_adj"] = adjoint;
  }
  return instantiate<ExprPtr>(parsed_rule(op.shared_adjoint), names, literal, apply);
}

ExprPtr stood_for(const Operator& op, const std::vector<ExprPtr>& operands) {
  const std::vector<std::string> formals = operand_names(op);
  Names names;
  for (std::size_t i = 0; i < formals.size(); ++i) names[formals[i]] = operands[i];
  return instantiate<ExprPtr>(parsed_rule(op.stands_for), names, literal, apply);
}

ExprPtr zeros_of(const ExprPtr& value) { return apply("zeros-of", {value}); }

}  // namespace lantern
