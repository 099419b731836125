// Direct style: a function that returns. `if` assigns what its branches give, a loop's state is a variable, and a
// value-and-grad calls the differentiable form with a continuation that notes the value and starts the reverse sweep.
#include <fmt/format.h>

#include <algorithm>

#include "lantern/lowering.h"
#include "lantern/pullback.h"
#include "lantern/taken_memory.h"
#include "support/diagnostic.h"
#include "support/match.h"

namespace lantern {

using namespace lowered;

namespace {

/// Whether a call gives what is returned, and its results have no names of the user's.
bool returns_as_it_is(const ir::Binding& binding) {
  return std::holds_alternative<ir::Call>(binding.node) && !binding.results.empty() && std::all_of(binding.results.begin(), binding.results.end(), [&](const ir::Variable* v) {
           return ir::is_made_up(v->name) && (binding.results.size() == 1 || is_numeric(v->type));
         });
}

}  // namespace

bool takes_gradient(const ir::Node& node) {
  if (std::holds_alternative<ir::ValueAndGrad>(node)) return true;
  bool takes = false;
  for (const auto* callee : ir::callees_of(node)) takes = takes || takes_gradient(*callee);
  ir::for_each_block(node, [&](const ir::Block& block) {
    for (const auto& binding : block.bindings) takes = takes || takes_gradient(binding.node);
  });
  return takes;
}

ExprPtr FormBuilder::expr(const ir::Operand& operand) const {
  if (!operand.variable) return lowered::make(Constant{operand.literal}, operand.type);
  const auto found = inlined_.find(operand.variable);
  const ExprPtr read = found != inlined_.end() ? found->second
                                               : lowered::make(Read{operand.variable}, operand.variable->type, operand.variable->location);
  if ((!operand.present && form_ != Form::reverse) || read->present) return read;  // going forward it was there
  Expr present = *read;
  present.present = true;
  return std::make_shared<const Expr>(std::move(present));
}

std::vector<ExprPtr> FormBuilder::exprs(const std::vector<ir::Operand>& operands) const {
  std::vector<ExprPtr> all;
  for (const auto& operand : operands) all.push_back(expr(operand));
  return all;
}

ir::Variable* FormBuilder::fresh(const std::string& name, Type type) {
  return program_.add_variable({.name = name, .type = std::move(type)});
}

ExprPtr FormBuilder::value_of(const ir::Binding& binding) {
  const Type type = binding.results.empty() ? tuple_of({}) : binding.results[0]->type;
  const auto make_expr = [&](auto node) -> ExprPtr { return std::make_shared<const Expr>(Expr{std::move(node), type, binding.location, form_ == Form::reverse}); };
  return match(
      binding.node,
      [&](const ir::Operate& n) {
        Apply operation{n.op, exprs(n.operands), n.attributes, n.derived, n.unchecked};
        if (n.op->stands_for.empty()) return make_expr(std::move(operation));
        operation = std::get<Apply>(stood_for(*n.op, operation.operands)->node);
        operation.in_reverse = n.derived;
        return make_expr(std::move(operation));
      },
      [&](const ir::Call& n) {
        calls.emplace_back(n.callee, Form::direct);
        return make_expr(DirectCall{n.callee, exprs(n.operands)});
      },
      [&](const ir::Field& n) { return make_expr(FieldOf{expr(n.object), n.name}); },
      [&](const ir::IsNone& n) { return make_expr(NoneTest{expr(n.object)}); },
      [&](const ir::Make& n) { return make_expr(Construct{n.structure, exprs(n.fields)}); },
      [&](const ir::Copy& n) { return expr(n.value); },
      [&](const auto&) -> ExprPtr { bug("cps", "a statement is no value"); });
}

void FormBuilder::direct_block(const ir::Block& block, Statements& out) {
  for (std::size_t i = 0; i < block.bindings.size(); i = direct_bindings(block, i, out)) {}
}

// The last `if` of a function returns from its branches.
void FormBuilder::direct_returning(const ir::Block& block, Statements& out) {
  if (!block.bindings.empty() && !is_at_once(block, block.bindings.size() - 1)) {
    const auto& last = block.bindings.back();
    const auto* branch = std::get_if<ir::If>(&last.node);
    const bool passes_on = (branch || (returns_as_it_is(last) && !is_taped_call(last))) && last.results.size() == block.results.size() &&
                           std::equal(last.results.begin(), last.results.end(), block.results.begin(),
                                      [](const ir::Variable* result, const ir::Operand& o) { return o.variable == result; });
    if (passes_on) {
      for (std::size_t i = 0; i + 1 < block.bindings.size(); i = direct_bindings(block, i, out)) {}
      if (!branch) return out.push_back({Return{{value_of(last)}}, last.location});
      If statement{expr(branch->condition), {}, {}};
      returning_.push_back(&block);
      direct_returning(*branch->then, statement.then);
      direct_returning(*branch->otherwise, statement.otherwise);
      returning_.pop_back();
      out.push_back({std::move(statement), last.location});
      return;
    }
  }
  direct_block(block, out);
  if (block.raises) return;
  push_left(block, true, out);
  out.push_back({Return{exprs(block.results)}});
}

void FormBuilder::direct_assigning(const ir::Block& block, const std::vector<ir::Variable*>& targets, Statements& out) {
  direct_block(block, out);
  if (block.raises) return;
  push_left(block, false, out);
  if (targets.empty()) return;
  Assign assign;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    if (changed(targets[i])) continue;  // it is there already
    assign.variables.push_back(targets[i]);
    assign.values.push_back(expr(block.results[i]));
  }
  out.push_back({std::move(assign)});
}

