#pragma once

#include "lantern/lowered.h"

namespace lantern {

/// A name that is no user's, and is given to a number that has one already, is not used: what reads it reads that.
void leave_out_copied_numbers(lowered::Statements& body);

}  // namespace lantern
