#pragma once

#include <string>

#include "lantern/lowered.h"

namespace lantern {

/// What generated code says about its structures, as far as it needs it: how an adjoint of one begins, and what a copy of one leads to.
std::string structure_functions(const lowered::Program& program);

}  // namespace lantern
