// Products of many vectors with a weight, the vectors turned: a packet has one element of as many vectors, and is multiplied by one number of the weight at a
// time. Sums need not be taken over the lanes of packets in the end, as those of dot products, and nothing of a weight's rows straddles cache lines.

namespace lantern::detail::LANTERN_PACKETS {

/// y[v] = W[m,k] · x[v] + added[v] (null: nothing; it may be y[v]) for the first of n vectors x[v], as many as this pays for: how many.
template <class T>
LANTERN_KERNEL int64_t turned_vectors_times_transposed(T* const* y, const T* const* added, const T* const* x, const T* w, int64_t n, int64_t m, int64_t k);

/// Whether there are these kernels: of f32, where packets are turned by instructions of their own.
#if LANTERN_PACKET_BYTES >= 32 && defined(__x86_64__)
template <class T>
inline constexpr bool turns_vectors = std::is_same_v<T, float>;

#if LANTERN_PACKET_BYTES >= 64
/// Of so many vectors, the lanes of one may be idle.
inline constexpr int64_t vectors_for_idle_lane = 4;
/// Rows of W for so many packets: sums that fill the registers.
constexpr int turned_rows(int count) { return count == 2 ? 12 : 8; }
#else
inline constexpr int64_t vectors_for_idle_lane = 16;
constexpr int turned_rows(int count) { return count == 2 ? 6 : 4; }
#endif
/// Of longer rows, so much at a time.
inline constexpr int64_t turned_depth = 384;

/// target[i][j] = rows[j][at + i] for as many i and j as a packet has lanes, rows of the target `step` apart.
LANTERN_INLINED void turn_packets(float* target, int64_t step, const float* const* rows, int64_t at) {
  using P = PacketOf<float>;
  constexpr int width = static_cast<int>(packet_width<float>);
  P a[width], b[width];
  unrolled<width>([&](auto i) LANTERN_STEP { a[i] = packets::ploadu<P>(rows[i] + at); });
#if LANTERN_PACKET_BYTES >= 64
  // b: of 2 rows, then 4, in each quarter of a packet; then quarters go where they belong.
  const auto halves = [](P left, P right, auto high) LANTERN_STEP {
    return high ? _mm512_maskz_unpackhi_ps(0xFFFF, left, right) : _mm512_maskz_unpacklo_ps(0xFFFF, left, right);
  };
  const auto pairs = [](P left, P right, auto high) LANTERN_STEP {
    const __m512d l = _mm512_castps_pd(left), r = _mm512_castps_pd(right);
    return _mm512_castpd_ps(high ? _mm512_maskz_unpackhi_pd(0xFF, l, r) : _mm512_maskz_unpacklo_pd(0xFF, l, r));
  };
  const auto quarters = [](P left, P right, auto high) LANTERN_STEP {
    return high ? _mm512_maskz_shuffle_f32x4(0xFFFF, left, right, 0xDD) : _mm512_maskz_shuffle_f32x4(0xFFFF, left, right, 0x88);
  };
  unrolled<16>([&](auto i) LANTERN_STEP { b[i] = halves(a[i & ~1], a[i | 1], std::bool_constant<(i & 1) != 0>{}); });
  unrolled<16>([&](auto i) LANTERN_STEP {  // a[4 f + c]: column c of each quarter, rows 4 f to 4 f + 3
    constexpr int four = i & ~3, column = i & 3;
    a[i] = pairs(b[four + column / 2], b[four + 2 + column / 2], std::bool_constant<(column & 1) != 0>{});
  });
  unrolled<16>([&](auto i) LANTERN_STEP {  // b[i]: two quarters of column i & 3, of rows up to 7, or from 8 on
    constexpr int column = i & 3, high = (i >> 2) & 1, rows_from = (i >> 3) * 8;
    b[i] = quarters(a[rows_from + column], a[rows_from + 4 + column], std::bool_constant<high != 0>{});
  });
  unrolled<16>([&](auto i) LANTERN_STEP {
    constexpr int column = i & 3, quarter = i >> 2;
    packets::pstoreu(target + i * step, quarters(b[column + 4 * (quarter & 1)], b[8 + column + 4 * (quarter & 1)], std::bool_constant<(quarter > 1)>{}));
  });
#else
  unrolled<8>([&](auto i) LANTERN_STEP { b[i] = i & 1 ? _mm256_unpackhi_ps(a[i & ~1], a[i | 1]) : _mm256_unpacklo_ps(a[i & ~1], a[i | 1]); });
  unrolled<8>([&](auto i) LANTERN_STEP {  // a[4 f + c]: column c of each half, rows 4 f to 4 f + 3
    constexpr int four = i & ~3, column = i & 3;
    a[i] = _mm256_shuffle_ps(b[four + column / 2], b[four + 2 + column / 2], column & 1 ? 0xEE : 0x44);
  });
  unrolled<8>([&](auto i) LANTERN_STEP { packets::pstoreu(target + i * step, _mm256_permute2f128_ps(a[i & 3], a[4 + (i & 3)], i < 4 ? 0x20 : 0x31)); });
#endif
}

/// y[r][…] = Σ W[r][p] · x[p][…] for `Rows` rows of W, and `Packets` packets side by side in x and y.
template <int Rows, int Packets>
LANTERN_APART void turned_block(float* y, const float* x, const float* w, int64_t w_step, int64_t k) {
  using P = PacketOf<float>;
  constexpr int64_t width = packet_width<float>;
  P sums[Rows][Packets];
  unrolled<Rows * Packets>([&](auto i) LANTERN_STEP { sums[i / Packets][i % Packets] = packets::pset1<P>(0.0F); });
  for (int64_t p = 0; p < k; ++p, ++w, x += Packets * width) {
    P xs[Packets];
    unrolled<Packets>([&](auto q) LANTERN_STEP {
      P packet = packets::ploadu<P>(x + q * width);
      keep_in_register(packet);
      xs[q] = packet;
    });
    unrolled<Rows>([&](auto r) LANTERN_STEP {
      const P number = packets::pset1<P>(w[r * w_step]);
      unrolled<Packets>([&](auto q) LANTERN_STEP { sums[r][q] = packets::pmadd(number, xs[q], sums[r][q]); });
    });
  }
  unrolled<Rows * Packets>([&](auto i) LANTERN_STEP { packets::pstoreu(y + i * width, sums[i / Packets][i % Packets]); });
}

/// y[v][row + l] = results[l][v] + added[v][row + l] (null: nothing) for n vectors and lanes l from `first` on.
LANTERN_INLINED void turn_back(float* const* y, const float* const* added, int64_t n, int64_t row, const float* results, int64_t step, int64_t first) {
  using P = PacketOf<float>;
  constexpr int64_t width = packet_width<float>;
  const float* of_results[width];
  for (int64_t l = 0; l < width; ++l) of_results[l] = results + l * step;
  for (int64_t v = 0; v < n; v += width) {
    alignas(64) float turned[width * width];
    turn_packets(turned, width, of_results, v);
    for (int64_t i = v; i < std::min(n, v + width); ++i) {
      float* const to = y[i] + row;
      const float *const from = turned + (i - v) * width, *const addend = added[i] ? added[i] + row : nullptr;
      if (first > 0) for (int64_t l = first; l < width; ++l) to[l] = addend ? from[l] + addend[l] : from[l];
      else packets::pstoreu(to, addend ? packets::padd(packets::ploadu<P>(from), packets::ploadu<P>(addend)) : packets::ploadu<P>(from));
    }
  }
}

/// The same as turned_vectors_times_transposed for n vectors that fill `Packets` packets, or nearly, and columns of W that are `depth` from w on. room: for them,
/// turned, and for some results.
template <int Packets>
LANTERN_KERNEL void turned_group(float* const* y, const float* const* added, const float* const* x, const float* w, int64_t w_step, int64_t n, int64_t m, int64_t column,
                                 int64_t depth, float* room) {
  constexpr int64_t width = packet_width<float>, lanes = Packets * width, most_rows = 3 * width;
  constexpr int rows = turned_rows(Packets);
  float* const results = room + turned_depth * lanes;
  for (int64_t v = 0; v < lanes; v += width) {
    const float* of_x[width];
    for (int64_t i = 0; i < width; ++i) of_x[i] = x[std::min(v + i, n - 1)] + column;  // of idle lanes nothing is read
    for (int64_t p = 0; p < depth; p += width) turn_packets(room + std::min(p, depth - width) * lanes + v, lanes, of_x, std::min(p, depth - width));
  }
  for (int64_t top = 0, count; top < m; top += count) {
    const int64_t left = m - top;
    count = left > most_rows && left < most_rows + width ? most_rows - width : std::min(left, most_rows);  // never fewer than a packet's lanes
    for (int64_t r = 0; r < count; r += rows) {
      const int64_t at = std::min(r, count - rows);
      turned_block<rows, Packets>(results + at * lanes, room, w + (top + at) * w_step + column, w_step, depth);
    }
    for (int64_t r = 0; r < count; r += width) {
      const int64_t at = std::min(r, count - width);
      turn_back(y, added, n, top + at, results + at * lanes, lanes, r - at);
    }
  }
}

template <class T>
LANTERN_KERNEL int64_t turned_vectors_times_transposed(T* const* y, const T* const* added, const T* const* x, const T* w, int64_t n, int64_t m, int64_t k) {
  constexpr int64_t width = packet_width<T>;
  if (n < 2 * width - 2 * width / vectors_for_idle_lane || m < 3 * width || k < width) return 0;
  const Mark mark = arena().mark();
  T* const room = arena().allocate_array<T>(3 * width * (turned_depth + 3 * width));
  int64_t done = 0;
  while (done < n) {
    const int64_t left = n - done;
    // Four packets are two and two; a last one that is not full goes along where few of its lanes are idle.
    int64_t count = left >= 5 * width || left == 3 * width ? 3 * width : std::min(left, left > 3 * width ? 2 * width : 3 * width);
    const int64_t idle = (count + width - 1) / width * width - count;
    if (idle * vectors_for_idle_lane > count) count -= count % width;
    const int64_t packets_of = (count + width - 1) / width;
    if (packets_of < 2) break;  // those are as fast as dot products
    for (int64_t first = 0, depth; first < k; first += depth) {
      depth = even_part(k - first, turned_depth);
      const T* const* const before = first == 0 ? added + done : y + done;
      if (packets_of == 3) turned_group<3>(y + done, before, x + done, w, k, count, m, first, depth, room);
      else turned_group<2>(y + done, before, x + done, w, k, count, m, first, depth, room);
    }
    done += count;
  }
  arena().reset(mark);
  return done;
}
#else
template <class T>
inline constexpr bool turns_vectors = false;
#endif

}  // namespace lantern::detail::LANTERN_PACKETS
