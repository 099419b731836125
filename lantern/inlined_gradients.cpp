#include "lantern/inlined_gradients.h"

#include <algorithm>
#include <map>
#include <utility>

#include "lantern/lowering.h"
#include "lantern/origins.h"
#include "lantern/reverse_sweep.h"

namespace lantern {

using namespace lowered;

namespace {

/// Whether a parameter's gradient is asked for: that is the model's, though nothing may depend on it.
bool asks_of_model(const ir::ValueAndGrad& gradient) {
  return std::ranges::any_of(gradient.wrt, [](const ir::Variable* asked) { return asked->storage != ir::Storage::local; });
}

class InlinedGradients {
 public:
  InlinedGradients(const ir::Program& program, const Activity& activity, const std::set<const ir::Function*>& taped) : program_(program), activity_(activity), taped_(taped) {
    if (program.differentiable_entry) others_.insert(program.differentiable_entry);
    for (const auto& function : program.functions) count(function.body);
  }

  std::set<const ir::Function*> find() {
    std::set<const ir::Function*> found;
    for (const auto& function : program_.functions) {
      if (is_once(gradients_, function) && !calls_.contains(&function) && function.results.size() == 1 && runs_through(function)) reach(function, found);
    }
    return found;
  }

 private:
  using Counts = std::map<const ir::Function*, int>;

  void count(const ir::Block& block) {
    for (const auto& binding : block.bindings) {
      const auto* gradient = std::get_if<ir::ValueAndGrad>(&binding.node);
      const auto* call = std::get_if<ir::Call>(&binding.node);
      if (gradient && !gradient->in_parts && !asks_of_model(*gradient)) ++gradients_[gradient->callee];
      else if (call && activity_.carries_adjoint(binding)) ++calls_[call->callee];
      else if (!call) {
        for (const auto* callee : ir::callees_of(binding.node)) others_.insert(callee);
      }
      ir::for_each_block(binding.node, [&](const ir::Block& nested) { count(nested); });
    }
  }

  bool is_once(const Counts& counts, const ir::Function& function) const {
    const auto found = counts.find(&function);
    return found != counts.end() && found->second == 1 && !others_.contains(&function);
  }
  /// Whether it is called, with its adjoint, in one place, and no gradient of it is taken.
  bool is_called_once(const ir::Function& function) const { return is_once(calls_, function) && !gradients_.contains(&function); }

  bool runs_through(const ir::Function& function) const {
    const auto active = activity_.active_results.find(&function);
    if (active == activity_.active_results.end() || function.derivative || taped_.contains(&function) || function.body.raises) return false;
    if (function.results.size() == 1 && !active->second[0]) return false;
    return !adds_to_model(function.body) && std::ranges::all_of(function.body.bindings, [&](const ir::Binding& binding) {
      if (!activity_.carries_adjoint(binding)) return true;
      const auto* call = std::get_if<ir::Call>(&binding.node);
      if (call) return binding.at_once <= 1 && (call->callee->derivative || taped_.contains(call->callee) || (is_called_once(*call->callee) && runs_through(*call->callee)));
      return binding.at_once <= 1 && !std::holds_alternative<ir::If>(binding.node) && !std::holds_alternative<ir::Each>(binding.node);
    });
  }

  bool adds_to_model(const ir::Block& block) const {
    const auto is_parameter = [&](const ir::Operand& o) { return o.variable && o.variable->storage != ir::Storage::local && activity_.is_active(o.variable); };
    bool adds = std::ranges::any_of(block.results, is_parameter);
    for (const auto& binding : block.bindings) {
      for (const auto* operand : ir::operands_of(binding.node)) adds = adds || is_parameter(*operand);
      ir::for_each_block(binding.node, [&](const ir::Block& nested) { adds = adds || adds_to_model(nested); });
    }
    return adds;
  }

  void reach(const ir::Function& function, std::set<const ir::Function*>& found) const {
    found.insert(&function);
    for (const auto& binding : function.body.bindings) {
      const auto* call = std::get_if<ir::Call>(&binding.node);
      if (call && activity_.carries_adjoint(binding) && !call->callee->derivative && !taped_.contains(call->callee)) reach(*call->callee, found);
    }
  }

