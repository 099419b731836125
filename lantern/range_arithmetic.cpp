// What operations of integers give, and which cannot overflow.
#include "lantern/ranges.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace lantern {

using namespace ir;

namespace ranges {

namespace {

Exact multiplied(const Interval& a, const Interval& b) {
  const __int128 corners[] = {__int128{a.low} * b.low, __int128{a.low} * b.high, __int128{a.high} * b.low, __int128{a.high} * b.high};
  const auto [low, high] = std::ranges::minmax(corners);
  return exact(low, high);
}

/// Which operand an operation gives as it is: x + 0 is x.
const Operand* unchanged(const Operate& n, const Variable* result) {
  if (n.operands.size() != 2) return nullptr;
  const std::string_view name = n.op->name;
  const Operand &x = n.operands[0], &y = n.operands[1];
  const auto stays = [&](const Operand& operand, const Operand& other, std::int64_t neutral) {
    return operand.variable && same_type(operand.type, result->type) && literal(other) && *literal(other) == neutral;
  };
  if (name == "+") return stays(x, y, 0) ? &x : stays(y, x, 0) ? &y : nullptr;
  if (name == "*") return stays(x, y, 1) ? &x : stays(y, x, 1) ? &y : nullptr;
  return (name == "-" && stays(x, y, 0)) || (name == "//" && stays(x, y, 1)) ? &x : nullptr;
}

}  // namespace

void Ranges::operate(Binding& binding, Operate& n) {
  if (binding.results.size() != 1) return;
  const Variable* result = binding.results[0];
  const std::string_view name = n.op->name;
  if (!is_integer(result->type)) {
    find_places(n);
    return size(result, n);
  }
  if (const Operand* operand = unchanged(n, result)) {
    const Operand value = *operand;
    same(result, value);
    binding.node = Copy{value};
    return;
  }
  if (name == "index") return find_places(n);
  if (name == "length" && n.operands[0].variable) return define(result, Symbol::value, term(n.operands[0], 0));
  if (name == "shape" && n.operands[0].variable && literal(n.operands[1])) {
    const auto rank = static_cast<std::int64_t>(resolve(n.operands[0].type)->dims.size());
    const std::int64_t axis = *literal(n.operands[1]);
    if (axis >= -rank && axis < rank) define(result, Symbol::value, term(n.operands[0], static_cast<int>(axis < 0 ? axis + rank : axis)));
    return;
  }
  if (name == "find-key" || name == "slot-for") {
    if (const Variable* before = searched(result, n)) return define(result, Symbol::value, term(before));
    bound(result, {-1, largest});
    const Operand& within = n.operands[name == "find-key" ? 1 : 0];
    if (within.variable) bounds_.add(term(result), term(within, 0), 1);
    return;
  }
  const auto counts = [](const Operand& o) { return is_integer(o.type) || (o.variable && is_one_number(o.type) && resolve(o.type)->dtype == DType::boolean); };
  if (!std::ranges::all_of(n.operands, counts)) return;
  if (name == "where") return choose(result, n);
  if (n.operands.size() == 1 && name == "neg") {
    const Interval a = range(n.operands[0]);
    found(result, n, exact(-__int128{a.high}, -__int128{a.low}));
  }
  if (n.operands.size() != 2) return;
  const Operand &x = n.operands[0], &y = n.operands[1];
  if (const auto earlier = computed(result, *n.op, term(x), term(y))) define(result, Symbol::value, earlier);
  const Interval a = range(x), b = range(y);
  if (name == "+") add(result, n, a, b);
  if (name == "-") subtract(result, n, a, b);
  if (name == "*") found(result, n, multiplied(a, b));
  if (name == "minimum" || name == "maximum") {
    const bool least_of = name == "minimum";
    bound(result, least_of ? Interval{std::min(a.low, b.low), largest} : Interval{least, std::max(a.high, b.high)});
    for (const auto* operand : {&x, &y}) bound_by(result, term(*operand), least_of ? Interval{least, 0} : Interval{0, largest});
  }
  if (name == "%" && b.low >= 0) {  // none by zero
    bound(result, {0, largest});
    bounds_.add_above(term(result), term(y), 1);
  }
  if ((name == "//" || name == "%") && b.low > 0 && a.low >= 0 && is_integer(x.type) && is_integer(y.type)) proven_.push_back(&n.unchecked);
  if (name == "//" && b.low > 0 && a.low >= 0) bound(result, {0, a.high / b.low}), bound_by(result, term(x), {least, 0});
  if (name == "shift-right" && b.low >= 0 && a.low >= 0) bound(result, {0, a.high}), bound_by(result, term(x), {least, 0});
  if ((name == "//" && literal(y) && *literal(y) == 2) || (name == "shift-right" && literal(y) && *literal(y) == 1)) halve(result, x);
}

std::size_t Ranges::since(const Variable* variable) const {
  const auto found = entered_.find(variable);
  return found == entered_.end() ? 0 : found->second;
}

const Variable* Ranges::searched(const Variable* result, const Operate& n) {
  Search now{n.op, n.operands, {}, result};
  for (const Operand& operand : n.operands) now.since.push_back(operand.variable ? since(operand.variable) : 0);
  const auto is_same = [](const Operand& a, const Operand& b) { return a.variable == b.variable && (a.variable || a.literal == b.literal); };
  for (Search& before : searches_) {
    if (before.op != n.op || !std::ranges::equal(before.operands, n.operands, is_same)) continue;
    if (before.since == now.since && before.result != result) return before.result;
    before = std::move(now);
    return nullptr;
  }
  if (searches_.size() < most_searches) searches_.push_back(std::move(now));
  return nullptr;
}

std::optional<Term> Ranges::computed(const Variable* result, const Operator& op, const Term& x, const Term& y) {
  if (!x.symbol.is_known() || !y.symbol.is_known()) return {};
  const Computed now{{{result}, 0}, since(x.symbol.variable), since(y.symbol.variable)};
  const auto place = std::ranges::find_if(computed_[&op], [&](const auto& each) { return each.first == std::pair(x, y); });
  if (place == computed_[&op].end()) {
    computed_[&op].emplace_back(std::pair(x, y), now);
  } else if (place->second.x == now.x && place->second.y == now.y) {
    return place->second.result;
  } else {
    place->second = now;
  }
  return {};
}

void Ranges::found(const Variable* result, Operate& n, const Exact& exact) {
  if (exact.fits) proven_.push_back(&n.unchecked);
  bound(result, exact.interval);
}

void Ranges::add(const Variable* result, Operate& n, const Interval& a, const Interval& b) {
  const Operand &x = n.operands[0], &y = n.operands[1];
  const auto *of_x = literal(x), *of_y = literal(y);
  if (of_y) define(result, Symbol::value, term(x).plus(*of_y));
  else if (of_x) define(result, Symbol::value, term(y).plus(*of_x));
  else bound_by(result, term(x), b), bound_by(result, term(y), a);
  found(result, n, exact(__int128{a.low} + b.low, __int128{a.high} + b.high));
  if (const auto* half = halved(y)) {  // x + (y - x) // 2
    const auto* difference = operation(*half);
    const bool is_of_x = difference && difference->op->name == "-" && difference->operands.size() == 2 && x.variable && difference->operands[1].variable == x.variable;
    if (is_of_x) between(result, x, difference->operands[0]);
  }
}

void Ranges::subtract(const Variable* result, Operate& n, const Interval& a, const Interval& b) {
  const Operand &x = n.operands[0], &y = n.operands[1];
  const auto* of_y = literal(y);
  Exact all = exact(__int128{a.low} - b.high, __int128{a.high} - b.low);
  if (of_y && *of_y != least) {
    define(result, Symbol::value, term(x).plus(-*of_y));
  } else {
    const auto negative = [](std::int64_t bound) { return bound == least ? largest : bound == largest ? least : -bound; };
    bound_by(result, term(x), {negative(b.high), negative(b.low)});
    if (const auto low = bounds_.least_difference(term(x), term(y))) all.interval.low = std::max(all.interval.low, *low);
    if (const auto low = bounds_.least_difference(term(y), term(x)); low && *low != least) all.interval.high = std::min(all.interval.high, -*low);
    all.fits = all.fits || (all.interval.low != least && all.interval.high != largest && all.interval.low <= all.interval.high);
  }
  found(result, n, all);
}

const Operate* Ranges::operation(const Operand& operand) const {
  const auto found = operand.variable ? made_.find(operand.variable) : made_.end();
  return found == made_.end() ? nullptr : std::get_if<Operate>(&found->second->node);
}

const Operand* Ranges::halved(const Operand& operand) const {
  const auto* half = operation(operand);
  const auto* by = half && half->operands.size() == 2 ? literal(half->operands[1]) : nullptr;
  return by && ((half->op->name == "//" && *by == 2) || (half->op->name == "shift-right" && *by == 1)) ? &half->operands[0] : nullptr;
}

void Ranges::halve(const Variable* result, const Operand& whole) {
  const auto* sum = operation(whole);
  if (sum && sum->op->name == "+" && sum->operands.size() == 2) between(result, sum->operands[0], sum->operands[1]);
}

void Ranges::between(const Variable* result, const Operand& x, const Operand& y) {
  for (const auto& [low, high] : {std::pair{term(x), term(y)}, std::pair{term(y), term(x)}}) {
    if (!bounds_.holds(low, high)) continue;
    const bool apart = bounds_.holds(low, high, 1);
    bounds_.add(low, term(result));
    bounds_.add(term(result), high, apart ? 1 : 0);
  }
}

void Ranges::choose(const Variable* result, const Operate& n) {
  const auto of = [&](std::size_t i) {
    const std::size_t mark = bounds_.mark();
    assume(n.operands[0], i == 1);
    const Known all = known(n.operands[i], Symbol::value);
    bounds_.forget(mark);
    return all;
  };
  join(result, Symbol::value, of(1), of(2));
}

}  // namespace ranges

}  // namespace lantern
