#pragma once

#include "lantern/lowered.h"

namespace lantern {

/// Before:  const double x_2 = x;                          After:  double x_adj = 0;
///          double x_2_adj = 0;                                    f(x, x_adj, [&](double y, double& y_adj) { …
///          f(x_2, x_2_adj, [&](double y, double& y_adj) { …
/// What a gradient is taken at has its adjoint itself, where it has none yet and keeps its value as long as that is read. Direct form only.
void share_holders(lowered::Function& function);

}  // namespace lantern
