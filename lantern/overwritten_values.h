#pragma once

#include "lantern/lowered.h"

namespace lantern {

/// An elementwise value takes the place of the array that it is made of, where nothing else reads that any more: it needs no memory, and the reverse sweep finds
/// it in a cache that has room for more.
///
///   i = slice(gates, 0, 150);        i = slice(gates, 0, 150);
///   u = slice(gates, 150, 300);      u = slice(gates, 150, 300);
///   x1 = sigmoid(i);                 x1 = overwrite(i, sigmoid(i));
///   x2 = tanh(u);                    x2 = overwrite(u, tanh(u));
void overwrite_values(lowered::Statements& function_body);

}  // namespace lantern
