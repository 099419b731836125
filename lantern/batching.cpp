// Before:  a = call f(l)             After:  v = r.value
//          v = r.value                       a = call f(l)  ┐ at once
//          b = call f(v)                     b = call f(v)  ┘
#include "lantern/batching.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "lantern/call_graph.h"
#include "lantern/derivation.h"
#include "lantern/fission.h"

namespace lantern {

using namespace ir;

namespace {

/// Fewer elements than those for which a product waits for others (runtime/include/lantern/matmul.h), whatever they will be.
bool is_small(const Type& type) {
  std::int64_t elements = 1;
  for (const Dim& dim : resolve(type)->dims) {
    if (!dim.known() || dim.size >= 4096) return false;
    elements *= dim.size;
    if (elements >= 4096) return false;
  }
  return true;
}

/// Whether it is a product of a parameter with a vector: several of those are faster as one. That with a matrix is one already.
bool multiplies_parameter_in(const Binding& binding) {
  const auto* operate = std::get_if<Operate>(&binding.node);
  if (!operate || operate->op->name != "matmul") return false;
  const auto is_parameter = [](const Operand& operand) {
    return operand.variable && operand.variable->storage == Storage::parameter && rank(operand.type) > 1 && !is_small(operand.type);
  };
  const Operand &a = operate->operands[0], &b = operate->operands[1];
  return (is_parameter(a) && rank(b.type) == 1) || (is_parameter(b) && rank(a.type) == 1);
}

bool multiplies_parameter(const Block& block) { return std::any_of(block.bindings.begin(), block.bindings.end(), multiplies_parameter_in); }

class Batcher {
 public:
  Batcher(Program& program, const Activity& activity, Schedule schedule, const std::function<void(const Remark&)>& remark)
      : program_(program), activity_(activity), schedule_(schedule), remark_(remark), effectful_(program, [](const Block& block) { return has_effect(block); }),
        differentiating_(program, [](const Block& block) { return takes_gradient(block); }), multiplying_(program, multiplies_parameter),
        failing_(program, [](const Block& block) { return block.raises || std::any_of(block.bindings.begin(), block.bindings.end(), fails_itself); }),
        recursive_(recursive_functions(program)) {}

  bool run() {
    const std::size_t functions = program_.functions.size();
    for (std::size_t i = 0; i < functions; ++i) {
      shown_.clear();
      look_at(program_.functions[i].body);
    }
    return found_;
  }

 private:
  void look_at(Block& block) {
    for (std::size_t i = 0; i < block.bindings.size(); ++i) {
      const Binding& binding = block.bindings[i];
      note_progress(binding);
      if (std::holds_alternative<For>(binding.node) && (activity_.carries_adjoint(binding) || !runs_backwards_)) take_apart_at(block, i);
    }
    for (auto& binding : block.bindings) {
      const bool loop = std::holds_alternative<For>(binding.node) || std::holds_alternative<While>(binding.node);
      const bool around = runs_backwards_;
      runs_backwards_ = around || (loop && activity_.carries_adjoint(binding));
      for_each_block(binding.node, [&](const Block& nested) { look_at(const_cast<Block&>(nested)); });
      runs_backwards_ = around;
    }
    for (std::size_t i = 0; i < block.bindings.size(); i += block.bindings[i].at_once) gather(block, i);
  }

  // --- turns of a loop ---

  /// A bar shows how far a loop over such a data set has come.
  void note_progress(const Binding& binding) {
    const auto* operate = std::get_if<Operate>(&binding.node);
    const auto* copy = std::get_if<Copy>(&binding.node);
    if ((operate && operate->op->name == "progress") || (copy && shown_.contains(copy->value.variable))) shown_.insert(binding.results[0]);
  }
  bool is_shown(const For& loop) const {
    const auto* sequence = std::get_if<Operand>(&loop.sequence);
    return sequence && shown_.contains(sequence->variable);
  }

  void take_apart_at(Block& block, std::size_t& i) {
    const Location at = block.bindings[i].location;
    const auto& loop = std::get<For>(block.bindings[i].node);
    const auto is_worthwhile = [&](const Binding& binding) {
      const auto* part = std::get_if<AddGradient>(&binding.node);  // each turn's is its own
      return part ? schedule_ != Schedule::depth_first && is_worth(*part->callee) : runs_alongside(binding);
    };
    if (std::none_of(loop.body->bindings.begin(), loop.body->bindings.end(), is_worthwhile)) return;
    const std::size_t before = block.bindings.size();
    std::string why_not;
    if (is_shown(loop)) why_not = "its progress is shown";
    else if (would_fail_late(block.bindings[i], loop)) why_not = "what depends on the turn before may fail, which comes before an error of a later turn";
    else why_not = take_apart(program_, block, i, is_worthwhile);
    if (why_not.empty()) {
      found_ = true;
      say(at, true, "the turns of this loop are batched");
      i += block.bindings.size() - before;
    } else {
      say(at, false, "the turns of this loop are not batched: " + why_not);
    }
  }

