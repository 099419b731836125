#pragma once

#include <optional>
#include <string_view>

#include "lantern/lowered.h"

/// Conditions of branches and loops.
namespace lantern {

/// The application that an expression is, if it is one of that operator; null if not.
const lowered::Apply* applied(const lowered::ExprPtr& e, std::string_view name);
/// The truth of a condition that is a constant.
std::optional<bool> truth(const lowered::ExprPtr& e);
/// Whether it is the type of conditions: bool, without dimensions.
bool is_condition(const Type& type);
/// The condition that an operator gives of others, or of numbers.
lowered::ExprPtr condition(const char* op, std::vector<lowered::ExprPtr> operands);
lowered::ExprPtr negated(const lowered::ExprPtr& e);

/// `true && c` is c, and `b > a ? b : a` the larger of them.
void simplify_conditions(lowered::Statements& statements);

/// Branches that do no more than give a condition become `&&` and `||`. Whether there are any.
bool join_conditions(lowered::Statements& statements);

/// A number that a branch gives a variable, and nothing else, is chosen by `?:`. Direct form only.
void choose_values(lowered::Statements& statements);

/// Of a branch that leaves and one that does not, the first is in front, and none is empty in front of another but at the end of a loop's turn, where it
/// is what Python's `continue` was; a chain of `else if` keeps its order.
void tidy_branches(lowered::Statements& statements);

}  // namespace lantern
