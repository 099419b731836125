// Sums, means, maxima, and what is made of them. Reductions of everything give a scalar; along an axis, a tensor of
// rank one less (of a vector: a scalar).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
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
  if constexpr (has_packets<Cursor, T>) {
    using P = PacketOf<T>;
    constexpr int64_t width = packet_width<T>;
    P first = Eigen::internal::pset1<P>(T(0)), second = first;
    for (; i + 2 * width <= end; i += 2 * width) {
      first = Eigen::internal::padd(first, cursor.template packet<P>(i));
      second = Eigen::internal::padd(second, cursor.template packet<P>(i + width));
    }
    for (; i + width <= end; i += width) first = Eigen::internal::padd(first, cursor.template packet<P>(i));
    if constexpr (!PacketsOf<Cursor>::by_lanes) {
      if (i < end) second = Eigen::internal::padd(second, first_lanes(cursor.template few<P>(i, end - i), end - i));
      i = end;
    }
    sum = Eigen::internal::predux(Eigen::internal::padd(first, second));
  }
  for (; i < end; ++i) sum = ops::Add<T>::scalar(sum, static_cast<T>(cursor.scalar(i)));
  return sum;
}

/// The sum of a cursor's elements. Sums of pieces are added by pairs, as NumPy's are: rounding errors do not grow with n.
template <class T, class Cursor>
T sum_loop(const Cursor& cursor, int64_t n, int64_t begin = 0) {
  constexpr int64_t in_a_row = 64;  // additions to one number, whatever a packet's length: their errors may all go one way
  constexpr int64_t piece = has_packets<Cursor, T> ? 2 * packet_width<T> * in_a_row : in_a_row;
  if (n <= piece) return sum_of_piece<T>(cursor, begin, n);
  const int64_t half = n / 2;
  return ops::Add<T>::scalar(sum_loop<T>(cursor, half, begin), sum_loop<T>(cursor, n - half, begin + half));
}

/// Elements that follow one another, as a T each.
template <class T, class E>
auto elements_as(const E* data) {
  if constexpr (std::is_same_v<T, E>) return Contiguous<T>{data};
  else return Applied<ops::Cast<E, T>, Contiguous<E>>{{data}};
}

/// to[inner] = row 0 of from[n,inner] Op row 1 Op …, of at least one row. Halves are folded by themselves, as those of a sum are.
template <class Op, class T, class E>
void fold_rows(T* to, const E* from, int64_t n, int64_t inner) {
  constexpr int64_t in_a_row = 64;
  if (n > in_a_row) {
    const Mark mark = arena().mark();
    T* const behind = arena().allocate_array<T>(inner);
    fold_rows<Op>(to, from, n / 2, inner);
    fold_rows<Op>(behind, from + n / 2 * inner, n - n / 2, inner);
    run_loop<Store>(to, Applied<Op, Contiguous<T>, Contiguous<T>>{{to}, {behind}}, inner);
    arena().reset(mark);
    return;
  }
  run_loop<Store>(to, elements_as<T>(from), inner);
  for (int64_t i = 1; i < n; ++i) {
    auto row = elements_as<T>(from + i * inner);
    run_loop<Store>(to, Applied<Op, Contiguous<T>, decltype(row)>{{to}, row}, inner);
  }
}
/// to[i] = reduce(column i of from[n,inner]), of lines that are copied, some at a time.
template <class Result, class E, class F>
void reduce_columns(Result* to, const E* from, int64_t n, int64_t inner, const F& reduce) {
  constexpr int64_t most = 16;
  const Mark mark = arena().mark();
  E* const lines = arena().allocate_array<E>(most * n);
  for (int64_t first = 0; first < inner; first += most) {
    const int64_t count = std::min(most, inner - first);
    for (int64_t i = 0; i < n; ++i)
      for (int64_t j = 0; j < count; ++j) lines[j * n + i] = from[i * inner + first + j];
    for (int64_t j = 0; j < count; ++j) to[first + j] = static_cast<Result>(reduce(lines + j * n, n));
  }
  arena().reset(mark);
}

/// An expression whose lines are computed one by one; of one line, its tensor.
template <class E>
auto lines_of(const E& e) {
  if constexpr (E::rank > 1) return e;
  else return expression_of(evaluate(e));
}

