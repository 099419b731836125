#pragma once

#include <map>
#include <set>

#include "lantern/lowered.h"

namespace lantern {

/// Whether that can only be added to an adjoint, of which it touches a part.
bool touches_part_only(const lowered::ExprPtr& value);

/// The reverse sweep of a list of statements, under construction: adjoints are added to, those that are not there yet are
/// declared with what is added first.
class ReverseSweep {
 public:
  /// Whose values the statements define. The adjoints of all others belong to the surroundings.
  void defined_here(const ir::Variable* variable) { local_.insert(variable); }
  /// The same of one that is no value itself, and whose adjoint begins as `zeros`.
  void defined_here(const ir::Variable* variable, lowered::ExprPtr zeros) {
    local_.insert(variable);
    zeros_[variable] = std::move(zeros);
  }
  /// Whose adjoints are declared before the reverse sweep.
  void declared_before(const ir::Variable* variable) { declared_.insert(variable); }

  bool is_declared(const ir::Variable* variable) const { return declared_.contains(variable) || !local_.contains(variable); }
  /// Whether its adjoint begins in this sweep, with what is added first.
  bool begins_here(const ir::Variable* variable) const { return local_.contains(variable) && !declared_.contains(variable); }
  bool is_within(const ir::Variable* part) const { return within_.contains(part); }
  bool has_adjoint(const ir::Variable* variable) const { return declared_.contains(variable) || first_.contains(variable); }

  /// variable's adjoint += value
  void add(ir::Variable* variable, lowered::ExprPtr value, const Location& location);
  /// The same of a field of a structure, whose adjoint is there since the structure is.
  void add_to_field(ir::Variable* structure, lowered::ExprPtr value, const std::string& field, const Location& location);
  /// The adjoint of `part` is that part of the variable's, which is there.
  void declared_within(const ir::Variable* part, ir::Variable* variable) {
    declared_.insert(part);
    within_.insert(part);
    if (!local_.contains(variable)) added_outside.insert(variable);
  }
  /// The variable's adjoint is there from here on, and statements within further ones change it.
  void require(ir::Variable* variable);

  /// What a variable's adjoint is, taken out of the statements, if nothing is added to it later; else null.
  lowered::ExprPtr take_out(const ir::Variable* variable);

  /// The same where it is a number that is known.
  lowered::ExprPtr take_out_number(const ir::Variable* variable);

  lowered::Statements statements;
  std::set<ir::Variable*> added_outside;  // variables of the surroundings whose adjoints are added to

 private:
  std::set<const ir::Variable*> local_, declared_, within_;
  lowered::ExprPtr zeros(const ir::Variable* variable) const;

  std::map<const ir::Variable*, std::size_t> first_;  // where it is declared
  std::map<const ir::Variable*, lowered::ExprPtr> zeros_;
};

}  // namespace lantern
