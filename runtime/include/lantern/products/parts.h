// What all kernels of products are made of, and how much they take at once, for one kind of packets (products.h).

namespace lantern::detail::LANTERN_PACKETS {

inline constexpr int most_packets = 3;
#if LANTERN_PACKET_BYTES >= 64
/// Of more vectors, products with a matrix keep their sums in registers.
inline constexpr int64_t few_vectors = 2;
/// The most vectors of a block of dot products, with four rows of W, and the most rows, with one or two vectors: enough sums that none
/// waits for the one before, few enough for the registers.
inline constexpr int most_vectors = 6, rows_of_few = 8;
/// So many vectors stay in the first cache while rows of W go by: the second could not bring packets that are so long in time.
inline constexpr int64_t vectors_at_once = 18;
/// Rows of a panel of W that stay in cache while vectors go by.
template <class T>
inline constexpr int64_t panel_depth = 128;
/// Rows of a block of so many packets, with enough sums that none waits for the one before, and few enough for the registers: up to 24 of 32.
constexpr int tall_block(int) { return 8; }
/// As many rows of A are worth a copy of B. None are where each packet of B serves eight rows: that is seldom enough.
inline constexpr int64_t enough_for_copy = std::numeric_limits<int64_t>::max();
#else
inline constexpr int64_t few_vectors = 3;
inline constexpr int most_vectors = 3, rows_of_few = 4;
inline constexpr int64_t vectors_at_once = 64;
template <class T>
inline constexpr int64_t panel_depth = 12288 / (most_packets * static_cast<int64_t>(sizeof(PacketOf<T>)));
constexpr int tall_block(int columns) { return columns == 3 ? 4 : columns == 2 ? 6 : 8; }  // up to 12 of 16
inline constexpr int64_t enough_for_copy = 24;
#endif

template <int... I, class F>
LANTERN_INLINED void for_each_of(std::integer_sequence<int, I...>, F&& f) {
  (f(std::integral_constant<int, I>{}), ...);
}
/// f(0), …, f(N - 1), the numbers as types: what is indexed by them is kept in registers, as g++ does not for an array that it comes
/// to unroll late.
template <int N, class F>
LANTERN_INLINED void unrolled(F&& f) { for_each_of(std::make_integer_sequence<int, N>{}, f); }

/// A packet of all ones in its last `lanes` lanes and zeros before, for the end of a row.
template <class P, class T>
LANTERN_INLINED P last_lanes(int64_t lanes) {
  alignas(64) static constexpr auto zeros_then_ones = [] {
    std::array<unsigned char, 2 * sizeof(P)> bytes{};
    for (size_t i = sizeof(P); i < bytes.size(); ++i) bytes[i] = 0xFF;
    return bytes;
  }();
  return packets::ploadu<P>(reinterpret_cast<const T*>(zeros_then_ones.data()) + lanes);
}

/// Makes a compiler load a packet once, and not once for each product that it is part of: loads would be the bound.
template <class P>
LANTERN_INLINED void keep_in_register([[maybe_unused]] P& packet) {
#if defined(__x86_64__) && defined(__GNUC__)
  asm("" : "+x"(packet));
#endif
}

/// Whether to ask for rows of W[m,k] some rows ahead. Short rows end before a processor sees where they go on. Of a small W, or of long rows, it would be
/// asked for what is near, or for what takes the place of what is needed next. Kernels of f64, and of packets that are a quarter of a cache line, are not
/// made twice for it.
template <class T>
inline constexpr bool prefetches = sizeof(PacketOf<T>) >= 32 && std::is_same_v<T, float>;
template <class T>
LANTERN_KERNEL bool worth_prefetching(int64_t m, int64_t k) {
  const int64_t bytes = k * static_cast<int64_t>(sizeof(T));
  return prefetches<T> && bytes <= 1536 && m * bytes >= (int64_t{1} << 18);
}

/// Whether to ask for rows of W[m,k] that are read down its columns.
template <class T>
LANTERN_KERNEL bool worth_asking_ahead(int64_t m, int64_t k) { return worth_prefetching<T>(m, k) && !finds_rows_by_itself(); }

/// f(j, asks) for each whole packet P of n elements; asks, a number as a type: whether it begins what a cache line holds, which is asked for once.
/// Where the rest begins.
template <bool Prefetch, class P, class T, class F>
LANTERN_INLINED int64_t for_whole_packets(int64_t n, F&& f) {
  constexpr int64_t width = sizeof(P) / sizeof(T);
  int64_t j = 0;
  if constexpr (Prefetch && sizeof(P) < 64) {
    constexpr int of_line = 64 / sizeof(P);
    for (; j + of_line * width <= n; j += of_line * width)
      unrolled<of_line>([&](auto q) LANTERN_STEP { f(j + q * width, std::bool_constant<q == 0>{}); });
  }
  for (; j + width <= n; j += width) f(j, std::bool_constant<Prefetch>{});
  return j;
}

#if LANTERN_PACKET_BYTES >= 64
/// The sums of the lanes of four packets, two or four times: that of packet 4 i + j in lane j of quarter 4 / Fours · i. Each step makes one packet of two,
/// with a blend, which either of two units can do, and a shuffle, which only one can.
template <int Fours>
LANTERN_INLINED __m512 sums_of_lanes(const __m512* packets_of) {
  const auto halves = [](__m512 a, __m512 b) LANTERN_STEP {
    return _mm512_add_ps(_mm512_mask_blend_ps(0xFF00, a, b), _mm512_maskz_shuffle_f32x4(0xFFFF, a, b, 0x4E));
  };
  const auto quarters = [](__m512 a, __m512 b) LANTERN_STEP {
    const __m512i crossed = _mm512_setr_epi32(4, 5, 6, 7, 16, 17, 18, 19, 12, 13, 14, 15, 24, 25, 26, 27);
    return _mm512_add_ps(_mm512_mask_blend_ps(0xF0F0, a, b), _mm512_permutex2var_ps(a, crossed, b));
  };
  const auto pairs = [](__m512 a, __m512 b) LANTERN_STEP {
    return _mm512_add_ps(_mm512_mask_blend_ps(0xCCCC, a, b), _mm512_maskz_shuffle_ps(0xFFFF, a, b, 0x4E));
  };
  const auto lanes = [](__m512 a, __m512 b) LANTERN_STEP {
    const __m512i crossed = _mm512_setr_epi32(1, 16, 3, 18, 5, 20, 7, 22, 9, 24, 11, 26, 13, 28, 15, 30);
    return _mm512_add_ps(_mm512_mask_blend_ps(0xAAAA, a, b), _mm512_permutex2var_ps(a, crossed, b));
  };
  __m512 sums[4];
  unrolled<4>([&](auto j) LANTERN_STEP {
    const auto halves_from = [&](int four) LANTERN_STEP { return halves(packets_of[4 * four + j], packets_of[4 * (four + Fours / 2) + j]); };
    sums[j] = quarters(halves_from(0), halves_from(Fours == 4 ? 1 : 0));
  });
  return lanes(pairs(sums[0], sums[2]), pairs(sums[1], sums[3]));
}
#endif

/// target_of(v)[r] = the sum of the lanes of packets_of[v * Rows + r], plus added_to(v)[r], where that is not null, for r in [0, Rows) and v in [0, Vectors).
template <int Vectors, int Rows, class T, class Target, class Added>
LANTERN_INLINED void store_sums(const Target& target_of, const Added& added_to, const PacketOf<T>* packets_of) {
#if LANTERN_PACKET_BYTES >= 32
  if constexpr (Rows % 4 == 0 && std::is_same_v<T, float>) {  // four together, or more, in a third of the time, or less
    constexpr int of_vector = Rows / 4, fours = Vectors * of_vector;
    const auto store = [&](auto four, __m128 sums) LANTERN_STEP {
      const std::integral_constant<int, four / of_vector> v{};
      const float* const added = added_to(v);
      constexpr int row = four % of_vector * 4;
      _mm_storeu_ps(target_of(v) + row, added ? _mm_add_ps(sums, _mm_loadu_ps(added + row)) : sums);
    };
    constexpr int alone = LANTERN_PACKET_BYTES >= 64 ? fours % 2 : fours;  // the last ones
#if LANTERN_PACKET_BYTES >= 64
    const auto eight_lanes = [](__m512 packet) LANTERN_STEP { return packets::predux_half_dowto4(packet); };
    const auto store_together = [&](auto first, auto count) LANTERN_STEP {
      const __m512 sums = sums_of_lanes<count>(packets_of + 4 * first);
      unrolled<count>([&](auto i) LANTERN_STEP {
        constexpr int quarter = 4 / count * i;  // an immediate, unoptimised too
        store(std::integral_constant<int, first + i>{}, _mm512_maskz_extractf32x4_ps(0xF, sums, quarter));
      });
    };
    unrolled<fours / 4>([&](auto i) LANTERN_STEP { store_together(std::integral_constant<int, 4 * i>{}, std::integral_constant<int, 4>{}); });
    if constexpr (fours % 4 >= 2) store_together(std::integral_constant<int, fours / 4 * 4>{}, std::integral_constant<int, 2>{});
#else
    const auto eight_lanes = [](__m256 packet) LANTERN_STEP { return packet; };
#endif
    unrolled<alone>([&](auto i) LANTERN_STEP {
      constexpr int first = fours - alone + i;
      const auto pair = [&](int j) LANTERN_STEP { return _mm256_hadd_ps(eight_lanes(packets_of[4 * first + j]), eight_lanes(packets_of[4 * first + j + 1])); };
      const __m256 sums = _mm256_hadd_ps(pair(0), pair(2));
      store(std::integral_constant<int, first>{}, _mm_add_ps(_mm256_castps256_ps128(sums), _mm256_extractf128_ps(sums, 1)));
    });
    return;
  }
#endif
  unrolled<Vectors * Rows>([&](auto i) LANTERN_STEP {
    const std::integral_constant<int, i / Rows> v{};
    const T* const added = added_to(v);
    target_of(v)[i % Rows] = packets::predux(packets_of[i]) + (added ? added[i % Rows] : T(0));
  });
}

/// f(first column, columns, packets) for all of C's columns, a panel at a time. Only all of them can be fewer than a packet has.
template <class T, class F>
LANTERN_INLINED void for_panels(int64_t n, F&& f) {
  constexpr int64_t width = packet_width<T>;
  for (int64_t j = 0; j < n;) {
    const int64_t left = n - j, count = left > 4 * width ? 3 : left > 3 * width ? 2 : (left + width - 1) / width;  // 4 packets are 2 and 2
    const int64_t columns = std::min(left, count * width);
    if (count == 3) f(j, columns, std::integral_constant<int, 3>{});
    else if (count == 2) f(j, columns, std::integral_constant<int, 2>{});
    else f(j, columns, std::integral_constant<int, 1>{});
    j += columns;
  }
}

}  // namespace lantern::detail::LANTERN_PACKETS
