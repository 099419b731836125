#pragma once

#include "lantern/lowered.h"

namespace lantern {

/// Makes adjoints lazy, as defer_values does values, that nothing is added to and that are read behind where they stand, by sums and by other adjoints.
void defer_adjoints(lowered::Function& function);

}  // namespace lantern
