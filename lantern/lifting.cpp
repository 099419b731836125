// Before:  y, g = value-and-grad f(x) wrt x          define f(x) { y = x * w => y }
// After:   y, g = value-and-grad f_of_w(x, w) wrt x  define f_of_w(x, w) { y = x * w => y }
#include "lantern/lifting.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "lantern/derivation.h"
#include "support/diagnostic.h"

namespace lantern {

using namespace ir;

namespace {

bool contains(const std::vector<Variable*>& variables, const Variable* variable) {
  return std::find(variables.begin(), variables.end(), variable) != variables.end();
}

std::string unused(const std::string& name, std::set<std::string>& taken) {
  std::string unique = name;
  for (int i = 2; !taken.insert(unique).second; ++i) unique = fmt::format("{}_{}", name, i);
  return unique;
}

/// Visits the bindings of a function and, once each, of all that it may run.
template <class Visit>
void for_each_reached(const Function& function, Visit visit) {
  any_block(function, [&](const Block& block) {
    for (const auto& binding : block.bindings) visit(binding);
    for (const auto& result : block.results) visit(Binding{{}, ir::Copy{result}, {}});
    return false;
  });
}

}  // namespace

// In the program's order, whatever the order of their use.
Lifting::Globals Lifting::taken_by(const Function& function, const Globals& besides) const {
  std::set<const Variable*> found(besides.begin(), besides.end());
  for_each_reached(function, [&](const Binding& binding) {
    for (const auto* operand : operands_of(binding.node)) found.insert(operand->variable);
    if (const auto* gradient = std::get_if<ValueAndGrad>(&binding.node)) found.insert(gradient->wrt.begin(), gradient->wrt.end());
  });
  Globals taken;
  std::copy_if(chosen_.begin(), chosen_.end(), std::back_inserter(taken), [&](const Variable* global) { return found.contains(global); });
  return taken;
}

std::optional<ValueAndGrad> Lifting::gradient(const ValueAndGrad& of, const Location& at) {
  of_ = of.callee;
  at_ = at;
  return gradient(of);
}

std::optional<ValueAndGrad> Lifting::gradient(const ValueAndGrad& of) {
  const Globals globals = taken_by(*of.callee, of.wrt);
  if (globals.empty()) return {};
  const Copy& made = copy(*of.callee, globals);
  ValueAndGrad lifted{made.function, {}, of.operands};
  for (auto* wrt : of.wrt) {
    const auto global = made.formals.find(wrt);
    const auto formal = std::find(of.callee->formals.begin(), of.callee->formals.end(), wrt);
    lifted.wrt.push_back(global != made.formals.end()        ? global->second
                         : formal != of.callee->formals.end() ? made.function->formals[static_cast<std::size_t>(formal - of.callee->formals.begin())]
                                                              : wrt);
  }
  for (auto* global : globals) lifted.operands.push_back(read(global));
  return lifted;
}

const Lifting::Copy& Lifting::copy(Function& function, const Globals& globals) {
  const auto [known, fresh] = copies_.try_emplace({&function, globals});
  Copy& made = known->second;
  if (!fresh) return made;
  const std::string suffix = "_of_" + (globals.size() == 1 ? globals[0]->name : "parameters");
  made.function = program_.add_function(function.name + suffix, function.location);
  const std::vector<bool> none(function.formals.size());
  derive(function, none, {{}, std::vector<bool>(function.results.size())}, *made.function, program_, tangents_);  // a copy
  made.function->results = function.results;
  made.function->result_type = function.result_type;
  auto taken = names_in(*made.function);
  for (auto* global : globals) {
    auto* formal = program_.add_variable({.name = unused(global->name, taken), .type = global->type, .location = function.location});
    made.function->formals.push_back(formal);
    made.formals[global] = formal;
  }
  lift(made.function->body, made);
  return made;
}

void Lifting::lift(Block& block, const Copy& into) {
  const auto replace = [&](Operand& operand) {
    if (const auto found = into.formals.find(operand.variable); found != into.formals.end()) operand.variable = found->second;
  };
  const auto pass = [&](auto& node) {
    const Globals globals = taken_by(*node.callee);
    if (globals.empty()) return;
    if (node.callee->derivative) refuse(*globals[0], fmt::format("'{}', which has a derivative of its own, reads", node.callee->name));
    node.callee = copy(*node.callee, globals).function;
    for (auto* global : globals) node.operands.push_back(read(into.formals.at(global)));
  };
  for (auto& binding : block.bindings) {
    for (const auto* operand : operands_of(binding.node)) replace(const_cast<Operand&>(*operand));
    if (auto* call = std::get_if<Call>(&binding.node)) pass(*call);
    if (auto* gradient = std::get_if<ValueAndGrad>(&binding.node)) {
      if (auto lifted = this->gradient(*gradient)) {
        for (auto& operand : lifted->operands) replace(operand);
        *gradient = std::move(*lifted);
      }
    }
    const auto* update = std::get_if<Update>(&binding.node);
    const auto* start = std::get_if<Initialize>(&binding.node);
    for (const auto& [global, formal] : into.formals) {
      if ((update && contains(update->targets, global)) || (start && start->target == global)) refuse(*global, "it changes");
    }
    for_each_block(binding.node, [&](const Block& nested) { lift(const_cast<Block&>(nested), into); });
  }
  for (auto& result : block.results) replace(result);
}

void Lifting::refuse(const Variable& global, const std::string& why) const {
  throw Failure({.code = "LT0503", .location = at_,
                 .message = fmt::format("no derivative is known for the gradient of '{}' within what is differentiated, since {} '{}', whose gradient is being summed", of_->name, why, global.name),
                 .hint = "pass its value to the function as an argument"});
}

}  // namespace lantern
