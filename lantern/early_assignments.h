#pragma once

#include "lantern/lowered.h"

namespace lantern {

/// What a number becomes on the ways of a branch that leave it as it was made in front of the branch, it becomes there. Direct form only.
void assign_early(lowered::Statements& list);

}  // namespace lantern
