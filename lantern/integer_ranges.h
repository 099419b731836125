#pragma once

#include "lantern/ir.h"

namespace lantern {

/// Additions, subtractions and products of integers that cannot overflow are no longer checked: `i - 1` of what counts from 1, `n + 1` of a length,
/// `i + 1` where `i < n`. Nor are places in lists and arrays that are certainly there: `xs[i]` where `i` counts to `len(xs)`. Before and after: any
/// program; behind all passes that make loops and branches.
void find_integer_ranges(ir::Program& program);

}  // namespace lantern
