// A recursion over numbers in two sweeps. Going forward, each block leaves on a tape, behind what its calls leave there, those of its values that
// the way back reads and that a call gave or take long to compute; going back, the block takes them off before its calls take theirs:
//
//   double f_forward(double x, Tape& tape) {         void f_reverse(double x, double& x_adj, double y_adj, Tape& tape) {
//     const double l = f_forward(x / 2, tape);         const double l = tape.pop<double>();
//     tape.push(l);                                    x_adj += y_adj * l;
//     return l * x;                                    double x1_adj = 0;
//   }                                                  f_reverse(x / 2, x1_adj, y_adj * x, tape);
//                                                      x_adj += x1_adj / 2;
//                                                    }
#include <algorithm>

#include "lantern/lowering.h"
#include "lantern/reverse_sweep.h"
#include "lantern/turn_values.h"
#include "lantern/walk.h"

namespace lantern {

using namespace lowered;

namespace {

bool takes_long(const ExprPtr& e) {
  const auto* apply = std::get_if<Apply>(&e->node);
  bool costly = std::holds_alternative<DirectCall>(e->node) || (apply && apply->op->costly);
  for_each_operand(*e, [&](const ExprPtr& operand) { costly = costly || takes_long(operand); });
  return costly;
}

/// Whether to compute it anew is no choice, or takes longer than to read it back.
bool takes_long(Statements& statements) {
  return std::any_of(statements.begin(), statements.end(), [](Statement& s) {
    bool costly = std::holds_alternative<Forward>(s.node);
    for_each_expr(s, [&](const ExprPtr& e) { costly = costly || takes_long(e); });
    for_each_list(s, [&](Statements& nested) { costly = costly || takes_long(nested); });
    return costly;
  });
}

bool touches_tape(Statement& s) {
  bool touches = std::holds_alternative<Forward>(s.node) || std::holds_alternative<Push>(s.node);
  for_each_list(s, [&](Statements& nested) { touches = touches || std::any_of(nested.begin(), nested.end(), touches_tape); });
  return touches;
}

bool makes_one_of(const std::set<const ir::Variable*>& variables, const Statement& s) {
  const auto* let = std::get_if<Let>(&s.node);
  const auto* branch = std::get_if<If>(&s.node);  // which assigns what is declared in front of it
  return branch || (let && std::any_of(let->variables.begin(), let->variables.end(), [&](const ir::Variable* v) { return variables.contains(v); }));
}

}  // namespace

bool FormBuilder::is_taped(const ir::Function& function) const { return taped_.contains(&function); }

bool FormBuilder::is_taped_call(const ir::Binding& binding) const {
  const auto* call = std::get_if<ir::Call>(&binding.node);
  return call && form_ != Form::direct && is_taped(*call->callee) && activity_.carries_adjoint(binding);
}

/// Either form of a function that has them.
void FormBuilder::sweep_of(ir::Function& function, lowered::Function& out) {
  out.tape = tape_ = fresh("tape", tuple_of({}));
  if (form_ == Form::forward) {
    FormBuilder back(program_, activity_, Form::reverse, taped_, inlined_functions_);
    back.build(function);
    left_ = std::move(back.left_);
    return direct_returning(function.body, out.body);
  }
  ReverseSweep sweep;
  std::vector<ir::Variable*> results;
  for (std::size_t i = 0; i < function.results.size(); ++i) {
    results.push_back(activity_.active_results.at(&function)[i] ? fresh("y", function.results[i]) : nullptr);
    if (results.back()) out.results.push_back(results.back());
  }
  out.body = reverse_with_tape(function.body, results, sweep);
}

Statements FormBuilder::reverse_with_tape(const ir::Block& block, const std::vector<ir::Variable*>& adjoints, ReverseSweep& sweep) {
  std::vector<ir::Variable*> left;
  const auto leaves = [&](Statements& step, const Needs& mentions) {
    if (!takes_long(step)) return false;
    const auto leave = [&](ir::Variable* variable) {
      if (mentions.values.contains(variable)) left.push_back(variable);
    };
    for (auto& statement : step) {
      if (const auto* n = std::get_if<Let>(&statement.node)) std::for_each(n->variables.begin(), n->variables.end(), leave);
      if (const auto* n = std::get_if<Forward>(&statement.node)) std::for_each(n->results.begin(), n->results.end(), leave);
      if (const auto* n = std::get_if<Declare>(&statement.node)) leave(n->variable);
    }
    return true;
  };
  Statements all = reverse_block(block, adjoints, sweep, [] {}, leaves);
  if (left.empty()) return all;
  std::reverse(left.begin(), left.end());
  all.insert(all.begin(), Statement{Pop{tape_, left}});
  left_[&block] = std::move(left);
  return all;
}

/// What a block leaves, and those around it that return with it: behind what its calls leave, as soon as it is there.
void FormBuilder::push_left(const ir::Block& block, bool returns, Statements& out) {
  Statements pushes;
  std::set<const ir::Variable*> pushed;
  const auto push = [&](const ir::Block* of) {
    const auto left = left_.find(of);
    if (left == left_.end()) return;
    pushed.insert(left->second.begin(), left->second.end());
    pushes.push_back({Push{tape_, left->second}});
  };
  push(&block);
  if (returns) std::for_each(returning_.rbegin(), returning_.rend(), push);
  auto place = out.end();
  while (place != out.begin() && !touches_tape(*(place - 1)) && !makes_one_of(pushed, *(place - 1))) --place;
  out.insert(place, pushes.begin(), pushes.end());
}

void FormBuilder::forward_call(const ir::Binding& binding, Statements& out) {
  const auto& call = std::get<ir::Call>(binding.node);
  calls.emplace_back(call.callee, Form::forward);
  ir::Variable* tape = tape_;
  if (form_ == Form::cps) {
    tape = tapes_[&binding] = fresh("tape", tuple_of({}));
    out.push_back({DeclareTape{tape}, binding.location});
  }
  out.push_back({Forward{call.callee, binding.results, exprs(call.operands), tape}, binding.location});
}

void FormBuilder::reverse_call(const ir::Binding& binding, ReverseSweep& sweep) {
  const auto& call = std::get<ir::Call>(binding.node);
  calls.emplace_back(call.callee, Form::reverse);
  Reverse statement{call.callee, {}, {}, form_ == Form::cps ? tapes_.at(&binding) : tape_};
  std::vector<std::pair<ir::Variable*, ir::Variable*>> gathered;
  for (std::size_t i = 0; i < call.operands.size(); ++i) {
    const auto* formal = call.callee->formals[i];
    statement.arguments.push_back(argument(call.operands[i], activity_.is_active(formal), formal->type, sweep.statements, sweep.statements, gathered));
    if (activity_.is_active(formal) && activity_.is_active(call.operands[i])) sweep.require(statement.arguments.back().adjoint);
  }
  const auto& active = activity_.active_results.at(call.callee);
  for (std::size_t i = 0; i < active.size(); ++i) {
    if (!active[i]) continue;
    ir::Variable* result = binding.results[i];
    const bool has_one = activity_.is_active(result) && sweep.has_adjoint(result);
    statement.adjoints.push_back(has_one ? adjoint_of(result) : lowered::make(Constant{0.0}, result->type));  // what it left is taken off the tape, too
  }
  sweep.statements.push_back({std::move(statement), binding.location});
  for (const auto& [variable, holder] : gathered) add(sweep, variable, adjoint_of(holder), binding.location);
}

}  // namespace lantern
