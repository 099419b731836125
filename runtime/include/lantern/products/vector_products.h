// Products of a matrix and a vector, for one kind of packets (products.h): no heap, no packing of weights, small frames.
// All take plain pointers and sizes; shapes are checked by their callers (matmul.h, gradient.h). A few vectors at once are in
// skinny_products.h, two matrices in matrix_products.h.

namespace lantern::detail::LANTERN_PACKETS {

/// Rows of a weight rarely begin on a cache line. Where packets are as long as a line every load of a row would then
/// straddle two, so dot products of rows take packets half as long.
template <class T, bool Long>
struct RowPacketOf {
  using type = PacketOf<T>;
};
template <class T>
struct RowPacketOf<T, true> {
  using type = typename PacketTraits<T>::half;
};
template <class T>
using RowPacket = typename RowPacketOf<T, (sizeof(PacketOf<T>) > 32)>::type;
template <class T>
inline constexpr int64_t row_width = sizeof(RowPacket<T>) / sizeof(T);

template <class T>
LANTERN_KERNEL T dot_product(const T* a, const T* b, int64_t n) {
  using P = PacketOf<T>;
  constexpr int64_t width = packet_width<T>;
  int64_t i = 0;
  T sum = 0;
  if (n >= width) {
    P first = packets::pset1<P>(T(0)), second = first;
    for (; i + 2 * width <= n; i += 2 * width) {
      first = packets::pmadd(packets::ploadu<P>(a + i), packets::ploadu<P>(b + i), first);
      second = packets::pmadd(packets::ploadu<P>(a + i + width), packets::ploadu<P>(b + i + width), second);
    }
    for (; i + width <= n; i += width) first = packets::pmadd(packets::ploadu<P>(a + i), packets::ploadu<P>(b + i), first);
    sum = packets::predux(packets::padd(first, second));
  }
  for (; i < n; ++i) sum += a[i] * b[i];
  return sum;
}

/// y[0…Rows) = W[Rows,n] · x[n], for n of at least one packet: each row is a dot product, and they share the loads of x.
template <int Rows, bool Prefetch = false, class T>
LANTERN_INLINED void rows_times_vector(T* y, const T* w, const T* x, int64_t n) {
  using P = RowPacket<T>;
  constexpr int64_t width = row_width<T>;
  P sums[Rows];
  for (int r = 0; r < Rows; ++r) sums[r] = packets::pset1<P>(T(0));
  const int64_t j = for_whole_packets<Prefetch, P, T>(n, [&](int64_t at, auto asks) LANTERN_STEP {
    const P xj = packets::ploadu<P>(x + at);
    for (int r = 0; r < Rows; ++r) {
      if constexpr (asks.value) __builtin_prefetch(w + (Rows + r) * n + at);
      sums[r] = packets::pmadd(packets::ploadu<P>(w + r * n + at), xj, sums[r]);
    }
  });
  if (j < n) {  // the row's last packet overlaps the one before: those lanes are cleared, in W and in x
    const P mask = last_lanes<P, T>(n - j);
    const P xj = packets::pand(mask, packets::ploadu<P>(x + n - width));
    for (int r = 0; r < Rows; ++r)
      sums[r] = packets::pmadd(packets::pand(mask, packets::ploadu<P>(w + r * n + n - width)), xj, sums[r]);
  }
  for (int r = 0; r < Rows; ++r) y[r] = packets::predux(sums[r]);
}

/// y[m] = W[m,n] · x[n].
template <class T>
LANTERN_KERNEL void matrix_times_vector(T* y, const T* w, const T* x, int64_t m, int64_t n) {
  if constexpr (goes_down<T>) {
    const T* const nothing = nullptr;
    if (few_dot_products_pay<T>(m, n, 1)) return few_dot_products<T>(&y, &nothing, &x, w, 1, m, n);
  }
  int64_t i = 0;
  if (n >= row_width<T>) {
    if constexpr (prefetches<T> && row_width<T> == packet_width<T>) {
      if (worth_prefetching<T>(m, n))
        for (; i + 4 <= m; i += 4) rows_times_vector<4, true>(y + i, w + i * n, x, n);
    }
    for (; i + 8 <= m; i += 8) rows_times_vector<8>(y + i, w + i * n, x, n);
    for (; i + 2 <= m; i += 2) rows_times_vector<2>(y + i, w + i * n, x, n);
  }
  for (; i < m; ++i) y[i] = dot_product(w + i * n, x, n);
}

/// y[n] (+)= d[0…Rows) · W[Rows,n]: a sum of scaled rows, so that y is read and written once for Rows rows. Where n is no multiple of a packet, sums of the
/// last packet, which overlaps the one before, are (+)= in `last`, and not in y: what is stored in one piece is there to be loaded in one.
template <int Rows, bool First, bool Prefetch = false, class T>
LANTERN_INLINED void add_scaled_rows(T* y, T* last, const T* w, const T* d, int64_t n) {
  using P = PacketOf<T>;
  constexpr int64_t width = packet_width<T>;
  if (n < width) {
    for (int64_t j = 0; j < n; ++j) {
      T sum = First ? T(0) : y[j];
      for (int r = 0; r < Rows; ++r) sum += d[r] * w[r * n + j];
      y[j] = sum;
    }
    return;
  }
  P scale[Rows];
  for (int r = 0; r < Rows; ++r) scale[r] = packets::pset1<P>(d[r]);
  const auto add = [&](T* to, int64_t at, auto asks) LANTERN_STEP {
    P sum = First ? packets::pset1<P>(T(0)) : packets::ploadu<P>(to);
    for (int r = 0; r < Rows; ++r) {
      if constexpr (asks.value) __builtin_prefetch(w + (Rows + r) * n + at);
      sum = packets::pmadd(scale[r], packets::ploadu<P>(w + r * n + at), sum);
    }
    packets::pstoreu(to, sum);
  };
  const int64_t j = for_whole_packets<Prefetch, P, T>(n, [&](int64_t at, auto asks) LANTERN_STEP { add(y + at, at, asks); });
  if (j < n) add(last, n - width, std::bool_constant<Prefetch>{});
}

/// y[n] = d[m] · W[m,n], that is Wᵀ · d.
template <class T>
LANTERN_KERNEL void vector_times_matrix(T* y, const T* d, const T* w, int64_t m, int64_t n) {
  if (m == 0) {
    std::fill(y, y + n, T(0));
    return;
  }
  if constexpr (goes_down<T>) {
    const T* const nothing = nullptr;
    if (sums_go_down_columns<T>(m, n)) return sums_down_columns<T>(&y, &nothing, &d, w, 1, m, n);
  }
  alignas(64) T last[packet_width<T>];
  int64_t i = m >= 8 ? 8 : 1;
  if (m >= 8) add_scaled_rows<8, true>(y, last, w, d, n);
  else add_scaled_rows<1, true>(y, last, w, d, n);
  if constexpr (prefetches<T>) {
    if (worth_prefetching<T>(m, n))
      for (; i + 8 <= m; i += 8) add_scaled_rows<8, false, true>(y, last, w + i * n, d + i, n);
  }
  for (; i + 8 <= m; i += 8) add_scaled_rows<8, false>(y, last, w + i * n, d + i, n);
  for (; i + 2 <= m; i += 2) add_scaled_rows<2, false>(y, last, w + i * n, d + i, n);
  for (; i < m; ++i) add_scaled_rows<1, false>(y, last, w + i * n, d + i, n);
  if (n > packet_width<T>) std::copy(last + packet_width<T> - n % packet_width<T>, last + packet_width<T>, y + n - n % packet_width<T>);
}

}  // namespace lantern::detail::LANTERN_PACKETS
