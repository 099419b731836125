#pragma once

#include "lantern/lowered.h"

namespace lantern {

/// Steps of Adam by a table's gradient that is of few rows: what they do to the others is put off until those are read (runtime/deferred_steps.h).
/// Before: each step goes through all entries. Behind: `Program::deferred` has the tables, and each step of one of those has its `AtRest`.
/// A table is one whose rows are read one by one; its steps are all of one kind, by numbers that are the same in all but size and factor.
void defer_steps(lowered::Program& program);

}  // namespace lantern
