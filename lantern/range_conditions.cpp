// Before:  if (entry >= 0) {                              After:  if (entry >= 0) {
//            if (entry < 0) raise_error("KeyError", …);              x = index(values, entry, …);
//            x = index(values, entry, …);                          }
//          }
// What conditions say where they hold, and which of them are known to hold, or not to.
#include <algorithm>
#include <iterator>
#include <utility>

#include "lantern/ranges.h"

namespace lantern::ranges {

using namespace ir;

void Ranges::assume(const Operand& condition, bool truth) {
  const auto found = condition.variable ? made_.find(condition.variable) : made_.end();
  if (found == made_.end()) return;
  if (const auto* branch = std::get_if<If>(&found->second->node)) {  // a and b, a or b, not a and b
    if (found->second->results.size() != 1) return;
    for (const bool way : {true, false}) {
      const Block &missing = way ? *branch->otherwise : *branch->then, &taken = way ? *branch->then : *branch->otherwise;
      const auto* literal = missing.results.empty() || missing.results[0].variable ? nullptr : std::get_if<bool>(&missing.results[0].literal);
      if (!literal || *literal == truth || taken.results.empty()) continue;
      assume(branch->condition, way);
      assume(taken.results[0], truth);
    }
    return;
  }
  const auto* operate = std::get_if<Operate>(&found->second->node);
  if (!operate) return;
  const std::string_view name = operate->op->name;
  const auto& operands = operate->operands;
  if (name == "not") return assume(operands[0], !truth);
  if (name == (truth ? "and" : "or")) {
    for (const auto& operand : operands) assume(operand, truth);
    return;
  }
  if (operands.size() != 2 || !is_integer(operands[0].type) || !is_integer(operands[1].type)) return;
  const Term a = met(operands[0]), b = met(operands[1]);
  if (name == "<") truth ? bounds_.add(a, b, 1) : bounds_.add(b, a);
  if (name == "<=") truth ? bounds_.add(a, b) : bounds_.add(b, a, 1);
  if (name == ">") truth ? bounds_.add(b, a, 1) : bounds_.add(a, b);
  if (name == ">=") truth ? bounds_.add(b, a) : bounds_.add(a, b, 1);
  if (name == (truth ? "==" : "!=")) bounds_.add(a, b), bounds_.add(b, a);
  if (name == (truth ? "!=" : "==")) differ(a, b), differ(b, a);
}

void Ranges::differ(const Term& a, const Term& b) {
  if (bounds_.holds(a, b)) bounds_.add(a, b, 1);
}

Term Ranges::met(const Operand& operand) const {
  const Term of = term(operand);
  const auto found = at_end_.find(of.symbol);
  const auto given = found == at_end_.end() ? std::nullopt : found->second.plus(of.constant);
  return given.value_or(of);
}

std::optional<bool> Ranges::truth_of(const Operand& condition) const {
  if (const auto* literal = condition.variable ? nullptr : std::get_if<bool>(&condition.literal)) return *literal;
  const auto found = condition.variable ? made_.find(condition.variable) : made_.end();
  if (found == made_.end()) return {};
  if (const auto* branch = std::get_if<If>(&found->second->node)) {  // a and b, a or b
    const auto truth = found->second->results.size() == 1 ? truth_of(branch->condition) : std::nullopt;
    const Block* taken = truth ? (*truth ? branch->then : branch->otherwise).get() : nullptr;
    return taken && !taken->raises ? truth_of(taken->results[0]) : std::nullopt;
  }
  const auto* operate = std::get_if<Operate>(&found->second->node);
  if (!operate) return {};
  const std::string_view name = operate->op->name;
  const auto& operands = operate->operands;
  if (name == "not") {
    const auto truth = truth_of(operands[0]);
    return truth ? std::optional(!*truth) : std::nullopt;
  }
  if (operands.size() != 2 || !is_integer(operands[0].type) || !is_integer(operands[1].type)) return {};
  const Term a = term(operands[0]), b = term(operands[1]);
  const bool below = bounds_.holds(a, b, 1), above = bounds_.holds(b, a, 1), not_above = below || bounds_.holds(a, b), not_below = above || bounds_.holds(b, a);
  const auto either = [](bool is_so, bool is_not) { return is_so ? std::optional(true) : is_not ? std::optional(false) : std::nullopt; };
  if (name == "<") return either(below, not_below);
  if (name == "<=") return either(not_above, above);
  if (name == ">") return either(above, not_above);
  if (name == ">=") return either(not_below, below);
  if (name == "==") return either(not_above && not_below, below || above);
  if (name == "!=") return either(below || above, not_above && not_below);
  return {};
}

void leave_out_branches(Block& block) {
  const bool counts = std::ranges::any_of(block.bindings, [](const Binding& binding) { return binding.at_once != 1; });  // so many bindings are one group
  std::vector<Binding> all;
  for (auto& binding : block.bindings) {
    for_each_block(binding.node, [](const Block& nested) { leave_out_branches(const_cast<Block&>(nested)); });
    auto* branch = std::get_if<If>(&binding.node);
    const auto* truth = branch && !branch->condition.variable ? std::get_if<bool>(&branch->condition.literal) : nullptr;
    Block* taken = truth ? (*truth ? branch->then : branch->otherwise).get() : nullptr;
    const auto is_of_type = [](const Variable* result, const Operand& value) { return same_type(result->type, value.type); };
    if (!taken || taken->raises || counts || !std::ranges::equal(binding.results, taken->results, is_of_type)) {
      all.push_back(std::move(binding));
      continue;
    }
    std::vector<Binding> results;
    for (std::size_t i = 0; i < binding.results.size(); ++i) results.push_back({.results = {binding.results[i]}, .node = Copy{taken->results[i]}, .location = binding.location});
    std::ranges::move(taken->bindings, std::back_inserter(all));
    std::ranges::move(results, std::back_inserter(all));
  }
  block.bindings = std::move(all);
}

}  // namespace lantern::ranges
