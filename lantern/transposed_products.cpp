#include "lantern/transposed_products.h"

#include <algorithm>
#include <map>
#include <set>

#include "lantern/call_graph.h"

namespace lantern {

using namespace ir;

namespace {

bool is_matrix(const Operand& operand) { return operand.variable && is(operand.type, TypeKind::tensor) && rank(operand.type) == 2; }

/// Whether it changes lists, and so arrays in them, where they are.
bool changes_elements(const Block& block) {
  return std::any_of(block.bindings.begin(), block.bindings.end(), [](const Binding& binding) {
    const auto* operate = std::get_if<Operate>(&binding.node);
    return operate && operate->op->in_place;
  });
}

class Reading {
 public:
  Reading(Function& function, bool is_pure) : function_(function), is_pure_(is_pure) {}

  void run() {
    block(function_.body);
    if (!found_) return;
    for_each_operand(function_.body, [&](Operand& operand) { read_.insert(operand.variable); });
    remove_unread(function_.body);
  }

 private:
  void block(Block& block) {
    for (auto& binding : block.bindings) {
      for_each_block(binding.node, [&](const Block& nested) { this->block(const_cast<Block&>(nested)); });
      auto* operate = std::get_if<Operate>(&binding.node);
      if (!operate) continue;
      if (operate->op->name == "transpose" && stays(operate->operands[0])) turned_[binding.results[0]] = operate->operands[0];
      else if (operate->op->name == "matmul" && is_matrix(operate->operands[0]) && is_matrix(operate->operands[1])) product(*operate);
    }
  }

  /// Whether it is the same where the product is: arrays of a function do not change, parameters and states may.
  bool stays(const Operand& operand) const { return is_matrix(operand) && (is_pure_ || operand.variable->storage == Storage::local); }

  void product(Operate& operate) {
    for (const std::size_t i : {std::size_t{1}, std::size_t{0}}) {
      const auto turned = turned_.find(operate.operands[i].variable);
      if (turned == turned_.end()) continue;
      operate.operands[i] = turned->second;
      operate.op = select_operator(i == 1 ? "matmul-transposed" : "transposed-matmul", std::vector<Type>{operate.operands[0].type, operate.operands[1].type});
      found_ = true;
      return;
    }
  }

  void remove_unread(Block& block) {
    std::erase_if(block.bindings, [&](const Binding& binding) { return binding.results.size() == 1 && turned_.contains(binding.results[0]) && !read_.contains(binding.results[0]); });
    for (auto& binding : block.bindings) {
      for_each_block(binding.node, [&](const Block& nested) { remove_unread(const_cast<Block&>(nested)); });
    }
  }

  Function& function_;
  const bool is_pure_;
  bool found_ = false;
  std::map<const Variable*, Operand> turned_;
  std::set<const Variable*> read_;
};

}  // namespace

void read_transposed(Program& program) {
  const ReachingFunctions impure(program, does_more), changing(program, changes_elements);
  for (auto& function : program.functions) {
    if (!changing.contains(function)) Reading(function, !impure.contains(function)).run();
  }
}

}  // namespace lantern
