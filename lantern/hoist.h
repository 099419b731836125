#pragma once

#include "lantern/ir.h"

namespace lantern {

/// What a loop computes of arrays alike in each turn is computed once, in front of it, where that is worth a variable and nobody can tell: it
/// changes nothing and cannot fail. Calls are taken out, too, and arrays of literals.
///
///   y = for i in (range 0 n 1) with s = a { t = exp(w); u = s + t => u }
///
///   t = exp(w)
///   y = for i in (range 0 n 1) with s = a { u = s + t => u }
///
/// A loop over a list keeps its own: a leaf has no children.
void hoist_invariants(ir::Program& program);

}  // namespace lantern
