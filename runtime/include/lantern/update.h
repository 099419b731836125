// Optimiser steps: a function applied to every entry of a gradient and of the arrays that go with it.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "lantern/entries.h"
#include "lantern/kernels.h"
#include "lantern/products.h"

namespace lantern {

namespace detail {
/// Whether a step takes a gradient that is a sum of products as that is made, and needs no memory for it. Compiled with -DLANTERN_GRADIENTS_IN_MEMORY, it does not: to compare.
#ifdef LANTERN_GRADIENTS_IN_MEMORY
inline constexpr bool steps_products = false;
#else
inline constexpr bool steps_products = true;
#endif
}  // namespace detail

/// target = value, unless the condition holds. By masks: with a branch, g++ does not vectorise a loop that divides.
template <class T>
void store_unless(bool condition, T& target, T value) {
  using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  static_assert(sizeof(T) == sizeof(Bits));
  Bits before, after;
  std::memcpy(&before, &target, sizeof(T));
  std::memcpy(&after, &value, sizeof(T));
  const Bits kept = Bits{0} - static_cast<Bits>(condition), chosen = (before & kept) | (after & ~kept);
  std::memcpy(&target, &chosen, sizeof(T));
}

/// f(g, a, b, …) over all entries: g by value, the arrays' entries by reference. The arrays must not overlap.
/// `[=](auto g, auto& w, auto& s) { s += g * g; w -= rate * g / (sqrt(s) + eps); }` is Adagrad: `auto` is a packet of entries. With `float` in its
/// place f is given them one by one, and it is the compiler's to vectorise it.
template <class F, class T, int Rank, class... Arrays>
void for_each(F&& f, Gradient<T, Rank>& gradient, Arrays&... arrays) {
  (detail::check_same_shape(gradient, arrays), ...);
  if constexpr (Rank == 0) {
    detail::for_each_entry(f, 1, static_cast<const T*>(&gradient.view()), arrays.data()...);
  } else {
    using Step = std::decay_t<F>;
    if constexpr (detail::steps_products && detail::packets_are_known && std::is_copy_constructible_v<Step> && detail::takes_entries<const Step, T, typename Arrays::value_type...>) {
      if (gradient.is_sum_of_products()) return gradient.step_packets(detail::StepOfPackets<Step>{f}, arrays.data()...);
    }
    if (detail::steps_products && gradient.only_records()) {
      return gradient.for_each_block([&](int64_t first, int64_t count, const T* values) { detail::for_each_entry(f, count, values, (arrays.data() + first)...); });
    }
    const T* const values = gradient.view().data;
    detail::share(gradient.size(), 1024, 4.0 * static_cast<double>(gradient.size()), [&](int64_t first, int64_t end) {
      detail::for_each_entry(f, end - first, values + first, (arrays.data() + first)...);
    });
  }
}

/// The same, but where only some rows of the gradient can differ from zero, over those rows alone. Equal to `for_each`
/// for steps that leave an entry with a zero gradient as it is (SGD, Adagrad).
template <class F, class T, int Rank, class... Arrays>
void for_each_touched(F&& f, Gradient<T, Rank>& gradient, Arrays&... arrays) {
  if constexpr (Rank == 0) {
    for_each(f, gradient, arrays...);
  } else {
    if (!gradient.only_rows()) return for_each(f, gradient, arrays...);
    (detail::check_same_shape(gradient, arrays), ...);
    if (gradient.touched().empty()) return;
    const int64_t n = gradient.size() / gradient.shape()[0];
    gradient.touched().for_each([&](int64_t row, const T* values) { detail::for_each_entry(f, n, values, (arrays.data() + row * n)...); });
  }
}

}  // namespace lantern
