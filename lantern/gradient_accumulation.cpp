#include "lantern/gradient_accumulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "lantern/derivation.h"
#include "lantern/sum_terms.h"

namespace lantern {

using namespace ir;

namespace {

/// What refers to a function.
struct Uses {
  std::vector<ValueAndGrad*> gradients;
  bool others = false;
};

void collect_uses(Block& block, std::map<const Function*, Uses>& uses) {
  for (auto& binding : block.bindings) {
    auto* gradient = std::get_if<ValueAndGrad>(&binding.node);
    for (const auto* callee : callees_of(binding.node)) {
      if (gradient && callee == gradient->callee) uses[callee].gradients.push_back(gradient);
      else uses[callee].others = true;
    }
    for_each_block(binding.node, [&](const Block& nested) { collect_uses(const_cast<Block&>(nested), uses); });
  }
}

bool is_of_parameters(const ValueAndGrad& gradient) {
  return std::all_of(gradient.wrt.begin(), gradient.wrt.end(), [](const Variable* wrt) { return wrt->storage == Storage::parameter; });
}

Function* copy_of(const Function& function, Program& program) {
  Function* copy = program.add_function(function.name + "_in_parts", function.location);
  Tangents tangents(program);
  derive(function, std::vector<bool>(function.formals.size()), {{}, std::vector<bool>(function.results.size())}, *copy, program, tangents);
  copy->results = function.results;
  copy->result_type = function.result_type;
  return copy;
}

bool has_loop(const Function& function, const Activity& activity) {
  const auto& bindings = function.body.bindings;
  return std::any_of(bindings.begin(), bindings.end(), [&](const Binding& b) { return std::holds_alternative<For>(b.node) && activity.carries_adjoint(b); });
}

}  // namespace

bool accumulate_gradients(Program& program, const Activity& activity, const std::function<void(const Remark&)>& remark) {
  std::map<const Function*, Uses> uses;
  for (auto& function : program.functions) collect_uses(function.body, uses);
  for (const auto& entry : program.exports) uses[entry.function].others = true;
  if (program.differentiable_entry) uses[program.differentiable_entry].others = true;
  bool found = false;
  const std::size_t functions = program.functions.size();
  for (std::size_t i = 0; i < functions; ++i) {
    Function& function = program.functions[i];
    const Uses& own = uses[&function];
    if (own.gradients.empty() || own.gradients[0]->in_parts || function.derivative || function.results.size() != 1 || !has_loop(function, activity)) continue;
    try {
      if (!std::all_of(own.gradients.begin(), own.gradients.end(), [](const auto* gradient) { return is_of_parameters(*gradient); })) {
        throw Obstacle{function.location, "it is with respect to more than parameters"};
      }
      if (has_effect(function)) throw Obstacle{function.location, "it prints, draws or changes something, which keeps its order"};
      if (takes_gradient(function)) throw Obstacle{function.location, "it takes a gradient"};
      if (own.others) {  // they call it as it is, and the next round takes the other apart
        check_terms(program, activity, function);
        found = true;
        Function* copy = copy_of(function, program);
        for (auto* gradient : own.gradients) gradient->callee = copy;
        continue;
      }
      take_terms_apart(program, activity, function);
      found = true;
      for (auto* gradient : own.gradients) gradient->in_parts = true;
      remark({function.location, fmt::format("the gradient of '{}' is taken term by term", function.name), true});
    } catch (const Obstacle& obstacle) {
      remark({obstacle.location, fmt::format("the gradient of '{}' is taken as a whole: {}", function.name, obstacle.text), false});
    }
  }
  return found;
}

}  // namespace lantern