void FormBuilder::direct_binding(const ir::Block& block, std::size_t index, Statements& out) {
  const ir::Binding& binding = block.bindings[index];
  const auto say = [&](auto node) { out.push_back({std::move(node), binding.location}); };
  const auto value = [&] {
    if (binding.results.empty()) {
      say(Do{value_of(binding)});
    } else {
      say(Let{binding.results, value_of(binding)});
    }
  };
  match(
      binding.node,
      [&](const ir::Operate&) {
        const ChangedArray* array = changed(binding.results.empty() ? nullptr : binding.results[0]);
        if (array) set_item(binding, *array, out);
        else value();
      },
      [&](const ir::Make&) { value(); },
      [&](const ir::Call& n) {
        if (is_taped_call(binding)) return forward_call(binding, out);
        // In a loop that will run backwards: what a gradient goes through is `forward`, wherever it is run.
        const bool own = form_ == Form::cps && n.callee->derivative && activity_.carries_adjoint(binding);
        if (own) own_forward(binding, n, out);
        else value();
      },
      [&](const ir::Copy& n) {
        // Another name for the same thing costs nothing; a conversion, or what may change later, is a value of its own.
        const bool alias = n.value.variable && n.value.variable->storage == ir::Storage::local &&
                           same_type(n.value.variable->type, binding.results[0]->type);
        if (alias) {
          inlined_[binding.results[0]] = expr(n.value);
        } else {
          value();
        }
      },
      [&](const ir::Field& n) {
        // A plain load is repeated; one that is checked is done once.
        const bool checked = (is(n.object.type, TypeKind::optional) && !n.object.present) ||
                             is(binding.results[0]->type, TypeKind::structure);
        if (checked || rank(binding.results[0]->type) > 0) {
          value();
        } else {
          inlined_[binding.results[0]] = value_of(binding);
        }
      },
      [&](const ir::IsNone&) { inlined_[binding.results[0]] = value_of(binding); },
      [&](const ir::If& n) {
        for (auto* result : binding.results) {
          if (!changed(result)) say(Declare{result});
        }
        If statement{expr(n.condition), {}, {}};
        direct_assigning(*n.then, binding.results, statement.then);
        direct_assigning(*n.otherwise, binding.results, statement.otherwise);
        say(std::move(statement));
      },
      [&](const ir::While&) { direct_loop(binding, out); }, [&](const ir::For&) { direct_loop(binding, out); },
      [&](const ir::Each& n) { say(LetEach{binding.results, n.turn, expr(n.turns), direct_turns(binding, n), calls_host(*n.body)}); },
      [&](const ir::ValueAndGrad&) { gradient(block, index, out); },
      [&](const ir::AddGradient& n) {
        CallThen call = adding_gradient(binding, n, out);
        std::vector<ExprPtr> values;
        for (std::size_t i = 0; i < binding.results.size(); ++i) {
          ir::Variable* value = call.parameters[i].variable = fresh(binding.results[i]->name, binding.results[i]->type);
          values.push_back(reading(value));
          say(Declare{binding.results[i]});
        }
        call.body.push_back({AssignAdjoints{{call.parameters[n.of].variable}, {expr(n.adjoint)}}});
        call.body.push_back({Assign{binding.results, values}});
        say(std::move(call));
      },
      [](const ir::Jvp&) { bug("direct form", "a jvp is left"); },
      [&](const ir::Update&) { update(block, index, out); },
      [&](const ir::Initialize& n) { say(Initialize{n.target, exprs(n.dims)}); },
      [&](const ir::Print& n) { say(Print{exprs(n.operands), n.is_line}); },
      [&](const ir::Assert& n) { say(Assert{expr(n.condition), n.message}); },
      [&](const ir::Raise& n) { say(Raise{n.kind, n.message, exprs(n.operands)}); });
}

