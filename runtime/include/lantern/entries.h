// What all entries of a gradient and of arrays that go with it have done to them, in one loop.
#pragma once

#include <cstdint>

#include "lantern/gradient.h"

#if defined(__clang__)
#pragma clang diagnostic ignored "-Wpass-failed"  // below -O2 it does not vectorise, and says so
#define LANTERN_INDEPENDENT_ITERATIONS _Pragma("clang loop vectorize(assume_safety)")
#else
#define LANTERN_INDEPENDENT_ITERATIONS _Pragma("GCC ivdep")
#endif

namespace lantern {

namespace detail {

/// Made once for an optimiser, whatever the shape: vectorising it takes a compiler long.
template <class F, class T, class... A>
[[gnu::noinline]] void for_each_entry(F& f, const T* gradient, int64_t n, A*... entries) {
  LANTERN_INDEPENDENT_ITERATIONS
  for (int64_t i = 0; i < n; ++i) f(gradient[i], entries[i]...);
}

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
