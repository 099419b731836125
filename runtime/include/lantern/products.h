// Products of matrices and vectors. Their kernels (products/) are made for packets as the compiler was told to make them and, where that is less than
// processors of its kind may have, for AVX2 and AVX-512, too, under target attributes: for f32, chosen once, when a program runs. A program
// that is compiled for the machine that runs it defines LANTERN_PACKETS_AS_COMPILED and has one of each.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

#include "lantern/arena.h"
#include "lantern/elementwise.h"
#include "lantern/kernels.h"
#include "lantern/records.h"

namespace lantern::detail {

/// Whether the processor has rows of a weight, read one below the other, in cache before they are needed. AMD's, of those whose packets are as long as a cache
/// line, do, and to ask for them takes the place of a load.
inline bool finds_rows_by_itself() {
#if defined(__x86_64__) && defined(__GNUC__)
  static const bool finds = [] {
    __builtin_cpu_init();
    return __builtin_cpu_is("amd") != 0;
  }();
  return finds;
#else
  return false;
#endif
}

}  // namespace lantern::detail

// The kernels, once for each kind of packets. LANTERN_KERNEL: what a function of theirs needs; LANTERN_STEP: a lambda that is part of one.
#define LANTERN_PACKETS as_compiled
#define LANTERN_KERNEL
#define LANTERN_INLINED EIGEN_ALWAYS_INLINE
#define LANTERN_APART __attribute__((noinline))
#define LANTERN_STEP __attribute__((always_inline))
#ifdef EIGEN_VECTORIZE_AVX512
#define LANTERN_PACKET_BYTES 64
#elif defined(EIGEN_VECTORIZE_AVX)
#define LANTERN_PACKET_BYTES 32
#else
#define LANTERN_PACKET_BYTES 16
#endif
namespace lantern::detail::as_compiled {
template <class T>
using PacketTraits = packets::packet_traits<T>;
}
#include "lantern/products/each.h"

#if defined(__x86_64__) && defined(__GNUC__) && defined(EIGEN_VECTORIZE) && !defined(__AVX512DQ__) && !defined(LANTERN_PACKETS_AS_COMPILED)
#define LANTERN_CHOOSES_PACKETS
#include "lantern/products/packets_avx.h"

#if !defined(__AVX2__) || !defined(__FMA__)
#define LANTERN_CHOOSES_AVX
#define LANTERN_PACKETS avx2
#define LANTERN_KERNEL __attribute__((target("avx2,fma")))
#define LANTERN_INLINED LANTERN_INLINED_FOR("avx2,fma")
#define LANTERN_APART __attribute__((noinline, target("avx2,fma")))
#define LANTERN_STEP __attribute__((always_inline, target("avx2,fma")))
#define LANTERN_PACKET_BYTES 32
#include "lantern/products/each.h"
#endif

#define LANTERN_PACKETS avx512
#define LANTERN_KERNEL __attribute__((target(LANTERN_AVX_FIVE_TWELVE)))
#define LANTERN_INLINED LANTERN_INLINED_FOR(LANTERN_AVX_FIVE_TWELVE)
#define LANTERN_APART __attribute__((noinline, target(LANTERN_AVX_FIVE_TWELVE)))
#define LANTERN_STEP __attribute__((always_inline, target(LANTERN_AVX_FIVE_TWELVE)))
#define LANTERN_PACKET_BYTES 64
#include "lantern/products/each.h"
#undef LANTERN_INLINED_FOR
#undef LANTERN_AVX_FIVE_TWELVE
#endif

