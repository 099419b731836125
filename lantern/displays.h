#pragma once

#include "lantern/lowered.h"

namespace lantern {

/// Writes a list of literals, or of such lists, as one operation, `list`, and an array of literals (is_array_of_numbers), too.
void join_displays(lowered::Statements& body);

}  // namespace lantern
