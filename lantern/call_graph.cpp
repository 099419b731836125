// Who calls whom. In
//     f → g ⇄ h → print
// all reach `print`, and g and h are recursive.
#include "lantern/call_graph.h"

#include <algorithm>
#include <map>
#include <vector>

namespace lantern {

using namespace ir;

namespace {

/// Calls `visit` with each block of a function.
template <class Visit>
void for_all_blocks(const Function& function, Visit visit) {
  std::vector<const Block*> pending = {&function.body};
  while (!pending.empty()) {
    const Block* block = pending.back();
    pending.pop_back();
    visit(*block);
    for (const auto& binding : block->bindings) for_each_block(binding.node, [&](const Block& nested) { pending.push_back(&nested); });
  }
}

std::vector<const Function*> callees_of(const Function& function) {
  std::vector<const Function*> all;
  for_all_blocks(function, [&](const Block& block) {
    for (const auto& binding : block.bindings) {
      for (const auto* callee : ir::callees_of(binding.node)) all.push_back(callee);
    }
  });
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

/// Tarjan's strongly connected components (SIAM Journal on Computing 1, 1972), without recursion of our own: chains of calls are long.
class Components {
 public:
  explicit Components(const Program& program) {
    for (const auto& function : program.functions) {
      if (!nodes_.contains(&function)) visit(function);
    }
  }
  std::set<const Function*> recursive;

 private:
  struct Visited {
    std::vector<const Function*> callees;
    std::size_t number, lowest, next = 0;
    bool is_open = true;
  };

  void enter(const Function& function) {
    open_.push_back(&function);
    path_.push_back(&function);
    nodes_.emplace(&function, Visited{callees_of(function), nodes_.size(), nodes_.size()});
  }

  void visit(const Function& first) {
    enter(first);
    while (!path_.empty()) {
      const Function* function = path_.back();
      Visited& node = nodes_.at(function);
      if (node.next < node.callees.size()) {
        const Function* callee = node.callees[node.next++];
        if (callee == function) recursive.insert(function);
        if (const auto known = nodes_.find(callee); known == nodes_.end()) enter(*callee);
        else if (known->second.is_open) node.lowest = std::min(node.lowest, known->second.number);
        continue;
      }
      path_.pop_back();
      if (!path_.empty()) nodes_.at(path_.back()).lowest = std::min(nodes_.at(path_.back()).lowest, node.lowest);
      if (node.lowest == node.number) close(function);
    }
  }

  /// Those above `function` in the stack are its component.
  void close(const Function* function) {
    const bool several = open_.back() != function;
    for (const Function* member = nullptr; member != function;) {
      member = open_.back();
      open_.pop_back();
      nodes_.at(member).is_open = false;
      if (several) recursive.insert(member);
    }
  }

  std::map<const Function*, Visited> nodes_;
  std::vector<const Function*> open_, path_;
};

}  // namespace

ReachingFunctions::ReachingFunctions(const Program& program, Holds holds) : holds_(std::move(holds)) {
  std::map<const Function*, std::vector<const Function*>> callers;
  std::vector<const Function*> pending;
  for (const auto& function : program.functions) {
    known_.insert(&function);
    for (const auto* callee : callees_of(function)) callers[callee].push_back(&function);
    bool own = false;
    for_all_blocks(function, [&](const Block& block) { own = own || holds_(block); });
    if (own && reaching_.insert(&function).second) pending.push_back(&function);
  }
  while (!pending.empty()) {
    const Function* function = pending.back();
    pending.pop_back();
    for (const auto* caller : callers[function]) {
      if (reaching_.insert(caller).second) pending.push_back(caller);
    }
  }
}

bool ReachingFunctions::contains(const Function& function) const {
  return known_.contains(&function) ? reaching_.contains(&function) : any_block(function, holds_);
}

std::set<const Function*> recursive_functions(const Program& program) { return Components(program).recursive; }

}  // namespace lantern
