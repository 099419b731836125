// A matrix that lies in memory as blocks: several weights that are one to a product (blocks.h).
#pragma once

#include <cstdint>

namespace lantern::detail {

/// In each of `block_rows` rows of blocks there are `block_columns` side by side, each row-major. Blocks of one row have as many rows, those of one column as many
/// columns. T: of the elements; void: whatever they are.
template <class T>
struct BlockMatrix {
  const T* const* blocks;  // row by row
  const int64_t *rows, *columns;
  int64_t block_rows, block_columns;

  int64_t columns_before(int64_t column) const { return sum(columns, column); }
  int64_t all_rows() const { return sum(rows, block_rows); }
  int64_t all_columns() const { return sum(columns, block_columns); }

 private:
  static int64_t sum(const int64_t* sizes, int64_t count) {
    int64_t all = 0;
    for (int64_t i = 0; i < count; ++i) all += sizes[i];
    return all;
  }
};

}  // namespace lantern::detail
