// Monotone, to a fixed point over all the choices that have come up: a recursive call may add to what it is called with.
#include "lantern/varied.h"

#include <algorithm>

#include "support/diagnostic.h"
#include "support/match.h"

namespace lantern {

using namespace ir;

bool carries_tangent(const Type& type) {
  const Type t = resolve(type);
  return t->kind == TypeKind::list ? carries_tangent(t->elements[0]) : is_floating(t);
}

const Variable* without_tangent(const std::vector<Variable*>& wrt) {
  const auto found = std::find_if(wrt.begin(), wrt.end(), [](const Variable* v) { return !carries_tangent(v->type); });
  return found == wrt.end() ? nullptr : *found;
}

namespace {

bool is_varied(const Operand& operand, const Varied::Found& found) {
  return operand.variable && found.variables.contains(operand.variable);
}

}  // namespace

std::vector<bool> mask_of(const std::vector<Operand>& operands, const Varied::Found& found) {
  std::vector<bool> mask;
  for (const auto& operand : operands) mask.push_back(is_varied(operand, found));
  return mask;
}

const Varied::Found& Varied::in(const Function& function, const std::vector<bool>& mask) {
  const auto [at, fresh] = found_.try_emplace({&function, mask});
  Found& found = at->second;
  if (!fresh) return found;
  for (std::size_t i = 0; i < mask.size(); ++i) {
    if (mask[i]) found.variables.insert(function.formals[i]);
  }
  found.results.resize(function.results.size());
  changed_ = true;
  if (underway_) return found;  // the rounds that are under way take it along
  underway_ = true;
  while (changed_) {
    changed_ = false;
    for (auto& [key, each] : found_) {
      forwards(key.first->body, each);
      const auto& given = key.first->body.results;
      for (std::size_t i = 0; i < given.size(); ++i) {
        if (!each.results[i] && is_varied(given[i], each)) each.results[i] = changed_ = true;
      }
    }
  }
  underway_ = false;
  return found;
}

void Varied::forwards(const Block& block, Found& found) {
  for (const auto& binding : block.bindings) forwards(binding, found);
}

void Varied::forwards(const Binding& binding, Found& found) {
  const auto vary = [&](const Variable* variable) {
    if (carries_tangent(variable->type)) changed_ |= found.variables.insert(variable).second;
  };
  const auto vary_if = [&](const Operand& from, const Variable* to) {
    if (is_varied(from, found)) vary(to);
  };
  const auto vary_results_with = [&](const std::vector<Operand>& operands) {
    if (std::any_of(operands.begin(), operands.end(), [&](const Operand& o) { return is_varied(o, found); })) {
      for (const auto* result : binding.results) vary(result);
    }
  };
  const auto join = [&](const Block& branch) {
    forwards(branch, found);
    for (std::size_t i = 0; i < branch.results.size(); ++i) vary_if(branch.results[i], binding.results[i]);
  };
  const auto loop = [&](const auto& node) {
    for (std::size_t i = 0; i < node.state.size(); ++i) vary_if(node.initial[i], node.state[i]);
    forwards(*node.test, found);
    forwards(*node.body, found);
    for (std::size_t i = 0; i < node.body->results.size(); ++i) vary_if(node.body->results[i], node.state[i]);
    for (std::size_t i = 0; i < node.state.size(); ++i) {
      if (found.variables.contains(node.state[i])) vary(binding.results[i]);
    }
  };
  match(
      binding.node,
      [&](const Operate& n) {
        if (n.op->smoothness != Smoothness::flat) vary_results_with(n.operands);
      },
      [&](const Call& n) {
        const auto mask = mask_of(n.operands, found);
        if (std::find(mask.begin(), mask.end(), true) == mask.end()) return;
        const Found& inner = in(*n.callee, mask);
        for (std::size_t i = 0; i < inner.results.size(); ++i) {
          if (inner.results[i]) vary(binding.results[i]);
        }
      },
      [&](const If& n) {
        join(*n.then);
        join(*n.otherwise);
      },
      [&](const While& n) { loop(n); },
      [&](const For& n) {
        if (const auto* sequence = std::get_if<Operand>(&n.sequence)) vary_if(*sequence, n.element);
        loop(n);
      },
      [](const Each&) { bug("varied", "turns are side by side already"); },
      [&](const Copy& n) { vary_if(n.value, binding.results[0]); },
      [&](const ValueAndGrad& n) { vary_results_with(n.operands); },
      [](const AddGradient&) { bug("varied", "a gradient is taken in parts already"); }, [](const Jvp&) { bug("varied", "a jvp is left"); },
      // A structure has no tangent: what is put into one with a tangent is refused where the tangent is made.
      [](const Field&) {}, [](const Make&) {}, [](const IsNone&) {}, [](const Update&) {}, [](const Initialize&) {},
      [](const Print&) {}, [](const Assert&) {}, [](const Raise&) {});
}

}  // namespace lantern
