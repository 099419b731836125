#pragma once

#include "lantern/ir.h"

namespace lantern {

/// A view of a parameter or state, as of a row, reads its elements where they stand. One that may be read after these have changed gets
/// elements of its own: within a function that changes the array or calls one that does, and where a function gives the view to its
/// callers. Behind all passes that move calls or make functions. Whether there was such a view.
bool take_snapshots(ir::Program& program);

}  // namespace lantern
