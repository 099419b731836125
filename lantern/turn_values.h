#pragma once

#include <set>

#include "lantern/lowered.h"

/// What the reverse sweep of a loop's turn needs of that turn going forward: computed anew, read back from where it was saved,
/// found in the state behind the turn, or no more than its shape.
namespace lantern {

/// What an operation wants of an operand. C++ writes none that only says where an adjoint goes, or of which dtype it is.
enum class Aspect { value, shape, none };
Aspect aspect_of(const lowered::Apply& apply, std::size_t operand, const Type& result);

/// The variables whose values, whose shapes alone, and whose adjoints statements speak of.
struct Needs {
  std::set<const ir::Variable*> values, shapes, adjoints;

  void add(const lowered::ExprPtr& e);
  void add(lowered::Statements& statements);
  /// Whether one of those is declared by these statements (need_values), or an array changed whose history they speak of.
  bool need(const lowered::Statements& statements) const { return changes(statements) || need_values(statements); }
  bool need_values(const lowered::Statements& statements) const;
  bool need_value(const lowered::Statement& statement) const;
  bool changes(const lowered::Statements& statements) const;
};

/// What the turns of a loop keep, besides the state at their beginning.
struct TurnValues {
  const ir::Block& turn;
  const std::vector<ir::Variable*>& state;

  std::vector<ir::Variable*> saved;                              // each worth more than the memory that it takes
  std::vector<ir::Variable*> outlines;                           // of which the shape is enough
  std::vector<std::pair<ir::Variable*, ir::Variable*>> next{};   // with the variable of the state that has them behind the turn

  /// Whether what `step` computes, which is needed, is kept. Then it need not be computed anew, and what it is computed from is
  /// needed for that no more.
  bool keeps(const lowered::Statements& step, Needs& mentions);
};

/// Takes out of the blocks of what runs once more the values that nothing there reads: what was set by them is set from its history.
void leave_out_unread(lowered::Statements& step);

/// In `sum_to(t_adj, shape_of(t))`, where an earlier step says `t = a + b`: shape_of(a + b), which computes no sum, or shape_of(a)
/// where b certainly does not stretch it.
void ask_operands_for_shapes(lowered::Statements& sweep, const std::vector<lowered::Statements>& steps);

}  // namespace lantern
