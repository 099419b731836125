#pragma once

#include "lantern/lowered.h"

namespace lantern {

/// What is done where a condition holds that a branch finds out is done in that branch. Direct form only.
void move_branches(lowered::Statements& list);

}  // namespace lantern
