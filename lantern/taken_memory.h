#pragma once

#include "lantern/lowered.h"

namespace lantern::lowered {

/// Whether evaluating an expression may take memory of the arena. What has a value of C++'s own, and what is a view of
/// what is there already, takes none.
bool takes_memory(const ExprPtr& e);

/// Whether a statement, or one within it, may: or moves the arena back to a mark, which may be that of what stands around it.
bool takes_memory(Statement& s);
bool takes_memory(Statements& list);

}  // namespace lantern::lowered
