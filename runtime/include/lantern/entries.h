// What all entries of a gradient and of arrays that go with it have done to them, in one loop.
#pragma once

#include <cstdint>
#include <type_traits>

#include "lantern/elementwise.h"
#include "lantern/gradient.h"

#if defined(__clang__)
#pragma clang diagnostic ignored "-Wpass-failed"  // below -O2 it does not vectorise, and says so
#define LANTERN_INDEPENDENT_ITERATIONS _Pragma("clang loop vectorize(assume_safety)")
#else
#define LANTERN_INDEPENDENT_ITERATIONS _Pragma("GCC ivdep")
#endif

namespace lantern {

namespace detail {

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wignored-attributes"  // of a packet as an argument of a template, which no name of it has
template <class T>
using Entries = Lanes<T, PacketOf<T>>;

/// Entries of an array from where a pointer is, as many as a packet has, or n, fewer than that; and back to where they were, unless they are constant.
template <class T>
EIGEN_STRONG_INLINE Entries<std::remove_const_t<T>> entries_at(T* place) { return {Eigen::internal::ploadu<PacketOf<std::remove_const_t<T>>>(place)}; }
template <class T>
EIGEN_STRONG_INLINE Entries<std::remove_const_t<T>> few_entries_at(T* place, int64_t n) { return {load_few<PacketOf<std::remove_const_t<T>>>(place, n)}; }
template <class T, class X>
EIGEN_STRONG_INLINE void put_entries([[maybe_unused]] T* place, [[maybe_unused]] const X& entries) {
  if constexpr (!std::is_const_v<T>) Eigen::internal::pstoreu(place, entries.packet);
}
template <class T, class X>
EIGEN_STRONG_INLINE void put_few_entries([[maybe_unused]] T* place, [[maybe_unused]] const X& entries, [[maybe_unused]] int64_t n) {
  if constexpr (!std::is_const_v<T>) store_few(place, entries.packet, n);
}

/// Whether f takes as many entries at a time as a packet has, as one with `auto` parameters does.
template <class F, class... T>
inline constexpr bool takes_entries = std::is_invocable_v<F&, Entries<std::remove_const_t<T>>&...>;

/// f(entries of a gradient, and of each array from where a pointer is), those of which it may change; or the first n of them. A copy of f, to which nothing else refers, is
/// kept in registers.
template <class F>
struct StepOfPackets {
  F f;
  template <class P, class... A>
  EIGEN_STRONG_INLINE void operator()(const P& gradient, A*... arrays) const {
    [&](Entries<A>... entries) {
      f(Entries<element_of_packet<P>>{gradient}, entries...);
      (put_entries(arrays, entries), ...);
    }(entries_at(arrays)...);
  }
  template <class P, class... A>
  EIGEN_STRONG_INLINE void operator()(const P& gradient, int64_t n, A*... arrays) const {
    [&](Entries<A>... entries) {
      f(Entries<element_of_packet<P>>{gradient}, entries...);
      (put_few_entries(arrays, entries, n), ...);
    }(few_entries_at(arrays, n)...);
  }
};

/// f(entries of each array…), which it may change: of so many at a time as a packet has, if it takes those, and else one by one.
/// Compiled as it is written in the first case, whatever the compiler makes of loops and of errno. Made once for an optimiser, whatever the shape.
template <class F, class... T>
[[gnu::noinline, gnu::flatten]] void for_each_entry(F& f, int64_t n, T*... arrays) {
  if constexpr (takes_entries<F, T...>) {
    constexpr int64_t width = packet_width<std::common_type_t<std::remove_const_t<T>...>>;
    int64_t i = 0;
    for (; i + width <= n; i += width) {
      [&](Entries<std::remove_const_t<T>>... entries) {
        f(entries...);
        (put_entries(arrays + i, entries), ...);
      }(entries_at(arrays + i)...);
    }
    if (i < n) {
      [&](Entries<std::remove_const_t<T>>... entries) {
        f(entries...);
        (put_few_entries(arrays + i, entries, n - i), ...);
      }(few_entries_at(arrays + i, n - i)...);
    }
  } else {
    LANTERN_INDEPENDENT_ITERATIONS
    for (int64_t i = 0; i < n; ++i) f(arrays[i]...);
  }
}
#pragma GCC diagnostic pop

template <class T, int Rank, class A>
void check_same_shape(const Gradient<T, Rank>& gradient, const A& array) {
  static_assert(A::rank == Rank);
  if (array.size() == 0 && gradient.size() != 0) {
    fail(errors::shape, "", "an optimiser's state in the Model is empty: load a checkpoint with it, or resize it to the shape of its parameter, which fills it with zeros");
  }
  if (array.shape() != gradient.shape()) fail(errors::shape, "", "a gradient and an array of its update differ in shape");
}

}  // namespace detail

}  // namespace lantern
