// A call of a function with a derivative of its own carries an adjoint as an operation does: forwards where it stands, backwards in
// the reverse sweep.
//
//   std::tie(y, saved) = f_forward(x);         forward sweep
//   x_by_f = f_backward(saved, y_adj);
//   x_adj += x_by_f;                           reverse sweep
#include <algorithm>

#include "lantern/lowering.h"
#include "lantern/pullback.h"
#include "lantern/reverse_sweep.h"
#include "lantern/varied.h"

namespace lantern {

using namespace lowered;

namespace {

// What a user's function gives for an adjoint is one if it has the shape: it would be stretched.
ExprPtr checked_adjoint(ir::Variable* adjoint, ir::Variable* of, const Location& location) {
  return lowered::make(Apply{operators_named("adjoint-of")[0], {reading(adjoint), reading(of)}}, of->type, location);
}

}  // namespace

void FormBuilder::own_forward(const ir::Binding& binding, const ir::Call& call, Statements& out) {
  ir::Function* forward = call.callee->derivative.forward;
  calls.emplace_back(forward, Form::direct);
  std::vector<ir::Variable*> results = binding.results, saved;
  for (std::size_t i = results.size(); i < forward->results.size(); ++i) saved.push_back(fresh("saved", forward->results[i]));
  results.insert(results.end(), saved.begin(), saved.end());
  out.push_back({Let{std::move(results), lowered::make(DirectCall{forward, exprs(call.operands)}, forward->result_type, binding.location)}, binding.location});
  saved_[&binding] = std::move(saved);  // a turn that runs backwards runs it anew: of the last one
}

void FormBuilder::own_backward(const ir::Binding& binding, const ir::Call& call, ReverseSweep& sweep) {
  const auto has_adjoint = [&](ir::Variable* result) { return activity_.is_active(result) && sweep.has_adjoint(result); };
  if (std::none_of(binding.results.begin(), binding.results.end(), has_adjoint)) return;
  ir::Function* backward = call.callee->derivative.backward;
  calls.emplace_back(backward, Form::direct);
  DirectCall back{backward, {}};
  for (auto* saved : saved_.at(&binding)) back.operands.push_back(reading(saved));
  for (auto* result : binding.results) {
    if (!carries_tangent(result->type)) continue;
    back.operands.push_back(has_adjoint(result) ? lowered::make(AdjointOf{result}, result->type) : zeros_of(reading(result)));
  }
  std::vector<ir::Variable*> given;
  std::vector<std::pair<ir::Variable*, ir::Variable*>> of_operands;
  for (std::size_t i = 0; i < call.operands.size(); ++i) {
    const auto* formal = call.callee->formals[i];
    if (!carries_tangent(formal->type)) continue;
    given.push_back(fresh(formal->name + "_by_" + call.callee->name, backward->results[given.size()]));
    if (activity_.is_active(call.operands[i])) of_operands.emplace_back(call.operands[i].variable, given.back());
  }
  sweep.statements.push_back({Let{std::move(given), lowered::make(std::move(back), backward->result_type, binding.location)}, binding.location});
  for (const auto& [operand, adjoint] : of_operands) {
    const bool number = is_one_number(operand->type);
    const bool fits = call.callee->derivative.exact || number || (is_numeric(operand->type) && certainly_same_shape(operand->type, adjoint->type));
    add(sweep, operand, fits ? reading(adjoint) : checked_adjoint(adjoint, operand, binding.location), binding.location);
  }
}

}  // namespace lantern
