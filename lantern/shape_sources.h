#pragma once

#include "lantern/lowered.h"

namespace lantern {

/// An operation that asks an array for its shape alone asks the one that the shape comes from, where types say that it is the same: what is computed element by
/// element need not be kept for that.
///
///   const Matrix<float> x2 = x * x;                  const float y = sum(x * x);
///   const float y = sum(x2);                         x_adj = broadcast_to(y_adj, shape_of(x)) * …
///   x2_adj = broadcast_to(y_adj, shape_of(x2));
void ask_sources_for_shapes(lowered::Statements& body);

}  // namespace lantern
