// Dot products of a few vectors with the rows of a weight, where packets are as long as a cache line: along some rows alike (down_columns.h) at a time, of each kind in
// turn, so that what is read lies close together, and asks for nothing ahead. Processors that find rows by themselves are quicker down the columns.

namespace lantern::detail::LANTERN_PACKETS {

#if LANTERN_PACKET_BYTES >= 64 || (LANTERN_PACKET_BYTES >= 32 && defined(LANTERN_DOWN_COLUMNS))
/// What rows alike have in one column of blocks: from where the first one's line begins on, and beside it what they are multiplied by.
struct PieceOfRows {
  const float *first, *x;
  RowsAlike rows;
};

/// y[v][row] = W[row] · x[v] + added[v][row] (null: nothing) for `Rows` rows alike, `apart` from each other, that are made of some pieces. Vectors lie x_step apart.
template <int Rows, int Vectors>
LANTERN_APART void dot_products_of_rows(float* const* y, const float* const* added, int64_t x_step, const PieceOfRows* piece, const PieceOfRows* end, int64_t row, int64_t apart) {
  using P = PacketOf<float>;
  constexpr int64_t width = packet_width<float>;
  P sums[Vectors * Rows];
  unrolled<Vectors * Rows>([&](auto i) LANTERN_STEP { sums[i] = packets::pset1<P>(0.0F); });
  for (; piece < end; ++piece) {
    const float *place = piece->first, *x = piece->x;
    const int64_t step = piece->rows.step;
    const auto add_products = [&](const auto& packet_at) LANTERN_STEP {
      P xs[Vectors];
      unrolled<Vectors>([&](auto v) LANTERN_STEP { xs[v] = packets::ploadu<P>(x + v * x_step); });
      unrolled<Rows>([&](auto r) LANTERN_STEP {
        P of_row = packet_at(place + r * step);
        keep_in_register(of_row);
        unrolled<Vectors>([&](auto v) LANTERN_STEP { sums[v * Rows + r] = packets::pmadd(of_row, xs[v], sums[v * Rows + r]); });
      });
      place += width;
      x += width;
    };
    add_products([&](const float* at) LANTERN_STEP { return load_lanes(piece->rows.head, at); });
    for (int64_t left = piece->rows.columns - 2 * width; left > 0; left -= width) add_products([](const float* at) LANTERN_STEP { return packets::ploadu<P>(at); });
    add_products([&](const float* at) LANTERN_STEP { return load_lanes(piece->rows.tail, at); });
  }
  float products[Vectors][Rows];
  store_sums<Vectors, Rows, float>([&](int v) LANTERN_STEP { return products[v]; }, [](int) LANTERN_STEP { return static_cast<const float*>(nullptr); }, sums);
  for (int v = 0; v < Vectors; ++v) {
    for (int64_t r = 0, at = row; r < Rows; ++r, at += apart) y[v][at] = products[v][r] + (added[v] ? added[v][at] : 0.0F);
  }
}

/// y[v] = W · x[v] + added[v] (null: nothing) for n vectors x[v], at most most_dots_down_columns.
template <class T>
LANTERN_KERNEL void dot_products_along_rows(T* const* y, const T* const* added, const T* const* x, const BlockMatrix<T>& w, int64_t n) {
  constexpr int most_rows = 8;
  const Mark mark = arena().mark();
  const int64_t kinds = kinds_of_rows(w);
  int64_t columns = 0;
  for (int64_t c = 0; c < w.block_columns; ++c) columns += columns_of_copy(w.columns[c]);
  // For each kind of row x as it lies beside it, zeros around, and the rows' pieces.
  T* const beside = arena().allocate_array<T>(kinds * n * columns);
  PieceOfRows* const pieces = arena().allocate_array<PieceOfRows>(kinds * w.block_columns);
  T* copy = beside;
  for (int64_t i = 0; i < kinds * n; ++i) {
    const int64_t number = i / n, v = i % n;
    const T* from = x[v];
    for (int64_t c = 0; c < w.block_columns; ++c) {
      const int64_t k = w.columns[c], all = columns_of_copy(k), before = number * k % packet_width<T>;
      if (v == 0) pieces[number * w.block_columns + c] = {nullptr, copy, rows_alike(k, number, kinds)};
      std::fill(copy, copy + before, T(0));
      std::copy(from, from + k, copy + before);
      std::fill(copy + before + k, copy + all, T(0));
      from += k;
      copy += all;
    }
  }
  const bool back = turns_back();
  // As many rows of each kind at a time as are done together, so that what is read lies close together.
  const auto rows_of_block = [&](int64_t g, int64_t before, int64_t first, int64_t end) LANTERN_STEP {
    for (int64_t number = 0; number < kinds; ++number) {
      PieceOfRows* const of_kind = pieces + number * w.block_columns;
      const auto multiply = [&](int64_t row, auto rows) LANTERN_STEP {
        for (int64_t c = 0; c < w.block_columns; ++c) of_kind[c].first = w.blocks[g * w.block_columns + c] + row * w.columns[c] - of_kind[c].rows.before;
        unrolled<static_cast<int>(most_dots_down_columns)>([&](auto less) LANTERN_STEP {
          if (n == less + 1) dot_products_of_rows<rows.value, less + 1>(y, added, columns, of_kind, of_kind + w.block_columns, before + row, kinds);
        });
      };
      int64_t row = first + number;
      for (; row + (most_rows - 1) * kinds < end; row += most_rows * kinds) multiply(row, std::integral_constant<int, most_rows>{});
      for (; row + kinds < end; row += 2 * kinds) multiply(row, std::integral_constant<int, 2>{});
      if (row < end) multiply(row, std::integral_constant<int, 1>{});
    }
  };
  const int64_t at_once = most_rows * kinds;
  for (int64_t i = 0; i < w.block_rows; ++i) {
    const int64_t g = back ? w.block_rows - 1 - i : i, m = w.rows[g];
    int64_t before = 0;
    for (int64_t other = 0; other < g; ++other) before += w.rows[other];
    for (int64_t j = 0, parts = (m + at_once - 1) / at_once; j < parts; ++j) {
      const int64_t first = (back ? parts - 1 - j : j) * at_once;
      rows_of_block(g, before, first, std::min(m, first + at_once));
    }
  }
  arena().reset(mark);
}
#endif

}  // namespace lantern::detail::LANTERN_PACKETS
