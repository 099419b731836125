#pragma once

#include "lantern/lowered.h"

namespace lantern {

/// Loops that run backwards, as one would write them: the adjoint of what goes from turn to turn is added to where it is, and a change of an item is not
/// made once more to be taken back at once.
void shorten_sweeps(lowered::Statements& body);

}  // namespace lantern
