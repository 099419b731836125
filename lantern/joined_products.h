#pragma once

#include "lantern/ir.h"

namespace lantern {

/// Products of parameters that share their vectors are one product, of a matrix whose blocks the parameters are:
///
///   z = matmul(wz, x) + matmul(uz, h) + bz         y = matmul(w, concat(x, h)) + b      w: wz uz   b: bz
///   r = matmul(wr, x) + matmul(ur, h) + br         z = slice(y, 0, n)                      wr ur      br
///                                                  r = slice(y, n, 2 n)
///
/// Those of one block, with vectors of known length, of which there are at least two results; each parameter stays where it is. True: there were some.
bool join_products(ir::Program& program);

}  // namespace lantern
