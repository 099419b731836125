#pragma once

#include "lantern/lowered.h"

namespace lantern {

/// Where one variable is assigned to another and neither lives on beside the other, gives both one name: what a branch gives is
/// assigned to the variable that it is for, and a loop within a loop changes the outer one's state itself. Direct form only.
/// formals: of the function that the statements are the body of.
void coalesce_variables(lowered::Statements& statements, const std::vector<lowered::Parameter>& formals);

/// What a branch leaves as it was is no way of the branch, where the variable behind it has the name of the one before. Direct form only. Whether there are any.
bool begin_as_before(lowered::Statements& list);

/// What a variable of a loop begins with, and nothing reads behind that, is the variable from the beginning: `total = zeros(…)`. Of any form.
void begin_as_sources(lowered::Statements& list);

}  // namespace lantern
