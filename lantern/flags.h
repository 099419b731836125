#pragma once

#include <map>
#include <set>

#include "lantern/lowered.h"

/// Conditions that are a variable, or what is not it.
namespace lantern {

/// The flag that a condition reads, and whether it is negated. No variable: the condition is something else.
struct Flag {
  ir::Variable* variable = nullptr;
  bool negated = false;
};

Flag flag_of(const lowered::ExprPtr& e);

/// What is known of the flags of a function.
class Flags {
 public:
  explicit Flags(lowered::Statements& function_body) { survey(function_body); }

  bool may_change(const ir::Variable* variable) const { return declared_.contains(variable); }
  /// A condition as a variable that never changes; `const bool b = !a` is a, negated.
  Flag constant(const lowered::ExprPtr& e) const;

 private:
  void survey(lowered::Statements& list);

  std::map<const ir::Variable*, lowered::ExprPtr> values_;  // of what never changes
  std::set<const ir::Variable*> declared_;
};

}  // namespace lantern