  /// Whether an error of what depends on the turn before might come behind one of a later turn: with an adjoint, all turns come before it.
  bool would_fail_late(const Binding& binding, const For& loop) const {
    const auto& bindings = loop.body->bindings;
    const auto is_part = [](const Binding& inner) { return std::holds_alternative<AddGradient>(inner.node); };
    if (!activity_.carries_adjoint(binding) && std::none_of(bindings.begin(), bindings.end(), is_part)) return false;
    const auto dependent = dependent_on_turns(loop);
    const auto fails = [&](bool is_dependent) {
      return std::any_of(bindings.begin(), bindings.end(), [&](const Binding& inner) { return dependent.contains(&inner) == is_dependent && may_fail(inner); });
    };
    return fails(true) && fails(false);
  }

  bool may_fail(const Binding& binding) const {
    bool may = fails_itself(binding);
    for (const auto* callee : callees_of(binding.node)) may = may || failing_.contains(*callee) || recursive_.contains(callee);
    for_each_block(binding.node, [&](const Block& nested) {
      may = may || nested.raises || std::any_of(nested.bindings.begin(), nested.bindings.end(), [&](const Binding& inner) { return may_fail(inner); });
    });
    return may;
  }
  /// Leaving out what it calls and what is nested in it.
  static bool fails_itself(const Binding& binding) {
    if (const auto* loop = std::get_if<For>(&binding.node)) {
      const auto* range = std::get_if<Range>(&loop->sequence);
      return range && (range->step.variable || is_integer(range->step, 0));
    }
    const bool of_parts = std::holds_alternative<If>(binding.node) || std::holds_alternative<While>(binding.node) || std::holds_alternative<Each>(binding.node);
    return !of_parts && callees_of(binding.node).empty() && !is_quiet(binding);
  }

  // --- neighbours ---

  /// Brings calls that do not depend on the one at `first`, nor on each other, next to it: each behind what only it reads and
  /// what may fail, which fails in its place then.
  void gather(Block& block, std::size_t first) {
    if (!runs_alongside(block.bindings[first])) return;
    std::vector<Binding>& bindings = block.bindings;
    const auto move_up = [&](std::size_t from, std::size_t to, std::size_t end) {
      const auto begin = bindings.begin();
      std::rotate(begin + static_cast<std::ptrdiff_t>(to), begin + static_cast<std::ptrdiff_t>(from), begin + static_cast<std::ptrdiff_t>(end));
    };
    std::set<const Variable*> depends = results_of(bindings[first]);
    std::size_t end = first + 1, own = end, calls = 1;  // [own, i): of the next call
    for (std::size_t i = end; i < bindings.size() && calls < most_at_once; ++i) {
      if (reads(bindings[i], depends)) {
        if (own < i || !is_quiet(bindings[i])) break;
        const auto results = results_of(bindings[i]);
        depends.insert(results.begin(), results.end());
        own = i + 1;
      } else if (runs_alongside(bindings[i]) && activity_.carries_adjoint(bindings[i]) == activity_.carries_adjoint(bindings[first])) {
        if (is_read_elsewhere(block, own, i)) break;
        const auto results = results_of(bindings[i]);
        depends.insert(results.begin(), results.end());
        move_up(own, end, i + 1);
        end += i + 1 - own;
        own = i + 1;
        ++calls;
      } else if (own == i && is_quiet(bindings[i])) {  // it may as well be before all the calls
        move_up(i, first, i + 1);
        ++first;
        ++end;
        ++own;
      } else if (!is_pure(bindings[i]) || activity_.carries_adjoint(bindings[i])) {
        break;
      }
    }
    if (calls < 2) return;
    bindings[first].at_once = end - first;
    found_ = true;
    say(bindings[first].location, true, fmt::format("{} calls from here on are batched", calls));
  }

  /// Whether what [begin, end) give is read by others than those and the binding at `end`.
  static bool is_read_elsewhere(const Block& block, std::size_t begin, std::size_t end) {
    std::set<const Variable*> given;
    for (std::size_t i = begin; i < end; ++i) given.merge(results_of(block.bindings[i]));
    if (given.empty()) return false;
    const auto is_given = [&](const Operand& result) { return given.contains(result.variable); };
    if (std::any_of(block.results.begin(), block.results.end(), is_given)) return true;
    for (std::size_t i = end + 1; i < block.bindings.size(); ++i) {
      if (reads(block.bindings[i], given)) return true;
    }
    return false;
  }

  static std::set<const Variable*> results_of(const Binding& binding) { return {binding.results.begin(), binding.results.end()}; }

