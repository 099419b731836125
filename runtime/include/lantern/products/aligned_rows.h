// Products of a few vectors with a weight whose rows begin anywhere in a cache line: a row of 300 f32 ends in the middle of one. Packets as long as a line
// would straddle two in most of their loads. So rows are taken together that begin at the same place of a line, which are a few rows apart, and are read
// from the line's beginning on; what the product reads or writes along them is a copy that begins there, too, with zeros around it.

namespace lantern::detail::LANTERN_PACKETS {

/// Whether rows of W[m,k] straddle lines, where W itself begins on one, as arrays do, and of each kind there are enough. What is summed in which order is
/// not to depend on where W lies.
template <class T>
LANTERN_KERNEL bool is_worth_aligning(int64_t m, int64_t k);
/// For so many vectors this pays: more keep the processor busy while it waits for lines, and copies of theirs take longer than that.
inline constexpr int64_t most_dots_beside_rows = 2, most_sums_beside_rows = 4;
/// y[v] = W[m,k] · x[v] + added[v] for n vectors, at most most_dots_beside_rows, of all but the last rows: how many.
template <class T>
LANTERN_KERNEL int64_t aligned_dot_products(T* const* y, const T* const* added, const T* const* x, const T* w, int64_t n, int64_t m, int64_t k);
/// y[v] = d[v] · W[m,k] + added[v] (null: nothing) for n vectors d[v], at most most_sums_beside_rows. y[v] may be added[v].
template <class T>
LANTERN_KERNEL void aligned_vectors_times_matrix(T* const* y, const T* const* added, const T* const* d, const T* w, int64_t n, int64_t m, int64_t k);
/// The same for at most few_vectors: their sums stay in cache while rows go by.
template <class T>
LANTERN_KERNEL void few_beside_rows(T* const* y, const T* const* added, const T* const* d, const T* w, int64_t n, int64_t m, int64_t k);

/// Whether there are these kernels: of f32, where packets are as long as a cache line.
#if LANTERN_PACKET_BYTES >= 64 || (LANTERN_PACKET_BYTES >= 32 && defined(LANTERN_ALIGNED_ROWS))
template <class T>
inline constexpr bool aligns_rows = std::is_same_v<T, float>;

/// Some lanes of a packet.
#if LANTERN_PACKET_BYTES >= 64
using Lanes = __mmask16;
LANTERN_INLINED Lanes lanes_between(int64_t first, int64_t end) { return static_cast<Lanes>((0xFFFFU << first) & (0xFFFFU >> (16 - end))); }
LANTERN_INLINED __m512 load_lanes(Lanes lanes, const float* place) { return _mm512_maskz_loadu_ps(lanes, place); }
#else
using Lanes = __m256i;
LANTERN_INLINED Lanes lanes_between(int64_t first, int64_t end) {
  alignas(32) int32_t of_lanes[8];
  for (int64_t i = 0; i < 8; ++i) of_lanes[i] = i >= first && i < end ? -1 : 0;
  return _mm256_load_si256(reinterpret_cast<const Lanes*>(of_lanes));
}
LANTERN_INLINED __m256 load_lanes(Lanes lanes, const float* place) { return _mm256_maskload_ps(place, lanes); }
#endif

/// The rows of W[m,k] that begin at the same place of a line as row `row` does: it, and each that is a multiple of `apart` behind.
struct RowsAlike {
  const float* first;         // where the line begins that the first one begins in, `before` elements before it
  int64_t row, apart, count;
  int64_t before, step;       // step: elements from one to the next
  int64_t columns;            // of whole packets that each lies in
  Lanes head, tail;           // what of the first packet, and of the last, is the row's
};

/// Of how many kinds rows of W[m,k] are, each of which begins elsewhere in a line.
LANTERN_INLINED int64_t kinds_of_rows(int64_t k) {
  int64_t kinds = 1;
  while (kinds * k % packet_width<float> != 0) ++kinds;
  return kinds;
}

template <class T>
LANTERN_KERNEL bool is_worth_aligning(int64_t m, int64_t k) { return k >= 4 * packet_width<T> && k % packet_width<T> != 0 && m >= 16 * kinds_of_rows(k); }

LANTERN_INLINED RowsAlike rows_alike(const float* w, int64_t m, int64_t k, int64_t row, int64_t kinds) {
  constexpr int64_t width = packet_width<float>;
  const int64_t before = row * k % width, packets = (before + k + width - 1) / width;
  return {w + row * k - before, row, kinds, (m - row + kinds - 1) / kinds, before, kinds * k, packets * width, lanes_between(before, width),
          lanes_between(0, before + k - (packets - 1) * width)};
}

/// Where the line begins from which on rows alike will be read next, when `rows_here` from the i-th on have been: those of the next kind, or after the last
/// those of the first.
LANTERN_INLINED const float* next_after(const RowsAlike& rows, int64_t i, int64_t rows_here, int64_t k) {
  const int64_t next = rows.row + 1 < rows.apart ? rows.row + 1 : rows.apart * rows_here;
  return rows.first + i * rows.step + rows.before + (next - rows.row) * k - next * k % packet_width<float>;
}

/// f(rows alike) for each kind.
template <class F>
LANTERN_INLINED void for_each_kind(const float* w, int64_t m, int64_t k, F&& f) {
  const int64_t kinds = kinds_of_rows(k);
  for (int64_t row = 0; row < kinds; ++row) f(rows_alike(w, m, k, row, kinds));
}

/// Room for n copies of what goes along a row, one for each kind of row: `columns` of any kind apart.
LANTERN_INLINED int64_t columns_of_copy(int64_t k) { return (k / packet_width<float> + 2) * packet_width<float>; }

/// f(packet, load) for each packet of some rows: load(place) is one packet there, without what is not the row's.
template <class F>
LANTERN_INLINED void for_packets_of(const RowsAlike& rows, F&& f) {
  f(0, [&](const float* place) LANTERN_STEP { return load_lanes(rows.head, place); });
  int64_t at = packet_width<float>;
  for (; at < rows.columns - packet_width<float>; at += packet_width<float>)
    f(at, [](const float* place) LANTERN_STEP { return packets::ploadu<PacketOf<float>>(place); });
  f(at, [&](const float* place) LANTERN_STEP { return load_lanes(rows.tail, place); });
}

/// y[v][r] = W[r] · x[v] + added[v][r] (null: nothing) for `Rows` rows alike from the i-th on, and `Vectors` vectors as they lie beside these rows.
template <int Rows, int Vectors, bool Prefetch>
LANTERN_APART void dot_products_of_rows(float* const* y, const float* const* added, const float* x, int64_t x_step, const RowsAlike& rows, int64_t i, const float* ahead) {
  using P = PacketOf<float>;
  P sums[Vectors * Rows];
  unrolled<Vectors * Rows>([&](auto j) LANTERN_STEP { sums[j] = packets::pset1<P>(0.0F); });
  const int64_t step = rows.step;
  const float* const first = rows.first + i * step;
  for_packets_of(rows, [&](int64_t at, const auto& load) LANTERN_STEP {
    P xs[Vectors];
    unrolled<Vectors>([&](auto v) LANTERN_STEP { xs[v] = packets::ploadu<P>(x + v * x_step + at); });
    unrolled<Rows>([&](auto r) LANTERN_STEP {
      if constexpr (Prefetch) __builtin_prefetch(ahead + at + r * step);
      P wr = load(first + at + r * step);
      keep_in_register(wr);
      unrolled<Vectors>([&](auto v) LANTERN_STEP { sums[v * Rows + r] = packets::pmadd(wr, xs[v], sums[v * Rows + r]); });
    });
  });
  const int64_t row = rows.row + i * rows.apart;
  alignas(16) float products[Vectors][Rows];
  store_sums<Vectors, Rows, float>([&](int v) LANTERN_STEP { return products[v]; }, [](int) LANTERN_STEP { return static_cast<const float*>(nullptr); }, sums);
  for (int v = 0; v < Vectors; ++v)
    for (int64_t r = 0; r < Rows; ++r) y[v][row + r * rows.apart] = products[v][r] + (added && added[v] ? added[v][row + r * rows.apart] : 0.0F);
}

template <class T>
LANTERN_KERNEL int64_t aligned_dot_products(T* const* y, const T* const* added, const T* const* x, const T* w, int64_t n, int64_t m, int64_t k) {
  const Mark mark = arena().mark();
  const int64_t kinds = kinds_of_rows(k), columns = columns_of_copy(k);
  T* const copies = arena().allocate_array<T>(kinds * n * columns);
  for_each_kind(w, m, k, [&](const RowsAlike& rows) LANTERN_STEP {
    for (int64_t v = 0; v < n; ++v) {
      T* const copy = copies + (rows.row * n + v) * columns;
      std::fill(copy, copy + rows.before, T(0));
      std::copy(x[v], x[v] + k, copy + rows.before);
      std::fill(copy + rows.before + k, copy + rows.columns, T(0));
    }
  });
  const bool prefetch = worth_prefetching<T>(m, k);
  int64_t done = 0;
  for (; (done + 8) * kinds <= m; done += 8)
    for_each_kind(w, m, k, [&](const RowsAlike& rows) LANTERN_STEP {
      unrolled<static_cast<int>(most_dots_beside_rows)>([&](auto less) LANTERN_STEP {
        if (n != less + 1) return;
        const T *const beside = copies + rows.row * n * columns, *const ahead = next_after(rows, done, 8, k);
        if (prefetch) return dot_products_of_rows<8, less + 1, true>(y, added, beside, columns, rows, done, ahead);
        dot_products_of_rows<8, less + 1, false>(y, added, beside, columns, rows, done, ahead);
      });
    });
  arena().reset(mark);
  return done * kinds;
}

/// y[v] += Σ d[v][r]·W[r] for `Rows` rows alike from the i-th on, and `Vectors` sums y[v] as they lie beside these rows.
template <int Rows, int Vectors, bool Prefetch>
LANTERN_APART void add_scaled_rows_beside(float* y, int64_t y_step, const float* const* d, const RowsAlike& rows, int64_t i, const float* ahead) {
  using P = PacketOf<float>;
  const int64_t step = rows.step, row = rows.row + i * rows.apart;
  const float* const first = rows.first + i * step;
  P scale[Vectors][Rows];
  unrolled<Vectors * Rows>([&](auto j) LANTERN_STEP { scale[j / Rows][j % Rows] = packets::pset1<P>(d[j / Rows][row + j % Rows * rows.apart]); });
  for_packets_of(rows, [&](int64_t at, const auto& load) LANTERN_STEP {
    P sums[Vectors];
    unrolled<Vectors>([&](auto v) LANTERN_STEP { sums[v] = packets::ploadu<P>(y + v * y_step + at); });
    unrolled<Rows>([&](auto r) LANTERN_STEP {
      if constexpr (Prefetch) __builtin_prefetch(ahead + at + r * step);
      P wr = load(first + at + r * step);
      keep_in_register(wr);
      unrolled<Vectors>([&](auto v) LANTERN_STEP { sums[v] = packets::pmadd(scale[v][r], wr, sums[v]); });
    });
    unrolled<Vectors>([&](auto v) LANTERN_STEP { packets::pstoreu(y + v * y_step + at, sums[v]); });
  });
}

/// y[v][at…] = Σ d[v][r]·W[r][at…] over all rows alike: the sums stay in registers.
template <int Vectors, int Packets, bool Prefetch>
LANTERN_APART void block_beside_rows(float* y, int64_t y_step, int64_t at, const float* const* d, const RowsAlike& rows) {
  using P = PacketOf<float>;
  constexpr int64_t width = packet_width<float>;
  const Lanes all = lanes_between(0, width);
  Lanes lanes[Packets];
  unrolled<Packets>([&](auto q) LANTERN_STEP {
    lanes[q] = at + q * width == 0 ? rows.head : at + (q + 1) * width == rows.columns ? rows.tail : all;
  });
  const float* of_d[Vectors];
  unrolled<Vectors>([&](auto v) LANTERN_STEP { of_d[v] = d[v] + rows.row; });
  P sums[Vectors][Packets];
  unrolled<Vectors * Packets>([&](auto j) LANTERN_STEP { sums[j / Packets][j % Packets] = packets::pset1<P>(0.0F); });
  const float* place = rows.first + at;
  const int64_t step = rows.step, apart = rows.apart;
  for (int64_t p = 0, of_row = 0; p < rows.count; ++p, of_row += apart, place += step) {
    P of_w[Packets];
    unrolled<Packets>([&](auto q) LANTERN_STEP {
      if constexpr (Prefetch) __builtin_prefetch(place + 12 * step + q * width);
      P packet = load_lanes(lanes[q], place + q * width);
      keep_in_register(packet);
      of_w[q] = packet;
    });
    unrolled<Vectors>([&](auto v) LANTERN_STEP {
      const P scale = packets::pset1<P>(of_d[v][of_row]);
      unrolled<Packets>([&](auto q) LANTERN_STEP { sums[v][q] = packets::pmadd(scale, of_w[q], sums[v][q]); });
    });
  }
  unrolled<Vectors>([&](auto v) LANTERN_STEP {
    unrolled<Packets>([&](auto q) LANTERN_STEP { packets::pstoreu(y + v * y_step + at + q * width, sums[v][q]); });
  });
}

/// target[k] = a[k] (null: zeros) + b[k].
LANTERN_INLINED void put_sum(float* target, const float* a, const float* b, int64_t k) {
  using P = PacketOf<float>;
  constexpr int64_t width = packet_width<float>;
  int64_t j = 0;
  for (; j + width <= k; j += width) {
    const P of_b = packets::ploadu<P>(b + j);
    packets::pstoreu(target + j, a ? packets::padd(packets::ploadu<P>(a + j), of_b) : of_b);
  }
  for (; j < k; ++j) target[j] = a ? a[j] + b[j] : b[j];
}

template <class T>
LANTERN_KERNEL void few_beside_rows(T* const* y, const T* const* added, const T* const* d, const T* w, int64_t n, int64_t m, int64_t k) {
  const Mark mark = arena().mark();
  const int64_t kinds = kinds_of_rows(k), columns = columns_of_copy(k);
  T* const sums = arena().allocate_array<T>(kinds * n * columns);
  std::fill(sums, sums + kinds * n * columns, T(0));
  const bool prefetch = worth_prefetching<T>(m, k);
  const auto add = [&](const RowsAlike& rows, int64_t i, auto rows_here) LANTERN_STEP {
    unrolled<static_cast<int>(few_vectors)>([&](auto less) LANTERN_STEP {
      if (n != less + 1) return;
      T* const beside = sums + rows.row * n * columns;
      if constexpr (rows_here.value == 8) {
        if (prefetch) return add_scaled_rows_beside<8, less + 1, true>(beside, columns, d, rows, i, next_after(rows, i, 8, k));
      }
      add_scaled_rows_beside<rows_here.value, less + 1, false>(beside, columns, d, rows, i, nullptr);
    });
  };
  int64_t done = 0;
  for (; (done + 8) * kinds <= m; done += 8) for_each_kind(w, m, k, [&](const RowsAlike& rows) LANTERN_STEP { add(rows, done, std::integral_constant<int, 8>{}); });
  for_each_kind(w, m, k, [&](const RowsAlike& rows) LANTERN_STEP {
    int64_t i = done;
    for (; i + 2 <= rows.count; i += 2) add(rows, i, std::integral_constant<int, 2>{});
    for (; i < rows.count; ++i) add(rows, i, std::integral_constant<int, 1>{});
    for (int64_t v = 0; v < n; ++v) put_sum(y[v], rows.row == 0 ? added[v] : y[v], sums + (rows.row * n + v) * columns + rows.before, k);
  });
  arena().reset(mark);
}

template <class T>
LANTERN_KERNEL void aligned_vectors_times_matrix(T* const* y, const T* const* added, const T* const* d, const T* w, int64_t n, int64_t m, int64_t k) {
  constexpr int most = static_cast<int>(most_sums_beside_rows);
  if (n <= few_vectors) return few_beside_rows(y, added, d, w, n, m, k);
  const Mark mark = arena().mark();
  const int64_t columns = columns_of_copy(k);
  T* const sums = arena().allocate_array<T>(n * columns);
  const bool prefetch = worth_prefetching<T>(m, k);
  for_each_kind(w, m, k, [&](const RowsAlike& rows) LANTERN_STEP {
    for_panels<T>(rows.columns, [&](int64_t at, int64_t, auto packets_of) LANTERN_STEP {
      unrolled<most>([&](auto less) LANTERN_STEP {
        if (n != less + 1) return;
        if constexpr (packets_of.value == 3) {
          if (prefetch) return block_beside_rows<less + 1, 3, true>(sums, columns, at, d, rows);
        }
        block_beside_rows<less + 1, packets_of.value, false>(sums, columns, at, d, rows);
      });
    });
    for (int64_t v = 0; v < n; ++v) put_sum(y[v], rows.row == 0 ? added[v] : y[v], sums + v * columns + rows.before, k);
  });
  arena().reset(mark);
}
#else
template <class T>
inline constexpr bool aligns_rows = false;
#endif

}  // namespace lantern::detail::LANTERN_PACKETS
