#pragma once

#include "lantern/lowered.h"

namespace lantern {

/// Which functions read or write parameters, states or gradients, or call what does; and which parameters have a gradient.
/// Before: a lowered program. After: `uses_model` of each function and `gradients` are right; nothing else changes.
void find_model_use(lowered::Program& program);

}  // namespace lantern
