// Sums, means, maxima, and what is made of them. Reductions of everything give a scalar; along an axis, a tensor of
// rank one less (of a vector: a scalar).
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>

#include "lantern/indexing.h"

namespace lantern {

namespace detail {

/// NumPy's type of a sum: integers and bools add up in 64 bits.
template <class T>
using sum_of = std::conditional_t<std::is_floating_point_v<T>, T, int64_t>;

/// n elements of a cursor from `begin` on, one after the other or as packets.
template <class T, class Cursor>
T sum_of_piece(const Cursor& cursor, int64_t begin, int64_t n) {
  T sum = 0;
  int64_t i = begin;
  const int64_t end = begin + n;
  if constexpr (Cursor::vectorized) {
    using P = PacketOf<T>;
    constexpr int64_t width = Eigen::internal::packet_traits<T>::size;
    if (n >= width) {
      P first = Eigen::internal::pset1<P>(T(0)), second = first;
      for (; i + 2 * width <= end; i += 2 * width) {
        first = Eigen::internal::padd(first, cursor.template packet<P>(i));
        second = Eigen::internal::padd(second, cursor.template packet<P>(i + width));
      }
      for (; i + width <= end; i += width) first = Eigen::internal::padd(first, cursor.template packet<P>(i));
      sum = Eigen::internal::predux(Eigen::internal::padd(first, second));
    }
  }
  for (; i < end; ++i) sum = ops::Add<T>::scalar(sum, static_cast<T>(cursor.scalar(i)));
  return sum;
}

/// The sum of a cursor's elements. Sums of pieces are added by pairs, as NumPy's are: rounding errors do not grow with n.
template <class T, class Cursor>
T sum_loop(const Cursor& cursor, int64_t n, int64_t begin = 0) {
  constexpr int64_t in_a_row = 64;  // additions to one number, whatever a packet's length: their errors may all go one way
  constexpr int64_t piece = Cursor::vectorized ? 2 * Eigen::internal::packet_traits<T>::size * in_a_row : in_a_row;
  if (n <= piece) return sum_of_piece<T>(cursor, begin, n);
  const int64_t half = n / 2;
  return ops::Add<T>::scalar(sum_loop<T>(cursor, half, begin), sum_loop<T>(cursor, n - half, begin + half));
}

/// Elements of type E, `step` apart, as a T each.
template <class T, class E>
struct Line {
  static constexpr bool vectorized = false;
  const E* data;
  int64_t step;
  T scalar(int64_t i) const { return static_cast<T>(data[i * step]); }
};
template <class T, class E>
T sum_of_line(const E* line, int64_t n, int64_t step) {
  if constexpr (std::is_same_v<T, E>) {
    if (step == 1) return sum_loop<T>(Contiguous<E>{line}, n);
  }
  return sum_loop<T>(Line<T, E>{line, step}, n);
}

/// A tensor of rank one less, element by element from the strided line of the operand that it reduces.
template <class Result, class X, class F>
auto reduce_axis(const X& x, int64_t axis, F&& reduce_line) {
  constexpr int rank = rank_of<X>;
  static_assert(rank >= 1, "a scalar has no axis");
  const auto t = evaluate(x);
  const int64_t along = checked_index(axis, rank, "");
  if constexpr (rank == 1) {
    return static_cast<Result>(reduce_line(t.data, t.shape[0], int64_t{1}));
  } else {
    Shape<rank - 1> shape{};
    for (size_t i = 0, o = 0; i < rank; ++i)
      if (static_cast<int64_t>(i) != along) shape[o++] = t.shape[i];
    const auto result = new_tensor<Result, rank - 1>(shape);
    const Blocks blocks = blocks_of<rank>(t.shape, along);
    for (int64_t o = 0; o < blocks.outer; ++o)
      for (int64_t i = 0; i < blocks.inner; ++i)
        result.data[o * blocks.inner + i] = reduce_line(t.data + o * blocks.length * blocks.inner + i, blocks.length, blocks.inner);
    return result;
  }
}

/// The same over all elements, in row-major order; a number is its own only element.
template <class Result, class X, class F>
Result reduce_all(const X& x, F&& reduce_line) {
  const auto t = evaluate(x);
  if constexpr (rank_of<X> == 0) {
    const element_type<X> number = t;
    return static_cast<Result>(reduce_line(&number, int64_t{1}, int64_t{1}));
  } else {
    return static_cast<Result>(reduce_line(t.data, t.size(), int64_t{1}));
  }
}

[[noreturn, gnu::cold]] inline void fail_empty(const char* what) { fail(errors::domain, current_place, "%s of an empty tensor", what); }

// What a line of elements is reduced to: f(data, n, step).
template <class T>
struct Product {
  template <class E>
  T operator()(const E* line, int64_t n, int64_t step) const {
    T product = 1;
    for (int64_t i = 0; i < n; ++i) product = ops::Multiply<T>::scalar(product, static_cast<T>(line[i * step]));
    return product;
  }
};
template <template <class> class Better>
struct Extreme {
  const char* name;
  template <class E>
  E operator()(const E* line, int64_t n, int64_t step) const {
    if (n == 0) fail_empty(name);
    E best = line[0];
    for (int64_t i = 1; i < n; ++i) best = Better<E>::scalar(best, line[i * step]);
    return best;
  }
};
template <class Compare>
struct Position {
  const char* name;
  template <class E>
  int64_t operator()(const E* line, int64_t n, int64_t step) const {
    if (n == 0) fail_empty(name);
    int64_t best = 0;
    for (int64_t i = 1; i < n; ++i) {
      const E x = line[i * step], y = line[best * step];
      if (Compare()(x, y) || (x != x && y == y)) best = i;
    }
    return best;
  }
};
/// exp(x - largest) of the elements of a line.
template <class T, class E>
struct Weights {
  static constexpr bool vectorized = false;
  Line<T, E> line;
  T largest;
  T scalar(int64_t i) const { return std::exp(line.scalar(i) - largest); }
};
template <class T>
struct LogSumExp {
  template <class E>
  T operator()(const E* line, int64_t n, int64_t step) const {
    if (n == 0) return -std::numeric_limits<T>::infinity();
    const T largest = static_cast<T>(Extreme<ops::Maximum>{"logsumexp"}(line, n, step));
    if (!std::isfinite(largest)) return largest;
    return largest + std::log(sum_loop<T>(Weights<T, E>{{line, step}, largest}, n));
  }
};

}  // namespace detail

/// The sum of all elements; an expression is summed without being stored.
template <class X, detail::if_operands<X> = 0>
auto sum(const X& x) {
  using T = detail::sum_of<element_type<X>>;
  const auto& e = expression_of(x);
  int64_t size = 1;
  for (const int64_t n : e.shape()) size *= n;
  if (size == 0) return T(0);
  if (e.is_flat(e.shape())) return detail::sum_loop<T>(e.flat(), size);
  return detail::sum_loop<T>(expression_of(evaluate(e)).flat(), size);
}
template <class X, detail::if_tensors<X> = 0>
auto sum(const X& x, int64_t axis) {
  using T = detail::sum_of<element_type<X>>;
  return detail::reduce_axis<T>(x, axis, [](const auto* line, int64_t n, int64_t step) { return detail::sum_of_line<T>(line, n, step); });
}
/// Means of integers are f64; the mean of nothing is NaN, as in NumPy.
template <class X, detail::if_operands<X> = 0>
auto mean(const X& x) {
  using T = detail::real_of<element_type<X>>;
  int64_t size = 1;
  for (const int64_t n : shape_of(x)) size *= n;
  return static_cast<T>(sum(cast<T>(x))) / static_cast<T>(size);
}
template <class X, detail::if_tensors<X> = 0>
auto mean(const X& x, int64_t axis) {
  using T = detail::real_of<element_type<X>>;
  return detail::reduce_axis<T>(x, axis, [](const auto* line, int64_t n, int64_t step) { return detail::sum_of_line<T>(line, n, step) / static_cast<T>(n); });
}
/// Products; of nothing, 1.
template <class X, detail::if_operands<X> = 0>
auto prod(const X& x) { return detail::reduce_all<detail::sum_of<element_type<X>>>(x, detail::Product<detail::sum_of<element_type<X>>>()); }
template <class X, detail::if_tensors<X> = 0>
auto prod(const X& x, int64_t axis) { return detail::reduce_axis<detail::sum_of<element_type<X>>>(x, axis, detail::Product<detail::sum_of<element_type<X>>>()); }
/// NaN wins. Fails with ValueError on an empty tensor.
template <class X, detail::if_operands<X> = 0>
auto max(const X& x) { return detail::reduce_all<element_type<X>>(x, detail::Extreme<ops::Maximum>{"max"}); }
template <class X, detail::if_tensors<X> = 0>
auto max(const X& x, int64_t axis) { return detail::reduce_axis<element_type<X>>(x, axis, detail::Extreme<ops::Maximum>{"max"}); }
template <class X, detail::if_operands<X> = 0>
auto min(const X& x) { return detail::reduce_all<element_type<X>>(x, detail::Extreme<ops::Minimum>{"min"}); }
template <class X, detail::if_tensors<X> = 0>
auto min(const X& x, int64_t axis) { return detail::reduce_axis<element_type<X>>(x, axis, detail::Extreme<ops::Minimum>{"min"}); }
/// Positions of the largest and smallest elements, in row-major order or along an axis: the first of equals (NaN counts as
/// the extreme). Fail with ValueError on an empty tensor.
template <class X, detail::if_operands<X> = 0>
int64_t argmax(const X& x) { return detail::reduce_all<int64_t>(x, detail::Position<std::greater<>>{"argmax"}); }
template <class X, detail::if_tensors<X> = 0>
auto argmax(const X& x, int64_t axis) { return detail::reduce_axis<int64_t>(x, axis, detail::Position<std::greater<>>{"argmax"}); }
template <class X, detail::if_operands<X> = 0>
int64_t argmin(const X& x) { return detail::reduce_all<int64_t>(x, detail::Position<std::less<>>{"argmin"}); }
template <class X, detail::if_tensors<X> = 0>
auto argmin(const X& x, int64_t axis) { return detail::reduce_axis<int64_t>(x, axis, detail::Position<std::less<>>{"argmin"}); }
/// log Σ exp(x); of nothing, -inf.
template <class X, detail::if_operands<X> = 0>
auto logsumexp(const X& x) { return detail::reduce_all<detail::real_of<element_type<X>>>(x, detail::LogSumExp<detail::real_of<element_type<X>>>()); }
template <class X, detail::if_tensors<X> = 0>
auto logsumexp(const X& x, int64_t axis) {
  return detail::reduce_axis<detail::real_of<element_type<X>>>(x, axis, detail::LogSumExp<detail::real_of<element_type<X>>>());
}
/// √Σ x², of integers in f64.
template <class X, detail::if_operands<X> = 0>
auto norm(const X& x) {
  using T = detail::real_of<element_type<X>>;
  if constexpr (rank_of<X> == 0) return std::abs(static_cast<T>(x));
  else return std::sqrt(sum(square(cast<T>(x))));
}
template <class X, detail::if_tensors<X> = 0>
auto norm(const X& x, int64_t axis) { return evaluate(sqrt(sum(square(cast<detail::real_of<element_type<X>>>(x)), axis))); }

}  // namespace lantern
