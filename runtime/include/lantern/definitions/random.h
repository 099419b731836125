// Orders that are drawn.
#pragma once

#include "lantern/random.h"

namespace lantern {

LANTERN_INLINE Vector<int64_t> permutation(int64_t n) {
  const auto result = new_tensor<int64_t, 1>({n});
  for (int64_t i = 0; i < n; ++i) result.data[i] = i;
  if (n > 1) stream().shuffle(result.data, n);
  return result;
}

}  // namespace lantern
