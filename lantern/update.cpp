// An optimiser's step, fused: every value is elementwise over the targets, one gradient and numbers, so one loop over
// the entries does it all, and no array stands between.
#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "lantern/lowering.h"
#include "support/match.h"

namespace lantern {

using namespace lowered;

namespace {

/// What is left of an expression where the gradient is zero: nothing, one of the targets, or something else.
struct AtZero {
  enum { zero, target, other } kind;
  const ir::Variable* variable = nullptr;
};

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

AtZero at_zero(const ExprPtr& e) {
  const AtZero other{AtZero::other};
  return match(
      e->node, [&](const GradientOf&) { return AtZero{AtZero::zero}; },
      [&](const Constant& constant) {
        const auto* number = std::get_if<double>(&constant.value);
        const auto* whole = std::get_if<int64_t>(&constant.value);
        return (number && *number == 0) || (whole && *whole == 0) ? AtZero{AtZero::zero} : other;
      },
      [&](const Read& read) { return rank(read.variable->type) > 0 ? AtZero{AtZero::target, read.variable} : other; },
      [&](const Apply& apply) {
        const auto name = apply.op->name;
        const AtZero a = at_zero(apply.operands[0]);
        const AtZero b = apply.operands.size() > 1 ? at_zero(apply.operands[1]) : other;
        if (name == "+" && a.kind == AtZero::zero) return b;
        if ((name == "+" || name == "-") && b.kind == AtZero::zero) return a;
        if (name == "*" && (a.kind == AtZero::zero || b.kind == AtZero::zero)) return AtZero{AtZero::zero};
        const bool keeps_zero = name == "neg" || name == "square" || name == "sqrt" || name == "abs" || name == "cast" ||
                                (name == "/" && !may_hold_zeros(apply.operands[1]));
        if (keeps_zero && a.kind == AtZero::zero) return a;
        return other;
      },
      [&](const auto&) { return other; });
}

bool is_comparison(std::string_view op) { return op == "==" || op == "!=" || op == "<" || op == "<=" || op == ">" || op == ">="; }

bool holds_at_zero(const ExprPtr& condition) {
  const auto* apply = std::get_if<Apply>(&condition->node);
  return apply && apply->op->name == "==" && at_zero(apply->operands[0]).kind == AtZero::zero && at_zero(apply->operands[1]).kind == AtZero::zero;
}

// Each value is `where(c, its target, …)` of one condition: that becomes the step's own.
void take_out_condition(Step& step) {
  ExprPtr condition;
  std::vector<ExprPtr> values;
  for (std::size_t i = 0; i < step.values.size(); ++i) {
    const auto* choice = std::get_if<Apply>(&step.values[i]->node);
    if (!choice || choice->op->name != "where" || (condition && choice->operands[0] != condition)) return;
    condition = choice->operands[0];
    const auto* kept = std::get_if<Read>(&choice->operands[1]->node);
    if (!kept || kept->variable != step.targets[i]) return;
    values.push_back(choice->operands[2]);
  }
  step.unless = condition;
  step.values = std::move(values);
}

}  // namespace

bool FormBuilder::fuse(const ir::Block& block, std::size_t index, Step& step) {
  const auto& node = std::get<ir::Update>(block.bindings[index].node);
  std::map<const ir::Variable*, std::size_t> defined_at;
  std::map<const ir::Variable*, std::size_t> updated_last;  // before this update
  for (std::size_t i = 0; i < index; ++i) {
    for (const auto* result : block.bindings[i].results) defined_at[result] = i;
    if (const auto* earlier = std::get_if<ir::Update>(&block.bindings[i].node)) {
      for (const auto* target : earlier->targets) updated_last[target] = i;
    }
    const bool opaque = std::holds_alternative<ir::Call>(block.bindings[i].node) ||
                        std::holds_alternative<ir::ValueAndGrad>(block.bindings[i].node) ||
                        std::holds_alternative<ir::While>(block.bindings[i].node) ||
                        std::holds_alternative<ir::For>(block.bindings[i].node) || std::holds_alternative<ir::If>(block.bindings[i].node);
    if (opaque) {
      for (const auto* target : node.targets) updated_last[target] = i;  // for all we know
    }
  }
  const Type shape = node.targets[0]->type;
  const auto fits = [&](const Type& type) {
    const Type a = resolve(type), b = resolve(shape);
    return a->dtype == b->dtype && rank(a) == rank(b) && a->dims == b->dims;
  };
  const auto compares = [&](const ir::Operate& operate, const Type& type) { return is_comparison(operate.op->name) && resolve(type)->dims == resolve(shape)->dims; };
  std::map<const ir::Variable*, ExprPtr> expanded;
  // Null where the expression is not elementwise over what a step may read.
  const std::function<ExprPtr(const ir::Operand&, std::size_t)> expand = [&](const ir::Operand& operand, std::size_t read_at) -> ExprPtr {
    if (!operand.variable) return expr(operand);
    auto* variable = operand.variable;
    if (const auto found = expanded.find(variable); found != expanded.end()) return found->second;
    if (variable->storage != ir::Storage::local) {
      if (rank(variable->type) == 0 && std::find(node.targets.begin(), node.targets.end(), variable) == node.targets.end()) return expr(operand);
      const auto changed = updated_last.find(variable);
      if (changed != updated_last.end() && changed->second > read_at) return nullptr;
      const bool is_target = std::find(node.targets.begin(), node.targets.end(), variable) != node.targets.end();
      return is_target && fits(variable->type) ? lowered::make(Read{variable}, variable->type) : nullptr;
    }
    if (const auto gradient = deferred_gradients_.find(variable); gradient != deferred_gradients_.end()) {
      if (!fits(variable->type) || (step.gradient && step.gradient != gradient->second)) return nullptr;
      step.gradient = gradient->second;
      return lowered::make(GradientOf{gradient->second}, variable->type);
    }
    const auto definition = defined_at.find(variable);
    const auto* operate = definition == defined_at.end() ? nullptr : std::get_if<ir::Operate>(&block.bindings[definition->second].node);
    if (operate && operate->op->elementwise && rank(variable->type) > 0 && (fits(variable->type) || compares(*operate, variable->type))) {
      Apply apply{operate->op, {}, operate->attributes};
      for (const auto& inner : operate->operands) {
        apply.operands.push_back(expand(inner, definition->second));
        if (!apply.operands.back()) return nullptr;
      }
      return expanded[variable] = lowered::make(std::move(apply), variable->type);
    }
    return rank(variable->type) == 0 ? expr(operand) : nullptr;
  };
  step.targets = node.targets;
  for (std::size_t i = 0; i < node.targets.size(); ++i) {
    if (!fits(node.targets[i]->type)) return false;
    step.values.push_back(expand(node.values[i], index));
    if (!step.values.back()) return false;
  }
  if (!step.gradient || rank(shape) == 0) return false;
  take_out_condition(step);
  step.rows_only = true;
  if (step.unless && holds_at_zero(step.unless)) return true;
  for (std::size_t i = 0; i < step.targets.size(); ++i) {
    const AtZero left = at_zero(step.values[i]);
    step.rows_only = step.rows_only && left.kind == AtZero::target && left.variable == step.targets[i];
  }
  return true;
}

void FormBuilder::update(const ir::Block& block, std::size_t index, Statements& out) {
  const auto& binding = block.bindings[index];
  const auto& node = std::get<ir::Update>(binding.node);
  if (node.targets.empty()) return;
  Step step;
  if (fuse(block, index, step)) {
    out.push_back({std::move(step), binding.location});
    return;
  }
  // Every value is computed before any is stored.
  std::vector<ExprPtr> values;
  for (std::size_t i = 0; i < node.values.size(); ++i) {
    ExprPtr value = expr(node.values[i]);
    if (node.targets.size() > 1 || rank(node.targets[i]->type) > 0) {
      auto* held = fresh(node.targets[i]->name + "_next", node.targets[i]->type);
      out.push_back({Let{{held}, value, true}, binding.location});
      value = lowered::make(Read{held}, held->type);
    }
    values.push_back(value);
  }
  for (std::size_t i = 0; i < node.targets.size(); ++i) out.push_back({Store{node.targets[i], values[i]}, binding.location});
}

}  // namespace lantern
