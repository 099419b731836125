// Products of dense row-major matrices and vectors, on Eigen's packets: no heap, no packing of weights, small frames.
// All take plain pointers and sizes; shapes are checked by their callers (matmul.h, gradient.h). A few vectors at once are in
// skinny_products.h.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "lantern/expression.h"

namespace lantern::detail {

namespace packets = Eigen::internal;

template <class T>
inline constexpr int64_t packet_width = packets::packet_traits<T>::size;

/// Rows of a weight rarely begin on a cache line. Where packets are as long as a line every load of a row would then
/// straddle two, so dot products of rows take packets half as long.
template <class T, bool Long>
struct RowPacketOf {
  using type = PacketOf<T>;
};
template <class T>
struct RowPacketOf<T, true> {
  using type = typename packets::packet_traits<T>::half;
};
template <class T>
using RowPacket = typename RowPacketOf<T, (sizeof(PacketOf<T>) > 32)>::type;
template <class T>
inline constexpr int64_t row_width = sizeof(RowPacket<T>) / sizeof(T);

template <int... I, class F>
EIGEN_STRONG_INLINE void for_each_of(std::integer_sequence<int, I...>, F&& f) {
  (f(std::integral_constant<int, I>{}), ...);
}
/// f(0), …, f(N - 1), the numbers as types: what is indexed by them is kept in registers, as g++ does not for an array that it comes
/// to unroll late.
template <int N, class F>
EIGEN_STRONG_INLINE void unrolled(F&& f) { for_each_of(std::make_integer_sequence<int, N>{}, f); }

/// A packet of all ones in its last `lanes` lanes and zeros before, for the end of a row.
template <class P, class T>
EIGEN_STRONG_INLINE P last_lanes(int64_t lanes) {
  alignas(64) static constexpr auto zeros_then_ones = [] {
    std::array<unsigned char, 2 * sizeof(P)> bytes{};
    for (size_t i = sizeof(P); i < bytes.size(); ++i) bytes[i] = 0xFF;
    return bytes;
  }();
  return packets::ploadu<P>(reinterpret_cast<const T*>(zeros_then_ones.data()) + lanes);
}

/// Makes a compiler load a packet once, and not once for each product that it is part of: loads would be the bound.
template <class P>
EIGEN_STRONG_INLINE void keep_in_register([[maybe_unused]] P& packet) {
#if defined(__x86_64__) && defined(__GNUC__)
  asm("" : "+x"(packet));
#endif
}

template <class T>
EIGEN_STRONG_INLINE T dot_product(const T* a, const T* b, int64_t n) {
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
template <int Rows, class T>
EIGEN_STRONG_INLINE void rows_times_vector(T* y, const T* w, const T* x, int64_t n) {
  using P = RowPacket<T>;
  constexpr int64_t width = row_width<T>;
  P sums[Rows];
  for (int r = 0; r < Rows; ++r) sums[r] = packets::pset1<P>(T(0));
  int64_t j = 0;
  for (; j + width <= n; j += width) {
    const P xj = packets::ploadu<P>(x + j);
    for (int r = 0; r < Rows; ++r) sums[r] = packets::pmadd(packets::ploadu<P>(w + r * n + j), xj, sums[r]);
  }
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
void matrix_times_vector(T* y, const T* w, const T* x, int64_t m, int64_t n) {
  int64_t i = 0;
  if (n >= row_width<T>) {
    for (; i + 8 <= m; i += 8) rows_times_vector<8>(y + i, w + i * n, x, n);
    for (; i + 2 <= m; i += 2) rows_times_vector<2>(y + i, w + i * n, x, n);
  }
  for (; i < m; ++i) y[i] = dot_product(w + i * n, x, n);
}

/// y[n] (+)= d[0…Rows) · W[Rows,n]: a sum of scaled rows, so that y is read and written once for Rows rows.
template <int Rows, bool First, class T>
EIGEN_STRONG_INLINE void add_scaled_rows(T* y, const T* w, const T* d, int64_t n) {
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
  const auto packet_at = [&](int64_t at, P sum) __attribute__((always_inline)) {
    for (int r = 0; r < Rows; ++r) sum = packets::pmadd(scale[r], packets::ploadu<P>(w + r * n + at), sum);
    return sum;
  };
  int64_t j = 0;
  for (; j + width <= n; j += width)
    packets::pstoreu(y + j, packet_at(j, First ? packets::pset1<P>(T(0)) : packets::ploadu<P>(y + j)));
  if (j == n) return;
  alignas(64) T last[width];  // overlaps the packet before; only its new elements count
  packets::pstore(last, packet_at(n - width, packets::pset1<P>(T(0))));
  for (int64_t lane = j - (n - width); lane < width; ++lane, ++j) y[j] = (First ? T(0) : y[j]) + last[lane];
}

/// y[n] = d[m] · W[m,n], that is Wᵀ · d.
template <class T>
void vector_times_matrix(T* y, const T* d, const T* w, int64_t m, int64_t n) {
  int64_t i = 0;
  if (m >= 8) {
    add_scaled_rows<8, true>(y, w, d, n);
    i = 8;
  } else if (m >= 1) {
    add_scaled_rows<1, true>(y, w, d, n);
    i = 1;
  } else {
    std::fill(y, y + n, T(0));
  }
  for (; i + 8 <= m; i += 8) add_scaled_rows<8, false>(y, w + i * n, d + i, n);
  for (; i + 2 <= m; i += 2) add_scaled_rows<2, false>(y, w + i * n, d + i, n);
  for (; i < m; ++i) add_scaled_rows<1, false>(y, w + i * n, d + i, n);
}

// --- matrix · matrix ---

/// A matrix in memory: element (i, j) is data[i * row_step + j * column_step].
template <class T>
struct Strides {
  const T* data;
  int64_t row_step, column_step;
};

/// target[0…lanes) (+)= the first lanes of a packet. Apart, so that the loops around it unroll, and sums stay in registers.
template <class T>
[[gnu::noinline]] void store_lanes(T* target, PacketOf<T> sums, int64_t lanes, bool overwrite) {
  alignas(64) T last[packet_width<T>];
  packets::pstore(last, sums);
  for (int64_t l = 0; l < lanes; ++l) target[l] = overwrite ? last[l] : target[l] + last[l];
}

/// The block C[Rows, Packets·width] (+)= A[Rows,k] · B[k,…] held in registers; `lanes` of the last packet belong to C.
template <int Rows, int Packets, class T>
EIGEN_STRONG_INLINE void register_block(T* c, int64_t c_step, Strides<T> a, const T* b, int64_t b_step, int64_t k, int64_t lanes, bool overwrite) {
  using P = PacketOf<T>;
  constexpr int64_t width = packet_width<T>;
  P sums[Rows][Packets];
  for (int r = 0; r < Rows; ++r)
    for (int q = 0; q < Packets; ++q) sums[r][q] = packets::pset1<P>(T(0));
  for (int64_t p = 0; p < k; ++p) {
    P bp[Packets];
    for (int q = 0; q < Packets; ++q) {
      P packet = packets::ploadu<P>(b + p * b_step + q * width);
      keep_in_register(packet);
      bp[q] = packet;
    }
    for (int r = 0; r < Rows; ++r) {
      const P ap = packets::pset1<P>(a.data[r * a.row_step + p * a.column_step]);
      for (int q = 0; q < Packets; ++q) sums[r][q] = packets::pmadd(ap, bp[q], sums[r][q]);
    }
  }
  for (int r = 0; r < Rows; ++r) {
    for (int q = 0; q < Packets; ++q) {
      T* target = c + r * c_step + q * width;
      if (q == Packets - 1 && lanes < width) store_lanes(target, sums[r][q], lanes, overwrite);
      else packets::pstoreu(target, overwrite ? sums[r][q] : packets::padd(packets::ploadu<P>(target), sums[r][q]));
    }
  }
}

#ifdef EIGEN_VECTORIZE_AVX512
inline constexpr int tall_block = 8;  // 24 of 32 registers are sums
#else
inline constexpr int tall_block = 4;  // 12 of 16
#endif

/// A panel of B: up to three packets of columns, rows `step` apart, of which `columns` belong to C.
template <class T>
struct Panel {
  const T* data;
  int64_t step, columns;
};

/// Rows of C, `Rows` of them, over one panel.
template <int Rows, class T>
EIGEN_STRONG_INLINE void block_row(T* c, int64_t c_step, Strides<T> a, Panel<T> b, int64_t k, bool overwrite) {
  constexpr int64_t width = packet_width<T>;
  if (b.columns > 2 * width) register_block<Rows, 3>(c, c_step, a, b.data, b.step, k, b.columns - 2 * width, overwrite);
  else if (b.columns > width) register_block<Rows, 2>(c, c_step, a, b.data, b.step, k, b.columns - width, overwrite);
  else register_block<Rows, 1>(c, c_step, a, b.data, b.step, k, b.columns, overwrite);
}

/// f(first row, rows) for all rows of C, in blocks of `tall_block`, 2 and 1.
template <class F>
EIGEN_STRONG_INLINE void for_row_blocks(int64_t m, F&& f) {
  int64_t i = 0;
  for (; i + tall_block <= m; i += tall_block) f(i, std::integral_constant<int, tall_block>{});
  for (; i + 2 <= m; i += 2) f(i, std::integral_constant<int, 2>{});
  for (; i < m; ++i) f(i, std::integral_constant<int, 1>{});
}

/// A panel of B's columns, `columns` of them and zeros behind, its rows side by side.
template <class T>
EIGEN_STRONG_INLINE Panel<T> pack_columns(T* packed, Strides<T> b, int64_t rows, int64_t columns) {
  constexpr int64_t panel = 3 * packet_width<T>;
  if (b.column_step == 1 && columns == panel) {
    for (int64_t r = 0; r < rows; ++r) std::memcpy(packed + r * panel, b.data + r * b.row_step, panel * sizeof(T));
  } else {
    for (int64_t r = 0; r < rows; ++r) {
      T* row = packed + r * panel;
      for (int64_t l = 0; l < columns; ++l) row[l] = b.data[r * b.row_step + l * b.column_step];
      std::fill(row + columns, row + panel, T(0));
    }
  }
  return {packed, panel, columns};
}

/// Aᵀ, whose rows go in blocks of `tall_block`, out of A[k, rows]: a block's columns lie side by side. `rows` is a multiple of `tall_block`.
template <class T>
void pack_transposed(T* packed, const T* a, int64_t row_step, int64_t rows, int64_t k) {
  constexpr int64_t line = std::max<int64_t>(tall_block, 64 / static_cast<int64_t>(sizeof(T)));  // each line of A is read once
  for (int64_t first = 0; first < rows; first += line) {
    const int64_t end = std::min(rows, first + line);
    for (int64_t p = 0; p < k; ++p)
      for (int64_t i = first; i < end; i += tall_block) std::memcpy(packed + i * k + p * tall_block, a + p * row_step + i, tall_block * sizeof(T));
  }
}

inline constexpr int64_t enough_rows = 24, few_records = 16;  // of fewer, a product takes less time than copies

/// C[m,n] (+)= A[k,m]ᵀ · B[k,n], A's rows `a_step` apart, of so much that copies of both, in the order in which they are read, pay.
template <class T>
void transposed_times_matrix(T* c, const T* a, int64_t a_step, const T* b, int64_t m, int64_t n, int64_t k, bool overwrite) {
  constexpr int64_t panel = 3 * packet_width<T>, depth = 256, most_rows = 256;
  const Mark mark = arena().mark();
  T* of_a = arena().allocate_array<T>(std::min(m, most_rows) * std::min(k, depth));
  T* of_b = arena().allocate_array<T>(panel * std::min(k, depth));
  for (int64_t p = 0; p < k; p += depth) {
    const int64_t kp = std::min(depth, k - p);
    for (int64_t top = 0; top < m; top += most_rows) {
      const int64_t rows = std::min(most_rows, m - top), whole = rows / tall_block * tall_block;
      const T* a_rows = a + p * a_step + top;
      pack_transposed(of_a, a_rows, a_step, whole, kp);
      for (int64_t j = 0; j < n; j += panel) {
        const Panel<T> columns = pack_columns(of_b, {b + p * n + j, n, 1}, kp, std::min(panel, n - j));
        T* into = c + top * n + j;
        for (int64_t i = 0; i < whole; i += tall_block) block_row<tall_block>(into + i * n, n, Strides<T>{of_a + i * kp, 1, tall_block}, columns, kp, overwrite && p == 0);
        for (int64_t i = whole; i < rows; ++i) block_row<1>(into + i * n, n, Strides<T>{a_rows + i, 1, a_step}, columns, kp, overwrite && p == 0);
      }
    }
  }
  arena().reset(mark);
}

/// C[m,n] (+)= A[m,k] · B[k,n]; A and B in any layout, C row-major.
template <class T>
void matrix_times_matrix(T* c, Strides<T> a, Strides<T> b, int64_t m, int64_t n, int64_t k, bool overwrite) {
  constexpr int64_t width = packet_width<T>, panel = 3 * width, depth = 16384 / (static_cast<int64_t>(sizeof(T)) * width) / 3 * 3;
  if (k == 0 && overwrite) std::fill(c, c + m * n, T(0));
  alignas(64) T packed[panel * depth];
  const auto pack = [&](const T* first, int64_t rows, int64_t columns) { return pack_columns(packed, {first, b.row_step, b.column_step}, rows, columns); };
  for (int64_t p = 0; p < k; p += depth) {
    const int64_t kp = std::min(depth, k - p);
    const bool first = overwrite && p == 0;
    const T* b_rows = b.data + p * b.row_step;
    const auto a_rows = [&](int64_t i) { return Strides<T>{a.data + i * a.row_step + p * a.column_step, a.row_step, a.column_step}; };
    if (b.column_step == 1 && kp * n <= 64 * 1024 && m < enough_rows) {
      // B is small and its rows lie in order, as records do, and few rows of A would share a copy: C is written once, row block by row block, and B stays in
      // cache. Only its last columns, if they do not fill a packet, are copied, lest a load runs past the end.
      const int64_t whole = n % width == 0 ? n : n / panel * panel;
      const Panel<T> rest = whole < n ? pack(b_rows + whole, kp, n - whole) : Panel<T>{};
      for_row_blocks(m, [&](int64_t i, auto rows) __attribute__((always_inline)) {
        for (int64_t j = 0; j < whole; j += panel)
          block_row<rows.value>(c + i * n + j, n, a_rows(i), Panel<T>{b_rows + j, b.row_step, std::min(panel, whole - j)}, kp, first);
        if (whole < n) block_row<rows.value>(c + i * n + whole, n, a_rows(i), rest, kp, first);
      });
    } else {
      for (int64_t j = 0; j < n; j += panel) {
        const Panel<T> columns = pack(b_rows + j * b.column_step, kp, std::min(panel, n - j));
        for_row_blocks(m, [&](int64_t i, auto rows) __attribute__((always_inline)) {
          block_row<rows.value>(c + i * n + j, n, a_rows(i), columns, kp, first);
        });
      }
    }
  }
}

/// target[rows,n] (+)= rows `row` to `row + rows` of Σ a[r]·b[r]ᵀ over the records: one product of the transposed left records and the right ones.
template <class T>
void add_rows_of_outer_products(T* target, int64_t row, int64_t rows, int64_t m, int64_t n, const T* a, const T* b, int64_t records, bool overwrite) {
  if (rows >= enough_rows && n >= enough_rows && records >= few_records) transposed_times_matrix<T>(target, a + row, m, b, rows, n, records, overwrite);
  else matrix_times_matrix<T>(target, {a + row, 1, m}, {b, n, 1}, rows, n, records, overwrite);
}

/// target[m,n] (+)= all of that sum.
template <class T>
void add_outer_products(T* target, int64_t m, int64_t n, const T* a, const T* b, int64_t records, bool overwrite) {
  add_rows_of_outer_products<T>(target, 0, m, m, n, a, b, records, overwrite);
}

/// Integers and bools, which nobody trains: the definition.
template <class T>
void plain_product(T* c, Strides<T> a, Strides<T> b, int64_t m, int64_t n, int64_t k) {
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j) {
      T sum = 0;
      for (int64_t p = 0; p < k; ++p) sum = static_cast<T>(sum + a.data[i * a.row_step + p * a.column_step] * b.data[p * b.row_step + j * b.column_step]);
      c[i * n + j] = sum;
    }
}

}  // namespace lantern::detail
