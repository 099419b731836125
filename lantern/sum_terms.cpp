// From the result back to the terms: on the way each value that carries an adjoint gets a factor, which is what its adjoint will be,
// however the run goes. A term is a call that nothing with an adjoint goes into; what else a turn adds becomes a function of its own.
#include "lantern/sum_terms.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "lantern/fission.h"
#include "lantern/outline.h"
#include "lantern/sum_factors.h"

namespace lantern {

using namespace ir;

namespace {

/// Of one function: finds its terms, and makes each a part of the gradient.
class Terms {
 public:
  Terms(Program& program, const Activity& activity, Function& function) : program_(program), activity_(activity), function_(function) {}

  /// Changes nothing. Throws Obstacle.
  void find() {
    const Operand& result = function_.body.results[0];
    if (!activity_.is_active(result)) throw Obstacle{function_.location, "it depends on no parameter"};
    for (const auto* formal : function_.formals) {
      if (activity_.is_active(formal)) throw Obstacle{function_.location, fmt::format("'{}' has a gradient, too", formal->name)};
    }
    assign(result, result.type, {}, function_.location);
    dependent_.emplace_back();
    look_back(function_.body);
    if (terms_.empty()) throw Obstacle{function_.location, "it calls nothing that depends on a parameter"};
    if (std::all_of(terms_.begin(), terms_.end(), [](const Term& term) { return term.around.empty(); })) throw Obstacle{function_.location, "its calls are in no loop"};
    for (const Term& term : terms_) {
      for (const Scaling& step : term.factor) require(step, term);
    }
  }

  void take_apart() {
    std::vector<std::vector<Binding>> before;  // each term; the loops that are asked about move with bindings that come to stand before them
    std::vector<Operand> factors;
    for (const Term& term : terms_) {
      auto& made = before.emplace_back();
      auto& factor = factors.emplace_back(Operand{.literal = 1.0, .type = term.value->type});
      for (const Scaling& step : term.factor) factor = after_step(program_, factor, step, made, term.location);
    }
    for (std::size_t i = 0; i < terms_.size(); ++i) {
      Term& term = terms_[i];
      if (!is_term(*binding_of(term))) make_function(term);
      Binding& binding = *binding_of(term);
      const Call call = std::get<Call>(binding.node);
      const auto of = std::find(binding.results.begin(), binding.results.end(), term.value) - binding.results.begin();
      binding.node = AddGradient{call.callee, call.operands, static_cast<std::size_t>(of), factors[i]};
      term.block->bindings.insert(binding_of(term), std::make_move_iterator(before[i].begin()), std::make_move_iterator(before[i].end()));
    }
  }

 private:
  struct Term {
    Block* block;
    Variable* value;
    std::vector<Variable*> first;  // of the bindings from which the value is computed, the results of the first
    Factor factor;
    std::vector<const Binding*> around;  // the loops that it is in
    Location location;
  };
  using Bindings = std::vector<Binding>;

  static Bindings::iterator binding_of(const Term& term) {
    return std::find_if(term.block->bindings.begin(), term.block->bindings.end(), [&](const Binding& b) { return contains(b.results, term.value); });
  }
  static bool contains(const std::vector<Variable*>& variables, const Variable* variable) { return std::find(variables.begin(), variables.end(), variable) != variables.end(); }

  /// What computes a term becomes a function, and a call of that.
  void make_function(Term& term) {
    Bindings& bindings = term.block->bindings;
    const auto is_late = [&](const Binding& binding) { return std::any_of(binding.results.begin(), binding.results.end(), [&](const Variable* v) { return late_.contains(v); }); };
    const auto last = binding_of(term) + 1;
    const auto first = std::find_if(bindings.begin(), last, [&](const Binding& b) { return b.results == term.first; });
    const auto end = std::stable_partition(first, last, [&](const Binding& binding) { return !is_late(binding); });
    term.value = outline(program_, *term.block, static_cast<std::size_t>(first - bindings.begin()), static_cast<std::size_t>(end - bindings.begin()), term.value,
                         function_.name + "_term", term.location);
  }

  // --- back from the result ---

