// Products of a few vectors with one matrix, a weight, which is read once for all of them: memory is what bounds a product with
// each of them alone. Nothing is packed.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "lantern/matrix_products.h"

namespace lantern::detail {

/// Of more vectors, matrix_times_matrix makes more.
#ifdef EIGEN_VECTORIZE_AVX512
inline constexpr int64_t few_vectors = 2;
#else
inline constexpr int64_t few_vectors = 6;
#endif

/// target[0…Count) = the sums of as many packets' lanes.
template <int Count, class T>
EIGEN_ALWAYS_INLINE void store_sums(T* target, const PacketOf<T> (&packets_of)[Count]) {
#ifdef EIGEN_VECTORIZE_AVX
  if constexpr (Count == 4 && std::is_same_v<T, float>) {  // together, in a third of the time
    const auto eight_lanes = [&](auto i) __attribute__((always_inline)) {
      if constexpr (sizeof(PacketOf<T>) == 64) return packets::predux_half_dowto4(packets_of[i]);
      else return packets_of[i];
    };
    const __m256 pairs = _mm256_hadd_ps(_mm256_hadd_ps(eight_lanes(std::integral_constant<int, 0>{}), eight_lanes(std::integral_constant<int, 1>{})),
                                        _mm256_hadd_ps(eight_lanes(std::integral_constant<int, 2>{}), eight_lanes(std::integral_constant<int, 3>{})));
    _mm_storeu_ps(target, _mm_add_ps(_mm256_castps256_ps128(pairs), _mm256_extractf128_ps(pairs, 1)));
    return;
  }
#endif
  unrolled<Count>([&](auto i) __attribute__((always_inline)) { target[i] = packets::predux(packets_of[i]); });
}

/// y[v][r] = W[r] · x[v], for `Rows` rows of W[·,k] and `Vectors` rows of x[·,k], k of at least one packet; y's rows are `y_step` apart.
template <int Rows, int Vectors, class T>
[[gnu::noinline]] void block_of_dot_products(T* y, int64_t y_step, const T* w, const T* x, int64_t k) {
  using P = PacketOf<T>;
  constexpr int64_t width = packet_width<T>;
  P sums[Vectors][Rows];
  unrolled<Rows * Vectors>([&](auto i) __attribute__((always_inline)) { sums[i / Rows][i % Rows] = packets::pset1<P>(T(0)); });
  const auto add_products = [&](const auto& packet_of) __attribute__((always_inline)) {
    P xs[Vectors];
    unrolled<Vectors>([&](auto v) __attribute__((always_inline)) { xs[v] = packet_of(x + v * k); });
    unrolled<Rows>([&](auto r) __attribute__((always_inline)) {
      const P wr = packet_of(w + r * k);
      unrolled<Vectors>([&](auto v) __attribute__((always_inline)) { sums[v][r] = packets::pmadd(wr, xs[v], sums[v][r]); });
    });
  };
  int64_t j = 0;
  for (; j + width <= k; j += width) {
    unrolled<Rows>([&](auto r) __attribute__((always_inline)) { prefetch(w + (Rows + r) * k + j); });
    add_products([&](const T* row) __attribute__((always_inline)) {
      P packet = packets::ploadu<P>(row + j);
      keep_in_register(packet);
      return packet;
    });
  }
  if (j < k) {  // the last packet overlaps the one before: those lanes are cleared
    const P mask = last_lanes<P, T>(k - j);
    add_products([&](const T* row) __attribute__((always_inline)) { return packets::pand(mask, packets::ploadu<P>(row + k - width)); });
  }
  unrolled<Vectors>([&](auto v) __attribute__((always_inline)) { store_sums<Rows, T>(y + v * y_step, sums[v]); });
}

/// The most vectors of a block of dot products, with four rows of W, and the most rows, with one or two vectors: enough sums that none
/// waits for the one before, few enough for the registers.
#ifdef EIGEN_VECTORIZE_AVX512
inline constexpr int most_vectors = 5, rows_of_few = 8;
#else
inline constexpr int most_vectors = 3, rows_of_few = 4;
#endif

/// So many vectors stay in cache while rows of W go by.
inline constexpr int64_t vectors_at_once = 18;

/// Y[n,m] = X[n,k] · W[m,k]ᵀ.
template <class T>
void vectors_times_transposed(T* y, const T* x, const T* w, int64_t n, int64_t m, int64_t k) {
  if (k < packet_width<T>) {
    for (int64_t v = 0; v < n; ++v)
      for (int64_t r = 0; r < m; ++r) y[v * m + r] = dot_product(x + v * k, w + r * k, k);
    return;
  }
  for (int64_t first = 0, end; first < n; first = end) {
    end = first + even_part(n - first, vectors_at_once);
    const auto all_vectors = [&](int64_t r, auto rows_here) __attribute__((always_inline)) {
      constexpr int most = rows_here.value > 4 ? 2 : most_vectors;
      for (int64_t v = first, count; v < end; v += count) {
        count = even_part(end - v, most);
        unrolled<most>([&](auto less) __attribute__((always_inline)) {
          if (count == less + 1) block_of_dot_products<rows_here.value, less + 1>(y + v * m + r, m, w + r * k, x + v * k, k);
        });
      }
    };
    int64_t r = 0;
    const auto blocks = [&](auto rows) __attribute__((always_inline)) {
      for (; r + rows.value <= m; r += rows.value) all_vectors(r, rows);
    };
    if (end - first <= 2) blocks(std::integral_constant<int, rows_of_few>{});
    blocks(std::integral_constant<int, 4>{});
    blocks(std::integral_constant<int, 2>{});
    blocks(std::integral_constant<int, 1>{});
  }
}

/// y[v] += Σ d[v][r]·W[r], for `Rows` rows of W[·,k] and `Vectors` rows of y[·,k], k of at least one packet; d's rows are `d_step` apart.
template <int Rows, int Vectors, class T>
[[gnu::noinline]] void add_scaled_rows_to(T* y, const T* w, const T* d, int64_t d_step, int64_t k) {
  using P = PacketOf<T>;
  constexpr int64_t width = packet_width<T>;
  P scale[Vectors][Rows];
  unrolled<Vectors * Rows>([&](auto i) __attribute__((always_inline)) { scale[i / Rows][i % Rows] = packets::pset1<P>(d[i / Rows * d_step + i % Rows]); });
  const auto add_at = [&](int64_t at, const auto& part_of) __attribute__((always_inline)) {
    P ws[Rows];
    unrolled<Rows>([&](auto r) __attribute__((always_inline)) {
      prefetch(w + (Rows + r) * k + at);
      ws[r] = part_of(packets::ploadu<P>(w + r * k + at));
      keep_in_register(ws[r]);
    });
    unrolled<Vectors>([&](auto v) __attribute__((always_inline)) {
      P sum = packets::ploadu<P>(y + v * k + at);
      unrolled<Rows>([&](auto r) __attribute__((always_inline)) { sum = packets::pmadd(part_of(scale[v][r]), ws[r], sum); });
      packets::pstoreu(y + v * k + at, sum);
    });
  };
  int64_t j = 0;
  for (; j + width <= k; j += width) add_at(j, [](P packet) __attribute__((always_inline)) { return packet; });
  if (j < k) {  // the last packet overlaps the one before: to those lanes zero is added
    const P mask = last_lanes<P, T>(k - j);
    add_at(k - width, [&](P packet) __attribute__((always_inline)) { return packets::pand(mask, packet); });
  }
}

/// Y[n,k] = D[n,m] · W[m,k], for n small enough that Y stays in cache. Rows of W go by.
template <class T>
void vectors_times_matrix(T* y, const T* d, const T* w, int64_t n, int64_t m, int64_t k) {
  if (k < packet_width<T>) {
    for (int64_t v = 0; v < n; ++v) vector_times_matrix(y + v * k, d + v * m, w, m, k);
    return;
  }
  std::fill(y, y + n * k, T(0));
  const auto all_vectors = [&](int64_t r, auto rows_here) __attribute__((always_inline)) {
    int64_t v = 0;
    for (; v + 2 <= n; v += 2) add_scaled_rows_to<rows_here.value, 2>(y + v * k, w + r * k, d + v * m + r, m, k);
    if (v < n) add_scaled_rows_to<rows_here.value, 1>(y + v * k, w + r * k, d + v * m + r, m, k);
  };
  int64_t r = 0;
  for (; r + 4 <= m; r += 4) all_vectors(r, std::integral_constant<int, 4>{});
  for (; r < m; ++r) all_vectors(r, std::integral_constant<int, 1>{});
}

/// Whether to turn W[k,m] pays: its rows are narrow, and packets go along k often enough for what their sums take.
template <class T>
bool is_narrow_weight(int64_t n, int64_t k, int64_t m) {
  return m < n && is_narrow<T>(m, n) && k >= (m < packet_width<T> ? 1 : 6) * packet_width<T>;
}
/// Y[n,m] = X[n,k] · W[k,m], W turned.
template <class T>
void matrix_times_narrow(T* y, const T* x, const T* w, int64_t n, int64_t k, int64_t m) {
  const Mark mark = arena().mark();
  T* const turned = arena().allocate_array<T>(m * k);
  turn(turned, w, k, m);
  vectors_times_transposed(y, x, turned, n, m, k);
  arena().reset(mark);
}

}  // namespace lantern::detail
