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
#include "lantern/reverse_sweep.h"
#include "lantern/taken_memory.h"
#include "lantern/walk.h"
#include "support/diagnostic.h"
#include "support/match.h"

namespace lantern {

using namespace lowered;
using ir::has_adjoint_by_reference;

namespace {

void collect_uses(const ir::Block& block, std::size_t from, std::set<const ir::Variable*>& uses) {
  for (std::size_t i = from; i < block.bindings.size(); ++i) {
    for (const auto* operand : ir::operands_of(block.bindings[i].node)) uses.insert(operand->variable);
    ir::for_each_block(block.bindings[i].node, [&](const ir::Block& nested) { collect_uses(nested, 0, uses); });
  }
  for (const auto& operand : block.results) uses.insert(operand.variable);
}

struct Adjoints {
  std::set<const ir::Variable*> own, added_to;
};

void collect(Statements& statements, Adjoints& adjoints) {
  const auto own = [&](const std::vector<Parameter>& parameters) {
    for (const auto& parameter : parameters) adjoints.own.insert(parameter.variable);
  };
  const auto hand_on = [&](const std::vector<Argument>& arguments) {
    for (const auto& argument : arguments) {
      if (argument.adjoint) adjoints.added_to.insert(argument.adjoint);
    }
  };
  for (auto& statement : statements) {
    for_each_list(statement, [&](Statements& nested) { collect(nested, adjoints); });
    match(
        statement.node,
        [&](const DeclareAdjoint& n) {
          adjoints.own.insert(n.variable);
          const auto* part = n.value && rank(n.value->type) > 0 ? std::get_if<Apply>(&n.value->node) : nullptr;
          const auto* whole = part && part->op->name == "index" ? std::get_if<AdjointOf>(&part->operands[0]->node) : nullptr;
          if (whole) adjoints.added_to.insert(whole->variable);  // which it may be a part of
        },
         [&](const CallThen& n) { hand_on(n.arguments), own(n.parameters); },
        [&](const Together& n) { own(n.parameters); }, [&](const Each& n) { own(n.parameters); }, [&](const Join& n) { own(n.parameters); },
        [&](const Resume& n) { hand_on(n.arguments); }, [&](const Reverse& n) { hand_on(n.arguments); },
        [&](const Accumulate& n) {
          if (n.variable->storage == ir::Storage::local) adjoints.added_to.insert(n.variable);
        },
        [&](const AssignAdjoints& n) { adjoints.added_to.insert(n.variables.begin(), n.variables.end()); },
        [&](const ClearItem& n) { adjoints.added_to.insert(n.variable); }, [](const auto&) {});
  }
}

/// Whether no adjoint from around is added to.
bool adds_to_its_own(Statements& statements) {
  Adjoints adjoints;
  collect(statements, adjoints);
  return std::includes(adjoints.own.begin(), adjoints.own.end(), adjoints.added_to.begin(), adjoints.added_to.end());
}

}  // namespace

// An operand on its way to a receiver that takes its adjoint. A parameter's adjoint is the model's gradient, which no
// receiver can add to: it gets an array of its own in `around`, gathered afterwards. That of a constant is gathered by nobody: it is
// declared beside the constant, once, and a copy of the constant has it wherever that is handed on again.
Argument FormBuilder::argument(const ir::Operand& operand, bool active, const Type& as, Statements& out, Statements& around,
                               std::vector<std::pair<ir::Variable*, ir::Variable*>>& gathered) {
  if (!active) return {expr(operand), nullptr, as};
  ir::Variable* variable = operand.variable;
  const bool passable = variable && variable->storage == ir::Storage::local && (held(variable) != variable || !inlined_.contains(variable));
  if (passable && activity_.is_active(variable)) return {expr(operand), held(variable), as};
  const bool is_array = is_numeric(operand.type) && is_numeric(as) && rank(operand.type) == rank(as) && resolve(operand.type)->dtype == resolve(as)->dtype;
  if (passable && is_array && held(variable) == variable && unasked_.insert(variable).second) {
    out.push_back({DeclareAdjoint{variable, nullptr, false}});
    return {expr(operand), variable, as};
  }
  ir::Variable* holder = fresh(variable ? variable->name : "constant", has_adjoint_by_reference(as) ? as : operand.type);
  const bool is_gathered = variable && activity_.is_active(variable);
  Statements& there = is_gathered ? around : out;
  there.push_back({Let{{holder}, expr(operand)}});
  there.push_back({DeclareAdjoint{holder, nullptr, false}});
  if (is_gathered) gathered.emplace_back(variable, holder);
  return {lowered::make(Read{holder}, holder->type), holder, as};
}

// A list that another one is made of may share its elements, and then their adjoints (operators.h).
ExprPtr FormBuilder::sharing_adjoint(const ir::Binding& binding, const ReverseSweep& sweep) const {
  const auto adjoint = [&](const ir::Operand& operand) -> ExprPtr {
    if (!activity_.is_active(operand)) return nullptr;
    ir::Variable* variable = held(operand.variable);
    return sweep.is_declared(variable) ? lowered::make(AdjointOf{variable}, variable->type) : nullptr;
  };
  if (const auto* copy = std::get_if<ir::Copy>(&binding.node)) return adjoint(copy->value);
  const auto* operation = std::get_if<ir::Operate>(&binding.node);
  if (!operation) return nullptr;
  const auto& operate = *operation;
  std::vector<ExprPtr> adjoints;
  for (const auto& operand : operate.operands) adjoints.push_back(adjoint(operand));
  return shared_adjoint(*operate.op, exprs(operate.operands), adjoints);
}

// The adjoint of a structure, or of a list of such, is made where the value is: of the adjoints of what that is made of, or a
// part of. Of a structure's own numbers it holds the adjoints.
ExprPtr FormBuilder::referred_adjoint(const ir::Binding& binding) const {
  const auto adjoint = [&](const ir::Operand& operand) -> ExprPtr {
    if (!operand.variable) return is(operand.type, TypeKind::none) ? expr(operand) : zeros_of(expr(operand));
    if (!activity_.is_active(operand)) return zeros_of(expr(operand));
    return lowered::make(AdjointOf{held(operand.variable)}, operand.variable->type);
  };
  const Type type = binding.results[0]->type;
  if (const auto* copy = std::get_if<ir::Copy>(&binding.node)) return adjoint(copy->value);
  if (const auto* field = std::get_if<ir::Field>(&binding.node)) return lowered::make(FieldOf{adjoint(field->object), field->name}, type);
  if (const auto* made = std::get_if<ir::Make>(&binding.node)) {
    Construct adjoints{made->structure, {}};
    for (std::size_t i = 0; i < made->fields.size(); ++i) {
      const ir::Operand& field = made->fields[i];
      const Type& declared = program_.structure(made->structure)->fields[i].second;
      adjoints.fields.push_back(!holds_floats(program_, declared)         ? expr(field)
                                : has_adjoint_by_reference(declared) ? adjoint(field)
                                                                     : zeros_of(expr(field)));
    }
    return lowered::make(std::move(adjoints), type);
  }
  const auto& operate = std::get<ir::Operate>(binding.node);
  std::vector<ExprPtr> adjoints;
  for (const auto& operand : operate.operands) adjoints.push_back(adjoint(operand));
  const ExprPtr shared = shared_adjoint(*operate.op, exprs(operate.operands), adjoints);
  if (!shared) bug("cps", fmt::format("'{}' gives structures, and the table does not say which", operate.op->name));
  return shared;
}

CallThen FormBuilder::call_then(const ir::Call& call, Statements& out, Statements& around, std::vector<std::pair<ir::Variable*, ir::Variable*>>& gathered) {
  calls.emplace_back(call.callee, Form::cps);
  CallThen statement{call.callee, {}, {}, {}};
  for (std::size_t i = 0; i < call.operands.size(); ++i) {
    const ir::Variable* formal = call.callee->formals[i];
    statement.arguments.push_back(argument(call.operands[i], activity_.is_active(formal), formal->type, out, around, gathered));
  }
  return statement;
}

// A call or a branch, and what is computed for it, that gives its results to a continuation of its own.
Part FormBuilder::part(const ir::Block& block, std::size_t begin, std::size_t at, Statements& out,
                       std::vector<std::pair<ir::Variable*, ir::Variable*>>& gathered) {
  Part made;
  for (std::size_t i = begin; i < at; ++i) direct_binding(block, i, made.statements);
  const ir::Binding& binding = block.bindings[at];
  Target own{"k", {}};
  const auto* call = std::get_if<ir::Call>(&binding.node);
  for (std::size_t i = 0; i < binding.results.size(); ++i) {
    const ir::Variable* result = binding.results[i];
    const bool active = call ? bool(activity_.active_results.at(call->callee)[i]) : activity_.is_active(result);
    own.parameters.push_back({result->type, active});
    made.results.emplace_back(result->type, active);
  }
  if (call) {
    CallThen statement = call_then(*call, made.statements, out, gathered);
    statement.passed = own.continuation;
    made.statements.push_back({std::move(statement), binding.location});
  } else {
    const auto& branch = std::get<ir::If>(binding.node);
    If statement{expr(branch.condition), {}, {}};
    segment(*branch.then, 0, own, statement.then);
    segment(*branch.otherwise, 0, own, statement.otherwise);
    made.statements.push_back({std::move(statement), binding.location});
  }
  return made;
}

void FormBuilder::segment(const ir::Block& block, std::size_t from, const Target& target, Statements& out) {
  std::vector<const ir::Binding*> taped;
  ReverseSweep sweep;
  std::size_t at = from;
  while (at < block.bindings.size()) {
    const ir::Binding& binding = block.bindings[at];
    if (!activity_.carries_adjoint(binding)) {
      at = direct_bindings(block, at, out);
      continue;
    }
    const auto* call = std::get_if<ir::Call>(&binding.node);
    if ((call && !call->callee->derivative && !is_taped(*call->callee)) || std::holds_alternative<ir::If>(binding.node) || std::holds_alternative<ir::Each>(binding.node)) break;
    taped_binding(binding, sweep, out);
    taped.push_back(&binding);
    ++at;
  }
  if (at == block.bindings.size() && block.raises) return;

  // Whatever the rest adds to needs its adjoint before the rest runs.
  std::set<const ir::Variable*> used_later;
  collect_uses(block, at, used_later);
  for (const auto* binding : taped) {
    for (auto* result : binding->results) {
      ir::Variable* variable = held(result);
      if (!activity_.is_active(result) || !used_later.contains(result) || sweep.is_declared(variable)) continue;
      const bool list = is(variable->type, TypeKind::list) && variable == result;
      out.push_back({DeclareAdjoint{variable, list ? sharing_adjoint(*binding, sweep) : nullptr, false}});
      sweep.declared_before(variable);
    }
  }

  Statements exit;
  std::vector<std::pair<ir::Variable*, ir::Variable*>> gathered;
  if (at == block.bindings.size()) {
    Resume resume{target.continuation, {}};
    for (std::size_t i = 0; i < block.results.size(); ++i) {
      resume.arguments.push_back(argument(block.results[i], target.parameters[i].active, target.parameters[i].type, out, out, gathered));
    }
    exit.push_back({std::move(resume)});
  } else if (block.bindings[at].at_once > 1) {
    Together statement;
    const std::size_t end = at + block.bindings[at].at_once;
    for (std::size_t i = at, begin = at; i < end; begin = ++i) {
      while (!activity_.carries_adjoint(block.bindings[i])) ++i;  // what is computed for the call
      const ir::Binding& binding = block.bindings[i];
      statement.parts.push_back(part(block, begin, i, out, gathered));
      for (std::size_t r = 0; r < binding.results.size(); ++r) statement.parameters.push_back({binding.results[r], statement.parts.back().results[r].second});
    }
    segment(block, end, target, statement.body);
    exit.push_back({std::move(statement), block.bindings[at].location});
  } else if (const auto* call = std::get_if<ir::Call>(&block.bindings[at].node)) {
    const ir::Binding& binding = block.bindings[at];
    CallThen statement = call_then(*call, out, out, gathered);
    const auto& active_results = activity_.active_results.at(call->callee);
    for (std::size_t i = 0; i < binding.results.size(); ++i) {
      statement.parameters.push_back({binding.results[i], active_results[i]});
    }
    segment(block, at + 1, target, statement.body);
    if (hands_on(statement, target.continuation)) {
      statement.passed = target.continuation;
      statement.parameters.clear();
      statement.body.clear();
    }
    exit.push_back({std::move(statement), binding.location});
  } else if (const auto* each = std::get_if<ir::Each>(&block.bindings[at].node)) {
    const ir::Binding& binding = block.bindings[at];
    Each statement{each->turn, expr(each->turns), {}, {}, {}};
    Target own{"k", {}};
    for (std::size_t i = 0; i < binding.results.size(); ++i) {
      const Type& type = each->body->results[i].type;
      const bool active = activity_.is_active(binding.results[i]);
      own.parameters.push_back({type, active});
      statement.each.results.emplace_back(type, active);
      statement.parameters.push_back({binding.results[i], active});
    }
    segment(*each->body, 0, own, statement.each.statements);
    statement.on_one_thread = calls_host(*each->body) || !adds_to_its_own(statement.each.statements);
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
      for (auto* result : binding.results) {
        join.parameters.push_back({result, activity_.is_active(result)});
        next.parameters.push_back({result->type, activity_.is_active(result)});
      }
      segment(block, at + 1, target, join.body);
      exit.push_back({std::move(join), binding.location});
    }
    If statement{expr(branch.condition), {}, {}};
    segment(*branch.then, 0, next, statement.then);
    segment(*branch.otherwise, 0, next, statement.otherwise);
    exit.push_back({std::move(statement), binding.location});
  }

