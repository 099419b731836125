// Products of vectors with a matrix that lies in memory as blocks, of at least a packet's columns each: several weights that have their vectors in common.

namespace lantern::detail::LANTERN_PACKETS {

inline constexpr int64_t vectors_of_blocks = 64;

/// As of a matrix in one piece: sums_go_down_columns, few_dot_products_pay.
template <class T>
LANTERN_KERNEL bool blocks_go_down_columns([[maybe_unused]] const BlockMatrix<T>& w, [[maybe_unused]] bool dot_products) {
  if constexpr (goes_down<T>) {
    const int64_t kinds = kinds_of_rows(w), row_bytes = static_cast<int64_t>(sizeof(T)), bytes = w.all_rows() * w.all_columns() * row_bytes;
    for (int64_t c = 0; c < w.block_columns; ++c) {
      if (w.columns[c] < 4 * packet_width<T> || kinds * w.columns[c] * row_bytes % 4096 == 0) return false;
    }
    return w.all_rows() >= 16 * kinds && bytes <= (int64_t{1} << 22) && (!dot_products || bytes >= (int64_t{1} << 18));
  }
  return false;
}

/// y[v] = W · x[v] + added[v] (null: nothing; it may be y[v]) for n vectors x[v], at most vectors_of_blocks.
template <class T>
LANTERN_KERNEL void blocks_times_vectors(T* const* y, const T* const* added, const T* const* x, const BlockMatrix<T>& w, int64_t n) {
  if constexpr (goes_down<T>) {
    if (n <= most_dots_down_columns && blocks_go_down_columns(w, true)) return few_dot_products(y, added, x, w, n);
  }
  T* of_y[vectors_of_blocks];
  const T *of_x[vectors_of_blocks], *before[vectors_of_blocks];
  for (int64_t g = 0, row = 0; g < w.block_rows; row += w.rows[g++]) {
    for (int64_t c = 0, column = 0; c < w.block_columns; column += w.columns[c++]) {
      for (int64_t v = 0; v < n; ++v) {
        of_y[v] = y[v] + row;
        of_x[v] = x[v] + column;
        before[v] = c > 0 ? of_y[v] : added[v] ? added[v] + row : nullptr;
      }
      const T* const block = w.blocks[g * w.block_columns + c];
      if (n == 1 && !before[0]) matrix_times_vector(of_y[0], block, of_x[0], w.rows[g], w.columns[c]);
      else vectors_times_transposed(of_y, before, of_x, block, n, w.rows[g], w.columns[c]);
    }
  }
}

/// y[v] = d[v] · W + added[v] (null: nothing; it may be y[v]) for n vectors d[v], at most vectors_of_blocks.
template <class T>
LANTERN_KERNEL void vectors_times_blocks(T* const* y, const T* const* added, const T* const* d, const BlockMatrix<T>& w, int64_t n) {
  if constexpr (goes_down<T>) {
    if (n <= most_sums_down_columns && blocks_go_down_columns(w, false)) return sums_down_columns(y, added, d, w, n);
  }
  T* of_y[vectors_of_blocks];
  const T *of_d[vectors_of_blocks], *before[vectors_of_blocks];
  for (int64_t c = 0, column = 0; c < w.block_columns; column += w.columns[c++]) {
    for (int64_t g = 0, row = 0; g < w.block_rows; row += w.rows[g++]) {
      for (int64_t v = 0; v < n; ++v) {
        of_y[v] = y[v] + column;
        of_d[v] = d[v] + row;
        before[v] = g > 0 ? of_y[v] : added[v] ? added[v] + column : nullptr;
      }
      vectors_times_matrix(of_y, before, of_d, w.blocks[g * w.block_columns + c], n, w.rows[g], w.columns[c]);
    }
  }
}

}  // namespace lantern::detail::LANTERN_PACKETS
