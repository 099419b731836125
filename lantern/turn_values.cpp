// Of the turn  h' = tanh(x @ w + h @ u)  the reverse sweep  h_adj * (1 - h' * h')  needs h' alone, which is the state behind the turn:
//
//   for (…) {                                    for (int64_t turn = n; turn-- > 0;) {
//     h_saved.push(h);                             const Matrix<float> h_2 = h;
//     const Matrix<float> h_2 = tanh(…);           h = h_saved.pop();
//     h = keep(mark, h_2);                         const Matrix<float> sum_adj = h_adj * (1.0f - h_2 * h_2);
//   }
//
// A product that it needs would be saved as h is, and what is as cheap as reading it back is computed anew.
#include "lantern/turn_values.h"

#include <algorithm>
#include <map>

#include "lantern/shape_sources.h"
#include "lantern/walk.h"

namespace lantern {

using namespace lowered;

namespace {

const ir::Variable* variable_read_by(const ExprPtr& e) {
  const auto* read = std::get_if<Read>(&e->node);
  return read ? read->variable : nullptr;
}

/// The one value that a step computes, if it does no more than that.
const Let* only_value(const Statements& step) {
  const auto* let = step.size() == 1 ? std::get_if<Let>(&step[0].node) : nullptr;
  return let && let->variables.size() == 1 && is_numeric(let->variables[0]->type) ? let : nullptr;
}

bool has_arrays(const Apply& apply) {
  return std::any_of(apply.operands.begin(), apply.operands.end(), [](const ExprPtr& e) { return !is_numeric(e->type) || rank(e->type) > 0; });
}

bool is_costly(const ExprPtr& value) {
  if (std::holds_alternative<DirectCall>(value->node)) return rank(value->type) > 0;
  const auto* apply = std::get_if<Apply>(&value->node);
  return apply && apply->op->costly && has_arrays(*apply);
}

/// Whether values of that type are looked at where others lie, and take no memory.
bool is_view(const ExprPtr& value) {
  const auto* apply = std::get_if<Apply>(&value->node);
  return !apply || apply->op->cheap_view || apply->op->name == "index" || apply->op->name == "transpose";
}

}  // namespace

Aspect aspect_of(const Apply& apply, std::size_t operand, const Type& result) {
  const auto name = apply.op->name;
  if (apply.op->accumulate_only) return operand + 1 == apply.operands.size() ? Aspect::none : Aspect::value;
  if (name == "cast-like") return operand == 1 ? Aspect::none : Aspect::value;
  if (!is_numeric(apply.operands[operand]->type)) return Aspect::value;
  if (name == "sum-to" || name == "like") return operand == 0 ? Aspect::value : rank(result) == 0 ? Aspect::none : Aspect::shape;
  if (name == "reshape-like" || name == "one-hot") return operand == 1 ? Aspect::shape : Aspect::value;
  if (name == "spread") return operand == 2 ? Aspect::shape : Aspect::value;
  const bool of_shape = name == "zeros-of" || name == "zeros-like" || name == "ones-like" || name == "shape" || name == "length" || name == "size";
  if (of_shape && operand == 0) return rank(apply.operands[0]->type) == 0 ? Aspect::none : Aspect::shape;
  return Aspect::value;
}

void Needs::add(const ExprPtr& e) {
  if (const auto* n = std::get_if<Read>(&e->node)) values.insert(n->variable);
  if (const auto* n = std::get_if<AdjointOf>(&e->node)) adjoints.insert(n->variable);
  const auto* apply = std::get_if<Apply>(&e->node);
  std::size_t position = 0;
  const auto outline = [&](const auto& self, const ExprPtr& operand) -> void {  // a shape of a sum is asked of what is added
    if (const auto* variable = variable_read_by(operand)) {
      shapes.insert(variable);
    } else if (const auto* inner = std::get_if<Apply>(&operand->node); inner && inner->op->elementwise) {
      for_each_operand(*operand, [&](const ExprPtr& part) { self(self, part); });
    } else {
      add(operand);
    }
  };
  for_each_operand(*e, [&](const ExprPtr& operand) {
    const Aspect aspect = apply ? aspect_of(*apply, position, e->type) : Aspect::value;
    if (aspect == Aspect::value) add(operand);
    if (aspect == Aspect::shape) outline(outline, operand);
    ++position;
  });
}

void Needs::add(Statements& statements) {
  for (auto& statement : statements) {
    for_each_expr(statement, [&](const ExprPtr& e) { add(e); });
    for_each_list(statement, [&](Statements& nested) { add(nested); });
    if (const auto* n = std::get_if<Accumulate>(&statement.node)) adjoints.insert(n->variable);
    if (const auto* n = std::get_if<AssignAdjoints>(&statement.node)) adjoints.insert(n->variables.begin(), n->variables.end());
    if (const auto* n = std::get_if<DeclareAdjoint>(&statement.node); n && !n->value) (is_numeric(n->variable->type) ? shapes : values).insert(n->variable);
    if (const auto* n = std::get_if<ClearItem>(&statement.node)) adjoints.insert(n->variable);
    if (const auto* n = std::get_if<Change>(&statement.node)) values.insert(n->history);
    if (const auto* n = std::get_if<Assign>(&statement.node)) values.insert(n->variables.begin(), n->variables.end());
    if (const auto* n = std::get_if<Save>(&statement.node)) values.insert(n->saved);
    for_each_saved(statement, [&](const ir::Variable* variable) { values.insert(variable); });
    if (const auto* n = std::get_if<Reverse>(&statement.node)) {
      for (const auto& argument : n->arguments) adjoints.insert(argument.adjoint);
    }
    if (const auto* n = std::get_if<Restore>(&statement.node)) values.insert({n->saved, n->variable});
  }
}

bool Needs::changes(const Statements& statements) const {
  return std::any_of(statements.begin(), statements.end(), [&](const Statement& s) {
    const auto* change = std::get_if<Change>(&s.node);
    bool does = change && values.contains(change->history);
    for_each_list(const_cast<Statement&>(s), [&](const Statements& list) { does = does || changes(list); });  // which are looked at only
    return does;
  });
}

bool Needs::need_values(const Statements& statements) const {
  return std::any_of(statements.begin(), statements.end(), [&](const Statement& s) { return need_value(s); });
}

bool Needs::need_value(const Statement& s) const {
  const auto mentioned = [&](const ir::Variable* v) { return values.contains(v) || shapes.contains(v); };
  if (const auto* n = std::get_if<Let>(&s.node)) return std::any_of(n->variables.begin(), n->variables.end(), mentioned);
  if (const auto* n = std::get_if<Forward>(&s.node)) return std::any_of(n->results.begin(), n->results.end(), mentioned);
  if (const auto* n = std::get_if<Declare>(&s.node)) return mentioned(n->variable);
  if (const auto* n = std::get_if<DeclareSaved>(&s.node)) return values.contains(n->saved);
  if (const auto* n = std::get_if<DeclareAdjoint>(&s.node)) return adjoints.contains(n->variable);
  return false;
}

void leave_out_unread(Statements& step) {
  for (bool any = true; any;) {
    Needs mentions;
    mentions.add(step);
    any = false;
    const auto leave_out = [&](const auto& self, Statements& list) -> void {
      any = std::erase_if(list, [&](const Statement& s) { return std::holds_alternative<Let>(s.node) && !mentions.need_value(s); }) > 0 || any;
      for (auto& statement : list) for_each_list(statement, [&](Statements& nested) { self(self, nested); });
    };
    for (auto& statement : step) for_each_list(statement, [&](Statements& nested) { leave_out(leave_out, nested); });
  }
}

bool TurnValues::keeps(const Statements& step, Needs& mentions) {
  const Let* let = only_value(step);
  if (!let || turn.raises) return false;
  ir::Variable* variable = let->variables[0];
  const bool array = rank(variable->type) > 0;
  for (std::size_t i = 0; array && i < turn.results.size(); ++i) {
    if (turn.results[i].variable != variable || !same_type(state[i]->type, variable->type)) continue;
    next.emplace_back(variable, state[i]);
    mentions.values.insert(state[i]);
    return true;
  }
  if (!mentions.values.contains(variable)) {
    if (!array || is_view(let->value)) return false;
    outlines.push_back(variable);
    return true;
  }
  if (is_costly(let->value)) saved.push_back(variable);
  return is_costly(let->value);
}

void ask_operands_for_shapes(Statements& sweep, const std::vector<Statements>& steps) {
  constexpr std::size_t most_parts = 8;
  Shapes shapes(most_parts);
  for (const auto& step : steps) {
    if (const Let* let = only_value(step)) shapes.note(*let);
  }
  for (auto& statement : sweep) {
    for_each_expr(statement, [&](ExprPtr& e) { e = shapes.asked_of_operands(e); });
  }
}

}  // namespace lantern
