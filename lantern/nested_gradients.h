#pragma once

#include "lantern/activity.h"
#include "lantern/ir.h"

namespace lantern {

/// A gradient within what is differentiated becomes the call of a function with a derivative of its own, which is the gradient
/// of a tangent. Before: any program without jvps, and its activity. After: no value-and-grad carries an adjoint, but new
/// ones may (activity must then be found anew); returns whether there was one. A parameter that it shares with the one around it
/// is passed to it as an argument (lifting.h). Throws Failure LT0503 where it cannot be, or for a gradient that would do something twice;
/// LT0508 in the last round that there may be.
bool nest_gradients(ir::Program& program, const Activity& activity, bool last);

}  // namespace lantern
