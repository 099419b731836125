#pragma once

#include <set>

#include "lantern/lowered.h"

namespace lantern {

/// The values of the forward sweep that the reverse sweep of a function reads: those that its frames hold until then, and those
/// that a loop pushes for its way back. Parameters and states are read where they are, and are none of them.
std::set<const ir::Variable*> saved_values(const lowered::Function& function);

}  // namespace lantern
