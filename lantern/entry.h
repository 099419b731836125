#pragma once

#include "lantern/ir.h"

namespace lantern {

/// `(define runX (in1 in2) (tree_prod in1 in2))`: an entry that only passes its arguments on is the function it calls.
/// Before: any program. After: the differentiable entry, if there is one, does work of its own.
void unwrap_entry(ir::Program& program);

}  // namespace lantern
