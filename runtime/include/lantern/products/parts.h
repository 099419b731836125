// What all kernels of products are made of, and how much they take at once, for one kind of packets (products.h).

namespace lantern::detail::LANTERN_PACKETS {

inline constexpr int most_packets = 3;
#if LANTERN_PACKET_BYTES >= 64
/// Of more vectors, products with a matrix keep their sums in registers.
inline constexpr int64_t few_vectors = 2;
/// The most vectors of a block of dot products, with four rows of W, and the most rows, with one or two vectors: enough sums that none
/// waits for the one before, few enough for the registers.
inline constexpr int most_vectors = 5, rows_of_few = 8;
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

/// target[0…Count) = the sums of as many packets' lanes, plus added[0…Count), if there is that.
template <int Count, class T>
LANTERN_INLINED void store_sums(T* target, const T* added, const PacketOf<T> (&packets_of)[Count]) {
#if LANTERN_PACKET_BYTES >= 32
  if constexpr (Count == 4 && std::is_same_v<T, float>) {  // together, in a third of the time
    const auto eight_lanes = [&](auto i) LANTERN_STEP {
#if LANTERN_PACKET_BYTES >= 64
      return packets::predux_half_dowto4(packets_of[i]);
#else
      return packets_of[i];
#endif
    };
    const __m256 pairs = _mm256_hadd_ps(_mm256_hadd_ps(eight_lanes(std::integral_constant<int, 0>{}), eight_lanes(std::integral_constant<int, 1>{})),
                                        _mm256_hadd_ps(eight_lanes(std::integral_constant<int, 2>{}), eight_lanes(std::integral_constant<int, 3>{})));
    const __m128 sums = _mm_add_ps(_mm256_castps256_ps128(pairs), _mm256_extractf128_ps(pairs, 1));
    _mm_storeu_ps(target, added ? _mm_add_ps(sums, _mm_loadu_ps(added)) : sums);
    return;
  }
#endif
  unrolled<Count>([&](auto i) LANTERN_STEP { target[i] = packets::predux(packets_of[i]) + (added ? added[i] : T(0)); });
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
