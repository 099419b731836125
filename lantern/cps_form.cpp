// Continuation-passing style, segment by segment. A segment runs up to the first thing that carries an adjoint and
// does not return: a call, a branch, or the end. What it computed is differentiated behind that, in reverse:
//
//   const double y = l * r;             forward sweep
//   double y_adj = 0;
//   k(y, y_adj);                        the rest of the program, forwards and back
//   l_adj += y_adj * r;                 reverse sweep
//   r_adj += y_adj * l;
#include <fmt/format.h>

#include <algorithm>

#include "lantern/lowering.h"
#include "lantern/pullback.h"
#include "support/diagnostic.h"
#include "support/match.h"

namespace lantern {

using namespace lowered;

namespace {

void collect_uses(const ir::Block& block, std::size_t from, std::set<const ir::Variable*>& uses) {
  for (std::size_t i = from; i < block.bindings.size(); ++i) {
    for (const auto* operand : ir::operands_of(block.bindings[i].node)) uses.insert(operand->variable);
    ir::for_each_block(block.bindings[i].node, [&](const ir::Block& nested) { collect_uses(nested, 0, uses); });
  }
  for (const auto& operand : block.results) uses.insert(operand.variable);
}

bool touches_part_only(const ExprPtr& e) {
  const auto* apply = std::get_if<Apply>(&e->node);
  return apply && apply->op->accumulate_only;
}

/// The reverse sweep of one segment under construction.
class ReverseSweep {
 public:
  explicit ReverseSweep(Statements& out) : out_(out) {}

  void declared_before(const ir::Variable* variable) { declared_.insert(variable); }
  void defined_here(const ir::Variable* variable) { local_.insert(variable); }
  /// Whether the variable's adjoint is there before the reverse sweep.
  bool is_declared(const ir::Variable* variable) const { return declared_.contains(variable) || !local_.contains(variable); }
  bool has_adjoint(const ir::Variable* variable) const { return declared_.contains(variable) || first_.contains(variable); }

  void add(ir::Variable* variable, ExprPtr value, const Location& location) {
    if (!local_.contains(variable) || declared_.contains(variable)) {
      out_.push_back({Accumulate{variable, std::move(value)}, location});
      return;
    }
    const auto first = first_.find(variable);
    if (first != first_.end()) {
      std::get<DeclareAdjoint>(out_[first->second].node).constant = false;
      out_.push_back({Accumulate{variable, std::move(value)}, location});
      return;
    }
    const bool partial = touches_part_only(value);
    first_[variable] = out_.size();
    out_.push_back({DeclareAdjoint{variable, partial ? nullptr : value, !partial}, location});
    if (partial) out_.push_back({Accumulate{variable, std::move(value)}, location});
  }

