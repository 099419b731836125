// Before:  y = while with s = a { test: s < n } { body: s * w }
// After:   y = call f_loop(n, w, a)
//          define f_loop(n, w, s) { c = s < n; r = if c { t = s * w; u = call f_loop(n, w, t) => u } else { => s } => r }
#include "lantern/loops.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>

#include "support/diagnostic.h"
#include "support/match.h"

namespace lantern {

using namespace ir;

namespace {

void collect_bound(const Block& block, std::set<const Variable*>& bound) {
  for_each_variable(block, [&](const Variable* variable) { bound.insert(variable); });
}

/// Whether the turns of a loop can be computed anew in the reverse sweep, from the state that they began with.
class Reversibility {
 public:
  Reversibility(const Program& program, const Activity& activity) : activity_(activity) {
    std::set<const Function*> seen;
    for (const auto* function : activity.differentiable) collect_updated(*function, seen);
    if (program.differentiable_entry) collect_updated(*program.differentiable_entry, seen);
  }

  bool holds(const Node& node) const {
    if (const auto* loop = std::get_if<For>(&node)) {
      const auto* sequence = std::get_if<Operand>(&loop->sequence);
      return !(sequence && is(sequence->type, TypeKind::dataset)) && holds_for_state(loop->state) && holds(*loop->test) && holds(*loop->body);
    }
    const auto& loop = std::get<While>(node);
    return holds_for_state(loop.state) && holds(*loop.test) && holds(*loop.body);
  }

 private:
  bool holds_for_state(const std::vector<Variable*>& state) const {
    return std::none_of(state.begin(), state.end(), [&](const Variable* v) { return activity_.is_active(v) && has_adjoint_by_reference(v->type); });
  }

  bool holds(const Block& block) const {
    return std::all_of(block.bindings.begin(), block.bindings.end(), [&](const Binding& binding) { return holds(binding); });
  }

  bool holds(const Binding& binding) const {
    for (const auto* operand : operands_of(binding.node)) {
      if (operand->variable && updated_.contains(operand->variable)) return false;
    }
    const bool makes_reference = std::any_of(binding.results.begin(), binding.results.end(), [&](const Variable* v) {
      return activity_.is_active(v) && has_adjoint_by_reference(v->type);
    });
    return match(
        binding.node, [&](const Operate& n) { return !n.op->effect && !(makes_reference && n.op->name != "index"); },
        [&](const Call& n) {
          std::set<const Function*> seen;
          if (!activity_.carries_adjoint(binding)) return is_pure(*n.callee, seen);
          return n.callee->derivative && is_pure(*n.callee->derivative.forward, seen);  // the way back runs once
        },
        [&](const If& n) { return !makes_reference && holds(*n.then) && holds(*n.otherwise); }, [&](const While&) { return holds(binding.node); },
        [&](const For&) { return holds(binding.node); }, [](const Each&) { return false; }, [&](const Make&) { return !makes_reference; }, [](const Field&) { return true; },
        [](const IsNone&) { return true; }, [](const Copy&) { return true; }, [](const Print&) { return true; }, [](const Assert&) { return true; },
        [](const Raise&) { return true; }, [](const ValueAndGrad&) { return false; }, [](const AddGradient&) { return false; }, [](const Jvp&) -> bool { bug("loops", "a jvp is left"); }, [](const Update&) { return false; },
        [](const Initialize&) { return false; });
  }

  /// Whether a call may be repeated: nobody would notice.
  bool is_pure(const Function& function, std::set<const Function*>& seen) const {
    return !seen.insert(&function).second || is_pure(function.body, seen);
  }
  bool is_pure(const Block& block, std::set<const Function*>& seen) const {
    return std::all_of(block.bindings.begin(), block.bindings.end(), [&](const Binding& binding) {
      for (const auto* operand : operands_of(binding.node)) {
        if (operand->variable && updated_.contains(operand->variable)) return false;
      }
      const auto* operate = std::get_if<Operate>(&binding.node);
      const auto* call = std::get_if<Call>(&binding.node);
      if ((operate && operate->op->effect) || (call && !is_pure(*call->callee, seen))) return false;
      if (std::holds_alternative<Print>(binding.node) || std::holds_alternative<Update>(binding.node) || std::holds_alternative<Initialize>(binding.node) ||
          std::holds_alternative<ValueAndGrad>(binding.node) || std::holds_alternative<AddGradient>(binding.node)) {
        return false;
      }
      bool pure = true;
      for_each_block(binding.node, [&](const Block& nested) { pure = pure && is_pure(nested, seen); });
      return pure;
    });
  }

  void collect_updated(const Function& function, std::set<const Function*>& seen) {
    if (seen.insert(&function).second) collect_updated(function.body, seen);
  }
  void collect_updated(const Block& block, std::set<const Function*>& seen) {
    for (const auto& binding : block.bindings) {
      if (const auto* update = std::get_if<Update>(&binding.node)) updated_.insert(update->targets.begin(), update->targets.end());
      if (const auto* start = std::get_if<Initialize>(&binding.node)) updated_.insert(start->target);
      for (const auto* callee : callees_of(binding.node)) collect_updated(*callee, seen);
      for_each_block(binding.node, [&](const Block& nested) { collect_updated(nested, seen); });
    }
  }

