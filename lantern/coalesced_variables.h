#pragma once

#include "lantern/lowered.h"

namespace lantern {

/// Where one variable is assigned to another and neither lives on beside the other, gives both one name: what a branch gives is
/// assigned to the variable that it is for, and a loop within a loop changes the outer one's state itself. Direct form only.
/// formals: of the function that the statements are the body of.
void coalesce_variables(lowered::Statements& statements, const std::vector<lowered::Parameter>& formals);

}  // namespace lantern
