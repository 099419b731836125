#pragma once

#include "lantern/lowered.h"

namespace lantern {

/// Makes elementwise values `lazy` that are as cheap to compute as to keep: they take no memory, and what reads them, in the reverse sweep too, computes them
/// in its own loop. To other passes such a value is a view of the arrays that it is made of.
void defer_values(lowered::Program& program);

}  // namespace lantern
