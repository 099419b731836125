#include "lantern/hoist.h"

#include <algorithm>
#include <iterator>
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

  std::vector<Binding> taken_from(Binding& loop) {
    Block* body = body_of(loop.node);
    if (!body) return {};
    bool changes = false;
    for_each_block(loop.node, [&](const Block& nested) { changes = changes || changes_model(nested); });
    std::set<const Variable*> within = variables_in(loop);  // what each turn has of its own
    std::set<const Binding*> alike;                          // in each turn
    std::vector<const Binding*> worthwhile;
    for (const auto& binding : body->bindings) {
      const auto* operate = std::get_if<Operate>(&binding.node);
      if (!operate || operate->op->draws || !is_quiet(binding)) continue;
      const bool same = std::all_of(operate->operands.begin(), operate->operands.end(), [&](const Operand& x) {
        const bool from_outside = !within.contains(x.variable) && !(changes && x.variable && x.variable->storage != Storage::local);
        return from_outside && !is(x.type, TypeKind::optional);  // which the turn may have tested
      });
      if (!same) continue;
      alike.insert(&binding);
      for (const auto* result : binding.results) within.erase(result);
      if (operate->op->costly && std::any_of(operate->operands.begin(), operate->operands.end(), is_array)) worthwhile.push_back(&binding);
    }
    return take(*body, alike, worthwhile);
  }

  /// Takes those out of the body, and what they are made of.
  static std::vector<Binding> take(Block& body, const std::set<const Binding*>& alike, std::vector<const Binding*> pending) {
    std::set<const Binding*> wanted;
    while (!pending.empty()) {
      const Binding* binding = pending.back();
      pending.pop_back();
      if (!wanted.insert(binding).second) continue;
      for (const auto* operand : operands_of(binding->node)) {
        const auto made = std::find_if(alike.begin(), alike.end(), [&](const Binding* other) {
          return std::find(other->results.begin(), other->results.end(), operand->variable) != other->results.end();
        });
        if (operand->variable && made != alike.end()) pending.push_back(*made);
      }
    }
    std::vector<Binding> taken, kept;
    for (auto& binding : body.bindings) (wanted.contains(&binding) ? taken : kept).push_back(std::move(binding));
    body.bindings = std::move(kept);
    return taken;
  }
};

}  // namespace

void hoist_invariants(Program& program) {
  for (auto& function : program.functions) Hoisting().block(function.body);
}

}  // namespace lantern
