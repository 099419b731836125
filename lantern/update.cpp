// An optimiser's step, fused: every value is elementwise over the targets, one gradient and numbers, so one loop over
// the entries does it all, and no array stands between.
#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "lantern/lowering.h"
#include "lantern/zero_gradient.h"

namespace lantern {

using namespace lowered;

namespace {

bool is_comparison(std::string_view op) { return op == "==" || op == "!=" || op == "<" || op == "<=" || op == ">" || op == ">="; }

bool holds_at_zero(const ExprPtr& condition, ZeroGradient& left) {
  const auto* apply = std::get_if<Apply>(&condition->node);
  return apply && apply->op->name == "==" && !left.of(apply->operands[0]) && !left.of(apply->operands[1]);
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
  ZeroGradient left;
  if (step.unless && holds_at_zero(step.unless, left)) return true;
  for (std::size_t i = 0; i < step.targets.size(); ++i) {
    const ExprPtr& value = left.of(step.values[i]);
    const auto* read = value ? std::get_if<Read>(&value->node) : nullptr;
    step.rows_only = step.rows_only && read && read->variable == step.targets[i];
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