  static bool reads(const Binding& binding, const std::set<const Variable*>& variables) {
    bool found = false;
    for (const auto* operand : operands_of(binding.node)) found = found || variables.contains(operand->variable);
    for_each_block(binding.node, [&](const Block& nested) {
      for_each_operand(const_cast<Block&>(nested), [&](const Operand& operand) { found = found || variables.contains(operand.variable); });
    });
    return found;
  }

  // --- what is worth it ---

  /// Whether it is a call, or chooses between calls, that can be made beside others, and is worth it.
  bool runs_alongside(const Binding& binding) {
    const bool active = activity_.carries_adjoint(binding);
    if (schedule_ == Schedule::depth_first || binding.results.empty() || (!active && runs_backwards_)) return false;
    if (const auto* call = std::get_if<Call>(&binding.node)) return is_worth(*call, active);
    const auto* branch = std::get_if<If>(&binding.node);
    return branch && !branch->then->raises && !branch->otherwise->raises && !keeps_order(binding) && holds_call(binding, active);
  }

  /// Whether a branch, or one within it, holds such a call.
  bool holds_call(const Binding& binding, bool active) {
    bool found = false;
    for_each_block(binding.node, [&](const Block& block) {
      for (const auto& inner : block.bindings) {
        const auto* call = std::get_if<Call>(&inner.node);
        const bool is_one = call && activity_.carries_adjoint(inner) == active && is_worth(*call, active);
        found = found || is_one || (std::holds_alternative<If>(inner.node) && holds_call(inner, active));
      }
    });
    return found;
  }
  /// Whether it, or one within it, holds what keeps its order.
  bool keeps_order(const Binding& branch) const {
    bool found = false;
    for_each_block(branch.node, [&](const Block& block) {
      for (const auto& inner : block.bindings) {
        if (const auto* call = std::get_if<Call>(&inner.node)) {
          found = found || effectful_.contains(*call->callee) || differentiating_.contains(*call->callee);
        } else if (std::holds_alternative<If>(inner.node)) {
          found = found || keeps_order(inner);
        } else {
          found = found || !(std::holds_alternative<Raise>(inner.node) || std::holds_alternative<Assert>(inner.node) || is_pure(inner));
        }
      }
    });
    return found;
  }
  /// Whether it holds of all that a branch may do, and it raises nothing.
  static bool all_within(const Binding& branch, bool (*holds)(const Binding&)) {
    bool all = true;
    for_each_block(branch.node, [&](const Block& block) { all = all && !block.raises && std::all_of(block.bindings.begin(), block.bindings.end(), holds); });
    return all;
  }
  static bool is_pure(const Binding& binding) {
    const auto* operate = std::get_if<Operate>(&binding.node);
    if (operate) return !operate->op->effect;
    if (std::holds_alternative<If>(binding.node)) return all_within(binding, is_pure);
    return std::holds_alternative<Field>(binding.node) || std::holds_alternative<IsNone>(binding.node) || std::holds_alternative<Copy>(binding.node) ||
           std::holds_alternative<Make>(binding.node);
  }

  /// active: with an adjoint, which goes no other way than a derivative of the callee's own.
  bool is_worth(const Call& call, bool active) { return !(active && call.callee->derivative) && is_worth(*call.callee); }
  bool is_worth(const Function& callee) {
    const auto [known, added] = worth_.emplace(&callee, false);
    if (!added) return known->second;
    const char* why_not = effectful_.contains(callee) ? "it prints, draws or changes something, which keeps its order"
                          : differentiating_.contains(callee) ? "it takes a gradient"
                          : schedule_ == Schedule::automatic && !multiplying_.contains(callee) ? "it has no product of a large parameter with a vector to share"
                                                                        : nullptr;
    if (why_not) say(callee.location, false, fmt::format("calls of '{}' are not batched: {}", callee.name, why_not));
    return worth_[&callee] = !why_not;
  }

  void say(const Location& at, bool batched, const std::string& text) { remark_({at, text, batched}); }

  static constexpr std::size_t most_at_once = 8;

  Program& program_;
  const Activity& activity_;
  const Schedule schedule_;
  const std::function<void(const Remark&)>& remark_;
  const ReachingFunctions effectful_, differentiating_, multiplying_, failing_;
  const std::set<const Function*> recursive_;
  std::map<const Function*, bool> worth_;
  std::set<const Variable*> shown_;
  bool runs_backwards_ = false;  // what is looked at is in a loop that the reverse sweep repeats
  bool found_ = false;
};

}  // namespace

bool batch(Program& program, const Activity& activity, Schedule schedule, const std::function<void(const Remark&)>& remark) {
  return Batcher(program, activity, schedule, remark).run();
}

}  // namespace lantern
