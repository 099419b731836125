#pragma once

#include "lantern/activity.h"
#include "lantern/ir.h"

namespace lantern {

/// A call that carries an adjoint, in a loop that sets items of an array that carries one, gives way to what it does, if that is operations and
/// branches; so does a call of numbers that gives numbers, in any loop that carries an adjoint. The loop can then run backwards, its array being
/// one (046); else its turns nest, each with an array of its own.
///
///   r = for i … with s = a { t = call cost(s, i); u = with-item(s, i, t) => u }
///
///   r = for i … with s = a { x = s[i]; t = x * x; u = with-item(s, i, t) => u }
///
/// Before: any program and its activity. Returns whether there was one (activity must then be found anew).
bool inline_calls(ir::Program& program, const Activity& activity);

}  // namespace lantern
