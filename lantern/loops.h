#pragma once

#include "lantern/activity.h"
#include "lantern/ir.h"

namespace lantern {

/// A loop that carries an adjoint and cannot run backwards as a loop becomes a function that calls itself, so that its
/// iterations nest and the call stack is the tape. A loop can run backwards unless a turn calls something that carries an
/// adjoint and has no derivative of its own, does what must not be done twice, reads a state that changes, or makes structures that carry adjoints.
/// Before: any program and its activity. After: no such loop is left; returns whether there was one (activity
/// must then be found anew). Throws Failure LT0504 for a loop over a data set, which cannot be indexed.
bool loops_to_recursion(ir::Program& program, const Activity& activity);

}  // namespace lantern
