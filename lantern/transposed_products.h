#pragma once

#include "lantern/ir.h"

namespace lantern {

/// A product of a matrix that is turned for it alone reads it as it lies:
///
///   x1 = transpose(w); y = matmul(x, x1)          y = matmul-transposed(x, w)
///
/// Before anything is differentiated: the adjoint of w is then the product of y's adjoint, turned, and x. That of x1 would be one that is turned back.
void read_transposed(ir::Program& program);

}  // namespace lantern
