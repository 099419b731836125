// m' = 0.9 m + 0.1 g; v' = 0.999 v + 0.001 g²; p' = p - size m' / (factor √v' + 1e-8)
//   where g is zero: m' = 0.9 m; v' = 0.999 v; p' = p - size 0.9 m / (factor √(0.999 v) + 1e-8)
// That is AtRest. A step along g alone leaves an entry as it is; one that decays weights is of another form, and goes through all.
#include "lantern/deferred_steps.h"

#include <algorithm>
#include <map>
#include <set>

#include "lantern/walk.h"
#include "lantern/zero_gradient.h"

namespace lantern {

using namespace lowered;

namespace {

const Apply* operation(const ExprPtr& e, std::string_view op) {
  const auto* apply = e ? std::get_if<Apply>(&e->node) : nullptr;
  return apply && apply->op->name == op ? apply : nullptr;
}
bool reads(const ExprPtr& e, const ir::Variable* variable) {
  const auto* read = std::get_if<Read>(&e->node);
  return read && read->variable == variable;
}
bool is_number(const ExprPtr& e) { return rank(e->type) == 0; }

/// The number that `product` multiplies `array` by; null: that is not what it is.
template <class IsArray>
ExprPtr factor_of(const Apply* product, const IsArray& is_array) {
  if (!product) return nullptr;
  const ExprPtr &a = product->operands[0], &b = product->operands[1];
  return is_number(a) && is_array(b) ? a : is_number(b) && is_array(a) ? b : nullptr;
}

/// constant · target, where the gradient is zero.
ExprPtr decay_of(const ExprPtr& value, const ir::Variable* target) {
  const ExprPtr factor = factor_of(operation(value, "*"), [&](const ExprPtr& e) { return reads(e, target); });
  return factor && std::holds_alternative<Constant>(factor->node) ? factor : nullptr;
}

/// What a step of (value, mean, square) does where its gradient is zero, if it is Adam.
std::optional<AtRest> at_rest(const Step& step) {
  if (step.targets.size() != 3 || step.targets[0] != step.gradient || step.unless || rank(step.gradient->type) < 2) return {};
  ZeroGradient zero;
  const ExprPtr value = zero.of(step.values[0]), mean = zero.of(step.values[1]), square = zero.of(step.values[2]);
  const auto* moved = operation(value, "-");
  const auto* quotient = moved && reads(moved->operands[0], step.targets[0]) ? operation(moved->operands[1], "/") : nullptr;
  const auto* divisor = quotient ? operation(quotient->operands[1], "+") : nullptr;
  if (!divisor || !std::holds_alternative<Constant>(divisor->operands[1]->node)) return {};
  AtRest rest;
  rest.beta1 = decay_of(mean, step.targets[1]);
  rest.beta2 = decay_of(square, step.targets[2]);
  rest.epsilon = divisor->operands[1];
  rest.size = factor_of(operation(quotient->operands[0], "*"), [&](const ExprPtr& e) { return e == mean; });
  rest.factor = factor_of(operation(divisor->operands[0], "*"), [&](const ExprPtr& e) {
    const auto* root = operation(e, "sqrt");
    return root && root->operands[0] == square;
  });
  if (rest.beta1 && rest.beta2 && rest.size && rest.factor) return rest;
  return {};
}

bool same_constant(const ExprPtr& a, const ExprPtr& b) {
  const auto *x = std::get_if<double>(&std::get<Constant>(a->node).value), *y = std::get_if<double>(&std::get<Constant>(b->node).value);
  return x && y && *x == *y;
}

bool of_one_kind(const Step& a, const Step& b) {
  return a.targets == b.targets && same_constant(a.at_rest->beta1, b.at_rest->beta1) && same_constant(a.at_rest->beta2, b.at_rest->beta2) &&
         same_constant(a.at_rest->epsilon, b.at_rest->epsilon);
}

struct Survey {
  std::map<const ir::Variable*, std::vector<Step*>> steps;  // that may be put off, of each parameter
  std::set<const ir::Variable*> read_by_rows;
  std::set<const ir::Function*> called;
  bool calls_python = false;                                // which may read any array

  void expression(const ExprPtr& e) {
    if (const auto* call = std::get_if<DirectCall>(&e->node)) called.insert(call->callee);
    const auto* gather = operation(e, "gather");
    if (const auto* table = gather ? std::get_if<Read>(&gather->operands[0]->node) : nullptr) read_by_rows.insert(table->variable);
    calls_python = calls_python || operation(e, "py-function");
    for_each_operand(*e, [&](const ExprPtr& operand) { expression(operand); });
  }
  void statements(Statements& list) {
    for (auto& statement : list) {
      for_each_expr(statement, [&](const ExprPtr& e) { expression(e); });
      for_each_list(statement, [&](Statements& nested) { statements(nested); });
      if (const auto* call = std::get_if<CallThen>(&statement.node)) called.insert(call->callee);
      if (const auto* gradient = std::get_if<Gradient>(&statement.node)) called.insert(gradient->callee);
      auto* step = std::get_if<Step>(&statement.node);
      if (step && (step->at_rest = at_rest(*step))) steps[step->gradient].push_back(step);
    }
  }
};

/// Of an entry, what it sets before anything that calls, repeats or takes a step.
void mark_beginning(Statements& body) {
  for (auto& statement : body) {
    bool goes_on = !std::holds_alternative<Step>(statement.node) && !std::holds_alternative<CallThen>(statement.node) && !std::holds_alternative<Gradient>(statement.node);
    for_each_list(statement, [&](Statements&) { goes_on = false; });
    Survey survey;
    for_each_expr(statement, [&](const ExprPtr& e) { survey.expression(e); });
    if (!goes_on || !survey.called.empty()) return;
    if (auto* start = std::get_if<Initialize>(&statement.node)) start->at_beginning = true;
    if (auto* store = std::get_if<Store>(&statement.node)) store->at_beginning = true;
  }
}

}  // namespace

void defer_steps(Program& program) {
  Survey survey;
  for (auto& function : program.functions) survey.statements(function.body);
  for (auto& [table, steps] : survey.steps) {
    bool defers = survey.read_by_rows.contains(table) && !survey.calls_python;
    for (const auto* step : steps) defers = defers && of_one_kind(*step, *steps[0]);
    for (auto* step : steps) {
      if (!defers) step->at_rest.reset();
      else for (const auto* array : step->targets) program.deferred[array] = table;
    }
  }
  if (program.deferred.empty()) return;
  for (auto& function : program.functions) {
    const auto& exports = program.source->exports;
    const bool is_entry = std::any_of(exports.begin(), exports.end(), [&](const ir::Export& exported) { return exported.function == function.source; });
    if (is_entry && function.form == Form::direct && !survey.called.contains(function.source)) mark_beginning(function.body);
  }
}

}  // namespace lantern