  const ir::Program& program_;
  const Activity& activity_;
  const std::set<const ir::Function*>& taped_;
  Counts gradients_, calls_;  // calls that carry an adjoint
  std::set<const ir::Function*> others_;
};

/// The gradients that are asked for may be changed where they are: none is a view of a value, or of what another is a view of, too. An adjoint that is not
/// constant gets elements of its own.
void leave_apart(Statements& sweep, const std::vector<ir::Variable*>& wrt) {
  std::map<const ir::Variable*, DeclareAdjoint*> declared;
  for (auto& statement : sweep) {
    if (auto* n = std::get_if<DeclareAdjoint>(&statement.node)) declared.emplace(n->variable, n);
  }
  std::set<const ir::Variable*> taken(wrt.begin(), wrt.end());
  for (const auto* formal : wrt) {
    const auto own = declared.find(formal);
    if (own == declared.end() || rank(formal->type) == 0) continue;
    for (auto at = own; at != declared.end() && at->second->constant && at->second->value && may_be_view(at->second->value);) {
      ExprPtr base = at->second->value;
      for (auto* apply = std::get_if<Apply>(&base->node); apply; apply = std::get_if<Apply>(&base->node)) base = ExprPtr(apply->operands[0]);
      const auto* adjoint = std::get_if<AdjointOf>(&base->node);
      if (!adjoint || !taken.insert(adjoint->variable).second) {
        own->second->constant = false;
        break;
      }
      at = declared.find(adjoint->variable);
    }
  }
}

}  // namespace

std::set<const ir::Function*> inlined_gradients(const ir::Program& program, const Activity& activity, const std::set<const ir::Function*>& taped) {
  return InlinedGradients(program, activity, taped).find();
}

// In direct style, where the gradient is asked for.
void FormBuilder::inlined_gradient(const ir::Binding& binding, const ir::ValueAndGrad& node, Statements& out) {
  const ir::Function& callee = *node.callee;
  const Form around = std::exchange(form_, Form::cps);
  if (callee.location.known()) out.push_back({Comment{heading_of(callee)}, callee.location});
  ReverseSweep sweep;
  std::vector<const ir::Binding*> taped;
  for (std::size_t i = 0; i < callee.formals.size(); ++i) {
    ir::Variable* formal = callee.formals[i];
    if (!activity_.is_active(formal) && std::ranges::find(node.wrt, formal) == node.wrt.end()) {
      bind(formal, node.operands[i], binding.location, sweep, taped, out);
      continue;
    }
    out.push_back({Let{{formal}, expr(node.operands[i])}, binding.location});
    if (is_numeric(formal->type)) sweep.defined_here(formal);
    else if (activity_.is_active(formal)) out.push_back({DeclareAdjoint{formal, nullptr, false}, binding.location});
  }
  inlined_block(callee.body, sweep, taped, out);
  const ir::Operand& result = callee.body.results[0];
  out.push_back({Let{{binding.results[0]}, expr(result)}, binding.location});
  if (activity_.is_active(result)) add(sweep, result.variable, lowered::make(Constant{1.0}, result.variable->type), binding.location);
  for (auto each = taped.rbegin(); each != taped.rend(); ++each) pull_back(**each, sweep);
  for (std::size_t i = 0; i < node.wrt.size(); ++i) {
    ir::Variable* formal = node.wrt[i];
    inlined_[binding.results[i + 1]] = adjoint_of(formal);
    const bool is_there = is_numeric(formal->type) ? sweep.has_adjoint(formal) : activity_.is_active(formal);
    if (!is_there) sweep.statements.push_back({DeclareAdjoint{formal, nullptr, false}, binding.location});
  }
  leave_apart(sweep.statements, node.wrt);
  out.push_back({Comment{"reverse sweep", Sweep::begins}});
  for (auto& statement : sweep.statements) out.push_back(std::move(statement));
  out.push_back({Comment{"end of the sweep", Sweep::ends}});
  form_ = around;
}

/// taped: what carries an adjoint, in order.
void FormBuilder::inlined_block(const ir::Block& block, ReverseSweep& sweep, std::vector<const ir::Binding*>& taped, Statements& out) {
  for (std::size_t i = 0; i < block.bindings.size();) {
    const ir::Binding& binding = block.bindings[i];
    if (!activity_.carries_adjoint(binding)) {
      i = direct_bindings(block, i, out);
      continue;
    }
    ++i;
    const auto* call = std::get_if<ir::Call>(&binding.node);
    if (call && inlined_functions_.contains(call->callee)) {
      const ir::Function& callee = *call->callee;
      if (callee.location.known()) out.push_back({Comment{heading_of(callee)}, callee.location});
      for (std::size_t f = 0; f < callee.formals.size(); ++f) bind(callee.formals[f], call->operands[f], binding.location, sweep, taped, out);
      inlined_block(callee.body, sweep, taped, out);
      for (std::size_t r = 0; r < binding.results.size(); ++r) bind(binding.results[r], callee.body.results[r], binding.location, sweep, taped, out);
    } else {
      taped_binding(binding, sweep, out);
      taped.push_back(&binding);
    }
  }
}

/// Another variable for what an operand gives: it has a name and an adjoint of its own, unless the operand has them.
void FormBuilder::bind(ir::Variable* variable, const ir::Operand& operand, const Location& location, ReverseSweep& sweep, std::vector<const ir::Binding*>& taped, Statements& out) {
  const bool is_local = operand.variable && operand.variable->storage == ir::Storage::local && same_type(operand.variable->type, variable->type);
  const bool is_named = is_local && (ir::is_made_up(variable->name) || !ir::is_made_up(operand.variable->name));
  if (is_named && activity_.is_active(variable) == activity_.is_active(operand)) {
    inlined_[variable] = expr(operand);
    if (activity_.is_active(variable)) held_[variable] = held(operand.variable);
    return;
  }
  copies_.push_back({{variable}, ir::Copy{operand}, location});
  const ir::Binding& copy = copies_.back();
  if (!activity_.carries_adjoint(copy)) {
    out.push_back({Let{copy.results, expr(operand)}, location});
    return;
  }
  taped_binding(copy, sweep, out);
  taped.push_back(&copy);
}

}  // namespace lantern
