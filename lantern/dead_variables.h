#pragma once

#include <cstddef>
#include <unordered_map>
#include <unordered_set>

#include "lantern/lowered.h"

namespace lantern {

/// Whether a value that nobody reads need not be computed: it has no effect, and cannot fail as in Python.
bool can_be_left_out(const lowered::ExprPtr& e);

/// What is left to compute of a value that nobody reads: a quotient is there for what it raises, whatever is divided.
lowered::ExprPtr checks_of(const lowered::ExprPtr& e);

/// Takes out variables that nobody reads, or that only their own next values are computed from (what a loop or a branch hands on for
/// nothing), and loops that do nothing then, unless computing them has an effect or can fail as in Python.
void remove_dead_variables(lowered::Statements& statements);

/// Values that a loop computes, and computes anew where it runs backwards: read in the one, such a value may be unread in the other.
class ValuesMadeAnew {
 public:
  explicit ValuesMadeAnew(lowered::Statements& body);
  /// Whether the list declares such a value at that place, and reads it nowhere behind that.
  bool is_unread(lowered::Statements& list, std::size_t at) const;

 private:
  void look_at(lowered::Statements& list);

  std::unordered_map<const ir::Variable*, int> times_;  // that it is declared
  std::unordered_set<const ir::Variable*> in_heads_;    // of loops, which read what stands in the loop's test
};

}  // namespace lantern
