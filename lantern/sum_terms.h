#pragma once

#include <string>

#include "lantern/activity.h"
#include "lantern/ir.h"

namespace lantern {

/// Why the gradient of a function is no sum of those of terms.
struct Obstacle {
  Location location;
  std::string text;
};

/// Whether a function's result is a sum of terms, each of which is a call that nothing with an adjoint goes into, or can become one, times
/// what is known before it. Throws Obstacle. Changes nothing.
void check_terms(ir::Program& program, const Activity& activity, ir::Function& function);

/// Makes each term of such a function an `AddGradient`. Throws Obstacle before it changes anything.
void take_terms_apart(ir::Program& program, const Activity& activity, ir::Function& function);

}  // namespace lantern
