// Before:  y, g = value-and-grad f(x) wrt x
// After:   y, g = call f_gradient(x), whose derivative is f_gradient_pullback
//          define f_gradient_pullback(x, y_adj, g_adj) { h, x_adj = value-and-grad f_adjoint(x, y_adj, g_adj) wrt x => x_adj }
//          define f_adjoint(x, y_adj, g_adj) { y, y_dot = call f_jvp(x, g_adj) => y * y_adj + y_dot }
//
// The adjoint of x is y_adj·f'(x) + f''(x)·g_adj. Second derivatives do not depend on their order: the last term is the gradient
// of f's tangent along g_adj.
#include "lantern/nested_gradients.h"

#include <fmt/format.h>

#include <algorithm>

#include "lantern/derivation.h"
#include "lantern/forward_mode.h"
#include "lantern/lifting.h"
#include "lantern/pushforward.h"
#include "support/diagnostic.h"

namespace lantern {

using namespace ir;

namespace {


std::vector<Operand> read(const std::vector<Variable*>& variables) {
  std::vector<Operand> operands;
  for (auto* variable : variables) operands.push_back(read(variable));
  return operands;
}

/// A function under construction.
struct Draft {
  Draft(Program& program, const std::string& name, const Function& of) : emit(program) {
    function = program.add_function(name, of.location);
    emit.location = of.location;
    emit.block = &function->body;
  }

  Variable* formal(const std::string& name, const Type& type) { return function->formals.emplace_back(emit.variable(name, type)); }
  void formals_of(const Function& other) {
    for (const auto* each : other.formals) formal(each->name, each->type);
  }
  std::vector<Variable*> bind(Node node, const std::vector<Type>& types) {
    std::vector<Variable*> results;
    for (const auto& type : types) results.push_back(emit.variable(ir::temporary, type));
    function->body.bindings.push_back({results, std::move(node), function->location});
    return results;
  }
  Function* give(std::vector<Operand> results) {
    for (const auto& result : results) function->results.push_back(result.type);
    function->result_type = function->results.size() == 1 ? function->results[0] : tuple_of(function->results);
    function->body.results = std::move(results);
    return function;
  }

  Function* function;
  DerivedOperations emit;
};

class Nesting {
 public:
  Nesting(Program& program, const Activity& activity)
      : program_(program), activity_(activity), tangents_(program), lifting_(program, tangents_, active_globals(program, activity)) {}

  bool run(bool last) {
    for (auto* function : activity_.differentiable) look_into(*function, true);
    if (!failures_.empty()) throw Failure(std::move(failures_));
    if (last && !found_.empty()) {
      throw Failure({.code = "LT0508", .location = found_[0].first->location, .message = "gradients are nested too deep here", .hint = "take fewer of them within each other"});
    }
    for (auto& [binding, callee] : found_) {
      auto operands = std::get<ValueAndGrad>(binding->node).operands;
      binding->node = Call{callee, std::move(operands)};
    }
    return changed_ || !found_.empty();
  }

 private:
  // What a differentiated function runs: `carries` says whether it is a function that carries adjoints itself.
  void look_into(const Function& function, bool carries) {
    if (!seen_.insert(&function).second) return;
    look_into(function.body, function, carries);
  }

  void look_into(const Block& block, const Function& within, bool carries) {
    for (const auto& binding : block.bindings) {
      for_each_block(binding.node, [&](const Block& nested) { look_into(nested, within, carries); });
      const auto* gradient = std::get_if<ValueAndGrad>(&binding.node);
      if (!gradient) {
        const auto& differentiable = activity_.differentiable;
        for (const auto* callee : callees_of(binding.node)) {
          look_into(*callee, std::find(differentiable.begin(), differentiable.end(), callee) != differentiable.end());
        }
        continue;
      }
      gradient = lift(const_cast<Binding&>(binding), *gradient);
      if (carries && activity_.carries_adjoint(binding)) {
        if (reaches(*gradient->callee, within)) throw endless(within);  // each order would need the next
        if (has_effect(*gradient->callee)) {
          refuse(binding, fmt::format("the gradient of '{}', which prints, draws or changes something and would do so twice", gradient->callee->name),
                 "use stop-gradient if none is wanted");
        } else if (const Variable* structure = without_tangent(gradient->wrt)) {
          refuse(binding, fmt::format("the gradient of '{}' with respect to '{}' of type {}", gradient->callee->name, structure->name, to_string(structure->type)),
                 "pass the numbers and arrays that it holds as arguments, or use stop-gradient if none is wanted");
        } else {
          found_.emplace_back(const_cast<Binding*>(&binding), with_derivative(*gradient));
        }
      }
    }
  }