// A loop's results are its state, which is a variable.
void FormBuilder::begin_state(const ir::Binding& binding, const std::vector<ir::Variable*>& state, const std::vector<ir::Operand>& initial, Statements& out) {
  for (std::size_t i = 0; i < state.size(); ++i) {
    const ChangedArray* array = changed(state[i]);
    if (array && array->variable != state[i]) continue;
    out.push_back({Declare{state[i], array ? copied(expr(initial[i])) : expr(initial[i])}, binding.location});
    inlined_[binding.results[i]] = reading(state[i]);
  }
}

// What one turn leaves in the arena is gone after it, but for the arrays of the state, unless a list of the state may point there. Whether
// the body needs the mark that it began with.
bool FormBuilder::forgets(const std::vector<ir::Variable*>& state, bool raises, bool leaves_something, Statements& body) {
  const bool numbers_only = std::all_of(state.begin(), state.end(), [](const ir::Variable* v) { return is_one_number(v->type); });
  const bool arrays_only = std::all_of(state.begin(), state.end(), [](const ir::Variable* v) { return is_numeric(v->type); });
  if (!arrays_only || !leaves_something) return false;
  auto* next = body.empty() || numbers_only ? nullptr : std::get_if<Assign>(&body.back().node);
  if (next) next->kept = true;
  if (numbers_only && !raises) body.push_back({ResetArena{}});
  return numbers_only || next;
}

template <class Loop>
void FormBuilder::direct_loop(const ir::Binding& binding, const Loop& loop, Statements& out) {
  begin_state(binding, loop.state, loop.initial, out);
  Statements test, body;
  ExprPtr condition;
  if (!is_true(*loop.test)) {
    direct_block(*loop.test, test);
    condition = expr(loop.test->results[0]);
  }
  direct_assigning(*loop.body, loop.state, body);
  const bool marks = !leaves_items(binding) && forgets(moving(loop.state), loop.body->raises, takes_memory(body), body);
  if constexpr (std::is_same_v<Loop, ir::For>) {
    For statement{loop.element, {}, nullptr, std::move(test), condition, std::move(body), marks};
    if (const auto* range = std::get_if<ir::Range>(&loop.sequence)) {
      statement.range = {expr(range->start), expr(range->stop), expr(range->step)};
    } else {
      statement.sequence = expr(std::get<ir::Operand>(loop.sequence));
    }
    out.push_back({std::move(statement), binding.location});
  } else {
    if (!condition) condition = lowered::make(Constant{true}, scalar(DType::boolean));
    out.push_back({While{std::move(test), condition, std::move(body), marks}, binding.location});
  }
}

void FormBuilder::direct_loop(const ir::Binding& binding, Statements& out) {
  if (const auto* iteration = std::get_if<ir::For>(&binding.node)) return direct_loop(binding, *iteration, out);
  direct_loop(binding, std::get<ir::While>(binding.node), out);
}

/// The call of an add-gradient, with the results for its continuation's parameters.
CallThen FormBuilder::adding_gradient(const ir::Binding& binding, const ir::AddGradient& n, Statements& out) {
  std::vector<std::pair<ir::Variable*, ir::Variable*>> gathered;  // nothing: no argument depends on a parameter
  CallThen call = call_then({n.callee, n.operands}, out, out, gathered);
  const auto& active = activity_.active_results.at(n.callee);
  for (std::size_t i = 0; i < binding.results.size(); ++i) call.parameters.push_back({binding.results[i], active[i]});
  return call;
}

