#pragma once

#include "lantern/lowered.h"

namespace lantern {

/// Writes a list of literals, or of such lists, in one: `append(append(empty, 1), 2)`, which C++ has as list_of(1, 2). A long one is in several. An array of
/// literals (is_array_of_numbers) is written in one, too.
void join_displays(lowered::Statements& body);

}  // namespace lantern
