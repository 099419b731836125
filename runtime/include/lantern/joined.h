// Vectors one behind the other, for products: what concat makes of them, copied where that is read, and not kept.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "lantern/evaluate.h"

namespace lantern {

/// What `joined` gives: a view of some vectors, lazily one; to anything but a product or an outer product it is the vector that it evaluates to.
template <class T, size_t N>
struct Joined {
  using evaluates_to = Vector<T>;
  std::array<Vector<T>, N> parts;
  Shape<1> shape;

  Vector<T> evaluated() const {
    const auto result = new_tensor<T, 1>(shape);
    T* place = result.data;
    for (const Vector<T>& part : parts) place = std::copy_n(part.data, part.shape[0], place);
    return result;
  }
  operator Vector<T>() const { return evaluated(); }
};

/// [m],[n],… → [m + n + …], lazily. The operands are to stay as they are for as long as it is read.
template <class T, class... Rest>
Joined<T, 1 + sizeof...(Rest)> joined(const Vector<T>& first, const Rest&... rest) {
  return {{first, rest...}, {(first.shape[0] + ... + rest.shape[0])}};
}

}  // namespace lantern
