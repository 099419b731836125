#pragma once

#include "lantern/lowered.h"

namespace lantern {

/// An array that a loop changes item by item, `a[i] = x`, is changed where it lies: in front of the loop it gets elements of its own, and nobody else
/// has them under another name while the loop runs.
void write_in_place(lowered::Statements& function_body);

}  // namespace lantern
