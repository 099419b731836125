#pragma once

#include "lantern/lowered.h"

namespace lantern {

/// A number that has no value where it is declared is declared where it gets one.
void declare_late(lowered::Statements& list);

}  // namespace lantern
