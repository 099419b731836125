#include "lantern/hoist.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "lantern/derivation.h"
#include "lantern/fission.h"
#include "lantern/outline.h"

namespace lantern {

using namespace ir;

namespace {

/// Whether a run of the block changes a parameter or a state, as far as one can see.
bool changes_model(const Block& block) {
  bool changes = lantern::has_effect(block);
  for (const auto& binding : block.bindings) {
    for (const auto* callee : callees_of(binding.node)) changes = changes || lantern::has_effect(*callee);
    for_each_block(binding.node, [&](const Block& nested) { changes = changes || changes_model(nested); });
  }
  return changes;
}

bool has_operation(const Block& block, bool Operator::* kind) {
  return std::any_of(block.bindings.begin(), block.bindings.end(), [&](const Binding& binding) {
    const auto* operate = std::get_if<Operate>(&binding.node);
    return operate && operate->op->*kind;
  });
}
bool has_operation(const Function& function, bool Operator::* kind) {
  return any_block(function, [&](const Block& block) { return has_operation(block, kind); });
}

class Hoisting {
 public:
  /// The bindings of the block, in front of each loop what has been taken out of it.
  void block(Block& block) {
    std::vector<std::vector<Binding>> taken;  // the block stays whole meanwhile: a function may call itself, and is asked what it does
    for (auto& binding : block.bindings) {
      for_each_block(binding.node, [&](const Block& nested) { this->block(const_cast<Block&>(nested)); });
      taken.push_back(taken_from(binding));
    }
    std::vector<Binding> bindings;
    for (std::size_t i = 0; i < taken.size(); ++i) {
      std::move(taken[i].begin(), taken[i].end(), std::back_inserter(bindings));
      bindings.push_back(std::move(block.bindings[i]));
    }
    block.bindings = std::move(bindings);
  }

 private:
  static Block* body_of(Node& node) {
    if (auto* loop = std::get_if<While>(&node)) return loop->body.get();
    auto* loop = std::get_if<For>(&node);
    const auto* sequence = loop ? std::get_if<Operand>(&loop->sequence) : nullptr;
    return loop && !(sequence && is(sequence->type, TypeKind::list)) ? loop->body.get() : nullptr;
  }

  static bool is_array(const Operand& operand) { return is(operand.type, TypeKind::tensor) && rank(operand.type) > 0; }

  bool may_be_alike(const Binding& binding, bool changes) {
    const auto* operate = std::get_if<Operate>(&binding.node);
    const auto* call = std::get_if<Call>(&binding.node);
    if (call) return !changes && !binding.results.empty() && is_quiet_function(*call->callee) && !has_operation(*call->callee, &Operator::draws);
    return operate && !operate->op->draws && is_quiet(binding);
  }

  /// Whether nobody could tell when the function runs. One that calls itself may have no end.
  bool is_quiet_function(const Function& function) {
    const auto [known, is_new] = quiet_.try_emplace(&function, false);
    if (!is_new || function.derivative || function.body.raises) return known->second;
    const auto& bindings = function.body.bindings;
    return known->second = std::all_of(bindings.begin(), bindings.end(), [&](const Binding& binding) {
             const auto* call = std::get_if<Call>(&binding.node);
             return call ? is_quiet_function(*call->callee) : is_quiet(binding);
           });
  }

  static bool is_costly(const Node& node) {
    const auto* call = std::get_if<Call>(&node);
    return call ? has_operation(*call->callee, &Operator::costly) : std::get<Operate>(node).op->costly;
  }

  static bool is_display(const Binding& binding) {
    const auto* operate = std::get_if<Operate>(&binding.node);
    return operate && (operate->op->name == "empty" || operate->op->name == "append");
  }

