// Tensors: views of contiguous, row-major memory that somebody else owns (the arena, an Array, a foreign library).
#pragma once

#include <array>
#include <cstdint>
#include <type_traits>

#include "lantern/arena.h"
#include "lantern/expect.h"

namespace lantern {

/// The base of everything lazy, of a type for each: two of one type cannot lie at one place. See expression.h.
template <class E>
struct Expression {};
template <class E>
inline constexpr bool is_expression = std::is_base_of_v<Expression<E>, E>;

template <int Rank>
using Shape = std::array<int64_t, static_cast<size_t>(Rank)>;

namespace detail {
/// a == b, one dimension after the other: std::array's own comparison is a call of memcmp, which waits until what has just been written is in cache.
template <size_t Rank>
bool same_shape(const std::array<int64_t, Rank>& a, const std::array<int64_t, Rank>& b) {
  for (size_t i = 0; i < Rank; ++i) {
    if (a[i] != b[i]) return false;
  }
  return true;
}
}  // namespace detail

/// A view of Rank ≥ 1 dimensions; rank 0 is plain T. Copies share elements. Trivially copyable.
template <class T, int Rank>
struct Tensor {
  static_assert(Rank >= 1, "a tensor of rank 0 is a plain scalar");
  using value_type = T;
  static constexpr int rank = Rank;

  T* data = nullptr;
  Shape<Rank> shape{};

  Tensor() = default;
  Tensor(T* elements, const Shape<Rank>& dimensions) : data(elements), shape(dimensions) {}
  /// Evaluates a lazy expression of the same rank into the arena (evaluate.h).
  template <class E, class = std::enable_if_t<is_expression<E>>>
  Tensor(const E& expression);

  int64_t size() const {
    int64_t product = 1;
    for (const int64_t n : shape) product *= n;
    return product;
  }

  /// Element `i`, or row `i` as a view, which is there, counted from the front.
  decltype(auto) operator[](int64_t i) const {
    detail::expect_within(i, shape[0]);
    if constexpr (Rank == 1) {
      return (data[i]);
    } else {
      Tensor<T, Rank - 1> row;
      int64_t length = 1;
      for (size_t axis = 1; axis < Rank; ++axis) length *= row.shape[axis - 1] = shape[axis];
      row.data = data + i * length;
      return row;
    }
  }
};

template <class T>
using Vector = Tensor<T, 1>;
template <class T>
using Matrix = Tensor<T, 2>;

namespace detail {
[[noreturn, gnu::cold]] inline void fail_too_large() { fail(errors::out_of_memory, current_place, "a tensor too large to address"); }
}  // namespace detail

/// Elements of a shape. Fails on a negative dimension and where the product does not fit.
template <int Rank>
int64_t checked_size(const Shape<Rank>& shape) {
  int64_t product = 1;
  for (const int64_t n : shape) {
    if (n < 0) fail(errors::shape, detail::current_place, "negative dimension %lld", static_cast<long long>(n));
    if (__builtin_mul_overflow(product, n, &product)) detail::fail_too_large();
  }
  return product;
}

/// An uninitialised tensor in the arena.
template <class T, int Rank>
Tensor<T, Rank> new_tensor(const Shape<Rank>& shape) {
  return {arena().allocate_array<T>(checked_size<Rank>(shape)), shape};
}

}  // namespace lantern