// A parameter's gradient stays in the model, in whatever form is cheap, as long as nothing overwrites it before its last
// use; else a copy is taken at once.
void FormBuilder::gradient(const ir::Block& block, std::size_t index, Statements& out) {
  const ir::Binding& binding = block.bindings[index];
  const auto& node = std::get<ir::ValueAndGrad>(binding.node);
  if (form_ == Form::direct && inlined_functions_.contains(node.callee)) return inlined_gradient(binding, node, out);
  Gradient statement{node.callee, binding.results[0], {}, {}};
  std::map<const ir::Variable*, ir::Variable*> formal_adjoints;
  Statements copies;

  bool stays = true;
  std::set<const ir::Variable*> used_late;
  for (std::size_t i = index + 1; i < block.bindings.size(); ++i) {
    stays = stays && !takes_gradient(block.bindings[i].node);
    if (!stays) {
      for (const auto* operand : ir::operands_of(block.bindings[i].node)) used_late.insert(operand->variable);
    }
    ir::for_each_block(block.bindings[i].node, [&](const ir::Block& nested) {
      std::vector<const ir::Block*> pending = {&nested};
      while (!pending.empty()) {
        const auto* inner = pending.back();
        pending.pop_back();
        for (const auto& b : inner->bindings) {
          for (const auto* operand : ir::operands_of(b.node)) used_late.insert(operand->variable);
          ir::for_each_block(b.node, [&](const ir::Block& deeper) { pending.push_back(&deeper); });
        }
        for (const auto& operand : inner->results) used_late.insert(operand.variable);
      }
    });
  }
  for (const auto& operand : block.results) used_late.insert(operand.variable);

  for (std::size_t i = 0; i < node.wrt.size(); ++i) {
    ir::Variable* result = binding.results[i + 1];
    if (node.wrt[i]->storage == ir::Storage::local) {
      formal_adjoints[node.wrt[i]] = result;
      continue;
    }
    statement.parameters.push_back(node.wrt[i]);
    const ExprPtr in_model = lowered::make(GradientOf{node.wrt[i]}, node.wrt[i]->type);
    if (used_late.contains(result)) {
      copies.push_back({Let{{result}, in_model}, binding.location});
    } else {
      deferred_gradients_[result] = node.wrt[i];
      inlined_[result] = in_model;
    }
  }
  for (std::size_t i = 0; i < node.operands.size(); ++i) {
    auto* formal = node.callee->formals[i];
    Argument argument{expr(node.operands[i]), nullptr};
    const auto asked = formal_adjoints.find(formal);
    if (activity_.is_active(formal) || asked != formal_adjoints.end()) {
      // Its adjoint is a variable of its own, under the name of the gradient where one is asked for.
      auto* holder = program_.add_variable({.name = formal->name, .type = formal->type});
      out.push_back({Let{{holder}, argument.value}, binding.location});
      out.push_back({DeclareAdjoint{holder, nullptr, false}, binding.location});
      argument = {lowered::make(Read{holder}, holder->type), holder};
      if (asked != formal_adjoints.end()) inlined_[asked->second] = lowered::make(AdjointOf{holder}, holder->type);
      if (!activity_.is_active(formal)) argument.adjoint = nullptr;
    }
    statement.arguments.push_back(std::move(argument));
  }
  if (is_taped(*node.callee) && statement.parameters.empty() && form_called(statement, activity_) == Form::cps) {
    calls.insert(calls.end(), {{node.callee, Form::forward}, {node.callee, Form::reverse}});
    auto* tape = fresh("tape", tuple_of({}));
    std::vector<ExprPtr> operands;
    for (const auto& argument : statement.arguments) operands.push_back(argument.value);
    out.push_back({DeclareTape{tape}, binding.location});
    out.push_back({Forward{node.callee, {statement.value}, std::move(operands), tape}, binding.location});
    out.push_back({Reverse{node.callee, std::move(statement.arguments), {lowered::make(Constant{1.0}, statement.value->type)}, tape}, binding.location});
    return;
  }
  calls.emplace_back(node.callee, form_called(statement, activity_));
  out.push_back({std::move(statement), binding.location});
  for (auto& copy : copies) out.push_back(std::move(copy));
}

}  // namespace lantern