 private:
  Statements& out_;
  std::set<const ir::Variable*> local_, declared_;
  std::map<const ir::Variable*, std::size_t> first_;
};

}  // namespace

// An operand on its way to a receiver that takes its adjoint. A parameter's adjoint is the model's gradient, which no
// receiver can add to: it gets an array of its own, gathered afterwards.
Argument FormBuilder::argument(const ir::Operand& operand, bool active, Statements& out,
                               std::vector<std::pair<ir::Variable*, ir::Variable*>>& gathered) {
  if (!active) return {expr(operand), nullptr};
  ir::Variable* variable = operand.variable;
  const bool passable = variable && variable->storage == ir::Storage::local && !inlined_.contains(variable);
  if (passable && activity_.is_active(variable)) return {expr(operand), variable};
  ir::Variable* holder = fresh(variable ? variable->name : "constant", operand.type);
  out.push_back({Let{{holder}, expr(operand)}});
  out.push_back({DeclareAdjoint{holder, nullptr, false}});
  if (variable && activity_.is_active(variable)) gathered.emplace_back(variable, holder);
  return {lowered::make(Read{holder}, holder->type), holder};
}

// A list that another one is made of may share its elements, and then their adjoints (operators.h).
ExprPtr FormBuilder::sharing_adjoint(const ir::Binding& binding, const std::function<bool(const ir::Variable*)>& is_declared) {
  const auto adjoint = [&](const ir::Operand& operand) -> ExprPtr {
    const bool declared = activity_.is_active(operand) && is_declared(operand.variable);
    return declared ? lowered::make(AdjointOf{operand.variable}, operand.variable->type) : nullptr;
  };
  if (const auto* copy = std::get_if<ir::Copy>(&binding.node)) return adjoint(copy->value);
  const auto& operate = std::get<ir::Operate>(binding.node);
  std::vector<ExprPtr> adjoints;
  for (const auto& operand : operate.operands) adjoints.push_back(adjoint(operand));
  return shared_adjoint(*operate.op, exprs(operate.operands), adjoints);
}

void FormBuilder::segment(const ir::Block& block, std::size_t from, const Target& target, Statements& out) {
  std::vector<const ir::Binding*> taped;
  std::size_t at = from;
  for (; at < block.bindings.size(); ++at) {
    const ir::Binding& binding = block.bindings[at];
    if (!activity_.carries_adjoint(binding)) {
      direct_binding(block, at, out);
      continue;
    }
    const bool leaves_segment = std::holds_alternative<ir::Call>(binding.node) || std::holds_alternative<ir::If>(binding.node);
    if (leaves_segment) break;
    if (!std::holds_alternative<ir::Operate>(binding.node) && !std::holds_alternative<ir::Copy>(binding.node)) {
      throw Failure({.code = "LT0504", .location = binding.location, .message = "a gradient through this loop is not supported",
                     .hint = "write it as a recursive function, or use stop-gradient if none is wanted"});
    }
    out.push_back({Let{binding.results, value_of(binding)}, binding.location});
    taped.push_back(&binding);
  }
  if (at == block.bindings.size() && block.raises) return;

  // Whatever the rest adds to needs its adjoint before the rest runs.
  std::set<const ir::Variable*> used_later;
  collect_uses(block, at, used_later);
  Statements reverse;
  ReverseSweep sweep(reverse);
  for (const auto* binding : taped) {
    ir::Variable* variable = binding->results[0];
    sweep.defined_here(variable);
    if (!used_later.contains(variable)) continue;
    const ExprPtr shared = is(variable->type, TypeKind::list) ? sharing_adjoint(*binding, [&](const ir::Variable* v) { return sweep.is_declared(v); }) : nullptr;
    out.push_back({DeclareAdjoint{variable, shared, false}});
    sweep.declared_before(variable);
  }

  Statements exit;
  std::vector<std::pair<ir::Variable*, ir::Variable*>> gathered;
  if (at == block.bindings.size()) {
    Resume resume{target.continuation, {}};
    for (std::size_t i = 0; i < block.results.size(); ++i) {
      resume.arguments.push_back(argument(block.results[i], target.parameters[i].active, out, gathered));
    }
    exit.push_back({std::move(resume)});
  } else if (const auto* call = std::get_if<ir::Call>(&block.bindings[at].node)) {
    const ir::Binding& binding = block.bindings[at];
    calls.emplace_back(call->callee, Form::cps);
    CallThen statement{call->callee, {}, {}, {}};
    for (std::size_t i = 0; i < call->operands.size(); ++i) {
      statement.arguments.push_back(argument(call->operands[i], activity_.is_active(call->callee->formals[i]), out, gathered));
    }
    const auto& active_results = activity_.active_results.at(call->callee);
    for (std::size_t i = 0; i < binding.results.size(); ++i) {
      statement.parameters.push_back({binding.results[i], active_results[i]});
    }
    segment(block, at + 1, target, statement.body);
    exit.push_back({std::move(statement), binding.location});
  } else {
    const ir::Binding& binding = block.bindings[at];
    const auto& branch = std::get<ir::If>(binding.node);
    const bool last = at + 1 == block.bindings.size() && binding.results.size() == block.results.size() &&
                      std::equal(binding.results.begin(), binding.results.end(), block.results.begin(),
                                 [](const ir::Variable* result, const ir::Operand& o) { return o.variable == result; });
    Target next = target;
    if (!last) {
      next = {joins_ == 0 ? "join" : fmt::format("join_{}", joins_ + 1), {}};
      ++joins_;
      Join join{next.continuation, {}, {}};
      for (auto* result : binding.results) next.parameters.push_back({result, activity_.is_active(result)});
      join.parameters = next.parameters;
      segment(block, at + 1, target, join.body);
      exit.push_back({std::move(join), binding.location});
    }
    If statement{expr(branch.condition), {}, {}};
    segment(*branch.then, 0, next, statement.then);
    segment(*branch.otherwise, 0, next, statement.otherwise);
    exit.push_back({std::move(statement), binding.location});
  }

  for (const auto& [variable, holder] : gathered) {
    sweep.add(variable, lowered::make(AdjointOf{holder}, holder->type), {});
  }
  for (auto binding = taped.rbegin(); binding != taped.rend(); ++binding) {
    ir::Variable* y = (*binding)->results[0];
    if (!sweep.has_adjoint(y)) continue;
    const ExprPtr y_adj = lowered::make(AdjointOf{y}, y->type);
    if (const auto* copy = std::get_if<ir::Copy>(&(*binding)->node)) {
      if (activity_.is_active(copy->value)) sweep.add(copy->value.variable, y_adj, (*binding)->location);
      continue;
    }
    const auto& operate = std::get<ir::Operate>((*binding)->node);
    std::vector<bool> wanted;
    for (const auto& operand : operate.operands) wanted.push_back(activity_.is_active(operand));
    const ExprPtr y_value = lowered::make(Read{y}, y->type);
    for (auto& contribution : pull_back(*operate.op, operate.attributes, exprs(operate.operands), y_value, y_adj, wanted)) {
      sweep.add(operate.operands[contribution.operand].variable, std::move(contribution.value), (*binding)->location);
    }
  }

  const bool tensors = std::any_of(reverse.begin(), reverse.end(), [](const Statement& s) {
    const auto* accumulate = std::get_if<Accumulate>(&s.node);
    const auto* declare = std::get_if<DeclareAdjoint>(&s.node);
    const Type type = (accumulate ? accumulate->variable : declare->variable)->type;
    return rank(type) > 0 || !is_numeric(type);
  });
  if (tensors) out.push_back({MarkArena{}});
  for (auto& statement : exit) out.push_back(std::move(statement));
  if (!reverse.empty()) out.push_back({Comment{"reverse sweep"}});
  if (tensors) out.push_back({ResetArena{}});
  for (auto& statement : reverse) out.push_back(std::move(statement));
}

lowered::Function FormBuilder::build(ir::Function& function) {
  function_ = &function;
  lowered::Function out{&function, form_, {}, {}, {}};
  for (auto* formal : function.formals) out.formals.push_back({formal, form_ == Form::cps && activity_.is_active(formal)});
  if (form_ == Form::direct) {
    direct_returning(function.body, out.body);
  } else {
    out.active_results = activity_.active_results.at(&function);
    Target target{"k", {}};
    for (std::size_t i = 0; i < function.results.size(); ++i) target.parameters.push_back({nullptr, out.active_results[i]});
    segment(function.body, 0, target, out.body);
  }
  return out;
}

}  // namespace lantern
