#pragma once

#include "lantern/ir.h"

namespace lantern {

/// What both ways of a branch give, and what the turns of a loop leave as it was, is what was there before.
///
///   c = if p { b = append(a, x) => b, r } else { => a, r }
///   y, s = for i in (range 0 n 1) with u = v, t = r { … => u_2, t }
///
/// The second result is r, in both.
void leave_out_unchanged_results(ir::Function& function);

}  // namespace lantern