  /// The variables of which a block does something else than read elements: of a list that is put into another one, or that grows, each turn
  /// has one of its own to change. What makes the displays of `body` longer does not count.
  static void collect_kept(const Block& block, const std::set<const Variable*>& displays, bool is_body, std::set<const Variable*>& kept) {
    for (const auto& result : block.results) kept.insert(result.variable);
    for (auto binding = block.bindings.rbegin(); binding != block.bindings.rend(); ++binding) {
      for_each_block(binding->node, [&](const Block& nested) { collect_kept(nested, displays, false, kept); });
      const auto* operate = std::get_if<Operate>(&binding->node);
      const auto* loop = std::get_if<For>(&binding->node);
      const auto* sequence = loop ? std::get_if<Operand>(&loop->sequence) : nullptr;
      const bool reads = operate && (operate->op->name == "index" || operate->op->name == "length");
      const auto operands = operands_of(binding->node);
      const bool is_part = is_body && is_display(*binding) && !kept.contains(binding->results[0]) &&
                           std::all_of(operands.begin(), operands.end(), [&](const Operand* x) { return !x->variable || displays.contains(x->variable); });
      for (const auto* operand : operands) {
        if (!reads && !is_part && operand != sequence) kept.insert(operand->variable);
      }
    }
  }

  /// An array of literals, or of such arrays, or a list of them. An array that has the same number everywhere is made as fast as it is read.
  static bool is_constant(const Binding& binding, const std::set<const Variable*>& constant) {
    const auto* operate = std::get_if<Operate>(&binding.node);
    if (!operate || !(is_display(binding) || is_array(read(binding.results[0]))) || operate->op->name == "zeros" || operate->op->name == "ones" || operate->op->name == "full") return false;
    return std::all_of(operate->operands.begin(), operate->operands.end(), [&](const Operand& x) { return !x.variable || constant.contains(x.variable); });
  }

  std::vector<Binding> taken_from(Binding& loop) {
    Block* body = body_of(loop.node);
    if (!body) return {};
    bool changes = false;
    for_each_block(loop.node, [&](const Block& nested) { changes = changes || changes_model(nested); });
    std::set<const Variable*> within = variables_in(loop);  // what each turn has of its own
    std::set<const Binding*> alike;                          // in each turn
    std::set<const Variable*> constant, kept;                // arrays and lists of numbers that stand in the program
    std::set<const Variable*> displays;
    for (const auto& binding : body->bindings) {
      if (is_display(binding)) displays.insert(binding.results[0]);
    }
    if (!displays.empty()) for_each_block(loop.node, [&](const Block& nested) { collect_kept(nested, displays, &nested == body, kept); });
    std::vector<const Binding*> worthwhile;
    for (const auto& binding : body->bindings) {
      if (!may_be_alike(binding, changes)) continue;
      const auto operands = operands_of(binding.node);
      const bool same = std::all_of(operands.begin(), operands.end(), [&](const Operand* x) {
        const bool from_outside = !within.contains(x->variable) && !(changes && x->variable && x->variable->storage != Storage::local);
        return from_outside && !is(x->type, TypeKind::optional);  // which the turn may have tested
      });
      if (!same) continue;
      alike.insert(&binding);
      for (const auto* result : binding.results) within.erase(result);
      if (is_constant(binding, constant) && !(is_display(binding) && kept.contains(binding.results[0]))) constant.insert(binding.results[0]);
      const bool is_dear = is_costly(binding.node) && std::any_of(operands.begin(), operands.end(), [](const Operand* x) { return is_array(*x); });
      if (is_dear || constant.contains(binding.results[0])) worthwhile.push_back(&binding);
    }
    return take(*body, alike, worthwhile);
  }

  /// Takes those out of the body, and what they are made of.
  static std::vector<Binding> take(Block& body, const std::set<const Binding*>& alike, std::vector<const Binding*> pending) {
    std::set<const Binding*> wanted;
    std::map<const Variable*, const Binding*> makers;
    for (const auto* binding : alike) {
      for (const auto* result : binding->results) makers[result] = binding;
    }
    while (!pending.empty()) {
      const Binding* binding = pending.back();
      pending.pop_back();
      if (!wanted.insert(binding).second) continue;
      for (const auto* operand : operands_of(binding->node)) {
        const auto maker = makers.find(operand->variable);
        if (maker != makers.end()) pending.push_back(maker->second);
      }
    }
    std::vector<Binding> taken, kept;
    for (auto& binding : body.bindings) (wanted.contains(&binding) ? taken : kept).push_back(std::move(binding));
    body.bindings = std::move(kept);
    return taken;
  }

  std::map<const Function*, bool> quiet_;
};

}  // namespace

void hoist_invariants(Program& program) {
  for (auto& function : program.functions) Hoisting().block(function.body);
}

}  // namespace lantern