  for (const auto& [variable, holder] : gathered) add(sweep, variable, lowered::make(AdjointOf{holder}, holder->type), {});
  for (auto binding = taped.rbegin(); binding != taped.rend(); ++binding) pull_back(**binding, sweep);
  Statements& reverse = sweep.statements;

  const bool tensors = std::any_of(reverse.begin(), reverse.end(), [](Statement& s) {
    if (auto* loop = std::get_if<Backwards>(&s.node)) return takes_memory(loop->body);
    if (std::holds_alternative<Reverse>(s.node)) return false;
    if (std::holds_alternative<Let>(s.node)) return true;  // what a derivative of a function's own gives
    const auto* accumulate = std::get_if<Accumulate>(&s.node);
    const auto* declare = std::get_if<DeclareAdjoint>(&s.node);
    const Type type = accumulate ? accumulate->value->type : declare->variable->type;
    return rank(type) > 0 || !is_numeric(type);
  });
  if (tensors) out.push_back({MarkArena{}});
  for (auto& statement : exit) out.push_back(std::move(statement));
  if (!reverse.empty()) out.push_back({Comment{"reverse sweep", Sweep::begins}});
  if (tensors) out.push_back({ResetArena{}});
  for (auto& statement : reverse) out.push_back(std::move(statement));
}

lowered::Function FormBuilder::build(ir::Function& function) {
  function_ = &function;
  lowered::Function out{.source = &function, .form = form_, .returned = function.results};
  for (auto* formal : function.formals) out.formals.push_back({formal, (form_ == Form::cps || form_ == Form::reverse) && activity_.is_active(formal)});
  if (form_ == Form::direct) {
    direct_returning(function.body, out.body);
  } else if (form_ == Form::forward || form_ == Form::reverse) {
    sweep_of(function, out);
  } else {
    out.active_results = activity_.active_results.at(&function);
    Target target{"k", {}};
    for (std::size_t i = 0; i < function.results.size(); ++i) target.parameters.push_back({function.results[i], out.active_results[i]});
    segment(function.body, 0, target, out.body);
  }
  return out;
}

}  // namespace lantern