  void look_back(Block& block) {
    for (auto binding = block.bindings.rbegin(); binding != block.bindings.rend(); ++binding) {
      if (activity_.carries_adjoint(*binding)) look_back(block, *binding);
    }
  }

  void look_back(Block& block, Binding& binding) {
    if (claimed_.contains(&binding)) return;
    if (!around_.empty() && !dependent_.back().contains(&binding)) return term_of_turn(block, binding);
    const auto* copy = std::get_if<Copy>(&binding.node);
    if (copy) return assign(copy->value, binding.results[0]->type, factor_of(binding), binding.location);
    if (auto* operate = std::get_if<Operate>(&binding.node)) return look_back(block, binding, *operate);
    if (auto* loop = std::get_if<For>(&binding.node)) return look_back(binding, *loop);
    if (!is_term(binding)) throw Obstacle{binding.location, "what is added up here is no sum of calls"};
    add_term(block, binding, binding.results);
  }

  /// Whether it is a call of which nothing that is given has an adjoint.
  bool is_term(const Binding& binding) const {
    const auto* call = std::get_if<Call>(&binding.node);
    return call && !call->callee->derivative && std::none_of(call->operands.begin(), call->operands.end(), [&](const Operand& o) { return activity_.is_active(o); });
  }
  void add_term(Block& block, const Binding& binding, const std::vector<Variable*>& first) {
    Variable* value = nullptr;
    for (auto* result : binding.results) {
      if (!factors_.contains(result)) continue;
      if (value) throw Obstacle{binding.location, "several numbers that are computed together are added up"};
      value = result;
    }
    if (!value || !is_one_number(value->type)) throw Obstacle{binding.location, "what is added up here is no number"};
    require_numbers_behind(block, binding, first);
    terms_.push_back({&block, value, first, factors_.at(value), around_, binding.location});
  }

  // What is computed along with a term hands numbers on: the memory of anything else is given back behind the term's reverse sweep.
  void require_numbers_behind(const Block& block, const Binding& last, const std::vector<Variable*>& first) const {
    std::set<const Variable*> along;
    bool within = false;
    const auto visit = [&](const Operand& operand) {
      if (along.contains(operand.variable) && !is_one_number(operand.type)) throw Obstacle{last.location, fmt::format("'{}', which is computed along with it, is read behind it and is no number", operand.variable->name)};
    };
    for (const auto& binding : block.bindings) {
      within = within || binding.results == first;
      if (within && std::none_of(binding.results.begin(), binding.results.end(), [&](const Variable* v) { return late_.contains(v); })) along.insert(binding.results.begin(), binding.results.end());
      else for_operands(binding, visit);
      if (&binding == &last) within = false;
    }
    std::for_each(block.results.begin(), block.results.end(), visit);
  }

  /// What a turn adds, by itself: a call, or, with all that has an adjoint and leads there, a function to be.
  void term_of_turn(Block& block, const Binding& binding) {
    if (is_term(binding)) return add_term(block, binding, binding.results);
    std::set<const Variable*> wanted(binding.results.begin(), binding.results.end());
    std::size_t i = static_cast<std::size_t>(&binding - block.bindings.data()) + 1, first = i;
    std::set<const Variable*> given;
    while (i-- > 0) {
      const Binding& before = block.bindings[i];
      if (!activity_.carries_adjoint(before)) continue;
      if (std::none_of(before.results.begin(), before.results.end(), [&](const Variable* result) { return wanted.contains(result); })) continue;
      for (const auto* result : before.results) {
        if (&before != &binding && factors_.contains(result)) throw Obstacle{before.location, fmt::format("'{}' is used twice", result->name)};
      }
      if (!claimed_.insert(&before).second) throw Obstacle{before.location, "it leads to several terms of the sum"};
      if (&before != &binding) going_along_.insert(before.results.begin(), before.results.end());
      for_operands(before, [&](const Operand& operand) {
        if (activity_.is_active(operand)) wanted.insert(operand.variable);
      });
      given.merge(variables_in(before));
      first = i;
    }
    for (const auto* variable : wanted) {
      if (!given.contains(variable) && variable->storage == Storage::local) throw Obstacle{binding.location, fmt::format("'{}', which depends on a parameter, is from outside of the turn", variable->name)};
    }
    // All from the first of them on goes along, but for what depends on the turn before, which comes behind all turns.
    for (std::size_t j = first; &block.bindings[j] != &binding; ++j) {
      const Binding& between = block.bindings[j];
      if (dependent_.back().contains(&between)) {
        if (!is_quiet(between)) throw Obstacle{between.location, "it may fail, and depends on the turn before"};
        late_.insert(between.results.begin(), between.results.end());
      } else {
        if (activity_.carries_adjoint(between) && !claimed_.contains(&between)) throw Obstacle{between.location, "it leads to several terms of the sum"};
        going_along_.insert(between.results.begin(), between.results.end());
      }
    }
    add_term(block, binding, block.bindings[first].results);
  }

