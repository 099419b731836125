#pragma once

#include "lantern/lowered.h"

namespace lantern {

/// What is read for its check alone, `index(rows, i)`, goes where the same has been read before, or is checked next; where the same is read later, it is read once.
void share_checks(lowered::Statements& statements);

}  // namespace lantern
