// Before:  p = jvp f a with a_dot             define f(x) { t = sin(x); y = t * x => y }
// After:   p = call f_jvp(a, a_dot)
//          define f_jvp(x, x_dot) { t = sin(x); t_dot = x_dot * cos(x); y = t * x; y_dot = t_dot * x + x_dot * t => y, y_dot }
#include "lantern/forward_mode.h"

#include <fmt/format.h>

#include <algorithm>

#include "lantern/derivation.h"
#include "lantern/pushforward.h"
#include "support/diagnostic.h"

namespace lantern {

using namespace ir;

Tangents::Derived Tangents::derived(Function& function, const std::vector<bool>& mask) {
  if (const auto known = derived_.find({&function, mask}); known != derived_.end()) return known->second;
  expand_reached(function);
  const Varied::Found& found = varied_.in(function, mask);
  Function& out = *program_.add_function(function.name + "_jvp", function.location);
  const Derived derived{&out, found.results};
  derived_.emplace(Choice{&function, mask}, derived);
  out.results = function.results;
  for (std::size_t i = 0; i < found.results.size(); ++i) {
    if (found.results[i]) out.results.push_back(function.results[i]);
  }
  out.result_type = tuple_of(out.results);
  derive(function, mask, found, out, program_, *this);
  return derived;
}

Function* Tangents::tangent_alone(Function& function, const std::vector<bool>& mask) {
  auto& known = alone_[{&function, mask}];
  if (known) return known;
  const Derived both = derived(function, mask);
  Function& out = *program_.add_function(function.name + "_tangent", function.location);
  known = &out;
  DerivedOperations emit(program_);
  emit.block = &out.body;
  Call call{both.function, {}};
  for (const auto* formal : both.function->formals) {
    out.formals.push_back(emit.variable(formal->name, formal->type));
    call.operands.push_back({.variable = out.formals.back(), .type = formal->type});
  }
  Binding binding{{}, std::move(call), function.location};
  for (const auto& type : both.function->results) binding.results.push_back(emit.variable(temporary, type));
  out.body.results.push_back({.variable = binding.results.back(), .type = binding.results.back()->type});
  out.body.bindings.push_back(std::move(binding));
  if (!both.results[0]) out.body.results[0] = emit.zero(out.body.results[0]);
  out.results = {function.results[0]};
  out.result_type = function.results[0];
  return known;
}

Failure endless(const Function& function) {
  return Failure({.code = "LT0508", .location = function.location,
                  .message = fmt::format("'{}' takes a derivative of itself, or of a function that calls it", function.name),
                  .hint = "write a function for each order of derivative that is needed"});
}

// A jvp in what it is a jvp of has no end: each order would need the next.
void Tangents::expand_reached(Function& function) {
  std::set<Function*> seen = {&function};
  std::vector<Function*> pending = {&function};
  while (!pending.empty()) {
    Function* reached = pending.back();
    pending.pop_back();
    if (underway_.contains(reached)) throw endless(*reached);
    expand(*reached);
    std::vector<const Block*> blocks = {&reached->body};
    while (!blocks.empty()) {
      const Block* block = blocks.back();
      blocks.pop_back();
      for (const auto& binding : block->bindings) {
        const auto* call = std::get_if<Call>(&binding.node);
        const auto* gradient = std::get_if<ValueAndGrad>(&binding.node);
        Function* callee = call ? call->callee : gradient ? gradient->callee : nullptr;
        if (callee && seen.insert(callee).second) pending.push_back(callee);
        for_each_block(binding.node, [&](const Block& nested) { blocks.push_back(&nested); });
      }
    }
  }
}

void Tangents::expand(Function& function) {
  if (!expanded_.insert(&function).second) return;
  underway_.insert(&function);
  expand(function.body);
  underway_.erase(&function);
}

void Tangents::expand(Block& block) {
  for (auto& binding : block.bindings) for_each_block(binding.node, [&](const Block& nested) { expand(const_cast<Block&>(nested)); });
  const auto is_jvp = [](const Binding& binding) { return std::holds_alternative<Jvp>(binding.node); };
  if (std::none_of(block.bindings.begin(), block.bindings.end(), is_jvp)) return;  // its bindings stay where they are
  std::vector<Binding> before = std::move(block.bindings);
  block.bindings.clear();
  for (auto& binding : before) {
    const auto* jvp = std::get_if<Jvp>(&binding.node);
    if (!jvp) {
      block.bindings.push_back(std::move(binding));
      continue;
    }
    std::vector<bool> mask;
    for (const auto& tangent : jvp->tangents) mask.push_back(!is(tangent.type, TypeKind::none));
    const Derived both = derived(*jvp->callee, mask);
    Call call{both.function, jvp->operands};
    for (std::size_t i = 0; i < mask.size(); ++i) {
      if (mask[i]) call.operands.push_back(jvp->tangents[i]);
    }
    // The jvp gives a tangent for each result that can have one, the function for those that vary.
    const std::size_t primals = both.results.size();
    Binding made{{binding.results.begin(), binding.results.begin() + static_cast<std::ptrdiff_t>(primals)}, {}, binding.location};
    std::vector<std::pair<Variable*, Variable*>> constant;  // a tangent, and the result that it is of
    std::size_t next = primals;
    for (std::size_t i = 0; i < primals; ++i) {
      if (!carries_tangent(binding.results[i]->type)) continue;
      Variable* tangent = binding.results[next++];
      if (both.results[i]) made.results.push_back(tangent);
      else constant.emplace_back(tangent, binding.results[i]);
    }
    made.node = std::move(call);
    block.bindings.push_back(std::move(made));
    for (const auto& [tangent, of] : constant) {
      const Operator* zeros = operators_named("zeros-of")[0];
      block.bindings.push_back({{tangent}, Operate{zeros, {{.variable = of, .type = of->type}}, {}, true}, binding.location});
    }
  }
}

void forward_mode(Program& program) {
  Tangents tangents(program);
  for (std::size_t i = 0; i < program.functions.size(); ++i) tangents.expand(program.functions[i]);
}

}  // namespace lantern
