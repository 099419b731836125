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

template <class T, class Cursor>
T sum_loop(const Cursor& cursor, int64_t n) {
  T sum = 0;
  int64_t i = 0;
  if constexpr (Cursor::vectorized) {
    using P = PacketOf<T>;
    constexpr int64_t width = Eigen::internal::packet_traits<T>::size;
    if (n >= width) {
      P first = Eigen::internal::pset1<P>(T(0)), second = first;
      for (; i + 2 * width <= n; i += 2 * width) {
        first = Eigen::internal::padd(first, cursor.template packet<P>(i));
        second = Eigen::internal::padd(second, cursor.template packet<P>(i + width));
      }
      for (; i + width <= n; i += width) first = Eigen::internal::padd(first, cursor.template packet<P>(i));
      sum = Eigen::internal::predux(Eigen::internal::padd(first, second));
    }
  }
  for (; i < n; ++i) sum = static_cast<T>(sum + static_cast<T>(cursor.scalar(i)));
  return sum;
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

[[noreturn, gnu::cold]] inline void fail_empty(const char* what) { fail(errors::domain, "", "%s of an empty tensor", what); }

// What a line of elements is reduced to: f(data, n, step).
template <class T>
struct Product {
  template <class E>
  T operator()(const E* line, int64_t n, int64_t step) const {
    T product = 1;
    for (int64_t i = 0; i < n; ++i) product = static_cast<T>(product * static_cast<T>(line[i * step]));
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
template <class T>
struct LogSumExp {
  template <class E>
  T operator()(const E* line, int64_t n, int64_t step) const {
    if (n == 0) return -std::numeric_limits<T>::infinity();
    const T largest = static_cast<T>(Extreme<ops::Maximum>{"logsumexp"}(line, n, step));
    if (!std::isfinite(largest)) return largest;
    T total = 0;
    for (int64_t i = 0; i < n; ++i) total += std::exp(static_cast<T>(line[i * step]) - largest);
    return largest + std::log(total);
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
  return detail::reduce_axis<T>(x, axis, [](const auto* line, int64_t n, int64_t step) {
    T total = 0;
    for (int64_t i = 0; i < n; ++i) total = static_cast<T>(total + line[i * step]);
    return total;
  });
}
/// Means of integers are f64; the mean of nothing is NaN, as in NumPy.
template <class X, detail::if_operands<X> = 0>
auto mean(const X& x) {
  using T = detail::real_of<element_type<X>>;
  int64_t size = 1;
  for (const int64_t n : shape_of(x)) size *= n;
  return static_cast<T>(sum(x)) / static_cast<T>(size);
}
template <class X, detail::if_tensors<X> = 0>
auto mean(const X& x, int64_t axis) {
  using T = detail::real_of<element_type<X>>;
  return detail::reduce_axis<T>(x, axis, [](const auto* line, int64_t n, int64_t step) {
    T total = 0;
    for (int64_t i = 0; i < n; ++i) total = static_cast<T>(total + static_cast<T>(line[i * step]));
    return total / static_cast<T>(n);
  });
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
/// √Σ x².
template <class X, detail::if_operands<X> = 0>
auto norm(const X& x) {
  using T = detail::real_of<element_type<X>>;
  if constexpr (rank_of<X> == 0) return std::abs(static_cast<T>(x));
  else return std::sqrt(static_cast<T>(sum(square(x))));
}
template <class X, detail::if_tensors<X> = 0>
auto norm(const X& x, int64_t axis) { return evaluate(sqrt(sum(square(x), axis))); }

/// Undoes broadcasting: sums `x` down to `shape`. Nothing to do where the shapes are equal. Rank 0 gives a scalar.
template <size_t Rank, class X, detail::if_operands<X> = 0>
auto sum_to(const X& x, const std::array<int64_t, Rank>& shape) {
  constexpr int rank = static_cast<int>(Rank), from = rank_of<X>;
  using T = element_type<X>;
  static_assert(rank <= from, "sum_to goes to a lower rank");
  if constexpr (rank == 0 && from == 0) {
    return static_cast<T>(evaluate(x));
  } else if constexpr (rank == 0) {
    return static_cast<T>(sum(x));
  } else {
    if constexpr (rank == from) {
      if (shape_of(x) == shape) return evaluate(x);
    }
    const auto t = evaluate(x);
    detail::check_broadcasts_to(t.shape, Leaf<T, rank>(Tensor<T, rank>(nullptr, shape)), "sum_to");
    const auto result = zeros<T>(shape);
    const int64_t size = t.size();
    Shape<from> at{};
    for (int64_t i = 0; i < size; ++i) {
      int64_t place = 0;
      for (size_t d = 0; d < Rank; ++d) place = place * shape[d] + (shape[d] == 1 ? 0 : at[from - Rank + d]);
      result.data[place] = static_cast<T>(result.data[place] + t.data[i]);
      for (int d = from - 1; d >= 0; --d) {
        if (++at[static_cast<size_t>(d)] < t.shape[static_cast<size_t>(d)]) break;
        at[static_cast<size_t>(d)] = 0;
      }
    }
    return result;
  }
}
/// Undoes a reduction along an axis: `y`, stretched along it to `shape`.
template <size_t Rank, class Y, detail::if_operands<Y> = 0>
auto spread(const Y& y, int64_t axis, const std::array<int64_t, Rank>& shape) {
  if constexpr (Rank == 1) {
    return broadcast_to(y, shape);
  } else {
    std::array<int64_t, Rank> kept = shape;
    kept[static_cast<size_t>(detail::checked_index(axis, Rank, ""))] = 1;
    return broadcast_to(reshape(y, kept), shape);
  }
}
/// Bools of the shape of `a`: where argmax or argmin, of all or along an axis, points `at`.
template <class A, detail::if_operands<A> = 0>
auto is_first([[maybe_unused]] int64_t at, [[maybe_unused]] const A& a) {
  if constexpr (rank_of<A> == 0) {
    return true;
  } else {
    const auto mask = full<bool>(shape_of(a), false);
    mask.data[at] = true;
    return mask;
  }
}
template <class At, class A, detail::if_tensors<A> = 0>
auto is_first(const At& at, const A& a, int64_t axis) {
  const auto mask = full<bool>(shape_of(a), false);
  const auto blocks = detail::blocks_of<rank_of<A>>(mask.shape, detail::checked_index(axis, rank_of<A>, ""));
  const auto position = [&](int64_t i) {
    if constexpr (rank_of<At> == 0) return static_cast<int64_t>(at);
    else return at.data[i];
  };
  for (int64_t o = 0; o < blocks.outer; ++o)
    for (int64_t i = 0; i < blocks.inner; ++i) mask.data[(o * blocks.length + position(o * blocks.inner + i)) * blocks.inner + i] = true;
  return mask;
}
namespace detail {
/// out[i] = the product of all but in[i]; right where some are zero.
template <class T>
void products_of_others(const T* in, T* out, int64_t n, int64_t step) {
  T before = 1, behind = 1;
  for (int64_t i = 0; i < n; ++i) {
    out[i * step] = before;
    before *= in[i * step];
  }
  for (int64_t i = n; i-- > 0;) {
    out[i * step] *= behind;
    behind *= in[i * step];
  }
}
}  // namespace detail
/// What an element's product with all others, or with those along an axis, is multiplied by.
template <class A, detail::if_operands<A> = 0>
auto prod_others([[maybe_unused]] const A& a) {
  if constexpr (rank_of<A> == 0) {
    return element_type<A>(1);
  } else {
    const auto t = evaluate(a);
    const auto result = zeros_like(t);
    detail::products_of_others(t.data, result.data, t.size(), 1);
    return result;
  }
}
template <class A, detail::if_tensors<A> = 0>
auto prod_others(const A& a, int64_t axis) {
  const auto t = evaluate(a);
  const auto result = zeros_like(t);
  const auto blocks = detail::blocks_of<rank_of<A>>(t.shape, detail::checked_index(axis, rank_of<A>, ""));
  for (int64_t o = 0; o < blocks.outer; ++o)
    for (int64_t i = 0; i < blocks.inner; ++i) {
      const int64_t begin = o * blocks.length * blocks.inner + i;
      detail::products_of_others(t.data + begin, result.data + begin, blocks.length, blocks.inner);
    }
  return result;
}

namespace detail {

// Products with their tangents, from the left and from the right.
template <class T>
void tangents_of_products(const T* a, const T* d, T* out, int64_t n, int64_t stride) {
  T* const before = arena().allocate_array<T>(n);
  T product = 1, tangent = 0;
  for (int64_t i = 0; i < n; ++i) {
    before[i] = product;
    out[i * stride] = tangent;
    tangent = tangent * a[i * stride] + product * d[i * stride];
    product *= a[i * stride];
  }
  product = 1, tangent = 0;
  for (int64_t i = n; i-- > 0;) {
    out[i * stride] = out[i * stride] * product + before[i] * tangent;
    tangent = tangent * a[i * stride] + product * d[i * stride];
    product *= a[i * stride];
  }
}

}  // namespace detail

/// The derivative of prod_others(a) along d.
template <class A, class D, detail::if_operands<A, D> = 0>
auto prod_others_along([[maybe_unused]] const A& a, [[maybe_unused]] const D& d) {
  if constexpr (rank_of<A> == 0) {
    return element_type<A>(0);
  } else {
    const auto t = evaluate(a);
    const auto along = evaluate(d);
    const auto result = zeros_like(t);
    detail::tangents_of_products(t.data, along.data, result.data, t.size(), 1);
    return result;
  }
}
template <class A, class D, detail::if_tensors<A> = 0>
auto prod_others_along(const A& a, const D& d, int64_t axis) {
  const auto t = evaluate(a);
  const auto along = evaluate(d);
  const auto result = zeros_like(t);
  const auto blocks = detail::blocks_of<rank_of<A>>(t.shape, detail::checked_index(axis, rank_of<A>, ""));
  for (int64_t o = 0; o < blocks.outer; ++o)
    for (int64_t i = 0; i < blocks.inner; ++i) {
      const int64_t begin = o * blocks.length * blocks.inner + i;
      detail::tangents_of_products(t.data + begin, along.data + begin, result.data + begin, blocks.length, blocks.inner);
    }
  return result;
}

/// Sums `x` down to the shape of `like` (a tensor or a scalar).
template <class X, class Y, detail::if_operands<X, Y> = 0>
auto sum_to_like(const X& x, const Y& like) { return sum_to(x, shape_of(like)); }

namespace detail {

/// f over each line of the last axis: (line in, line out, length).
template <class X, class F>
auto map_lines(const X& x, F&& f) {
  using T = real_of<element_type<X>>;
  const Tensor<T, rank_of<X>> t = evaluate(operand_as<T>(x));
  const auto result = new_tensor<T, rank_of<X>>(t.shape);
  const int64_t n = t.shape[rank_of<X> - 1], size = t.size();
  for (int64_t i = 0; i < size; i += n) f(Vector<T>(t.data + i, {n}), Vector<T>(result.data + i, {n}));
  return result;
}
template <class T>
T log_sum_exp(const Vector<T>& x, T largest) { return std::log(sum(exp(x - largest))); }

}  // namespace detail

/// exp(x) / Σ exp(x) over the last axis.
template <class X, detail::if_tensors<X> = 0>
auto softmax(const X& x) {
  return detail::map_lines(x, [](const auto& in, const auto& out) {
    assign(out, exp(in - max(in)));
    assign(out, out * (1 / sum(out)));
  });
}
/// x − log Σ exp(x) over the last axis.
template <class X, detail::if_tensors<X> = 0>
auto log_softmax(const X& x) {
  return detail::map_lines(x, [](const auto& in, const auto& out) {
    const auto largest = max(in);
    assign(out, in - (largest + detail::log_sum_exp(in, largest)));
  });
}
namespace detail {
template <class T>
T cross_entropy_of_row(const Vector<T>& x, int64_t label, const char* location) {
  if (label < 0 || label >= x.shape[0]) fail(errors::index, location, "label %lld is out of range for %lld classes", static_cast<long long>(label), static_cast<long long>(x.shape[0]));
  const T largest = max(x);
  return static_cast<T>(largest + log_sum_exp(x, largest) - x.data[label]);
}
}  // namespace detail

/// −log_softmax(logits)[label], a scalar; of [m,n] and labels [m], one for each row. Fails with IndexError.
template <class X, detail::if_tensors<X> = 0>
auto cross_entropy(const X& logits, int64_t label, const char* location = "") {
  static_assert(rank_of<X> == 1, "cross_entropy takes a vector of logits and a label, or a matrix and labels");
  using T = detail::real_of<element_type<X>>;
  return detail::cross_entropy_of_row<T>(evaluate(detail::operand_as<T>(logits)), label, location);
}
template <class X, class L, detail::if_tensors<X> = 0, detail::if_tensors<L> = 0>
auto cross_entropy(const X& logits, const L& labels, const char* location = "") {
  using T = detail::real_of<element_type<X>>;
  const Matrix<T> x = evaluate(detail::operand_as<T>(logits));
  const auto places = evaluate(labels);
  if (places.shape[0] != x.shape[0]) detail::fail_shapes("cross_entropy", x.shape.data(), 2, places.shape.data(), 1);
  const auto result = new_tensor<T, 1>({x.shape[0]});
  for (int64_t i = 0; i < x.shape[0]; ++i) result.data[i] = detail::cross_entropy_of_row(index(x, i), places.data[i], location);
  return result;
}
/// [n], 1 at `label` and 0 elsewhere; of labels [m], [m,n]. Fails with IndexError.
template <class T>
Vector<T> one_hot(int64_t label, int64_t n) {
  const auto result = zeros<T>({n});
  result.data[detail::checked_index(label, n, "")] = T(1);
  return result;
}
template <class T, class L, detail::if_tensors<L> = 0>
Matrix<T> one_hot(const L& labels, int64_t n) {
  const auto places = evaluate(labels);
  const auto result = zeros<T>({places.shape[0], n});
  for (int64_t i = 0; i < places.shape[0]; ++i) result.data[i * n + detail::checked_index(places.data[i], n, "")] = T(1);
  return result;
}

}  // namespace lantern