  void look_back(Block& block, const Binding& binding, const Operate& operate) {
    const std::string_view name = operate.op->name;
    const auto& operands = operate.operands;
    const Variable* result = binding.results[0];
    const Factor factor = factor_of(binding);
    const auto is_active = [&](std::size_t i) { return activity_.is_active(operands[i]); };
    const auto further = [&](Scaling step) {
      Factor longer = factor;
      longer.push_back(std::move(step));
      longer.back().at = &binding;
      return longer;
    };
    const bool numbers = is_one_number(result->type);
    if (numbers && operands.size() == 2 && (name == "+" || name == "-")) {
      if (is_active(0)) assign(operands[0], result->type, factor, binding.location);
      if (is_active(1)) assign(operands[1], result->type, name == "-" ? further({Scaling::Kind::negate}) : factor, binding.location);
    } else if (numbers && name == "neg") {
      assign(operands[0], result->type, further({Scaling::Kind::negate}), binding.location);
    } else if (numbers && name == "*" && is_active(0) != is_active(1)) {
      const std::size_t active = is_active(0) ? 0 : 1;
      assign(operands[active], result->type, further(step_by(blocks_here(), Scaling::Kind::multiply, operands[1 - active])), binding.location);
    } else if (numbers && name == "/" && is_active(0) && !is_active(1)) {
      assign(operands[0], result->type, further(step_by(blocks_here(), Scaling::Kind::divide, operands[1])), binding.location);
    } else if (numbers && operands.size() == 1 && (name == "sum" || name == "mean") && rank(operands[0].type) == 1) {
      assign_all(operands[0], result->type, name == "mean" ? further({Scaling::Kind::divide_by_turns}) : factor, binding.location);
    } else if (name == "stack" && operands.size() == 1 && rank(result->type) == 1 && is(operands[0].type, TypeKind::list)) {
      assign_all(operands[0], resolve(operands[0].type)->elements[0], factor, binding.location);
    } else if (name == "append" && std::none_of(factor.begin(), factor.end(), [](const Scaling& s) { return s.kind == Scaling::Kind::divide_by_turns && !s.loop; })) {
      assign_all(operands[0], operands[1].type, factor, binding.location);
      assign(operands[1], resolve(operands[0].type)->elements[0], factor, binding.location);
    } else if (numbers && around_.empty()) {
      term_of_turn(block, binding);
    } else {
      throw Obstacle{binding.location, fmt::format("'{}' of what depends on a parameter is no sum of calls", name)};
    }
  }

