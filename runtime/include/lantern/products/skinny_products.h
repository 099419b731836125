// Products of a few vectors with one matrix, a weight, which is read once for all of them: memory is what bounds a product with
// each of them alone. Nothing is packed.

namespace lantern::detail::LANTERN_PACKETS {

/// y[v][r] = W[r] · x[v] + added[v][r] for rows r of W[·,k] from `row` on, before `end`, as many at a time as go in whole blocks of `Rows`, and `Vectors`
/// vectors x[v] of k elements, at least one packet.
template <int Rows, int Vectors, bool Prefetch, class T>
LANTERN_APART void blocks_of_dot_products(T* const* y, const T* const* added, const T* const* x, const T* w, int64_t row, int64_t end, int64_t k) {
  using P = PacketOf<T>;
  constexpr int64_t width = packet_width<T>;
  const T* of_x[Vectors];
  bool adds = false;
  unrolled<Vectors>([&](auto v) LANTERN_STEP {
    of_x[v] = x[v];
    adds = adds || added[v];
  });
  const T* rows = w + row * k;
  for (; row < end; row += Rows) {
    P sums[Vectors * Rows];
    unrolled<Vectors * Rows>([&](auto i) LANTERN_STEP { sums[i] = packets::pset1<P>(T(0)); });
    const auto add_products = [&](int64_t j, const auto& packet_of) LANTERN_STEP {
      P xs[Vectors];
      unrolled<Vectors>([&](auto v) LANTERN_STEP { xs[v] = packet_of(of_x[v] + j); });
      unrolled<Rows>([&](auto r) LANTERN_STEP {
        const P wr = packet_of(rows + r * k);
        unrolled<Vectors>([&](auto v) LANTERN_STEP { sums[v * Rows + r] = packets::pmadd(wr, xs[v], sums[v * Rows + r]); });
      });
    };
    int64_t j = 0;
    for (; j + width <= k; j += width, rows += width) {  // one pointer goes along: with one for each row there would be more than registers
      if constexpr (Prefetch) unrolled<Rows>([&](auto r) LANTERN_STEP { __builtin_prefetch(rows + (Rows + r) * k); });
      add_products(j, [](const T* place) LANTERN_STEP {
        P packet = packets::ploadu<P>(place);
        keep_in_register(packet);
        return packet;
      });
    }
    if (j < k) {  // the last packet overlaps the one before: those lanes are cleared
      const P mask = last_lanes<P, T>(k - j);
      rows += k - width - j;
      add_products(k - width, [&](const T* place) LANTERN_STEP { return packets::pand(mask, packets::ploadu<P>(place)); });
      rows += width;
    }
    rows += (Rows - 1) * k;
    const auto store = [&](const auto& added_to) LANTERN_STEP {
      store_sums<Vectors, Rows, T>([&](int v) LANTERN_STEP { return y[v] + row; }, added_to, sums);
    };
    if (adds) store([&](int v) LANTERN_STEP { return added[v] ? added[v] + row : nullptr; });
    else store([](int) LANTERN_STEP { return static_cast<const T*>(nullptr); });
  }
}

/// y[v] = W[m,k] · x[v] + added[v] (null: nothing) for n vectors x[v].
template <class T>
LANTERN_KERNEL void vectors_times_transposed(T* const* y, const T* const* added, const T* const* x, const T* w, int64_t n, int64_t m, int64_t k) {
  if (k < packet_width<T>) {
    for (int64_t v = 0; v < n; ++v)
      for (int64_t r = 0; r < m; ++r) y[v][r] = dot_product(x[v], w + r * k, k) + (added[v] ? added[v][r] : T(0));
    return;
  }
  if constexpr (turns_vectors<T>) {
    const int64_t turned = turned_vectors_times_transposed(y, added, x, w, n, m, k);
    y += turned;
    added += turned;
    x += turned;
    n -= turned;
  }
  if constexpr (goes_down<T>) {
    if (n > 0 && few_dot_products_pay<T>(m, k, n)) return few_dot_products(y, added, x, w, n, m, k);
  }
  [[maybe_unused]] const bool prefetch = worth_prefetching<T>(m, k);
  for (int64_t first = 0, end; first < n; first = end) {
    end = first + even_part(n - first, vectors_at_once);
    const auto all_vectors = [&](int64_t r, int64_t end_of_rows, auto rows_here) LANTERN_STEP {
      constexpr int rows = rows_here.value, most = rows > 4 ? 2 : most_vectors;
      for (int64_t v = first, count; v < end; v += count) {
        count = even_part(end - v, most);
        unrolled<most>([&](auto less) LANTERN_STEP {
          if (count != less + 1) return;
          if constexpr (rows >= 4 && prefetches<T>) {  // the first to come by asks for all
            if (prefetch && v == first) return blocks_of_dot_products<rows, less + 1, true>(y + v, added + v, x + v, w, r, end_of_rows, k);
          }
          blocks_of_dot_products<rows, less + 1, false>(y + v, added + v, x + v, w, r, end_of_rows, k);
        });
      }
    };
    int64_t r = 0;
    const auto blocks = [&](auto rows) LANTERN_STEP {
      for (int64_t next; r + rows.value <= m; r = next) {
        next = r + std::min(m - r, int64_t{16}) / rows.value * rows.value;  // so many rows stay in cache while vectors go by
        all_vectors(r, next, rows);
      }
    };
    if (end - first <= 2) blocks(std::integral_constant<int, rows_of_few>{});
    blocks(std::integral_constant<int, 4>{});
    blocks(std::integral_constant<int, 2>{});
    blocks(std::integral_constant<int, 1>{});
  }
}

/// f(y, added, x, n) for some rows of Y[·,y_step] and X[·,x_step] at a time, as vectors to which nothing is added.
template <class T, class F>
LANTERN_INLINED void for_rows(T* y, int64_t y_step, const T* x, int64_t x_step, int64_t n, const F& f) {
  T* of_y[vectors_at_once];
  const T *of_x[vectors_at_once], *nothing[vectors_at_once] = {};
  for (int64_t first = 0, count; first < n; first += count) {
    count = even_part(n - first, vectors_at_once);
    for (int64_t v = 0; v < count; ++v) {
      of_y[v] = y + (first + v) * y_step;
      of_x[v] = x + (first + v) * x_step;
    }
    f(of_y, nothing, of_x, count);
  }
}

/// Y[n,m] = X[n,k] · W[m,k]ᵀ.
template <class T>
LANTERN_KERNEL void vectors_times_transposed(T* y, const T* x, const T* w, int64_t n, int64_t m, int64_t k) {
  for_rows(y, m, x, k, n, [&](T* const* of_y, const T* const* added, const T* const* of_x, int64_t count) {
    vectors_times_transposed(of_y, added, of_x, w, count, m, k);
  });
}

/// y[v] += Σ d[v][row + r]·W[row + r], for `Rows` rows of W[·,k] and `Vectors` vectors y[v] of k elements, at least one packet. Where k is no multiple of a
/// packet, sums of the last packet, which overlaps the one before, are added to last[v].
template <int Rows, int Vectors, bool Prefetch, class T>
LANTERN_APART void add_scaled_rows_to(T* const* y, T (*last)[packet_width<T>], const T* const* d, const T* w, int64_t row, int64_t k) {
  using P = PacketOf<T>;
  constexpr int64_t width = packet_width<T>;
  w += row * k;
  T* of_y[Vectors];
  unrolled<Vectors>([&](auto v) LANTERN_STEP { of_y[v] = y[v]; });
  P scale[Vectors][Rows];
  unrolled<Vectors * Rows>([&](auto i) LANTERN_STEP { scale[i / Rows][i % Rows] = packets::pset1<P>(d[i / Rows][row + i % Rows]); });
  const auto add_at = [&](int64_t at, auto packets_here, const auto& sums_of) LANTERN_STEP {
    constexpr int count = packets_here.value;
    P sums[Vectors][count];
    unrolled<Vectors * count>([&](auto i) LANTERN_STEP { sums[i / count][i % count] = packets::ploadu<P>(sums_of(i / count) + i % count * width); });
    unrolled<Rows>([&](auto r) LANTERN_STEP {
      unrolled<count>([&](auto q) LANTERN_STEP {
        if constexpr (Prefetch && q * sizeof(P) % 64 == 0) __builtin_prefetch(w + (Rows + r) * k + at + q * width);  // once a cache line
        P of_w = packets::ploadu<P>(w + r * k + at + q * width);
        keep_in_register(of_w);
        unrolled<Vectors>([&](auto v) LANTERN_STEP { sums[v][q] = packets::pmadd(scale[v][r], of_w, sums[v][q]); });
      });
    });
    unrolled<Vectors * count>([&](auto i) LANTERN_STEP { packets::pstoreu(sums_of(i / count) + i % count * width, sums[i / count][i % count]); });
  };
  constexpr int at_once = Vectors <= 2 ? 2 : 1;  // what all of them need fits into 16 registers
  int64_t j = 0;
  const auto in_y = [&](int v) LANTERN_STEP { return of_y[v] + j; };
  for (; j + at_once * width <= k; j += at_once * width) add_at(j, std::integral_constant<int, at_once>{}, in_y);
  if (at_once > 1 && j + width <= k) {
    add_at(j, std::integral_constant<int, 1>{}, in_y);
    j += width;
  }
  if (j < k) add_at(k - width, std::integral_constant<int, 1>{}, [&](int v) LANTERN_STEP { return last[v]; });
}

/// y[v] = d[v] · W[m,k] + added[v] (null: nothing) for n vectors d[v], at most few_vectors: y stays in cache while rows of W go by. y[v] may be added[v].
template <class T>
LANTERN_KERNEL void few_vectors_times_matrix(T* const* y, const T* const* added, const T* const* d, const T* w, int64_t n, int64_t m, int64_t k) {
  constexpr int64_t width = packet_width<T>;
  for (int64_t v = 0; v < n; ++v) {
    if (!added[v]) std::fill(y[v], y[v] + k, T(0));
    else if (added[v] != y[v]) std::copy(added[v], added[v] + k, y[v]);
  }
  if (m == 0) return;
  alignas(64) T last[few_vectors][width] = {};
  [[maybe_unused]] const bool prefetch = worth_prefetching<T>(m, k);
  const auto all_vectors = [&](int64_t r, auto rows_here) LANTERN_STEP {
    constexpr int rows = rows_here.value;
    unrolled<few_vectors>([&](auto less) LANTERN_STEP {
      if (n != less + 1) return;
      if constexpr (rows == 4 && prefetches<T>) {
        if (prefetch) return add_scaled_rows_to<rows, less + 1, true>(y, last, d, w, r, k);
      }
      add_scaled_rows_to<rows, less + 1, false>(y, last, d, w, r, k);
    });
  };
  int64_t r = 0;
  for (; r + 4 <= m; r += 4) all_vectors(r, std::integral_constant<int, 4>{});
  for (; r < m; ++r) all_vectors(r, std::integral_constant<int, 1>{});
  for (int64_t v = 0; v < n; ++v) {
    for (int64_t left = k % width; left > 0; --left) y[v][k - left] += last[v][width - left];
  }
}

/// y[v][at…] = added[v][at…] (null: nothing) + d[v] · a panel of W, for `Rows` vectors: the sums stay in registers.
template <int Rows, int Packets, bool Prefetch, class T>
LANTERN_APART void register_block_of_vectors(T* const* y, const T* const* added, int64_t at, const T* const* d, int64_t row, const Panel<T>& w, int64_t rows) {
  using P = PacketOf<T>;
  const int64_t columns = w.columns;
  const T* of_d[Rows];
  unrolled<Rows>([&](auto v) LANTERN_STEP { of_d[v] = d[v] + row; });
  P sums[Rows][Packets];
  unrolled<Rows * Packets>([&](auto i) LANTERN_STEP { sums[i / Packets][i % Packets] = packets::pset1<P>(T(0)); });
  add_products_of_panel<Rows, Packets, Prefetch>(sums, [&](auto v, int64_t p) LANTERN_STEP { return of_d[v][p]; }, w, rows);
  unrolled<Rows>([&](auto v) LANTERN_STEP {
    const auto begins = [&](int q) LANTERN_STEP { return at + packet_begins<Packets, T>(q, columns); };
    if (added[v])  // all of a row before any is stored: what two packets have in common is the same in both
      unrolled<Packets>([&](auto q) LANTERN_STEP { sums[v][q] = packets::padd(packets::ploadu<P>(added[v] + begins(q)), sums[v][q]); });
    unrolled<Packets>([&](auto q) LANTERN_STEP { packets::pstoreu(y[v] + begins(q), sums[v][q]); });
  });
}

/// The same for any number of vectors, and k of at least one packet.
template <class T>
LANTERN_KERNEL void vectors_times_matrix(T* const* y, const T* const* added, const T* const* d, const T* w, int64_t n, int64_t m, int64_t k) {
  if (n > vectors_at_once) {
    for (int64_t first = 0, count; first < n; first += count) {
      count = even_part(n - first, vectors_at_once);
      vectors_times_matrix(y + first, added + first, d + first, w, count, m, k);
    }
    return;
  }
  if constexpr (goes_down<T>) {
    if (n > 0 && n <= most_sums_down_columns && sums_go_down_columns<T>(m, k)) return sums_down_columns(y, added, d, w, n, m, k);
  }
  if (n <= few_vectors || m == 0) return few_vectors_times_matrix(y, added, d, w, n, m, k);
  [[maybe_unused]] const bool prefetch = worth_prefetching<T>(m, k);
  for (int64_t row = 0, rows; row < m; row += rows) {
    rows = even_part(m - row, panel_depth<T>);
    for_panels<T>(k, [&](int64_t at, int64_t columns, auto packets_of) LANTERN_STEP {
      constexpr int tall = tall_block(packets_of.value);
      const Panel<T> panel{w + row * k + at, k, columns};
      for (int64_t v = 0, count; v < n; v += count) {
        count = even_part(n - v, tall);
        unrolled<tall>([&](auto less) LANTERN_STEP {
          if (count != less + 1) return;
          const T* const* const before = row == 0 ? added + v : y + v;
          if constexpr (packets_of.value == 3 && prefetches<T>) {  // the first to come by asks for all
            if (prefetch && v == 0) return register_block_of_vectors<less + 1, packets_of.value, true>(y + v, before, at, d + v, row, panel, rows);
          }
          register_block_of_vectors<less + 1, packets_of.value, false>(y + v, before, at, d + v, row, panel, rows);
        });
      }
    });
  }
}

/// Y[n,k] = D[n,m] · W[m,k].
template <class T>
LANTERN_KERNEL void vectors_times_matrix(T* y, const T* d, const T* w, int64_t n, int64_t m, int64_t k) {
  for_rows(y, k, d, m, n, [&](T* const* of_y, const T* const* added, const T* const* of_d, int64_t count) {
    vectors_times_matrix(of_y, added, of_d, w, count, m, k);
  });
}

/// Whether to turn W[k,m] pays: its rows are narrow, and packets go along k often enough for what their sums take.
template <class T>
LANTERN_KERNEL bool is_narrow_weight(int64_t n, int64_t k, int64_t m) {
  return m < n && is_narrow<T>(m, n) && k >= (m < packet_width<T> ? 1 : 6) * packet_width<T>;
}
/// Whether the vectors that W[k,m] is to multiply are better put side by side, as a matrix.
template <class T>
LANTERN_KERNEL bool is_better_gathered(int64_t n, int64_t k, int64_t m) { return m < packet_width<T> || is_narrow_weight<T>(n, k, m); }

/// Y[n,m] = X[n,k] · W[k,m], W turned.
template <class T>
LANTERN_KERNEL void matrix_times_narrow(T* y, const T* x, const T* w, int64_t n, int64_t k, int64_t m) {
  const Mark mark = arena().mark();
  T* const turned = arena().allocate_array<T>(m * k);
  turn(turned, w, k, m);
  vectors_times_transposed(y, x, turned, n, m, k);
  arena().reset(mark);
}

/// C[n,m] = A[n,k] · B[k,m], both in any layout.
template <class T>
LANTERN_KERNEL void multiply_matrices(T* c, const Strides<T>& a, const Strides<T>& b, int64_t n, int64_t k, int64_t m) {
  const bool vectors = a.column_step == 1 && a.row_step == k, in_order = b.column_step == 1 && b.row_step == m, turned = b.row_step == 1 && b.column_step == k;
  if (turned && n >= 256 && is_large_product<T>(n, m, k)) {
    const Mark mark = arena().mark();
    T* const rows = arena().allocate_array<T>(k * m);
    turn(rows, b.data, m, k);
    large_product<T>(c, a, {rows, m, 1}, n, m, k);
    arena().reset(mark);
  } else if (vectors && turned && (k >= packet_width<T> || m < packet_width<T>)) {
    vectors_times_transposed(c, a.data, b.data, n, m, k);
  } else if (vectors && in_order && n <= std::max(few_vectors, most_sums_down_columns) && m >= packet_width<T>) {
    vectors_times_matrix(c, a.data, b.data, n, k, m);
  } else if (vectors && in_order && is_narrow_weight<T>(n, k, m)) {
    matrix_times_narrow(c, a.data, b.data, n, k, m);
  } else if (b.column_step == 1 && is_large_product<T>(n, m, k)) {
    large_product<T>(c, a, b, n, m, k);
  } else {
    matrix_times_matrix<T>(c, a, b, n, m, k, true);
  }
}

}  // namespace lantern::detail::LANTERN_PACKETS