  const Activity& activity_;
  std::set<const Variable*> updated_;  // within what is differentiated
};

class Rewriter {
 public:
  Rewriter(Program& program, const Activity& activity) : program_(program), activity_(activity), reversible_(program, activity) {}

  bool rewrite(Block& block, const Function& function) {
    bool changed = false;
    for (auto& binding : block.bindings) {
      const bool loop = std::holds_alternative<While>(binding.node) || std::holds_alternative<For>(binding.node);
      if (loop && activity_.carries_adjoint(binding)) {
        if (reversible_.holds(binding.node)) continue;
        replace(binding, function);
        changed = true;
      } else {
        for_each_block(binding.node, [&](const Block& nested) { changed = rewrite(const_cast<Block&>(nested), function) || changed; });
      }
    }
    return changed;
  }

 private:
  Variable* variable(const std::string& name, Type type) { return program_.add_variable({.name = name, .type = std::move(type)}); }
  static Operand integer(std::int64_t value) { return {.literal = value, .type = scalar(DType::i64)}; }

  Operand operate(Block& block, const std::string& op, std::vector<Operand> operands, Type type, const std::string& name, const Location& at) {
    auto* result = variable(name, type);
    std::vector<Type> types;
    for (const auto& operand : operands) types.push_back(operand.type);
    block.bindings.push_back({{result}, Operate{select_operator(op, types), std::move(operands), {}}, at});
    return read(result);
  }

  /// Whether a test asks for nothing but flags, which can be asked for at any time.
  static bool reads_flags(const Block& test) {
    return std::all_of(test.bindings.begin(), test.bindings.end(), [](const Binding& binding) {
      const auto* operate = std::get_if<Operate>(&binding.node);
      return operate && operate->op->name == "not" && is(operate->operands[0].type, TypeKind::scalar);
    });
  }

  // What a block gives where `condition` holds, and the state as it is elsewhere.
  static If when(Operand condition, Block then, const std::vector<Variable*>& state) {
    If branch{std::move(condition), std::make_unique<Block>(std::move(then)), std::make_unique<Block>()};
    for (auto* s : state) branch.otherwise->results.push_back(read(s));
    return branch;
  }

  void give(Block& block, If branch, const std::vector<Variable*>& state, const Location& at) {
    Binding binding{{}, std::move(branch), at};
    for (const auto* s : state) {
      binding.results.push_back(variable(temporary, s->type));
      block.results.push_back(read(binding.results.back()));
    }
    block.bindings.push_back(std::move(binding));
  }

