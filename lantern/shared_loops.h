#pragma once

#include "lantern/lowered.h"

namespace lantern {

/// Has elementwise values and adjoints of one shape, sums and means of such, computed in one loop where they read the same arrays or each other: `InOneLoop`. What
/// nobody else reads is no array any more.
void share_loops(lowered::Program& program);

}  // namespace lantern
