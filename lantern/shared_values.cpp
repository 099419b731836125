#include "lantern/shared_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "lantern/call_graph.h"
#include "lantern/unchanged_results.h"

namespace lantern {

using namespace ir;

namespace {

bool is_worth_a_variable(const Node& node) {
  const auto* operate = std::get_if<Operate>(&node);
  if (!operate) return true;
  const auto is_large = [](const Operand& operand) { return is(operand.type, TypeKind::list) || (is(operand.type, TypeKind::tensor) && rank(operand.type) > 0); };
  return operate->op->costly && std::any_of(operate->operands.begin(), operate->operands.end(), is_large);
}

class Sharing {
 public:
  Sharing(Function& function, bool is_pure) : function_(function), is_pure_(is_pure) {}

  void run() {
    block(function_.body);
    if (replaced_.empty()) return;
    for_each_operand(function_.body, [&](Operand& operand) {
      const auto found = replaced_.find(operand.variable);
      if (found != replaced_.end()) operand.variable = found->second;
      if (operand.variable) ++reads_[operand.variable];
    });
    remove_unread(function_.body);
  }

 private:
  using Results = std::vector<Variable*>;

  /// What the block computes is known in blocks within, and not behind it.
  void block(Block& block) {
    std::vector<std::string> entered;
    std::vector<Binding> kept;
    for (auto& binding : block.bindings) {
      for_each_block(binding.node, [&](const Block& nested) { this->block(const_cast<Block&>(nested)); });
      const std::string key = key_of(binding);
      const auto [known, is_new] = key.empty() ? std::pair(known_.end(), false) : known_.try_emplace(key, binding.results);
      if (is_new) entered.push_back(key);
      if (key.empty() || is_new || !stands_for(known->second, binding)) kept.push_back(std::move(binding));
    }
    block.bindings = std::move(kept);
    for (const auto& key : entered) known_.erase(key);
  }

  /// The operation or the call, and of what values; empty: it is none, or may give something else when it runs again.
  std::string key_of(const Binding& binding) {
    if (!std::all_of(binding.results.begin(), binding.results.end(), [](const Variable* result) { return is_numeric(result->type); })) return {};
    const auto operands = operands_of(binding.node);
    const auto* operation = std::get_if<Operate>(&binding.node);
    const auto is_value = [&](const Type& type) { return is_numeric(type) || (operation && (is(type, TypeKind::list) || is(type, TypeKind::string))); };
    const auto is_known = [&](const Operand* x) { return is_value(x->type) && (is_pure_ || !x->variable || x->variable->storage == Storage::local); };
    if (!std::all_of(operands.begin(), operands.end(), is_known)) return {};
    if (const auto* copy = std::get_if<Copy>(&binding.node)) {
      if (copy->value.variable && same_type(copy->value.type, binding.results[0]->type)) equal_[binding.results[0]] = value_of(copy->value.variable);
      return {};
    }
    std::string key;
    if (operation) {
      if (operation->op->effect || operation->op->draws || operation->op->fails == Fails::outside) return {};
      const auto& [dtype, name, text, type] = operation->attributes;
      key = fmt::format("{} {} {} {:?} {:?} {}", fmt::ptr(operation->op), operation->derived, dtype ? static_cast<int>(*dtype) : -1, name, text,
                        type ? to_string(type) : "");
    } else if (const auto* call = std::get_if<Call>(&binding.node); call && is_pure_ && !binding.results.empty()) {
      key = fmt::format("{}", fmt::ptr(call->callee));
    } else {
      return {};
    }
    for (const auto* operand : operands) key += fmt::format(" {} {}", text_of(*operand), to_string(operand->type));
    return key;
  }

  std::string text_of(const Operand& operand) const {
    if (operand.variable) return fmt::format("{}", fmt::ptr(value_of(operand.variable)));
    if (const auto* number = std::get_if<double>(&operand.literal)) return fmt::format("{:a}", *number);
    if (const auto* integer = std::get_if<std::int64_t>(&operand.literal)) return std::to_string(*integer);
    if (const auto* text = std::get_if<std::string>(&operand.literal)) return fmt::format("{:?}", *text);
    return std::get<bool>(operand.literal) ? "true" : "false";
  }

  const Variable* value_of(const Variable* variable) const {
    const auto found = equal_.find(variable);
    return found == equal_.end() ? variable : found->second;
  }

  /// Whether those results of an equal binding are read in the place of this one's.
  bool stands_for(const Results& earlier, const Binding& binding) {
    for (std::size_t i = 0; i < earlier.size(); ++i) {
      if (!same_type(earlier[i]->type, binding.results[i]->type)) return false;
    }
    const bool does = is_worth_a_variable(binding.node);
    for (std::size_t i = 0; i < earlier.size(); ++i) {
      equal_[binding.results[i]] = earlier[i];
      if (!does) {
        repeated_.insert(binding.results[i]);
        continue;
      }
      replaced_[binding.results[i]] = earlier[i];
      if (is_made_up(earlier[i]->name) && !is_made_up(binding.results[i]->name)) std::swap(earlier[i]->name, binding.results[i]->name);
    }
    return does;
  }

  /// What was computed again for what is now read elsewhere.
  void remove_unread(Block& block) {
    std::vector<Binding> kept;
    for (auto binding = block.bindings.rbegin(); binding != block.bindings.rend(); ++binding) {
      for_each_block(binding->node, [&](const Block& nested) { remove_unread(const_cast<Block&>(nested)); });
      if (binding->results.size() == 1 && repeated_.contains(binding->results[0]) && reads_[binding->results[0]] == 0) {
        for (const auto* operand : operands_of(binding->node)) --reads_[operand->variable];
      } else {
        kept.push_back(std::move(*binding));
      }
    }
    std::reverse(kept.begin(), kept.end());
    block.bindings = std::move(kept);
  }

  Function& function_;
  const bool is_pure_;
  std::map<std::string, Results> known_;
  std::map<const Variable*, const Variable*> equal_;  // to the first that has its value
  std::map<const Variable*, Variable*> replaced_;
  std::set<const Variable*> repeated_;
  std::map<const Variable*, std::int64_t> reads_;
};

}  // namespace

void share_values(Program& program) {
  const ReachingFunctions impure(program, does_more);
  for (auto& function : program.functions) {
    leave_out_unchanged_results(function);
    Sharing(function, !impure.contains(function)).run();
  }
}

}  // namespace lantern
