#pragma once

#include <optional>

#include "lantern/lowered.h"

/// Assignments, which give several variables their values at once, and the declarations of those variables.
namespace lantern::lowered {

/// The function's own variable that an expression is; null if it is another.
ir::Variable* variable_of(const ExprPtr& e);
/// The operation that changes the variable of an assignment where that is; null: it takes on another value.
const Apply* change_in_place(const Assign& assign);
/// Whether it is a variable of the function's own, or a constant.
bool is_atom(const ExprPtr& e);
bool are_atoms(const Assign& assign);

/// The assignment that a statement is, without the arena's memory that it keeps; null if it is another.
Assign* assignment(Statement& s);
/// The value that is assigned to a variable; null if none is.
ExprPtr value_for(const Assign& assign, const ir::Variable* variable);
void take_out(Assign& assign, std::size_t i);
void take_out(Assign& assign, const ir::Variable* variable);

/// The other variable is read, and assigned to, in the place of one.
void rename(Statement& statement, const ir::Variable* variable, ir::Variable* other);

/// Where the list, before `end`, declares the variable.
std::optional<std::size_t> declaration_of(const ir::Variable* variable, const Statements& list, std::size_t end);

}  // namespace lantern::lowered