/// A tensor of rank one less: `reduction` of each line of the operand along an axis, or of rows of elements, each of a line of its own.
template <class Result, class X, class Reduction>
auto reduce_axis(const X& x, int64_t axis, const Reduction& reduction) {
  constexpr int rank = rank_of<X>;
  static_assert(rank >= 1, "a scalar has no axis");
  const int64_t along = checked_index(axis, rank, "");
  if constexpr (rank == 1) {
    const auto t = evaluate(x);
    return static_cast<Result>(reduction(t.data, t.shape[0]));
  } else {
    const Shape<rank> whole = shape_of(x);
    Shape<rank - 1> shape{};
    for (size_t i = 0, o = 0; i < rank; ++i)
      if (static_cast<int64_t>(i) != along) shape[o++] = whole[i];
    const auto result = new_tensor<Result, rank - 1>(shape);
    if constexpr (is_expression<X> && Reduction::template takes_cursors<element_type<X>>) {
      if (along == rank - 1) {  // lines that nobody stores
        Shape<rank> at{};
        for (int64_t line = 0, lines = result.size(); line < lines; ++line, next_line(at, whole)) result.data[line] = reduction.of(x.row(at), whole[rank - 1]);
        return result;
      }
    }
    const auto t = evaluate(x);
    const Blocks blocks = blocks_of<rank>(t.shape, along);
    if (blocks.inner == 0) return result;
    for (int64_t o = 0; o < blocks.outer; ++o) {
      Result* const to = result.data + o * blocks.inner;
      const auto* const from = t.data + o * blocks.length * blocks.inner;
      if (blocks.inner == 1) *to = static_cast<Result>(reduction(from, blocks.length));
      else reduction.columns(to, from, blocks.length, blocks.inner);
    }
    return result;
  }
}

/// The same over all elements, in row-major order; a number is its own only element.
template <class Result, class X, class Reduction>
Result reduce_all(const X& x, const Reduction& reduction) {
  const auto t = evaluate(x);
  if constexpr (rank_of<X> == 0) {
    const element_type<X> number = t;
    return static_cast<Result>(reduction(&number, int64_t{1}));
  } else {
    return static_cast<Result>(reduction(t.data, t.size()));
  }
}

[[noreturn, gnu::cold]] inline void fail_empty(const char* what) { fail(errors::domain, current_place, "%s of an empty tensor", what); }

