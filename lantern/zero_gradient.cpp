#include "lantern/zero_gradient.h"

#include <algorithm>

#include "support/match.h"

namespace lantern::lowered {

namespace {

/// What is known of an expression's least element by its form. A product of small numbers may be zero.
enum class Least { unknown, zero, positive };

Least least(const ExprPtr& e) {
  if (const auto* constant = std::get_if<Constant>(&e->node)) {
    const auto* number = std::get_if<double>(&constant->value);
    const auto* whole = std::get_if<int64_t>(&constant->value);
    const auto value = static_cast<float>(number ? *number : whole ? static_cast<double>(*whole) : -1);
    return value > 0 ? Least::positive : value == 0 ? Least::zero : Least::unknown;
  }
  const auto* apply = std::get_if<Apply>(&e->node);
  if (!apply) return Least::unknown;
  const auto name = apply->op->name;
  const Least a = least(apply->operands[0]), b = apply->operands.size() > 1 ? least(apply->operands[1]) : Least::unknown;
  if (name == "cast") return a;
  if (name == "sqrt") return std::max(a, Least::zero);
  if (name == "abs" || name == "square" || name == "exp") return Least::zero;
  if (name == "maximum") return std::max(a, b);
  if (name == "+") return std::min(a, b) == Least::unknown ? Least::unknown : std::max(a, b);
  return (name == "*" || name == "/") && std::min(a, b) != Least::unknown ? Least::zero : Least::unknown;
}

/// Whether a divisor may have zeros among its elements, by which 0 is not divided to 0: not as √total + epsilon is written.
bool may_hold_zeros(const ExprPtr& e) { return rank(e->type) > 0 && least(e) != Least::positive; }

bool is_zero(const Constant& constant) {
  const auto* number = std::get_if<double>(&constant.value);
  const auto* whole = std::get_if<int64_t>(&constant.value);
  return (number && *number == 0) || (whole && *whole == 0);
}

}  // namespace

const ExprPtr& ZeroGradient::of(const ExprPtr& e) {
  if (const auto known = known_.find(e.get()); known != known_.end()) return known->second;
  ExprPtr left = left_of(e);
  return known_[e.get()] = std::move(left);
}

ExprPtr ZeroGradient::left_of(const ExprPtr& e) {
  return match(
      e->node, [](const GradientOf&) { return ExprPtr(); }, [&](const Constant& constant) { return is_zero(constant) ? ExprPtr() : e; },
      [&](const Apply& apply) {
        const auto name = apply.op->name;
        Apply left{apply.op, {}, apply.attributes, apply.in_reverse};
        for (const auto& operand : apply.operands) left.operands.push_back(of(operand));
        const auto zero = [&](std::size_t i) { return !left.operands[i]; };
        if (name == "+" && zero(0)) return left.operands[1];
        if ((name == "+" || name == "-") && zero(1)) return left.operands[0];
        if (name == "*" && (zero(0) || zero(1))) return ExprPtr();
        const bool keeps_zero = name == "neg" || name == "square" || name == "sqrt" || name == "abs" || name == "cast" ||
                                (name == "/" && !may_hold_zeros(apply.operands[1]));
        if (keeps_zero && zero(0)) return ExprPtr();
        for (std::size_t i = 0; i < left.operands.size(); ++i) {
          if (zero(i)) return e;
        }
        return left.operands == apply.operands ? e : make(std::move(left), e->type, e->location);
      },
      [&](const auto&) { return e; });
}

}  // namespace lantern::lowered
