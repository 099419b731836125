#pragma once

#include "lantern/lowered.h"

namespace lantern {

/// Where one variable is assigned to another and neither lives on beside the other, gives both one name: what a branch gives is
/// assigned to the variable that it is for, and a loop within a loop changes the outer one's state itself. Direct form only.
void coalesce_variables(lowered::Statements& statements);

}  // namespace lantern
