#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <unordered_map>
#include <vector>

#include "lantern/ir.h"

namespace lantern {

/// What an integer is at least and at most.
struct Interval {
  static constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min(), largest = std::numeric_limits<std::int64_t>::max();
  std::int64_t low = least, high = largest;
  friend bool operator==(const Interval&, const Interval&) = default;
};

/// A whole number that a program computes or that is the size of something. No variable: zero.
struct Symbol {
  /// turn: which turn it is, from zero, of the loop whose element the variable is. count: variable + moved, or zero if that is negative.
  /// unknown: a number of which nothing is known, and no two need be equal. of_none: any number, of what there is none of. Else: how long this axis of
  /// the variable's value is.
  enum Part : int { unknown = -5, of_none, count, value, turn };
  const ir::Variable* variable = nullptr;
  int part = value;
  std::int64_t moved = 0;
  bool is_zero() const { return !variable && part == value; }
  bool is_known() const { return part != unknown && part != of_none; }
  friend bool operator==(const Symbol&, const Symbol&) = default;
};

struct SymbolHash {
  std::size_t operator()(const Symbol& symbol) const { return std::hash<const void*>()(symbol.variable) * 31 + static_cast<std::size_t>(symbol.part); }
};

/// symbol + constant.
struct Term {
  Symbol symbol;
  std::int64_t constant = 0;
  std::optional<Term> plus(std::int64_t number) const;  // none: it would overflow
  std::optional<Term> minus(std::int64_t number) const;
  friend bool operator==(const Term&, const Term&) = default;
};
Term number(std::int64_t value);
constexpr Term unknown{{nullptr, Symbol::unknown}, 0};

/// What is known of differences: facts a + by <= b of terms, in exact arithmetic, and what follows from them. A fact is known until `forget`.
class DifferenceBounds {
 public:
  /// a + by <= b.
  void add(const Term& a, const Term& b, std::int64_t by = 0);
  /// The same, of which nothing follows for b: where a is what an operation gives that may fail, and b is there before.
  void add_above(const Term& a, const Term& b, std::int64_t by = 0);
  bool holds(const Term& a, const Term& b, std::int64_t by = 0) const;

  /// The most that is known of a - b from below; none: nothing.
  std::optional<std::int64_t> least_difference(const Term& a, const Term& b) const;
  Interval interval(const Term& term) const;
  /// Terms that are known not to be below it, or above it, one for each symbol; itself first.
  std::vector<Term> above(const Term& term) const { return reached(term, above_); }
  std::vector<Term> below(const Term& term) const { return reached(term, below_); }

  std::size_t mark() const { return trail_.size(); }
  void forget(std::size_t mark);

 private:
  using Edges = std::unordered_map<Symbol, std::vector<Term>, SymbolHash>;
  /// What was known of a symbol before it was narrowed; none: an edge was added at it, and at the other symbol.
  struct Step {
    Symbol symbol;
    std::optional<Interval> before;
    Symbol other = {};
    bool both_ways = true;
  };

  std::vector<Term> reached(const Term& from, const Edges& edges) const;
  void relate(const Term& a, const Term& b, std::int64_t by, bool both_ways);
  Interval own(const Symbol& symbol) const;
  void narrow(const Symbol& symbol, const Interval& to);

  Edges above_, below_;
  std::unordered_map<Symbol, Interval, SymbolHash> intervals_;
  std::vector<Step> trail_;
};

}  // namespace lantern
