#pragma once

#include <map>
#include <set>
#include <utility>

#include "lantern/lowered.h"

namespace lantern {

/// A variable, or its adjoint.
using Place = std::pair<const ir::Variable*, bool>;

/// What loops read, through lazy values and adjoints too.
struct LoopReads {
  std::set<Place> arrays;   // the elements of which they go over
  std::set<Place> all;      // and numbers, and what is lazy, and what is asked for its shape
  std::set<Place> by_lazy;  // of these, what is read by something lazy
  std::set<Place> counted;  // what is lazy, and what its operations are counted of
  int operations = 0;       // for each element
  bool is_costly = false;   // one of them takes longer than to read what it is computed of, and to write it
};

/// What a loop computes with elements.
class LoopElements {
 public:
  /// What is lazy, and the adjoints that nothing is added to: both may grow.
  LoopElements(const std::map<Place, lowered::ExprPtr>& lazy, const std::set<const ir::Variable*>& own) : lazy_(lazy), own_(own) {}

  /// Whether it is computed element by element of arrays of that type's shape and dtype, of conditions of that shape, and of numbers; by operations that go by packets and cannot fail.
  bool is_of_one_loop(const lowered::ExprPtr& e, const Type& type) const;
  /// The type of the elements that a condition compares, or is made of; of another value, its own.
  Type compared(const lowered::ExprPtr& e) const;

  LoopReads reads_of(const lowered::ExprPtr& e) const;
  LoopReads reads_of(const lowered::InOneLoop& loop) const;

  /// How often a loop's results read it as it stands.
  static int times_read(const lowered::InOneLoop& loop, const Place& place);
  /// Gives the loop the elements of what it reads, and values that it computes of them. The first so many results are such, and no results any more.
  void write(lowered::InOneLoop& loop, ir::Program& program, std::size_t inner) const;

 private:
  void add_reads(const lowered::ExprPtr& e, bool by_lazy, LoopReads& reads) const;
  bool is_number(const lowered::ExprPtr& e) const;

  const std::map<Place, lowered::ExprPtr>& lazy_;
  const std::set<const ir::Variable*>& own_;
};

/// Of a sum or a mean of all elements: of what. Null: it is something else.
lowered::ExprPtr added_up(const lowered::ExprPtr& e);
/// Whether evaluating it may change something.
bool changes_something(const lowered::ExprPtr& e);
/// What a statement reads, or changes of adjoints.
std::set<Place> places_in(lowered::Statement& s);

}  // namespace lantern
