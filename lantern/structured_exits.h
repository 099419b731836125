#pragma once

#include "lantern/lowered.h"

namespace lantern {

/// Flags that say whether a function has returned, or a loop is left, become returns and breaks where they would be set. Direct form only.
/// Whether there are any. copies: what is short and stands in the way is done on both ways.
bool structure_exits(lowered::Statements& function_body, bool copies);

}  // namespace lantern
