#pragma once

#include "lantern/ir.h"

namespace lantern {

/// Of the functions that one function of the user's has become, those that do the same are one:
///
///   double f(double x) { … }
///   double f_1(double x) { … }                  nobody calls it any more
///
/// Staging follows a function anew where it is called in another way (with a list that others have, or behind a loop), which may come to the same.
/// What calls one of them calls the first. Exported ones stay.
void merge_alike(ir::Program& program);

}  // namespace lantern
