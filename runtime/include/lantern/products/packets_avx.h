// Packets of f32 for kernels that are chosen when a program runs, under target attributes of their own. They are not Eigen's, whose templates
// are made once in a program, as the compiler was told.
#pragma once

#include <immintrin.h>

#include <cstdint>

#define LANTERN_INLINED_FOR(target_) __attribute__((always_inline, target(target_))) inline

namespace lantern::detail::avx2 {

template <class T>
struct PacketTraits;
template <>
struct PacketTraits<float> {
  using type = __m256;
};
template <class T>
using PacketOf = typename PacketTraits<T>::type;
template <class T>
inline constexpr int64_t packet_width = 8;

namespace packets {

template <class P>
LANTERN_INLINED_FOR("avx2,fma") P pset1(float x) { return _mm256_set1_ps(x); }
template <class P>
LANTERN_INLINED_FOR("avx2,fma") P ploadu(const float* place) { return _mm256_loadu_ps(place); }
LANTERN_INLINED_FOR("avx2,fma") void pstoreu(float* place, __m256 a) { _mm256_storeu_ps(place, a); }
LANTERN_INLINED_FOR("avx2,fma") void pstore(float* place, __m256 a) { _mm256_store_ps(place, a); }
LANTERN_INLINED_FOR("avx2,fma") __m256 padd(__m256 a, __m256 b) { return _mm256_add_ps(a, b); }
LANTERN_INLINED_FOR("avx2,fma") __m256 pand(__m256 a, __m256 b) { return _mm256_and_ps(a, b); }
LANTERN_INLINED_FOR("avx2,fma") __m256 pmadd(__m256 a, __m256 b, __m256 c) { return _mm256_fmadd_ps(a, b, c); }
LANTERN_INLINED_FOR("avx2,fma") float predux(__m256 a) {
  const __m128 four = _mm_add_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps(a, 1));
  const __m128 two = _mm_add_ps(four, _mm_movehl_ps(four, four));
  return _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)));
}

}  // namespace packets
}  // namespace lantern::detail::avx2

#define LANTERN_AVX_FIVE_TWELVE "avx512f,avx512dq,avx512vl,avx512bw,avx2,fma"

namespace lantern::detail::avx512 {

template <class T>
struct PacketTraits;
template <>
struct PacketTraits<float> {
  using type = __m512;
  using half = __m256;
};
template <class T>
using PacketOf = typename PacketTraits<T>::type;
template <class T>
inline constexpr int64_t packet_width = 16;

namespace packets {

// For packets, and for the half of them that rows of a weight are read in.
template <class P>
LANTERN_INLINED_FOR(LANTERN_AVX_FIVE_TWELVE) P pset1(float x) {
  if constexpr (sizeof(P) == 64) return _mm512_set1_ps(x);
  else return _mm256_set1_ps(x);
}
template <class P>
LANTERN_INLINED_FOR(LANTERN_AVX_FIVE_TWELVE) P ploadu(const float* place) {
  if constexpr (sizeof(P) == 64) return _mm512_loadu_ps(place);
  else return _mm256_loadu_ps(place);
}
LANTERN_INLINED_FOR(LANTERN_AVX_FIVE_TWELVE) void pstoreu(float* place, __m512 a) { _mm512_storeu_ps(place, a); }
LANTERN_INLINED_FOR(LANTERN_AVX_FIVE_TWELVE) void pstore(float* place, __m512 a) { _mm512_store_ps(place, a); }
LANTERN_INLINED_FOR(LANTERN_AVX_FIVE_TWELVE) __m512 padd(__m512 a, __m512 b) { return _mm512_add_ps(a, b); }
LANTERN_INLINED_FOR(LANTERN_AVX_FIVE_TWELVE) __m512 pand(__m512 a, __m512 b) { return _mm512_and_ps(a, b); }
LANTERN_INLINED_FOR(LANTERN_AVX_FIVE_TWELVE) __m256 pand(__m256 a, __m256 b) { return _mm256_and_ps(a, b); }
LANTERN_INLINED_FOR(LANTERN_AVX_FIVE_TWELVE) __m512 pmadd(__m512 a, __m512 b, __m512 c) { return _mm512_fmadd_ps(a, b, c); }
LANTERN_INLINED_FOR(LANTERN_AVX_FIVE_TWELVE) __m256 pmadd(__m256 a, __m256 b, __m256 c) { return _mm256_fmadd_ps(a, b, c); }
LANTERN_INLINED_FOR(LANTERN_AVX_FIVE_TWELVE) __m256 predux_half_dowto4(__m512 a) {
#if defined(__clang__) || __GNUC__ >= 12  // g++ 12 warns of its own _mm512_castps512_ps256
  return _mm256_add_ps(__builtin_shufflevector(a, a, 0, 1, 2, 3, 4, 5, 6, 7), __builtin_shufflevector(a, a, 8, 9, 10, 11, 12, 13, 14, 15));
#else
  return _mm256_add_ps(_mm512_castps512_ps256(a), _mm512_extractf32x8_ps(a, 1));
#endif
}
LANTERN_INLINED_FOR(LANTERN_AVX_FIVE_TWELVE) float predux(__m256 a) {
  const __m128 four = _mm_add_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps(a, 1));
  const __m128 two = _mm_add_ps(four, _mm_movehl_ps(four, four));
  return _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)));
}
LANTERN_INLINED_FOR(LANTERN_AVX_FIVE_TWELVE) float predux(__m512 a) { return predux(predux_half_dowto4(a)); }

}  // namespace packets
}  // namespace lantern::detail::avx512
