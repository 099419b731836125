#pragma once

#include "lantern/lowered.h"

/// Statements that leave a loop or the function: returns, raises, breaks.
namespace lantern::lowered {

bool leaves(const Statement& s);
/// Whether nothing that stands behind the statements is reached from them.
bool always_leaves(const Statements& list);
/// How many breaks the statement has that leave the loop around it.
int breaks_in(const Statement& statement);
int breaks_in(const Statements& list);
/// Whether statements that leave may stand in several places.
bool can_be_copied(const Statements& list);
/// Takes out assignments to nothing, and what is not reached.
void remove_empty(Statements& list);

}  // namespace lantern::lowered
