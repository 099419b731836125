#pragma once

#include <set>

#include "lantern/activity.h"
#include "lantern/ir.h"

namespace lantern {

/// The recursions, and what they call, that are differentiated in two sweeps with a tape between them, and not by continuations: those over numbers, whose
/// values take no memory but what the tape takes. None in a program that leaves the continuation to its callers.
std::set<const ir::Function*> taped_functions(const ir::Program& program, const Activity& activity);

}  // namespace lantern
