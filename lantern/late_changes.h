#pragma once

#include <vector>

#include "lantern/activity.h"
#include "support/diagnostic.h"

namespace lantern {

/// The parameters and states, arrays, that a binding itself changes: nested blocks and callees aside.
std::vector<const ir::Variable*> changed_arrays(const ir::Program& program, const ir::Binding& binding);

/// The reverse sweep reads arrays where they stand, so one that changes between the sweeps would be read too late. An error for each
/// change, within what is differentiated, of an array that the reverse sweep may read: running statistics may change, weights may not.
std::vector<Diagnostic> late_changes(const ir::Program& program, const Activity& activity);

}  // namespace lantern
