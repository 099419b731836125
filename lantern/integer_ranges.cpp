// Before:  for (int64_t i = 1; i < checked_add(n, 1, …); ++i) {      After:  for (int64_t i = 1; i < n + 1; ++i) {
//            d += index(xs, checked_subtract(i, 1, …), …);                     d += index(xs, i - 1, …);
//          }                                                                 }
// Of each integer the least and the largest value that it can have is known from lengths, ranges, and conditions in front. What a loop carries has a
// range where each turn adds a constant to it, or begins it anew.
#include "lantern/integer_ranges.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <unordered_map>
#include <vector>

#include "support/match.h"

namespace lantern {

using namespace ir;

namespace {

constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min(), largest = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t longest_list = std::int64_t{1} << 47;  // whose elements have an address each
constexpr std::int64_t longest_array = std::int64_t{1} << 62;

struct Interval {
  std::int64_t low = least, high = largest;
};

/// Of `low` and `high` in exact arithmetic; none: it would overflow.
struct Exact {
  std::optional<std::int64_t> low, high;
  bool fits() const { return low && high; }
  Interval clamped() const { return {low.value_or(least), high.value_or(largest)}; }
};

std::optional<std::int64_t> sum(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  return __builtin_add_overflow(a, b, &result) ? std::nullopt : std::optional(result);
}
std::optional<std::int64_t> difference(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  return __builtin_sub_overflow(a, b, &result) ? std::nullopt : std::optional(result);
}
std::optional<std::int64_t> product(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  return __builtin_mul_overflow(a, b, &result) ? std::nullopt : std::optional(result);
}

Interval hull(const Interval& a, const Interval& b) { return {std::min(a.low, b.low), std::max(a.high, b.high)}; }

Exact multiplied(const Interval& a, const Interval& b) {
  std::optional<Interval> all;
  for (const auto x : {a.low, a.high}) {
    for (const auto y : {b.low, b.high}) {
      const auto corner = product(x, y);
      if (!corner) return {};
      all = all ? hull(*all, {*corner, *corner}) : Interval{*corner, *corner};
    }
  }
  return {all->low, all->high};
}

bool is_integer(const Type& type) { return is(type, TypeKind::scalar) && resolve(type)->dtype == DType::i64; }

/// What a turn makes of what a loop carries: it adds a constant of `added`, or begins with one of `anew`.
struct Step {
  std::optional<Interval> added, anew;
};

class Steps {
 public:
  explicit Steps(const Block& body) : body_(body) {}

  /// None: it is neither.
  std::optional<Step> of(const Operand& next, const Variable* state) {
    if (made_.empty()) enter(body_);
    if (state != state_) known_.clear();
    state_ = state;
    return of(next);
  }

 private:
  void enter(const Block& block) {
    for (const auto& binding : block.bindings) {
      for (const auto* result : binding.results) made_[result] = &binding;
    }
  }

  std::optional<Step> of(const Operand& next) {
    if (next.variable == state_) return Step{Interval{0, 0}, std::nullopt};
    if (!next.variable) {
      const auto* number = std::get_if<std::int64_t>(&next.literal);
      return number ? std::optional(Step{std::nullopt, Interval{*number, *number}}) : std::nullopt;
    }
    const auto found = made_.find(next.variable);
    if (found == made_.end()) return std::nullopt;
    const auto [known, is_new] = known_.emplace(next.variable, std::nullopt);
    if (!is_new) return known->second;
    const auto* operate = std::get_if<Operate>(&found->second->node);
    const auto* branch = std::get_if<If>(&found->second->node);
    const auto step = operate ? of_sum(*operate) : branch ? of_branch(*found->second, *branch, next.variable) : std::nullopt;
    return known_[next.variable] = step;
  }

  std::optional<Step> of_sum(const Operate& operate) {
    const bool adds = operate.op->name == "+";
    if ((!adds && operate.op->name != "-") || operate.operands.size() != 2) return std::nullopt;
    const bool turned = adds && !operate.operands[0].variable;
    const Operand &changed = operate.operands[turned ? 1 : 0], &by = operate.operands[turned ? 0 : 1];
    const auto* number = by.variable ? nullptr : std::get_if<std::int64_t>(&by.literal);
    auto step = number && changed.variable ? of(changed) : std::nullopt;
    if (!step) return std::nullopt;
    for (auto* range : {&step->added, &step->anew}) {
      if (!*range) continue;
      const auto move = [&](std::int64_t from) { return adds ? sum(from, *number) : difference(from, *number); };
      const auto low = move((*range)->low), high = move((*range)->high);
      if (!low || !high) return std::nullopt;
      *range = Interval{*low, *high};
    }
    return step;
  }

