// What kernels are made of: packets, as the compiler was told to make them, and what products say of matrices in memory.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "lantern/block_matrix.h"
#include "lantern/expression.h"

namespace lantern::detail {

namespace packets = Eigen::internal;

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

/// target[columns, rows] = source[rows, columns]ᵀ; rows of the target are `target_step` apart, those of the source `source_step`. As many packets at a time
/// as have lanes.
template <class T>
void turn(T* target, int64_t target_step, const T* source, int64_t source_step, int64_t rows, int64_t columns) {
  constexpr int64_t tile = std::is_floating_point_v<T> ? packet_width<T> : 16;
  for (int64_t row = 0; row < rows; row += tile)
    for (int64_t column = 0; column < columns; column += tile) {
      T* const to = target + column * target_step + row;
      const T* const from = source + row * source_step + column;
      const int64_t m = std::min(tile, rows - row), n = std::min(tile, columns - column);
      if constexpr (std::is_floating_point_v<T>) {
        if (m == tile && n == tile) {
          turn_packets(to, target_step, from, source_step);
          continue;
        }
      }
      for (int64_t i = 0; i < m; ++i)
        for (int64_t j = 0; j < n; ++j) to[j * target_step + i] = from[i * source_step + j];
    }
}
template <class T>
void turn(T* target, const T* source, int64_t rows, int64_t columns) { turn(target, rows, source, columns, rows, columns); }

}  // namespace lantern::detail
