#include "lantern/loop_steps.h"

#include <algorithm>
#include <utility>

namespace lantern {

using namespace ir;

std::optional<LoopStep> LoopSteps::of(const Operand& next, const Variable* state) {
  if (made_.empty()) enter(body_);
  if (state != state_) known_.clear();
  state_ = state;
  return of(next);
}

void LoopSteps::enter(const Block& block) {
  for (const auto& binding : block.bindings) {
    for (const auto* result : binding.results) made_[result] = &binding;
  }
}

std::optional<LoopStep> LoopSteps::of(const Operand& next) {
  if (next.variable == state_) return LoopStep{Interval{0, 0}, std::nullopt};
  if (!next.variable) {
    const auto* number = std::get_if<std::int64_t>(&next.literal);
    return number ? std::optional(LoopStep{std::nullopt, Interval{*number, *number}}) : std::nullopt;
  }
  const auto found = made_.find(next.variable);
  if (found == made_.end()) return std::nullopt;
  const auto [known, is_new] = known_.emplace(next.variable, std::nullopt);
  if (!is_new) return known->second;
  const auto* operate = std::get_if<Operate>(&found->second->node);
  const auto* branch = std::get_if<If>(&found->second->node);
  const auto step = operate ? of_operation(*operate) : branch ? of_branch(*found->second, *branch, next.variable) : std::nullopt;
  return known_[next.variable] = step;
}

std::optional<LoopStep> LoopSteps::of_operation(const Operate& operate) {
  const std::string_view name = operate.op->name;
  const Operand* changed = operate.operands.empty() ? nullptr : &operate.operands[0];
  std::int64_t by = 0;
  if ((name == "+" || name == "-") && operate.operands.size() == 2) {
    const bool turned = name == "+" && !changed->variable;
    const Operand& other = operate.operands[turned ? 0 : 1];
    const auto* number = other.variable ? nullptr : std::get_if<std::int64_t>(&other.literal);
    if (!number || *number == Interval::least) return std::nullopt;
    if (turned) changed = &operate.operands[1];
    by = name == "-" ? -*number : *number;
  } else if (name == "append" || name == "insert") {
    by = 1;
  } else if ((name == "pop" || name == "remove") && is(changed->type, TypeKind::list)) {
    by = -1;
  } else if (name != "write") {
    return std::nullopt;
  }
  auto step = changed->variable ? of(*changed) : std::nullopt;
  if (!step) return std::nullopt;
  for (auto* range : {&step->added, &step->anew}) {
    if (!*range) continue;
    const auto low = number((*range)->low).plus(by), high = number((*range)->high).plus(by);
    if (!low || !high) return std::nullopt;
    *range = Interval{low->constant, high->constant};
  }
  return step;
}

std::optional<LoopStep> LoopSteps::of_branch(const Binding& binding, const If& branch, const Variable* result) {
  const auto place = static_cast<std::size_t>(std::ranges::find(binding.results, result) - binding.results.begin());
  std::optional<LoopStep> both;
  for (const auto* way : {branch.then.get(), branch.otherwise.get()}) {
    if (way->raises) continue;
    enter(*way);
    const auto step = of(way->results[place]);
    if (!step) return std::nullopt;
    if (!both) both = LoopStep{};
    const auto join = [](std::optional<Interval>& a, const std::optional<Interval>& b) {
      a = a && b ? std::optional(Interval{std::min(a->low, b->low), std::max(a->high, b->high)}) : a ? a : b;
    };
    join(both->added, step->added);
    join(both->anew, step->anew);
  }
  return both;
}

}  // namespace lantern