  void replace(Binding& binding, const Function& function) {
    const Location at = binding.location;
    auto* iteration = std::get_if<For>(&binding.node);
    auto* repetition = std::get_if<While>(&binding.node);
    const std::vector<Variable*> state = iteration ? iteration->state : repetition->state;
    std::vector<Operand> initial = iteration ? iteration->initial : repetition->initial;
    Block test = std::move(iteration ? *iteration->test : *repetition->test);
    Block body = std::move(iteration ? *iteration->body : *repetition->body);

    Function& loop = program_.functions.emplace_back();
    loop.name = fmt::format("{}_loop{}", function.name, loops_++ == 0 ? "" : fmt::format("_{}", loops_));
    loop.location = at;

    // What the loop reads of its surroundings becomes formals.
    std::set<const Variable*> bound(state.begin(), state.end());
    if (iteration) bound.insert(iteration->element);
    collect_bound(test, bound);
    collect_bound(body, bound);
    std::map<Variable*, Variable*> captured;
    std::vector<Operand> arguments;
    const auto capture = [&](Operand& operand) {
      if (!operand.variable || operand.variable->storage != Storage::local || bound.contains(operand.variable)) return;
      auto& formal = captured[operand.variable];
      if (!formal) {
        formal = variable(operand.variable->name, operand.variable->type);
        loop.formals.push_back(formal);
        Operand whole = operand;
        whole.present = false;
        arguments.push_back(whole);
      }
      operand.variable = formal;
    };
    std::vector<Operand> sequence;  // start, stop, step; or what is iterated over
    if (iteration) {
      if (const auto* range = std::get_if<Range>(&iteration->sequence)) {
        sequence = {range->start, range->stop, range->step};
      } else {
        sequence = {std::get<Operand>(iteration->sequence)};
        if (is(sequence[0].type, TypeKind::dataset)) {
          throw Failure({.code = "LT0504", .location = at, .message = "a gradient through a loop over a data set is not supported",
                         .hint = "take the gradient within the loop, or use stop-gradient if none is wanted"});
        }
      }
    }
    std::vector<Operand> inner = sequence;
    for (std::size_t i = sequence.size() == 3 ? 1 : 0; i < inner.size(); ++i) capture(inner[i]);
    for_each_operand(test, capture);
    for_each_operand(body, capture);

    Variable* index = nullptr;
    if (iteration) {
      index = sequence.size() == 3 ? iteration->element : variable(iteration->element->name + "_at", scalar(DType::i64));
      loop.formals.push_back(index);
      arguments.push_back(sequence.size() == 3 ? sequence[0] : integer(0));
    }
    loop.formals.insert(loop.formals.end(), state.begin(), state.end());
    arguments.insert(arguments.end(), initial.begin(), initial.end());
    for (const auto* s : state) loop.results.push_back(s->type);
    loop.result_type = loop.results.size() == 1 ? loop.results[0] : tuple_of(loop.results);

    // One turn, and the rest.
    Block turn;
    if (iteration && sequence.size() == 1) {
      turn.bindings.push_back({{iteration->element}, Operate{select_operator("index", std::vector<Type>{inner[0].type, index->type}), {inner[0], read(index)}, {}}, at});
    }
    for (auto& step : body.bindings) turn.bindings.push_back(std::move(step));
    turn.raises = body.raises;
    if (!body.raises) {
      std::vector<Operand> next;
      for (std::size_t i = 0; i + state.size() + (index ? 1 : 0) < loop.formals.size(); ++i) next.push_back(read(loop.formals[i]));
      if (index) {
        next.push_back(operate(turn, "+", {read(index), sequence.size() == 3 ? inner[2] : integer(1)}, scalar(DType::i64), temporary, at));
      }
      next.insert(next.end(), body.results.begin(), body.results.end());
      Binding again{{}, Call{&loop, std::move(next)}, at};
      for (const auto* s : state) {
        again.results.push_back(variable(temporary, s->type));
        turn.results.push_back(read(again.results.back()));
      }
      turn.bindings.push_back(std::move(again));
    }
    Block tested = std::move(test);
    const Operand condition = tested.results[0];
    tested.results.clear();
    const bool* known = condition.variable ? nullptr : std::get_if<bool>(&condition.literal);
    const bool always = known && *known && tested.bindings.empty();  // as of every `for` that nothing leaves early
    Block flags;                                                     // of one that does: `i < n and not found`
    if (iteration && !always && reads_flags(tested)) std::swap(flags.bindings, tested.bindings);
    const bool at_once = always || !flags.bindings.empty();
    if (at_once) tested = std::move(turn);
    else give(tested, when(condition, std::move(turn), state), state, at);
    if (iteration) {
      loop.body.results.clear();
      const Type boolean = scalar(DType::boolean);
      Operand more;
      if (sequence.size() == 1) {
        const Operand end = operate(loop.body, "length", {inner[0]}, scalar(DType::i64), temporary, at);
        more = operate(loop.body, "<", {read(index), end}, boolean, temporary, at);
      } else if (const auto* by = sequence[2].variable ? nullptr : std::get_if<std::int64_t>(&sequence[2].literal); by && *by != 0) {
        more = operate(loop.body, *by > 0 ? "<" : ">", {read(index), inner[1]}, boolean, temporary, at);
      } else {
        const Operand nonzero = operate(loop.body, "!=", {inner[2], integer(0)}, boolean, temporary, at);
        If checked{nonzero, std::make_unique<Block>(), std::make_unique<Block>()};
        checked.otherwise->bindings.push_back({{}, Raise{"ValueError", "range() arg 3 must not be zero", {}}, at});
        checked.otherwise->raises = true;
        loop.body.bindings.push_back({{}, std::move(checked), at});
        const Operand up = operate(loop.body, ">", {inner[2], integer(0)}, boolean, temporary, at);
        const Operand below = operate(loop.body, "<", {read(index), inner[1]}, boolean, temporary, at);
        const Operand above = operate(loop.body, ">", {read(index), inner[1]}, boolean, temporary, at);
        more = operate(loop.body, "where", {up, below, above}, boolean, temporary, at);
      }
      if (!flags.bindings.empty()) {
        std::move(flags.bindings.begin(), flags.bindings.end(), std::back_inserter(loop.body.bindings));
        more = operate(loop.body, "and", {more, condition}, boolean, temporary, at);
      }
      give(loop.body, when(more, std::move(tested), state), state, at);
    } else {
      loop.body = std::move(tested);
    }
    name_formals(loop);
    binding.node = Call{&loop, std::move(arguments)};
  }

  // In a function of its own, what goes through the turns has the user's name where nothing else has: total_1 is total.
  static void name_formals(Function& loop) {
    std::set<std::string> taken = names_in(loop);
    for (auto* formal : loop.formals) {
      const std::string bare = without_number(formal->name);
      if (!is_made_up(formal->name) && taken.insert(bare).second) formal->name = bare;
    }
  }

  Program& program_;
  const Activity& activity_;
  const Reversibility reversible_;
  int loops_ = 0;
};

}  // namespace

bool loops_to_recursion(Program& program, const Activity& activity) {
  bool changed = false;
  Rewriter rewriter(program, activity);
  const std::size_t functions = program.functions.size();  // those that are added come in the next round
  for (std::size_t i = 0; i < functions; ++i) changed = rewriter.rewrite(program.functions[i].body, program.functions[i]) || changed;
  return changed;
}

}  // namespace lantern
