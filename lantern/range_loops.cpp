// What stays so while a loop runs, and is so behind it.
#include "lantern/ranges.h"

#include <algorithm>
#include <utility>

namespace lantern {

using namespace ir;

namespace ranges {

void Ranges::iterate(Binding& binding, For& n) {
  std::optional<std::int64_t> turns;
  Counter counter{{n.element, Symbol::turn}, number(0), std::nullopt};
  std::optional<Term> first, last;  // that the element is not below, and not above
  if (const auto* sequence = std::get_if<Operand>(&n.sequence)) {
    if (is(sequence->type, TypeKind::list) || is(sequence->type, TypeKind::tensor)) {
      counter.stop = term(*sequence, 0);
      turns = bounds_.interval(*counter.stop).high;
    }
  } else {
    const auto& over = std::get<ir::Range>(n.sequence);
    const Term start = term(over.start), stop = term(over.stop);
    const Interval step = range(over.step), begin = range(over.start), end = range(over.stop);
    if (step.low > 0) {
      first = start, last = stop.plus(-1);
      turns = exact(0, __int128{end.high} - begin.low).interval.high;
      if (step == Interval{1, 1}) counter = {{n.element, Symbol::value}, start, stop};
    } else if (step.high < 0) {
      first = stop.plus(1), last = start;
      turns = exact(0, __int128{begin.high} - end.low).interval.high;
    }
    if (turns == largest) turns = std::nullopt;
  }
  const auto enter_turn = [&] {
    enter(n.element);
    if (first) bounds_.add(*first, term(n.element));
    if (last) bounds_.add(term(n.element), *last);
    if (counter.symbol.part == Symbol::turn && counter.stop) bounds_.add({counter.symbol, 0}, *counter.stop, 1);
  };
  carry(binding, n.state, n.initial, *n.test, *n.body, turns, counter, enter_turn);
}

void Ranges::carry(Binding& binding, const std::vector<Variable*>& state, const std::vector<Operand>& initial, Block& test, Block& body,
                   std::optional<std::int64_t> turns, const std::optional<Counter>& counter, const std::function<void()>& enter_turn) {
  Carried carried;
  LoopSteps steps(body);
  const std::size_t before = entries_;
  for (std::size_t i = 0; i < state.size(); ++i) {
    enter(state[i]);
    for (const int part : inner_parts(state[i]->type)) {
      if (const auto length = inner(initial[i], part); length && !body.raises) carried.uniform.push_back({i, part, *length});
    }
    for (const int part : body.raises ? std::vector<int>() : parts(state[i]->type)) {
      const bool steps_so = is_integer(state[i]->type) || is(state[i]->type, TypeKind::list);
      begin(carried, {i, part, term(initial[i], part)}, state[i], steps_so ? steps.of(body.results[i], state[i]) : std::nullopt, turns, counter);
    }
  }
  if (!body.raises) carried.distances = distances(initial);
  const auto suppose = [&](const std::vector<Variable*>& variables) {
    for (const auto& [i, part, is_above, bound] : carried.supposed) {
      const Term of = term(variables[i], part);
      is_above ? bounds_.add(of, bound) : bounds_.add(bound, of);
    }
    for (const auto& distance : carried.distances) add(distance, variables);
    for (const auto& [i, always, in_turns] : carried.stepping) bound(variables[i], always);
    for (const auto& [i, part, length] : carried.uniform) define(variables[i], part, length);
  };
  for (int attempt = 0;; ++attempt) {
    if (attempt == most_attempts || visited_ > most_visited) carried.supposed.clear(), carried.uniform.clear(), carried.distances.clear();
    for (const auto* variable : state) {
      entered_[variable] = ++entries_;
      for (const int part : inner_parts(variable->type)) forget(variable, part);
    }
    const std::size_t mark = bounds_.mark(), proven = proven_.size(), decided = decided_.size();
    suppose(state);
    visit(test);
    enter_turn();
    for (const auto& [i, always, in_turns] : carried.stepping) bound(state[i], in_turns);
    if (!test.results.empty()) assume(test.results[0], true);
    visit(body);
    const bool bounds_hold = stay(carried.supposed, body, attempt == 0), lengths_hold = stay(carried.uniform, body, before), distances_hold = stay(carried.distances, body);
    bounds_.forget(mark);
    if (bounds_hold && lengths_hold && distances_hold) break;
    proven_.resize(proven), decided_.resize(decided);
  }
  if (binding.results.size() != state.size()) return;
  suppose(binding.results);
  for (const auto& counted : carried.counted) end(counted, binding.results[counted.state], *counter, is_true(test));
  if (counter || test.results.empty()) return;
  for (std::size_t i = 0; i < state.size(); ++i) {
    for (const int part : parts(state[i]->type)) at_end_[{state[i], part}] = term(binding.results[i], part);
  }
  assume(test.results[0], false);
  at_end_.clear();
}

void Ranges::begin(Carried& carried, const Carried::Part& part, const Variable* state, const std::optional<LoopStep>& step, std::optional<std::int64_t> turns,
                   const std::optional<Counter>& counter) {
  const std::size_t i = part.state;
  const int axis = part.part;
  const Term initial = part.initial;
  if (!initial.symbol.is_known()) return;
  if (step && counter && !step->anew && step->added == Interval{1, 1} && initial.symbol == counter->start.symbol) {
    if (const auto counted = Term{counter->symbol, initial.constant}.minus(counter->start.constant)) {
      define(state, axis, counted);
      return carried.counted.push_back(part);
    }
  }
  Interval range = bounds_.interval(initial);
  const bool always = counter && step && step->added;  // it goes on so, whatever a test says
  const bool grows = always && step->added->high > 0, shrinks = always && step->added->low < 0;
  const auto suppose = [&](bool is_above, const Term& bound) {
    if (is_above ? !grows : !shrinks) carried.supposed.push_back({i, axis, is_above, bound});
  };
  if (range.low != least) suppose(false, number(range.low));
  if (range.high != largest) suppose(true, number(range.high));
  for (const bool is_above : {true, false}) {
    for (const Term& bound : is_above ? bounds_.above(initial) : bounds_.below(initial)) {
      if (!bound.symbol.is_zero()) suppose(is_above, bound);
    }
  }
  if (!step || axis != Symbol::value) return;
  if (step->anew) range = {std::min(range.low, step->anew->low), std::max(range.high, step->anew->high)};
  const Interval added = step->added.value_or(Interval{0, 0});
  const auto behind = [&](std::int64_t fewer) {
    const auto moved = [&](std::int64_t from, std::int64_t by, std::int64_t none) {
      if (from == none || by == 0) return from;
      return turns ? exact(__int128{from} + __int128{by} * std::max<std::int64_t>(0, *turns - fewer), 0).interval.low : none;
    };
    return Interval{moved(range.low, std::min<std::int64_t>(0, added.low), least), moved(range.high, std::max<std::int64_t>(0, added.high), largest)};
  };
  carried.stepping.push_back({i, behind(0), behind(1)});
}

bool Ranges::stay(std::vector<Supposition>& supposed, const Block& body, bool moves) const {
  bool all = true;
  std::erase_if(supposed, [&](Supposition& one) {
    const Term next = term(body.results[one.state], one.part);
    const auto apart = one.is_above ? bounds_.least_difference(one.bound, next) : bounds_.least_difference(next, one.bound);
    if (apart && *apart >= 0) return false;
    all = false;
    const auto moved = apart && moves ? one.is_above ? one.bound.minus(*apart) : one.bound.plus(*apart) : std::nullopt;
    if (moved) one.bound = *moved;
    return !moved;
  });
  return all;
}

bool Ranges::stay(std::vector<Uniform>& uniform, const Block& body, std::size_t before) const {
  bool all = true;
  std::erase_if(uniform, [&](Uniform& one) {
    const auto next = inner(body.results[one.state], one.part);
    if (next == one.length) return false;
    all = false;
    const auto* variable = next ? next->symbol.variable : nullptr;
    const auto entered = entered_.find(variable);
    const bool begins = next && one.length == of_none && (entered == entered_.end() || entered->second <= before);
    if (begins) one.length = *next;
    return !begins;
  });
  return all;
}

bool Ranges::stay(std::vector<Distance>& distances, const Block& body) const {
  const auto now = this->distances(body.results);
  return std::erase_if(distances, [&](const Distance& one) { return std::ranges::find(now, one) == now.end(); }) == 0;
}

void Ranges::end(const Carried::Part& counted, const Variable* result, const Counter& counter, bool to_the_end) {
  const Term of = term(result, counted.part);
  bounds_.add(counted.initial, of);
  const auto stop = counter.stop ? counter.stop->plus(counted.initial.constant) : std::nullopt;
  const auto last = stop ? stop->minus(counter.start.constant) : std::nullopt;
  if (!last) return;
  const bool turns = bounds_.holds(counter.start, *counter.stop);
  if (turns && to_the_end) return define(result, counted.part, last);
  if (turns) bounds_.add(of, *last);
  if (!to_the_end) return;
  bounds_.add(*last, of);
  const Symbol stop_at = counter.stop->symbol;  // turns: as many as it is above what counting begins with
  const auto apart = counter.stop->minus(counter.start.constant);
  if (counter.start.symbol.is_zero() && counted.initial.symbol.is_zero() && stop_at.part == Symbol::value && !stop_at.is_zero() && apart) {
    define(result, counted.part, Term{{stop_at.variable, Symbol::count, apart->constant}, counted.initial.constant});
  }
}

}  // namespace ranges

}  // namespace lantern