namespace lantern::detail {

enum class Packets { as_compiled, avx2, avx512 };

/// The longest packets that the processor has, of those that there are kernels for.
inline Packets longest_packets() {
#ifdef LANTERN_CHOOSES_PACKETS
  static const Packets longest = [] {
    __builtin_cpu_init();
    const bool fma = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    if (fma && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw")) return Packets::avx512;
    return fma ? Packets::avx2 : Packets::as_compiled;
  }();
  return longest;
#else
  return Packets::as_compiled;
#endif
}

// `call` of the kernels for the longest packets.
#ifdef LANTERN_CHOOSES_PACKETS
#define LANTERN_CALL_FIVE_TWELVE(call) \
  if (longest_packets() == Packets::avx512) return avx512::call
#else
#define LANTERN_CALL_FIVE_TWELVE(call)
#endif
#ifdef LANTERN_CHOOSES_AVX
#define LANTERN_CALL_AVX(call) \
  if (longest_packets() == Packets::avx2) return avx2::call
#else
#define LANTERN_CALL_AVX(call)
#endif
#define LANTERN_CALL_LONGEST(call)              \
  if constexpr (std::is_same_v<T, float>) {     \
    LANTERN_CALL_FIVE_TWELVE(call);             \
    LANTERN_CALL_AVX(call);                     \
  }                                             \
  return as_compiled::call

/// y[m] = W[m,n] · x[n].
template <class T>
void matrix_times_vector(T* y, const T* w, const T* x, int64_t m, int64_t n) {
  LANTERN_CALL_LONGEST(matrix_times_vector(y, w, x, m, n));
}
/// y[n] = d[m] · W[m,n], that is Wᵀ · d.
template <class T>
void vector_times_matrix(T* y, const T* d, const T* w, int64_t m, int64_t n) {
  LANTERN_CALL_LONGEST(vector_times_matrix(y, d, w, m, n));
}
/// y[v] = W[m,k] · x[v] + added[v] (null: nothing) for n vectors x[v].
template <class T>
void vectors_times_transposed(T* const* y, const T* const* added, const T* const* x, const T* w, int64_t n, int64_t m, int64_t k) {
  LANTERN_CALL_LONGEST(vectors_times_transposed(y, added, x, w, n, m, k));
}
/// y[v] = d[v] · W[m,k] + added[v] (null: nothing) for n vectors d[v], and k of at least a packet: unless is_better_gathered. y[v] may be added[v].
template <class T>
void vectors_times_matrix(T* const* y, const T* const* added, const T* const* d, const T* w, int64_t n, int64_t m, int64_t k) {
  LANTERN_CALL_LONGEST(vectors_times_matrix(y, added, d, w, n, m, k));
}
/// y[v] = W · x[v] + added[v] (null: nothing; it may be y[v]) for n vectors x[v], at most 64, and blocks of at least a packet's columns.
template <class T>
void blocks_times_vectors(T* const* y, const T* const* added, const T* const* x, const BlockMatrix<T>& w, int64_t n) {
  LANTERN_CALL_LONGEST(blocks_times_vectors(y, added, x, w, n));
}
/// y[v] = d[v] · W + added[v] (null: nothing; it may be y[v]) for n vectors d[v], at most 64, and blocks of at least a packet's columns.
template <class T>
void vectors_times_blocks(T* const* y, const T* const* added, const T* const* d, const BlockMatrix<T>& w, int64_t n) {
  LANTERN_CALL_LONGEST(vectors_times_blocks(y, added, d, w, n));
}
/// Whether n vectors that W[k,m] is to multiply are better put side by side, as a matrix.
template <class T>
bool is_better_gathered(int64_t n, int64_t k, int64_t m) {
  LANTERN_CALL_LONGEST(is_better_gathered<T>(n, k, m));
}
/// C[n,m] = A[n,k] · B[k,m], A and B in any layout, C row-major.
template <class T>
void multiply_matrices(T* c, const Strides<T>& a, const Strides<T>& b, int64_t n, int64_t k, int64_t m) {
  LANTERN_CALL_LONGEST(multiply_matrices(c, a, b, n, k, m));
}
/// Whether there are kernels of one kind of packets alone, the one that programs are compiled for.
#ifdef LANTERN_CHOOSES_PACKETS
inline constexpr bool packets_are_known = false;
#else
inline constexpr bool packets_are_known = true;
#endif

/// target[rows,n] (+)= rows `row` to `row + rows` of Σ a[r]·b[r]ᵀ over the records, b[r] of n elements.
template <class T>
void add_rows_of_outer_products(T* target, int64_t row, int64_t rows, int64_t n, const RowsOf<T>& a, const RowsOf<T>& b, int64_t records, bool overwrite) {
  LANTERN_CALL_LONGEST(add_rows_of_outer_products(target, row, rows, n, a, b, records, overwrite));
}
/// a[n] · b[n].
template <class T>
T dot_product(const T* a, const T* b, int64_t n) {
  LANTERN_CALL_LONGEST(dot_product(a, b, n));
}
#undef LANTERN_CALL_LONGEST
#undef LANTERN_CALL_AVX
#undef LANTERN_CALL_FIVE_TWELVE

/// target[m,n] (+)= the sum over the records of a[m] ⊗ b[n], the records' vectors side by side.
template <class T>
void add_outer_products(T* target, int64_t m, int64_t n, const T* a, const T* b, int64_t records, bool overwrite) {
  add_rows_of_outer_products<T>(target, 0, m, n, {a, m}, {b, n}, records, overwrite);
}

/// Integers, which wrap around as NumPy's do, and bools, which nobody trains: the definition.
template <class T>
void plain_product(T* c, Strides<T> a, Strides<T> b, int64_t m, int64_t n, int64_t k) {
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j) {
      T sum = 0;
      for (int64_t p = 0; p < k; ++p)
        sum = ops::Add<T>::scalar(sum, ops::Multiply<T>::scalar(a.data[i * a.row_step + p * a.column_step], b.data[p * b.row_step + j * b.column_step]));
      c[i * n + j] = sum;
    }
}

}  // namespace lantern::detail
