// What kernels are made of: packets, as the compiler was told to make them, and what products say of matrices in memory.
#pragma once

#include <cstdint>

#include "lantern/expression.h"

namespace lantern::detail {

namespace packets = Eigen::internal;

template <class T>
inline constexpr int64_t packet_width = packets::packet_traits<T>::size;

/// A matrix in memory: element (i, j) is data[i * row_step + j * column_step].
template <class T>
struct Strides {
  const T* data;
  int64_t row_step, column_step;
};

/// Some columns of a matrix, in packets: their rows, `step` apart.
template <class T>
struct Panel {
  const T* data;
  int64_t step, columns;
};

/// How many of `n` come next, if they go in as few parts of up to `most` as can be, about as long as each other.
inline int64_t even_part(int64_t n, int64_t most) {
  const int64_t parts = (n + most - 1) / most;
  return (n + parts - 1) / parts;
}

/// target[columns, rows] = source[rows, columns]ᵀ.
template <class T>
void turn(T* target, const T* source, int64_t rows, int64_t columns) {
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j) target[j * rows + i] = source[i * columns + j];
}

}  // namespace lantern::detail
