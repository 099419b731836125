#pragma once

#include "lantern/lowered.h"

namespace lantern {

/// Takes out variables that nobody reads, or that only their own next values are computed from (what a loop or a branch hands on for
/// nothing), unless computing them has an effect or can fail as in Python.
void remove_dead_variables(lowered::Statements& statements);

}  // namespace lantern