// What a line of n elements is reduced to, and columns, each a line.
template <class T>
struct Sum {
  template <class E>
  static constexpr bool takes_cursors = std::is_same_v<T, E>;
  template <class Cursor>
  T of(const Cursor& line, int64_t n) const { return sum_loop<T>(line, n); }
  template <class E>
  T operator()(const E* line, int64_t n) const { return sum_loop<T>(elements_as<T>(line), n); }
  template <class E>
  void columns(T* to, const E* from, int64_t n, int64_t inner) const {
    if (n == 0) std::fill(to, to + inner, T(0));
    else fold_rows<ops::Add<T>>(to, from, n, inner);
  }
};
template <class T>
struct Mean {
  template <class E>
  static constexpr bool takes_cursors = std::is_same_v<T, E>;
  template <class Cursor>
  T of(const Cursor& line, int64_t n) const { return sum_loop<T>(line, n) / static_cast<T>(n); }
  template <class E>
  T operator()(const E* line, int64_t n) const { return Sum<T>()(line, n) / static_cast<T>(n); }
  template <class E>
  void columns(T* to, const E* from, int64_t n, int64_t inner) const {
    Sum<T>().columns(to, from, n, inner);
    for (int64_t i = 0; i < inner; ++i) to[i] /= static_cast<T>(n);
  }
};
template <class T>
struct Product {
  template <class>
  static constexpr bool takes_cursors = false;
  template <class E>
  T operator()(const E* line, int64_t n) const {
    T product = 1;
    for (int64_t i = 0; i < n; ++i) product = ops::Multiply<T>::scalar(product, static_cast<T>(line[i]));
    return product;
  }
  template <class E>
  void columns(T* to, const E* from, int64_t n, int64_t inner) const {
    if (n == 0) std::fill(to, to + inner, T(1));
    else fold_rows<ops::Multiply<T>>(to, from, n, inner);
  }
};
template <template <class> class Better>
struct Extreme {
  template <class>
  static constexpr bool takes_cursors = false;
  const char* name;
  template <class E>
  E operator()(const E* line, int64_t n) const {
    if (n == 0) fail_empty(name);
    E best = line[0];
    int64_t i = 1;
    if constexpr (std::is_floating_point_v<E>) {
      using P = PacketOf<E>;
      constexpr int64_t width = packet_width<E>;
      if (n >= width) {
        P first = Eigen::internal::ploadu<P>(line), second = Eigen::internal::ploadu<P>(line + n - width);
        for (i = width; i + 2 * width <= n; i += 2 * width) {
          first = Better<E>::packet(first, Eigen::internal::ploadu<P>(line + i));
          second = Better<E>::packet(second, Eigen::internal::ploadu<P>(line + i + width));
        }
        if (i + width <= n) first = Better<E>::packet(first, Eigen::internal::ploadu<P>(line + i));
        alignas(64) E lanes[static_cast<size_t>(width)];
        Eigen::internal::pstore(lanes, Better<E>::packet(first, second));
        best = lanes[0];
        for (const E lane : lanes) best = Better<E>::scalar(best, lane);
        return best;
      }
    }
    for (; i < n; ++i) best = Better<E>::scalar(best, line[i]);
    return best;
  }
  template <class E>
  void columns(E* to, const E* from, int64_t n, int64_t inner) const {
    if (n == 0) fail_empty(name);
    fold_rows<Better<E>>(to, from, n, inner);
  }
};
/// The first place of what Extreme<Better> gives.
template <template <class> class Better>
struct Position {
  template <class>
  static constexpr bool takes_cursors = false;
  const char* name;
  template <class E>
  int64_t operator()(const E* line, int64_t n) const {
    const E best = Extreme<Better>{name}(line, n);
    int64_t i = 0;
    if constexpr (std::is_floating_point_v<E>) {
      if (best != best) {
        while (line[i] == line[i]) ++i;
        return i;
      }
      using P = PacketOf<E>;
      constexpr int64_t width = packet_width<E>;
      const P wanted = Eigen::internal::pset1<P>(best);
      const auto found = [&](int64_t at) { return Eigen::internal::pcmp_eq(wanted, Eigen::internal::ploadu<P>(line + at)); };
      const auto found_twice = [&](int64_t at) { return Eigen::internal::por(found(at), found(at + width)); };
      while (i + 4 * width <= n && !Eigen::internal::predux_any(Eigen::internal::por(found_twice(i), found_twice(i + 2 * width)))) i += 4 * width;
    }
    while (line[i] != best) ++i;
    return i;
  }
  template <class E>
  void columns(int64_t* to, const E* from, int64_t n, int64_t inner) const { reduce_columns(to, from, n, inner, *this); }
};
template <class T>
struct LogSumExp {
  template <class>
  static constexpr bool takes_cursors = false;
  template <class E>
  T operator()(const E* line, int64_t n) const {
    if (n == 0) return -std::numeric_limits<T>::infinity();
    const T largest = static_cast<T>(Extreme<ops::Maximum>{"logsumexp"}(line, n));
    if (!std::isfinite(largest)) return largest;
    const auto elements = elements_as<T>(line);
    using Apart = Applied<ops::Subtract<T>, std::decay_t<decltype(elements)>, Repeated<T>>;
    return largest + std::log(sum_loop<T>(Applied<ops::Exp<T>, Apart>{{elements, {largest}}}, n));
  }
  template <class E>
  void columns(T* to, const E* from, int64_t n, int64_t inner) const { reduce_columns(to, from, n, inner, *this); }
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
  return detail::reduce_axis<T>(x, axis, detail::Sum<T>());
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
  return detail::reduce_axis<T>(x, axis, detail::Mean<T>());
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
int64_t argmax(const X& x) { return detail::reduce_all<int64_t>(x, detail::Position<ops::Maximum>{"argmax"}); }
template <class X, detail::if_tensors<X> = 0>
auto argmax(const X& x, int64_t axis) { return detail::reduce_axis<int64_t>(x, axis, detail::Position<ops::Maximum>{"argmax"}); }
template <class X, detail::if_operands<X> = 0>
int64_t argmin(const X& x) { return detail::reduce_all<int64_t>(x, detail::Position<ops::Minimum>{"argmin"}); }
template <class X, detail::if_tensors<X> = 0>
auto argmin(const X& x, int64_t axis) { return detail::reduce_axis<int64_t>(x, axis, detail::Position<ops::Minimum>{"argmin"}); }
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
