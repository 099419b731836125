// Packets: as many elements as the processor has in a register. Eigen's, and what it lacks: some lanes of them, lanes one by one, masks.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

// g++ 12 takes the undefined operands inside its own AVX-512 intrinsics for uninitialised variables (GCC bug 105593).
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <Eigen/Core>
#pragma GCC diagnostic pop

namespace lantern::detail {

template <class T>
using PacketOf = typename Eigen::internal::packet_traits<T>::type;
template <class P>
using element_of_packet = typename Eigen::internal::unpacket_traits<P>::type;
template <class T>
inline constexpr int64_t packet_width = Eigen::internal::packet_traits<T>::size;

/// f(lane) in the first n lanes, 0 in the others.
template <class P, class F>
EIGEN_STRONG_INLINE P packet_of_lanes(int64_t n, const F& f) {
  alignas(64) element_of_packet<P> lanes[static_cast<size_t>(packet_width<element_of_packet<P>>)] = {};
  for (int64_t lane = 0; lane < n; ++lane) lanes[lane] = f(lane);
  return Eigen::internal::pload<P>(lanes);
}
/// Elements of a cursor from i on, one by one: bools as a mask, numbers of other types as they are in that of P.
template <class P, class Cursor>
EIGEN_STRONG_INLINE P packet_of_elements(const Cursor& cursor, int64_t i, int64_t n) {
  using T = element_of_packet<P>;
  const P elements = packet_of_lanes<P>(n, [&](int64_t lane) { return static_cast<T>(cursor.scalar(i + lane)); });
  if constexpr (std::is_same_v<std::decay_t<decltype(cursor.scalar(i))>, bool>) return Eigen::internal::pcmp_lt(Eigen::internal::pset1<P>(T(0)), elements);
  else return elements;
}
/// A mask of as many bools, each 0 or 1, as a packet has lanes.
template <class P>
EIGEN_STRONG_INLINE P mask_of(const bool* flags) {
  using T = element_of_packet<P>;
  using Bits = std::conditional_t<sizeof(T) == 4, int32_t, int64_t>;
  constexpr auto size = static_cast<size_t>(packet_width<T>);
  alignas(64) Bits bits[size];
  alignas(64) T lanes[size];
  for (size_t lane = 0; lane < size; ++lane) bits[lane] = -static_cast<Bits>(flags[lane]);
  std::memcpy(lanes, bits, sizeof lanes);
  return Eigen::internal::pload<P>(lanes);
}
#ifdef EIGEN_VECTORIZE_AVX512
template <>
EIGEN_STRONG_INLINE Eigen::internal::Packet16f mask_of(const bool* flags) {
  const __m512i numbers = _mm512_cvtepi8_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(flags)));
  return _mm512_castsi512_ps(_mm512_sub_epi32(_mm512_setzero_si512(), numbers));
}
#endif

/// A function of one element or of two, lane by lane.
template <class F, class P, class... Q>
EIGEN_STRONG_INLINE P lane_by_lane(const F& f, const P& first, const Q&... others) {
  using T = element_of_packet<P>;
  constexpr auto size = static_cast<size_t>(packet_width<element_of_packet<P>>);
  const P packets[] = {first, others...};
  alignas(64) T lanes[1 + sizeof...(Q)][size];
  for (size_t operand = 0; operand <= sizeof...(Q); ++operand) Eigen::internal::pstore(lanes[operand], packets[operand]);
  for (size_t lane = 0; lane < size; ++lane) {
    if constexpr (sizeof...(Q) == 0) lanes[0][lane] = f(lanes[0][lane]);
    else lanes[0][lane] = f(lanes[0][lane], lanes[1][lane]);
  }
  return Eigen::internal::pload<P>(lanes[0]);
}

/// Whether some lanes are loaded by one instruction: a packet that overlaps the one before, which may have been stored just now, takes longer.
template <class T>
inline constexpr bool loads_few_at_once = sizeof(PacketOf<T>) == 64;