  void look_back(Binding& binding, For& loop) {
    if (!is_true(*loop.test)) throw Obstacle{binding.location, "this loop can end early"};
    if (loop.body->raises) throw Obstacle{binding.location, "this loop raises an error"};
    const auto* sequence = std::get_if<Operand>(&loop.sequence);
    if (sequence && activity_.is_active(*sequence)) throw Obstacle{binding.location, "what this loop goes over depends on a parameter"};
    std::map<const Variable*, Factor> sums;
    for (std::size_t i = 0; i < loop.state.size(); ++i) {
      const Variable* state = loop.state[i];
      const auto found = factors_.find(binding.results[i]);
      if (found == factors_.end()) {
        if (activity_.is_active(state)) throw Obstacle{binding.location, fmt::format("'{}' is no sum", state->name)};
        if (!is_one_number(state->type)) throw Obstacle{binding.location, fmt::format("'{}', which goes from turn to turn, is no number", state->name)};
        continue;
      }
      Factor factor = found->second;
      if (is(state->type, TypeKind::list)) {
        if (!collects(loop, i)) throw Obstacle{binding.location, fmt::format("'{}' gets more than an element in each turn", state->name)};
        for (Scaling& step : factor) {
          if (step.kind == Scaling::Kind::divide_by_turns && !step.loop) step.loop = &loop;
        }
      }
      sums.emplace(state, factor);
      if (activity_.is_active(loop.initial[i])) assign(loop.initial[i], state->type, factor, binding.location);
      assign_to(loop.body->results[i], std::move(factor), binding.location);
    }
    around_.push_back(&binding);
    within_.emplace_back();
    dependent_.push_back(dependent_on_turns(loop));
    look_back(*loop.body);
    around_.pop_back();
    dependent_.pop_back();
    const std::set<const Variable*> assigned = within_.back();
    within_.pop_back();
    std::set<const Variable*> own;
    for_each_variable(*loop.body, [&](const Variable* variable) { own.insert(variable); });
    for (const auto* variable : assigned) {
      const auto sum = sums.find(variable);
      if (sum != sums.end() ? factors_.at(variable) != sum->second : !own.contains(variable)) {
        throw Obstacle{binding.location, fmt::format("'{}' is more than added to in the turns of this loop", variable->name)};
      }
    }
    for (const auto& [state, factor] : sums) {
      if (!assigned.contains(state)) throw Obstacle{binding.location, fmt::format("'{}' is no sum", state->name)};
    }
    require_numbers(binding, loop);
  }

  /// Whether a state begins as an empty list, to which each turn appends one element.
  bool collects(const For& loop, std::size_t i) const {
    const auto is_made_by = [](const Block& block, const Variable* variable, const std::function<bool(const Operate&)>& holds) {
      return std::any_of(block.bindings.begin(), block.bindings.end(), [&](const Binding& binding) {
        const auto* operate = std::get_if<Operate>(&binding.node);
        return operate && binding.results[0] == variable && holds(*operate);
      });
    };
    bool begins_empty = is_made_by(function_.body, loop.initial[i].variable, [](const Operate& n) { return n.op->name == "empty"; });
    for (const Binding* around : around_) {
      begins_empty = begins_empty || is_made_by(*std::get<For>(around->node).body, loop.initial[i].variable, [](const Operate& n) { return n.op->name == "empty"; });
    }
    return begins_empty && is_made_by(*loop.body, loop.body->results[i].variable, [&](const Operate& n) { return n.op->name == "append" && n.operands[0].variable == loop.state[i]; });
  }

  // What the turns hand to what depends on the turns before is numbers: taken apart, a loop keeps those.
  static void require_numbers(const Binding& binding, const For& loop) {
    const auto dependent = dependent_on_turns(loop);
    std::set<const Variable*> free;
    for (const auto& inner : loop.body->bindings) {
      if (!dependent.contains(&inner)) {
        free.insert(inner.results.begin(), inner.results.end());
        continue;
      }
      for_operands(inner, [&](const Operand& operand) {
        if (free.contains(operand.variable) && !is_one_number(operand.type)) throw Obstacle{binding.location, fmt::format("'{}' is no number", operand.variable->name)};
      });
    }
  }

  // --- factors ---

  Factor factor_of(const Binding& binding) const {
    const auto found = factors_.find(binding.results[0]);
    if (found == factors_.end()) throw Obstacle{binding.location, "what is added up here is no sum of calls"};
    return found->second;
  }

