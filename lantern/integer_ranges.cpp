// Before:  for (int64_t i = 1; i < checked_add(n, 1, …); ++i) {      After:  for (int64_t i = 1; i < n + 1; ++i) {
//            d += index(xs, checked_subtract(i, 1, …), …);                     d += xs[i - 1];
//          }                                                                 }
// Of integers, and of the lengths of lists and arrays, is known what they are at least and at most, and by how much one is below another
// (difference_bounds.h): from arithmetic, ranges, and conditions in front. Of what a loop carries it is supposed that what is known where the loop
// begins stays so, and the loop is looked at again, with less supposed, where a turn does not leave it so. What an operation that may fail would say
// of its operands is not used: it may come to stand behind what needs it (tidy.cpp), while conditions and loops stay where they are.
#include "lantern/integer_ranges.h"

#include <algorithm>
#include <utility>

#include "lantern/ranges.h"
#include "support/match.h"

namespace lantern {

using namespace ir;

namespace ranges {

Exact exact(__int128 low, __int128 high) {
  const auto within = [](__int128 value) { return static_cast<std::int64_t>(std::clamp<__int128>(value, least, largest)); };
  return {{within(low), within(high)}, low >= least && high <= largest};
}

bool is_integer(const Type& type) { return is(type, TypeKind::scalar) && resolve(type)->dtype == DType::i64; }

const std::int64_t* literal(const Operand& operand) { return operand.variable ? nullptr : std::get_if<std::int64_t>(&operand.literal); }

std::vector<int> parts(const Type& given) {
  if (is_integer(given)) return {Symbol::value};
  const Type type = resolve(given);
  if (type->kind == TypeKind::list) return {0};
  std::vector<int> unknown;
  for (std::size_t i = 0; type->kind == TypeKind::tensor && i < type->dims.size(); ++i) {
    if (!type->dims[i].known()) unknown.push_back(static_cast<int>(i));
  }
  return unknown;
}

std::vector<int> inner_parts(const Type& given) {
  std::vector<int> all;
  Type type = resolve(given);
  for (int part = 1; type->kind == TypeKind::list; ++part) {
    type = resolve(type->elements[0]);
    if (type->kind == TypeKind::list) all.push_back(part);
  }
  return all;
}

void Ranges::visit(Block& block) {
  for (auto& binding : block.bindings) {
    for (const auto* result : binding.results) {
      enter(result);
      made_[result] = &binding;
    }
    ++visited_;
    visit(binding);
  }
}

void Ranges::visit(Binding& binding) {
  match(
      binding.node, [&](Operate& n) { operate(binding, n); }, [&](If& n) { branch(binding, n); },
      [&](While& n) {
        carry(binding, n.state, n.initial, *n.test, *n.body, std::nullopt, std::nullopt, [] {});
      },
      [&](For& n) { iterate(binding, n); },
      [&](Each& n) {
        const Term turns = term(n.turns);
        const std::size_t mark = bounds_.mark();
        enter(n.turn);
        bounds_.add(number(0), term(n.turn));
        bounds_.add(term(n.turn), turns, 1);
        visit(*n.body);
        bounds_.forget(mark);
        const bool counts = bounds_.holds(number(0), turns);
        for (const auto* result : binding.results) {
          if (counts && is(result->type, TypeKind::list)) define(result, 0, turns);
        }
      },
      [&](Copy& n) { same(binding.results[0], n.value); }, [&](Assert& n) { assume(n.condition, true); }, [&](auto&) {});
}

void Ranges::enter(const Variable* variable) {
  for (const int part : parts(variable->type)) terms_.erase({variable, part});
  for (const int part : inner_parts(variable->type)) terms_.erase({variable, part});
  entered_[variable] = ++entries_;
}

Term Ranges::term(const Operand& operand, int part) const {
  if (!operand.variable) {
    const auto* value = literal(operand);
    return value ? number(*value) : unknown;
  }
  const Type type = resolve(operand.variable->type);
  const auto axis = static_cast<std::size_t>(part);
  if (part >= 0 && type->kind == TypeKind::tensor && type->dims[axis].known()) return number(type->dims[axis].size);
  if (operand.variable->storage != Storage::local) return unknown;  // it changes while the program runs
  if (part == 0 && type->kind == TypeKind::list) {
    if (const auto first = first_columns_.find(operand.variable); first != first_columns_.end()) return term(first->second, part);
  }
  if (const auto found = terms_.find({operand.variable, part}); found != terms_.end()) return found->second;
  return {{operand.variable, part}, 0};
}

void Ranges::define(const Variable* variable, int part, const std::optional<Term>& as) {
  if (as && !(part == 0 && first_columns_.contains(variable))) terms_.insert_or_assign({variable, part}, *as);
}

void Ranges::same(const Variable* result, const Operand& as) {
  if (!as.variable && !is_integer(as.type)) return;
  for (const int part : parts(result->type)) define(result, part, term(as, part));
  for (const int part : inner_parts(result->type)) define(result, part, inner(as, part));
}

void Ranges::bound(const Variable* variable, const Interval& interval) {
  if (interval.low != least) bounds_.add(number(interval.low), term(variable));
  if (interval.high != largest) bounds_.add(term(variable), number(interval.high));
}

void Ranges::bound_by(const Variable* variable, const Term& base, const Interval& moved) {
  if (const auto low = base.plus(moved.low); low && moved.low != least) bounds_.add(*low, term(variable));
  if (const auto high = base.plus(moved.high); high && moved.high != largest) bounds_.add(term(variable), *high);
}

Known Ranges::known(const Operand& operand, int part) const {
  const Term of = term(operand, part);
  return {of, bounds_.interval(of), bounds_.above(of), bounds_.below(of)};
}

void Ranges::join(const Variable* result, int part, const Known& a, const Known& b) {
  if (a.term == b.term) return define(result, part, a.term);
  const Term of = term(result, part);
  bounds_.add(number(std::min(a.interval.low, b.interval.low)), of);
  bounds_.add(of, number(std::max(a.interval.high, b.interval.high)));
  const auto both = [](const std::vector<Term>& some, const std::vector<Term>& others, auto&& add) {
    for (const Term& one : some) {
      const auto other = std::ranges::find(others, one.symbol, &Term::symbol);
      if (other != others.end() && !one.symbol.is_zero()) add(one, *other);
    }
  };
  both(a.above, b.above, [&](const Term& x, const Term& y) { bounds_.add_above(of, x.constant > y.constant ? x : y); });
  both(a.below, b.below, [&](const Term& x, const Term& y) { bounds_.add(x.constant < y.constant ? x : y, of); });
}

namespace {
std::vector<Room> rooms_of_both(const std::vector<Room>& some, const std::vector<Room>& others) {
  std::vector<Room> both;
  for (const Room& one : some) {
    const auto other = std::ranges::find_if(others, [&](const Room& each) { return each.place == one.place && each.list == one.list; });
    if (other != others.end()) both.push_back({one.place, one.list, std::min(one.behind, other->behind)});
  }
  return both;
}
}  // namespace

void Ranges::branch(Binding& binding, If& n) {
  struct Part {
    std::size_t result;
    int part;
    std::optional<Known> then, otherwise;
  };
  if (const auto truth = truth_of(n.condition)) decided_.emplace_back(&n.condition, *truth);
  std::vector<Part> all;
  for (std::size_t i = 0; i < binding.results.size(); ++i) {
    for (const int part : parts(binding.results[i]->type)) all.push_back({i, part, {}, {}});
  }
  std::optional<std::vector<Distance>> apart;
  std::optional<std::vector<Room>> rooms;
  for (const bool truth : {true, false}) {
    Block& way = truth ? *n.then : *n.otherwise;
    const std::size_t mark = bounds_.mark();
    assume(n.condition, truth);
    visit(way);
    if (!way.raises) {
      auto here = distances(way.results);
      if (apart) std::erase_if(here, [&](const Distance& one) { return std::ranges::find(*apart, one) == apart->end(); });
      apart = std::move(here);
      rooms = rooms ? rooms_of_both(*rooms, this->rooms(way.results)) : this->rooms(way.results);
    }
    for (auto& part : all) {
      if (!way.raises) (truth ? part.then : part.otherwise) = known(way.results[part.result], part.part);
    }
    bounds_.forget(mark);
  }
  if (n.then->raises != n.otherwise->raises) assume(n.condition, n.otherwise->raises);
  for (const auto& [result, part, then, otherwise] : all) {
    if (then || otherwise) join(binding.results[result], part, then ? *then : *otherwise, otherwise ? *otherwise : *then);
  }
  for (const auto& distance : apart.value_or(std::vector<Distance>())) add(distance, binding.results);
  for (const auto& room : rooms.value_or(std::vector<Room>())) bounds_.add_above(term(binding.results[room.place]), term(binding.results[room.list], 0), room.behind);
  for (std::size_t i = 0; i < binding.results.size(); ++i) {
    for (const int part : inner_parts(binding.results[i]->type)) {
      const auto of = [&](const Block& way) { return way.raises ? of_none : inner(way.results[i], part); };
      define(binding.results[i], part, inner_of_both(of(*n.then), of(*n.otherwise)));
    }
  }
}

}  // namespace ranges

void find_integer_ranges(Program& program) {
  for (auto& function : program.functions) {
    ranges::Ranges known(function, !program.exports.empty());  // whose callers' lists are looked at: check_column
    ranges::leave_out_branches(function.body);
  }
}

}  // namespace lantern