  std::optional<Step> of_branch(const Binding& binding, const If& branch, const Variable* result) {
    const auto place = static_cast<std::size_t>(std::ranges::find(binding.results, result) - binding.results.begin());
    std::optional<Step> both;
    for (const auto* way : {branch.then.get(), branch.otherwise.get()}) {
      if (way->raises) continue;
      enter(*way);
      const auto step = of(way->results[place]);
      if (!step) return std::nullopt;
      if (!both) both = Step{};
      const auto join = [](std::optional<Interval>& a, const std::optional<Interval>& b) { a = a && b ? std::optional(hull(*a, *b)) : a ? a : b; };
      join(both->added, step->added);
      join(both->anew, step->anew);
    }
    return both;
  }

  const Block& body_;
  const Variable* state_ = nullptr;
  std::unordered_map<const Variable*, const Binding*> made_;
  std::unordered_map<const Variable*, std::optional<Step>> known_;  // of the state
};

class Ranges {
 public:
  void visit(Function& function) { visit(function.body); }

 private:
  void visit(Block& block) {
    for (auto& binding : block.bindings) visit(binding);
  }

  /// With what is known there alone.
  void visit_within(Block& block, const Operand* condition = nullptr, bool truth = true) {
    const std::size_t mark = trail_.size();
    if (condition) assume(*condition, truth);
    visit(block);
    forget(mark);
  }

  void visit(Binding& binding) {
    match(
        binding.node, [&](Operate& n) { operate(binding, n); }, [&](If& n) { branch(binding, n); },
        [&](While& n) {
          carry(binding, n.state, n.initial, *n.test, *n.body, std::nullopt);
        },
        [&](For& n) { iterate(binding, n); }, [&](Each& n) {
          set(n.turn, {0, std::max<std::int64_t>(0, range_of(n.turns).high - 1)});
          visit_within(*n.body);
        },
        [&](auto&) {});
  }

  void operate(Binding& binding, Operate& n) {
    if (binding.results.size() != 1) return;
    const Variable* result = binding.results[0];
    made_[result] = &binding;
    if (!is_integer(result->type)) return;
    const std::string_view name = n.op->name;
    if (name == "length" || name == "shape") {
      const TypeKind kind = resolve(n.operands[0].type)->kind;
      return set(result, {0, kind == TypeKind::list || kind == TypeKind::string ? longest_list : longest_array});
    }
    if (!std::ranges::all_of(n.operands, [](const Operand& o) { return is_integer(o.type) || (o.variable && resolve(o.variable->type)->dtype == DType::boolean); })) return;
    const auto range = [&](std::size_t i) { return range_of(n.operands[i]); };
    if (name == "where") return set(result, hull(range(1), range(2)));
    if (n.operands.size() == 1) {
      if (name == "neg") found(result, n, {difference(0, range(0).high), difference(0, range(0).low)});
      return;
    }
    if (n.operands.size() != 2) return;
    const Interval a = range(0), b = range(1);
    if (name == "+") return found(result, n, {sum(a.low, b.low), sum(a.high, b.high)});
    if (name == "-") return found(result, n, {difference(a.low, b.high), difference(a.high, b.low)});
    if (name == "*") return found(result, n, multiplied(a, b));
    if (name == "%" && b.low > 0) return set(result, {0, b.high - 1});
    if (name == "//" && b.low > 0 && a.low >= 0) return set(result, {0, a.high / b.low});
  }

  void found(const Variable* result, Operate& n, const Exact& exact) {
    if (exact.fits()) n.derived = true;
    set(result, exact.clamped());
  }

  void branch(Binding& binding, If& n) {
    for (const auto* result : binding.results) made_[result] = &binding;
    visit_within(*n.then, &n.condition, true);
    visit_within(*n.otherwise, &n.condition, false);
    if (n.then->raises != n.otherwise->raises) assume(n.condition, n.otherwise->raises);
    for (std::size_t i = 0; i < binding.results.size(); ++i) {
      if (!is_integer(binding.results[i]->type)) continue;
      const auto of = [&](const Block& block) { return block.raises ? std::nullopt : std::optional(range_of(block.results[i])); };
      const auto then = of(*n.then), otherwise = of(*n.otherwise);
      if (then && otherwise) set(binding.results[i], hull(*then, *otherwise));
      else if (then || otherwise) set(binding.results[i], then ? *then : *otherwise);
    }
  }

  void iterate(Binding& binding, For& n) {
    std::optional<std::int64_t> turns = longest_array;
    if (const auto* sequence = std::get_if<Operand>(&n.sequence)) {
      if (is(sequence->type, TypeKind::list)) turns = longest_list;
    } else if (const auto* range = std::get_if<ir::Range>(&n.sequence)) {
      const Interval start = range_of(range->start), stop = range_of(range->stop), step = range_of(range->step);
      turns = std::nullopt;
      if (step.low > 0) {
        turns = difference(stop.high, start.low);
        set(n.element, {start.low, std::max(start.low, difference(stop.high, 1).value_or(least))});
      } else if (step.high < 0) {
        turns = difference(start.high, stop.low);
        set(n.element, {std::min(start.high, sum(stop.low, 1).value_or(largest)), start.high});
      }
    }
    carry(binding, n.state, n.initial, *n.test, *n.body, turns);
  }

