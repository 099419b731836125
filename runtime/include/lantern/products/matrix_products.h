// Products of two matrices. A block of the result stays in registers while the sum goes by, packets along its rows. A result that is narrower than
// packets are is made the other way round, packets along its columns, and turned.

namespace lantern::detail::LANTERN_PACKETS {

/// Columns of some rows, side by side: where they are, or a copy in the arena.
template <class T>
LANTERN_KERNEL Strides<T> side_by_side_columns(const RowsOf<T>& rows, int64_t count, int64_t column, int64_t columns) {
  if (!rows.each) return {rows.first + column, rows.step, 1};
  constexpr int64_t few = 16;  // of a gradient's blocks
  T* const copies = arena().allocate_array<T>(count * columns);
  T* next = copies;
  if (columns == few) for (int64_t row = 0; row < count; ++row, next += few) std::memcpy(next, rows.each[row] + column, few * sizeof(T));
  else for (int64_t row = 0; row < count; ++row) next = std::copy_n(rows.each[row] + column, columns, next);
  return {copies, columns, 1};
}

/// Where packet `q` of `Packets` begins: the last ends where the columns do, and overlaps the one before. Fewer columns than a packet has are one.
template <int Packets, class T>
LANTERN_INLINED int64_t packet_begins(int q, int64_t columns) {
  return q < Packets - 1 ? q * packet_width<T> : std::max<int64_t>(0, columns - packet_width<T>);
}

/// target[0…lanes) (+)= the first lanes of a packet. Not inlined, lest g++ keep in memory what is stored.
template <class T>
LANTERN_APART void store_lanes(T* target, PacketOf<T> sums, int64_t lanes, bool overwrite) {
  alignas(64) T of_sums[packet_width<T>];
  packets::pstore(of_sums, sums);
  for (int64_t l = 0; l < lanes; ++l) target[l] = overwrite ? of_sums[l] : target[l] + of_sums[l];
}

/// sums[r] += Σ a(r, p) · row p of a panel, over k rows. a is called for each r in turn, and so for each p.
template <int Rows, int Packets, bool Prefetch, class T, class A>
LANTERN_INLINED void add_products_of_panel(PacketOf<T> (&sums)[Rows][Packets], A&& a, const Panel<T>& b, int64_t k) {
  using P = PacketOf<T>;
  const T* b_row = b.data;
  for (int64_t p = 0; p < k; ++p, b_row += b.step) {
    P bp[Packets];
    unrolled<Packets>([&](auto q) LANTERN_STEP {
      const T* const place = b_row + packet_begins<Packets, T>(q, b.columns);
      if constexpr (Prefetch) __builtin_prefetch(place + 12 * b.step);
      P packet = packets::ploadu<P>(place);
      keep_in_register(packet);
      bp[q] = packet;
    });
    unrolled<Rows>([&](auto r) LANTERN_STEP {
      const P ap = packets::pset1<P>(a(r, p));
      unrolled<Packets>([&](auto q) LANTERN_STEP { sums[r][q] = packets::pmadd(ap, bp[q], sums[r][q]); });
    });
  }
}

/// The block C[Rows, columns] (+)= A[Rows,k] · a panel of B. Not inlined: g++ would keep the sums in memory.
template <int Rows, int Packets, class T>
LANTERN_APART void register_block(T* c, int64_t c_step, const Strides<T>& a, const Panel<T>& b, int64_t k, bool overwrite) {
  using P = PacketOf<T>;
  const int64_t columns = b.columns, row_step = a.row_step;
  P sums[Rows][Packets];
  unrolled<Rows * Packets>([&](auto i) LANTERN_STEP { sums[i / Packets][i % Packets] = packets::pset1<P>(T(0)); });
  const T* a_column = a.data;
  add_products_of_panel<Rows, Packets, false>(sums, [&](auto r, int64_t) LANTERN_STEP {
    const T number = a_column[r * row_step];
    if constexpr (r == Rows - 1) a_column += a.column_step;
    return number;
  }, b, k);
  if (columns < packet_width<T>) {
    unrolled<Rows>([&](auto r) LANTERN_STEP { store_lanes(c + r * c_step, sums[r][0], columns, overwrite); });
    return;
  }
  unrolled<Rows>([&](auto r) LANTERN_STEP {
    const auto target = [&](int q) LANTERN_STEP { return c + r * c_step + packet_begins<Packets, T>(q, columns); };
    if (!overwrite)  // all of a row before any is stored: what two packets have in common is the same in both
      unrolled<Packets>([&](auto q) LANTERN_STEP { sums[r][q] = packets::padd(packets::ploadu<P>(target(q)), sums[r][q]); });
    unrolled<Packets>([&](auto q) LANTERN_STEP { packets::pstoreu(target(q), sums[r][q]); });
  });
}

/// C[m, columns] (+)= A[m,k] · a panel of B.
template <int Packets, class T>
LANTERN_INLINED void times_panel(T* c, int64_t c_step, const Strides<T>& a, const Panel<T>& b, int64_t m, int64_t k, bool overwrite) {
  constexpr int tall = tall_block(Packets);
  Strides<T> rest = a;
  const auto block = [&](auto rows) LANTERN_STEP {
    register_block<rows.value, Packets>(c, c_step, rest, b, k, overwrite);
    rest.data += rows.value * a.row_step;
    c += rows.value * c_step;
    m -= rows.value;
  };
  while (m > 0) {
    const int64_t rows = even_part(m, tall);
    unrolled<tall>([&](auto less) LANTERN_STEP {
      if (rows == less + 1) block(std::integral_constant<int, less + 1>{});
    });
  }
}

/// A row's columns of a panel, copied.
template <int Packets, class T>
LANTERN_INLINED void copy_in_packets(T* row, const T* from, int64_t columns) {
  unrolled<Packets>([&](auto q) LANTERN_STEP {
    const int64_t at = packet_begins<Packets, T>(q, columns);
    packets::pstoreu(row + at, packets::ploadu<PacketOf<T>>(from + at));
  });
}

/// Some of B's columns for the sums of `m` rows: as they are, or a copy, rows side by side, zeros behind fewer than a packet has.
template <int Packets, class T>
LANTERN_INLINED Panel<T> panel_of(T* packed, Strides<T> b, int64_t rows, int64_t columns, int64_t m) {
  constexpr int64_t width = packet_width<T>, step = Packets * width;
  const bool in_order = b.column_step == 1 && columns >= width;
  if (in_order && m < enough_for_copy) return {b.data, b.row_step, columns};
  for (int64_t r = 0; r < rows; ++r) {
    const T* const from = b.data + r * b.row_step;
    T* const row = packed + r * step;
    if (in_order) {
      copy_in_packets<Packets>(row, from, columns);
    } else {
      for (int64_t l = 0; l < columns; ++l) row[l] = from[l * b.column_step];
      for (int64_t l = columns; l < width; ++l) row[l] = 0;
    }
  }
  return {packed, step, columns};
}
/// The same of rows `first` to `first + rows`, at least a packet of columns from `column` on.
template <int Packets, class T>
LANTERN_INLINED Panel<T> panel_of(T* packed, const RowsOf<T>& b, int64_t first, int64_t rows, int64_t column, int64_t columns, int64_t m) {
  constexpr int64_t step = Packets * packet_width<T>;
  if (!b.each && m < enough_for_copy) return {b[first] + column, b.step, columns};
  for (int64_t r = 0; r < rows; ++r) copy_in_packets<Packets>(packed + r * step, b[first + r] + column, columns);
  return {packed, step, columns};
}

inline constexpr int64_t enough_rows = 24, few_records = 16;  // of fewer, a product takes less time than copies
/// Whether C[m,n] is the sum of so many products that A and B are in no first cache, and copies pay. With shorter packets, products take longer than what they
/// are made of takes to come.
template <class T>
LANTERN_KERNEL bool is_large_product(int64_t m, int64_t n, int64_t k) {
  return LANTERN_PACKET_BYTES >= 64 && m >= 64 && n >= 2 * most_packets * packet_width<T> && k > 0 && m * n >= (int64_t{1} << 24) / k;
}

inline constexpr int64_t strip = tall_block(most_packets);

/// Aᵀ in strips of rows, each with its columns side by side, out of the columns of A[k, ·] from `column` on, as many as there are `rows`: the last
/// strip may have fewer.
template <class T>
LANTERN_KERNEL void pack_transposed(T* packed, const RowsOf<T>& a, int64_t first, int64_t column, int64_t rows, int64_t k) {
  const int64_t whole = rows / strip * strip, rest = rows - whole;
  for (int64_t p = 0; p < k; ++p) {  // a row is read as it lies, and may come from far away
    const T* const from = a[first + p] + column;
    for (int64_t i = 0; i < whole; i += strip) std::memcpy(packed + i * k + p * strip, from + i, strip * sizeof(T));
    std::copy_n(from + whole, rest, packed + whole * k + p * rest);
  }
}

/// The same of A[·,k] in any layout, from `row` on.
template <class T>
LANTERN_KERNEL void pack_rows(T* packed, const Strides<T>& a, int64_t first, int64_t row, int64_t rows, int64_t k) {
  for (int64_t i = 0, high; i < rows; i += high, packed += high * k) {
    high = std::min(strip, rows - i);
    const T* const from = a.data + (row + i) * a.row_step + first * a.column_step;
    for (int64_t p = 0; p < k; ++p)
      for (int64_t r = 0; r < high; ++r) packed[p * high + r] = from[r * a.row_step + p * a.column_step];
  }
}

/// C[m,n] (+)= A[m,k] · B[k,n] of so much that copies, in the order in which they are read, pay: pack(packed, first, row, rows, k) makes strips of A, and
/// panel(packed, first, k, column, columns, rows, packets) is some of B's columns. A panel of `depth` rows stays in the first cache.
template <class T, class Pack, class PanelOf>
LANTERN_INLINED void packed_product(T* c, int64_t m, int64_t n, int64_t k, int64_t depth, bool overwrite, const Pack& pack, const PanelOf& panel_of_b) {
  constexpr int64_t most_rows = 256;
  const Mark mark = arena().mark();
  T* const of_a = arena().allocate_array<T>(std::min(m, most_rows) * std::min(k, depth));
  T* const of_b = arena().allocate_array<T>(most_packets * packet_width<T> * std::min(k, depth));
  for (int64_t p = 0, kp; p < k; p += kp) {
    kp = even_part(k - p, depth);
    const bool first = overwrite && p == 0;
    for (int64_t top = 0; top < m; top += most_rows) {
      const int64_t rows = std::min(most_rows, m - top), whole = rows / strip * strip;
      pack(of_a, p, top, rows, kp);
      for_panels<T>(n, [&](int64_t j, int64_t columns, auto count) LANTERN_STEP {
        const Panel<T> panel = panel_of_b(of_b, p, kp, j, columns, rows, count);
        T* const into = c + top * n + j;
        for (int64_t i = 0; i < whole; i += strip) register_block<strip, count.value>(into + i * n, n, Strides<T>{of_a + i * kp, 1, strip}, panel, kp, first);
        times_panel<count.value>(into + whole * n, n, Strides<T>{of_a + whole * kp, 1, rows - whole}, panel, rows - whole, kp, first);
      });
    }
  }
  arena().reset(mark);
}

/// C[m,n] (+)= columns of A[k, ·] from `column` on, transposed · B[k,n].
template <class T>
LANTERN_KERNEL void transposed_times_matrix(T* c, const RowsOf<T>& a, int64_t column, const RowsOf<T>& b, int64_t m, int64_t n, int64_t k, bool overwrite) {
  packed_product(
      c, m, n, k, 8192 / LANTERN_PACKET_BYTES, overwrite,
      [&](T* packed, int64_t first, int64_t row, int64_t rows, int64_t of_k) LANTERN_STEP { pack_transposed(packed, a, first, column + row, rows, of_k); },
      [&](T* packed, int64_t first, int64_t of_k, int64_t j, int64_t columns, int64_t rows, auto count) LANTERN_STEP {
        return panel_of<count.value>(packed, b, first, of_k, j, columns, rows);
      });
}

/// C[m,n] = A[m,k] · B[k,n], A in any layout, B's rows in order.
template <class T>
LANTERN_KERNEL void large_product(T* c, const Strides<T>& a, const Strides<T>& b, int64_t m, int64_t n, int64_t k) {
  packed_product(
      c, m, n, k, 12288 / LANTERN_PACKET_BYTES, true,
      [&](T* packed, int64_t first, int64_t row, int64_t rows, int64_t of_k) LANTERN_STEP { pack_rows(packed, a, first, row, rows, of_k); },
      [&](T* packed, int64_t first, int64_t of_k, int64_t j, int64_t columns, int64_t, auto count) LANTERN_STEP {
        constexpr int64_t step = count.value * packet_width<T>;
        for (int64_t r = 0; r < of_k; ++r) copy_in_packets<count.value>(packed + r * step, b.data + (first + r) * b.row_step + j, columns);
        return Panel<T>{packed, step, columns};
      });
}

/// C[m,n] (+)= A[m,k] · B[k,n]; A and B in any layout, C row-major.
template <class T>
LANTERN_KERNEL void matrix_times_matrix(T* c, Strides<T> a, Strides<T> b, int64_t m, int64_t n, int64_t k, bool overwrite) {
  constexpr int64_t width = packet_width<T>, depth = 16384 / (static_cast<int64_t>(sizeof(T)) * width);
  if (k == 0 && overwrite) std::fill(c, c + m * n, T(0));
  alignas(64) T packed[most_packets * width * depth];
  for (int64_t p = 0, kp; p < k; p += kp) {
    kp = even_part(k - p, depth);
    const Strides<T> of_a{a.data + p * a.column_step, a.row_step, a.column_step};
    for_panels<T>(n, [&](int64_t j, int64_t columns, auto count) LANTERN_STEP {
      const Strides<T> of_b{b.data + p * b.row_step + j * b.column_step, b.row_step, b.column_step};
      times_panel<count.value>(c + j, n, of_a, panel_of<count.value>(packed, of_b, kp, columns, m), m, kp, overwrite && p == 0);
    });
  }
}

/// Whether rows of `n` elements, each of so many sums, are better made as columns: they fill no packet, or leave so much of one idle that to turn
/// them takes less time.
template <class T>
LANTERN_KERNEL bool is_narrow(int64_t n, int64_t sums) {
  constexpr int64_t width = packet_width<T>;
  const int64_t idle = (n + width - 1) / width * width - n;
  return n < width || sums * idle > 4 * n * width;
}

/// add_rows_of_outer_products for narrow rows: made as columns, and turned.
template <class T>
LANTERN_KERNEL void add_turned_outer_products(T* target, int64_t rows, int64_t n, const Strides<T>& a, const Strides<T>& b, int64_t records, bool overwrite) {
  T* const turned = arena().allocate_array<T>(n * rows);
  matrix_times_matrix<T>(turned, {b.data, 1, b.row_step}, a, n, rows, records, true);
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < rows; ++j) target[j * n + i] = overwrite ? turned[i * rows + j] : target[j * n + i] + turned[i * rows + j];
}

/// target[rows,n] (+)= rows `row` to `row + rows` of Σ a[r]·b[r]ᵀ over the records, b[r] of n elements: one product of the transposed left records and
/// the right ones.
template <class T>
LANTERN_KERNEL void add_rows_of_outer_products(T* target, int64_t row, int64_t rows, int64_t n, const RowsOf<T>& a, const RowsOf<T>& b, int64_t records, bool overwrite) {
  const bool narrow = n < rows && is_narrow<T>(n, records);
  if (!narrow && rows >= enough_rows && n >= enough_rows && records >= few_records) return transposed_times_matrix<T>(target, a, row, b, rows, n, records, overwrite);
  const Mark mark = arena().mark();
  const Strides<T> left = side_by_side_columns(a, records, row, rows), right = side_by_side_columns(b, records, 0, n);
  if (narrow) add_turned_outer_products<T>(target, rows, n, left, right, records, overwrite);
  else matrix_times_matrix<T>(target, {left.data, 1, left.row_step}, right, rows, n, records, overwrite);
  arena().reset(mark);
}

}  // namespace lantern::detail::LANTERN_PACKETS