  /// An operand of what has that factor and type.
  void assign(const Operand& operand, const Type& type, Factor factor, const Location& at) {
    if (!activity_.is_active(operand)) return;
    if (resolve(operand.type)->dtype != resolve(type)->dtype) throw Obstacle{at, fmt::format("'{}' is converted on its way into the sum", operand.variable->name)};
    assign_to(operand, std::move(factor), at);
  }
  /// The same where it is a list or vector, of whose elements each has the factor.
  void assign_all(const Operand& operand, const Type& element, Factor factor, const Location& at) {
    if (!activity_.is_active(operand)) return;
    const Type all = resolve(operand.type);
    const Type own = is(operand.type, TypeKind::list) ? resolve(all->elements[0]) : all;
    if (own->dtype != resolve(element)->dtype || (is(operand.type, TypeKind::list) && rank(own) != 0)) throw Obstacle{at, fmt::format("'{}' is no list of numbers", operand.variable->name)};
    assign_to(operand, std::move(factor), at);
  }
  void assign_to(const Operand& operand, Factor factor, const Location& at) {
    if (!operand.variable) throw Obstacle{at, "what is added up here begins anew in each turn"};
    if (going_along_.contains(operand.variable)) throw Obstacle{at, fmt::format("'{}' is used twice", operand.variable->name)};
    if (operand.variable->storage != Storage::local) throw Obstacle{at, fmt::format("'{}' is a term itself", operand.variable->name)};
    if (!factors_.emplace(operand.variable, std::move(factor)).second) throw Obstacle{at, fmt::format("'{}' is used twice", operand.variable->name)};
    if (!within_.empty()) within_.back().insert(operand.variable);
  }

  // --- where a factor's operands are known ---

  void require(const Scaling& step, const Term& term) const {
    if (step.kind == Scaling::Kind::negate) return;
    if (step.kind == Scaling::Kind::divide_by_turns) {
      if (!step.loop) throw Obstacle{term.location, "the mean is of more than the turns of a loop"};
      const auto* range = std::get_if<Range>(&step.loop->sequence);
      if (range && (!is_integer(range->start, 0) || !is_integer(range->step, 1))) throw Obstacle{term.location, "how many turns there are is not known beforehand"};
      return require(range ? range->stop : std::get<Operand>(step.loop->sequence), term);
    }
    require(step.by, term);
  }
  void require(const Operand& operand, const Term& term) const {
    const Variable* variable = operand.variable;
    const auto& formals = function_.formals;
    if (!variable || variable->storage != Storage::local || std::find(formals.begin(), formals.end(), variable) != formals.end()) return;
    const Block* block = &function_.body;
    for (const Binding* loop : term.around) {
      if (is_bound_before(*block, loop->results, variable)) return;
      block = std::get<For>(loop->node).body.get();
      if (std::get<For>(loop->node).element == variable) return;
    }
    if (!going_along_.contains(variable) && is_bound_before(*block, term.first, variable)) return;
    throw Obstacle{term.location, fmt::format("'{}', by which the sum is multiplied or divided, is not known before its terms are", variable->name)};
  }
  /// Whether a variable is bound before what gives those results.
  static bool is_bound_before(const Block& block, const std::vector<Variable*>& results, const Variable* variable) {
    for (const auto& binding : block.bindings) {
      if (binding.results == results) return false;
      if (std::find(binding.results.begin(), binding.results.end(), variable) != binding.results.end()) return true;
    }
    return false;
  }

  /// The function's block, and those of the loops under way.
  std::vector<const Block*> blocks_here() const {
    std::vector<const Block*> blocks = {&function_.body};
    for (const Binding* loop : around_) blocks.push_back(std::get<For>(loop->node).body.get());
    return blocks;
  }

  Program& program_;
  const Activity& activity_;
  Function& function_;
  std::map<const Variable*, Factor> factors_;
  std::vector<Term> terms_;
  std::vector<const Binding*> around_;
  std::vector<std::set<const Variable*>> within_;     // of each loop: what got a factor there
  std::vector<std::set<const Binding*>> dependent_;   // and what depends on the turns before
  std::set<const Binding*> claimed_;                  // by terms that become functions
  std::set<const Variable*> going_along_;             // what is computed on the way to those
  std::set<const Variable*> late_;                    // what is computed between, and goes behind
};

}  // namespace

void check_terms(Program& program, const Activity& activity, Function& function) { Terms(program, activity, function).find(); }

void take_terms_apart(Program& program, const Activity& activity, Function& function) {
  Terms terms(program, activity, function);
  terms.find();
  terms.take_apart();
}

}  // namespace lantern
