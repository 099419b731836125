#include "lantern/difference_bounds.h"

#include <algorithm>

namespace lantern {

namespace {

constexpr std::int64_t longest_list = std::int64_t{1} << 47;  // whose elements have an address each
constexpr std::int64_t longest_axis = std::int64_t{1} << 62;
constexpr std::size_t most_reached = 24;  // symbols

std::optional<std::int64_t> sum(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  return __builtin_add_overflow(a, b, &result) ? std::nullopt : std::optional(result);
}
std::optional<std::int64_t> difference(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  return __builtin_sub_overflow(a, b, &result) ? std::nullopt : std::optional(result);
}

/// A bound of symbol + constant, of the symbol's. Both are numbers of the program's, and so never out of range.
std::int64_t moved(std::int64_t bound, std::int64_t constant) {
  return sum(bound, constant).value_or(constant > 0 ? Interval::largest : Interval::least);
}

}  // namespace

std::optional<Term> Term::plus(std::int64_t number) const {
  const auto moved = sum(constant, number);
  return moved ? std::optional(Term{symbol, *moved}) : std::nullopt;
}

std::optional<Term> Term::minus(std::int64_t number) const {
  const auto moved = difference(constant, number);
  return moved ? std::optional(Term{symbol, *moved}) : std::nullopt;
}

Term number(std::int64_t value) { return {{}, value}; }

Interval DifferenceBounds::own(const Symbol& symbol) const {
  if (symbol.is_zero()) return {0, 0};
  if (const auto found = intervals_.find(symbol); found != intervals_.end()) return found->second;
  if (symbol.part == Symbol::turn || symbol.part == Symbol::count) return {0, longest_axis};
  if (!symbol.is_known()) return {};
  if (symbol.part >= 0) {
    const TypeKind kind = resolve(symbol.variable->type)->kind;
    return {0, kind == TypeKind::list || kind == TypeKind::string ? longest_list : longest_axis};
  }
  if (is_one_number(symbol.variable->type) && resolve(symbol.variable->type)->dtype == DType::boolean) return {0, 1};
  return {};
}

void DifferenceBounds::narrow(const Symbol& symbol, const Interval& to) {
  const Interval before = own(symbol), after{std::max(before.low, to.low), std::min(before.high, to.high)};
  if (after == before) return;
  trail_.push_back({symbol, before});
  intervals_[symbol] = after;
}

void DifferenceBounds::add(const Term& a, const Term& b, std::int64_t by) { relate(a, b, by, true); }
void DifferenceBounds::add_above(const Term& a, const Term& b, std::int64_t by) { relate(a, b, by, false); }

void DifferenceBounds::relate(const Term& a, const Term& b, std::int64_t by, bool both_ways) {
  const auto from = sum(a.constant, by);
  const auto apart = from ? difference(b.constant, *from) : std::nullopt;  // a.symbol <= b.symbol + apart
  const auto back = apart ? difference(0, *apart) : std::nullopt;
  if (!back || a.symbol == b.symbol || !a.symbol.is_known() || !b.symbol.is_known()) return;
  if (b.symbol.is_zero()) return narrow(a.symbol, {Interval::least, *apart});
  if (a.symbol.is_zero()) return both_ways ? narrow(b.symbol, {*back, Interval::largest}) : void();
  above_[a.symbol].push_back({b.symbol, *apart});
  if (both_ways) below_[b.symbol].push_back({a.symbol, *back});
  trail_.push_back({a.symbol, std::nullopt, b.symbol, both_ways});
}

void DifferenceBounds::forget(std::size_t mark) {
  for (; trail_.size() > mark; trail_.pop_back()) {
    const Step& step = trail_.back();
    if (step.before) {
      intervals_[step.symbol] = *step.before;
    } else {
      above_[step.symbol].pop_back();
      if (step.both_ways) below_[step.other].pop_back();
    }
  }
}

std::vector<Term> DifferenceBounds::reached(const Term& from, const Edges& edges) const {
  const bool up = &edges == &above_;
  std::vector<Term> found{from};
  const auto meet = [&](const std::optional<Term>& term) {
    if (!term) return;
    const auto known = std::ranges::find(found, term->symbol, &Term::symbol);
    if (known == found.end()) {
      if (found.size() < most_reached) found.push_back(*term);
    } else if (up ? term->constant < known->constant : term->constant > known->constant) {
      known->constant = term->constant;
    }
  };
  for (std::size_t i = 0; i < found.size(); ++i) {
    const Term at = found[i];
    if (!up && at.symbol.part == Symbol::count) meet(Term{{at.symbol.variable}, at.constant}.plus(at.symbol.moved));
    const auto next = edges.find(at.symbol);
    for (std::size_t k = 0; next != edges.end() && k < next->second.size(); ++k) meet(next->second[k].plus(at.constant));
  }
  return found;
}

Interval DifferenceBounds::interval(const Term& term) const {
  Interval all;
  for (const Term& bound : above(term)) all.high = std::min(all.high, moved(own(bound.symbol).high, bound.constant));
  for (const Term& bound : below(term)) all.low = std::max(all.low, moved(own(bound.symbol).low, bound.constant));
  return all;
}

std::optional<std::int64_t> DifferenceBounds::least_difference(const Term& a, const Term& b) const {
  std::optional<std::int64_t> most;
  const auto found = [&](std::optional<std::int64_t> value) {
    if (value && (!most || *value > *most)) most = value;
  };
  if (!a.symbol.is_known() || !b.symbol.is_known()) return {};
  const std::vector<Term> over = above(b);
  for (const Term& under : below(a)) {
    const auto met = std::ranges::find(over, under.symbol, &Term::symbol);
    if (met != over.end()) found(difference(under.constant, met->constant));
  }
  const std::int64_t low = interval(a).low, high = interval(b).high;
  if (low != Interval::least && high != Interval::largest) found(difference(low, high));
  return most;
}

bool DifferenceBounds::holds(const Term& a, const Term& b, std::int64_t by) const {
  const auto apart = least_difference(b, a);
  return apart && *apart >= by;
}

}  // namespace lantern