// The first n lanes, fewer than there are: loaded, 0 in the others; stored; those of a packet, 0 in the others. And the last n.
template <class P, class T>
EIGEN_STRONG_INLINE P load_few(const T* data, int64_t n) { return packet_of_lanes<P>(n, [&](int64_t lane) { return data[lane]; }); }
template <class T, class P>
EIGEN_STRONG_INLINE void store_few(T* target, const P& value, int64_t n) {
  alignas(64) T lanes[static_cast<size_t>(packet_width<element_of_packet<P>>)];
  Eigen::internal::pstore(lanes, value);
  for (int64_t lane = 0; lane < n; ++lane) target[lane] = lanes[lane];
}
template <class P>
EIGEN_STRONG_INLINE P first_lanes(const P& value, int64_t n) {
  using namespace Eigen::internal;
  using T = element_of_packet<P>;
  return pand(value, pcmp_lt(plset<P>(T(0)), pset1<P>(static_cast<T>(n))));
}
/// Stores the last n elements of a packet where they belong, at once: what comes next loads packets.
template <class T, class P>
EIGEN_STRONG_INLINE void store_end(T* target, const P& value, int64_t n) {
  using namespace Eigen::internal;
  const P is_before = pcmp_lt(plset<P>(T(0)), pset1<P>(static_cast<T>(packet_width<element_of_packet<P>> - n)));
  pstoreu(target, pselect(is_before, ploadu<P>(target), value));
}
#ifdef EIGEN_VECTORIZE_AVX512
template <>
EIGEN_STRONG_INLINE Eigen::internal::Packet16f load_few(const float* data, int64_t n) { return _mm512_maskz_loadu_ps(static_cast<__mmask16>(0xffff >> (16 - n)), data); }
template <>
EIGEN_STRONG_INLINE Eigen::internal::Packet8d load_few(const double* data, int64_t n) { return _mm512_maskz_loadu_pd(static_cast<__mmask8>(0xff >> (8 - n)), data); }
template <>
EIGEN_STRONG_INLINE void store_few(float* target, const Eigen::internal::Packet16f& value, int64_t n) {
  _mm512_mask_storeu_ps(target, static_cast<__mmask16>(0xffff >> (16 - n)), value);
}
template <>
EIGEN_STRONG_INLINE void store_few(double* target, const Eigen::internal::Packet8d& value, int64_t n) {
  _mm512_mask_storeu_pd(target, static_cast<__mmask8>(0xff >> (8 - n)), value);
}
template <>
EIGEN_STRONG_INLINE void store_end(float* target, const Eigen::internal::Packet16f& value, int64_t n) {
  _mm512_mask_storeu_ps(target, static_cast<__mmask16>(0xffff << (16 - n)), value);
}
template <>
EIGEN_STRONG_INLINE void store_end(double* target, const Eigen::internal::Packet8d& value, int64_t n) {
  _mm512_mask_storeu_pd(target, static_cast<__mmask8>(0xff << (8 - n)), value);
}
#endif

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wignored-attributes"  // of a packet as an argument of a template, which no name of it has
/// A square of as many elements a side as a packet has lanes, turned; its rows are `to_step` and `from_step` apart.
template <class T>
void turn_packets(T* to, int64_t to_step, const T* from, int64_t from_step) {
  constexpr int64_t width = packet_width<T>;
  Eigen::internal::PacketBlock<PacketOf<T>, width> block;
  for (int64_t i = 0; i < width; ++i) block.packet[i] = Eigen::internal::ploadu<PacketOf<T>>(from + i * from_step);
  Eigen::internal::ptranspose(block);
  for (int64_t i = 0; i < width; ++i) Eigen::internal::pstoreu(to + i * to_step, block.packet[i]);
}
#pragma GCC diagnostic pop

}  // namespace lantern::detail
