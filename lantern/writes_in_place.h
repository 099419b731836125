#pragma once

#include "lantern/lowered.h"

namespace lantern {

/// An array, or a list, that a loop changes item by item, `a[i] = x`, is changed where it lies: in front of the loop it gets elements of its own, and nobody
/// else has them under another name while the loop runs. The same of what a function changes and gives back (calls_in_place.h), in front of its call.
void write_in_place(lowered::Program& program);

}  // namespace lantern