  /// A loop, with the ranges of what it carries in its turns and behind it. turns: at most.
  void carry(Binding& binding, const std::vector<Variable*>& state, const std::vector<Operand>& initial, Block& test, Block& body, std::optional<std::int64_t> turns) {
    Steps steps(body);
    std::vector<std::pair<Variable*, Interval>> in_turns;
    for (std::size_t i = 0; i < state.size() && !body.raises; ++i) {
      if (!is_integer(state[i]->type)) continue;
      const auto step = steps.of(body.results[i], state[i]);
      if (!step) continue;
      Interval begin = range_of(initial[i]);
      if (step->anew) begin = hull(begin, *step->anew);
      const Interval added = step->added.value_or(Interval{0, 0});
      const auto behind = [&](std::int64_t fewer) {
        const auto moved = [&](std::int64_t from, std::int64_t by) -> std::optional<std::int64_t> {
          const auto way = by == 0 ? std::optional<std::int64_t>(0) : turns ? product(by, std::max<std::int64_t>(0, *turns - fewer)) : std::nullopt;
          return way ? sum(from, *way) : std::nullopt;
        };
        return Exact{moved(begin.low, std::min<std::int64_t>(0, added.low)), moved(begin.high, std::max<std::int64_t>(0, added.high))}.clamped();
      };
      set(state[i], behind(0));
      in_turns.emplace_back(state[i], behind(1));
      if (i < binding.results.size()) set(binding.results[i], behind(0));
    }
    const std::size_t mark = trail_.size();
    visit(test);
    for (const auto& [variable, range] : in_turns) set(variable, range);
    if (!test.results.empty()) assume(test.results[0], true);
    visit(body);
    forget(mark);
  }

  /// What a condition says where it has this truth.
  void assume(const Operand& condition, bool truth) {
    const auto found = condition.variable ? made_.find(condition.variable) : made_.end();
    if (found == made_.end()) return;
    if (const auto* branch = std::get_if<If>(&found->second->node)) {  // a and b, a or b
      if (found->second->results.size() != 1) return;
      const Block &missing = truth ? *branch->otherwise : *branch->then, &taken = truth ? *branch->then : *branch->otherwise;
      const auto* literal = missing.results.empty() || missing.results[0].variable ? nullptr : std::get_if<bool>(&missing.results[0].literal);
      if (!literal || *literal == truth || taken.results.empty()) return;
      assume(branch->condition, truth);
      assume(taken.results[0], truth);
      return;
    }
    const auto* operate = std::get_if<Operate>(&found->second->node);
    if (!operate) return;
    const std::string_view name = operate->op->name;
    const auto& operands = operate->operands;
    if (name == "not") return assume(operands[0], !truth);
    if (name == (truth ? "and" : "or")) {
      for (const auto& operand : operands) assume(operand, truth);
      return;
    }
    if (operands.size() != 2 || !is_integer(operands[0].type) || !is_integer(operands[1].type)) return;
    if (name == "<") truth ? below(operands[0], operands[1], 1) : below(operands[1], operands[0], 0);
    if (name == "<=") truth ? below(operands[0], operands[1], 0) : below(operands[1], operands[0], 1);
    if (name == ">") truth ? below(operands[1], operands[0], 1) : below(operands[0], operands[1], 0);
    if (name == ">=") truth ? below(operands[1], operands[0], 0) : below(operands[0], operands[1], 1);
    if (name == (truth ? "==" : "!=")) below(operands[0], operands[1], 0), below(operands[1], operands[0], 0);
  }

  /// a + by <= b
  void below(const Operand& a, const Operand& b, std::int64_t by) {
    const Interval of_a = range_of(a), of_b = range_of(b);
    if (const auto high = difference(of_b.high, by); a.variable && high && *high < of_a.high) set(a.variable, {of_a.low, *high});
    if (const auto low = sum(of_a.low, by); b.variable && low && *low > of_b.low) set(b.variable, {*low, of_b.high});
  }

  Interval range_of(const Operand& operand) const {
    if (operand.variable) {
      const auto found = known_.find(operand.variable);
      return found == known_.end() ? Interval{} : found->second;
    }
    const auto* number = std::get_if<std::int64_t>(&operand.literal);
    return number ? Interval{*number, *number} : Interval{};
  }

  void set(const Variable* variable, const Interval& range) {
    if (!is_integer(variable->type)) return;
    Interval& known = known_[variable];
    trail_.emplace_back(variable, known);
    known = range;
  }

  void forget(std::size_t mark) {
    for (; trail_.size() > mark; trail_.pop_back()) known_[trail_.back().first] = trail_.back().second;
  }

  std::unordered_map<const Variable*, Interval> known_;
  std::unordered_map<const Variable*, const Binding*> made_;
  std::vector<std::pair<const Variable*, Interval>> trail_;  // what was known before
};

}  // namespace

void find_integer_ranges(Program& program) {
  for (auto& function : program.functions) Ranges().visit(function);
}

}  // namespace lantern
