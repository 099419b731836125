#pragma once

#include "lantern/flags.h"

/// Variables that say how a loop has ended. Direct form only.
namespace lantern {

/// What the loop at i gives variables for what is behind it, it gives them where it is left. Whether that changes it.
bool set_where_left(lowered::Statements& list, std::size_t i, const Flags& flags);

}  // namespace lantern