  static bool reaches(const Function& from, const Function& to) {
    return any_block(from, [&](const Block& block) { return &block == &to.body; });
  }

  // There is one place where a parameter's gradient is summed, for the gradient around: this one has its value as an argument.
  const ValueAndGrad* lift(Binding& binding, const ValueAndGrad& gradient) {
    try {
      if (auto lifted = lifting_.gradient(gradient, binding.location)) {
        binding.node = std::move(*lifted);
        changed_ = true;
      }
    } catch (const Failure& failure) {
      failures_.insert(failures_.end(), failure.diagnostics.begin(), failure.diagnostics.end());
    }
    return &std::get<ValueAndGrad>(binding.node);
  }

  static std::vector<Variable*> active_globals(const Program& program, const Activity& activity) {
    std::vector<Variable*> active;
    for (const auto& global : program.globals) {
      if (activity.is_active(global.variable)) active.push_back(global.variable);
    }
    return active;
  }

  void refuse(const Binding& binding, const std::string& of, const std::string& hint) {
    failures_.push_back({.code = "LT0503", .location = binding.location, .message = fmt::format("no derivative is known for {}", of), .hint = hint});
  }

  Function* with_derivative(const ValueAndGrad& node) {
    auto& known = made_[{node.callee, node.wrt}];
    if (known) return known;
    const Function& of = *node.callee;
    std::vector<Type> types = of.results;
    for (const auto* wrt : node.wrt) types.push_back(wrt->type);

    Draft gradient(program_, of.name + "_gradient", of);
    gradient.formals_of(of);
    gradient.give(read(gradient.bind(ValueAndGrad{node.callee, node.wrt, read(gradient.function->formals)}, types)));

    Draft forward(program_, gradient.function->name + "_forward", of);
    forward.formals_of(of);
    auto results = read(forward.bind(Call{gradient.function, read(forward.function->formals)}, types));
    for (auto* formal : forward.function->formals) results.push_back(read(formal));
    forward.give(std::move(results));

    gradient.function->derivative = {forward.function, pullback(node, gradient.function->name, types), true};
    return known = gradient.function;
  }

  Function* pullback(const ValueAndGrad& node, const std::string& name, const std::vector<Type>& types) {
    const Function& of = *node.callee;
    const auto adjoints_in = [&](Draft& draft) {
      std::vector<Variable*> adjoints;
      for (std::size_t i = 0; i < types.size(); ++i) {
        adjoints.push_back(draft.formal(i == 0 ? "y_adj" : node.wrt[i - 1]->name + "_adj", types[i]));
      }
      return adjoints;
    };

    Draft sum(program_, of.name + "_adjoint", of);
    sum.formals_of(of);
    const auto adjoints = adjoints_in(sum);
    std::vector<bool> mask;
    Call along{nullptr, read(std::vector(sum.function->formals.begin(), sum.function->formals.begin() + static_cast<std::ptrdiff_t>(of.formals.size())))};
    for (const auto* formal : of.formals) {
      const auto wrt = std::find(node.wrt.begin(), node.wrt.end(), formal);
      mask.push_back(wrt != node.wrt.end());
      if (mask.back()) along.operands.push_back(read(adjoints[static_cast<std::size_t>(wrt - node.wrt.begin()) + 1]));
    }
    const auto both = tangents_.derived(*node.callee, mask);
    along.callee = both.function;
    const auto y = sum.bind(std::move(along), both.function->results);
    Operand total = sum.emit.operate("*", {read(y[0]), read(adjoints[0])});
    if (both.results[0]) total = sum.emit.operate("+", {total, read(y[1])});
    sum.give({total});

    Draft back(program_, name + "_pullback", of);
    back.formals_of(of);
    adjoints_in(back);
    ValueAndGrad whole{sum.function, {}, read(back.function->formals)};
    std::vector<Type> given = {total.type};
    for (std::size_t i = 0; i < of.formals.size(); ++i) {
      if (!carries_tangent(of.formals[i]->type)) continue;
      whole.wrt.push_back(sum.function->formals[i]);
      given.push_back(of.formals[i]->type);
    }
    auto results = read(back.bind(std::move(whole), given));
    results.erase(results.begin());
    return back.give(std::move(results));
  }

  Program& program_;
  const Activity& activity_;
  Tangents tangents_;
  Lifting lifting_;
  bool changed_ = false;
  std::set<const Function*> seen_;
  std::vector<std::pair<Binding*, Function*>> found_;
  std::map<std::pair<const Function*, std::vector<Variable*>>, Function*> made_;
  std::vector<Diagnostic> failures_;
};

}  // namespace

bool nest_gradients(Program& program, const Activity& activity, bool last) { return Nesting(program, activity).run(last); }

}  // namespace lantern
