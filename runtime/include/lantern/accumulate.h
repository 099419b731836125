// In-place addition, the work of a reverse sweep: `x_adj += expression`, and additions that touch a part of the target.
// The right-hand sides here are lazy: row_at, placed and index_at exist only to be added to a tensor or a gradient.
#pragma once

#include <cstdint>

#include "lantern/evaluate.h"
#include "lantern/gradient.h"
#include "lantern/list.h"

namespace lantern {

namespace detail {
/// A right-hand side that adds itself: `add_to(target)`.
struct Partial {};
template <class P>
inline constexpr bool is_partial = std::is_base_of_v<Partial, P>;
}  // namespace detail

/// target += x; x may broadcast. No temporary. Fails with ValueError if the shapes do not fit.
template <class T, int Rank, class X, std::enable_if_t<are_operands<X> && !detail::is_partial<X>, int> = 0>
const Tensor<T, Rank>& operator+=(const Tensor<T, Rank>& target, const X& x) {
  detail::apply_to<detail::AddTo>(target.data, target.shape, x, "+=");
  return target;
}
template <class T, int Rank, class X, std::enable_if_t<are_operands<X> && !detail::is_partial<X>, int> = 0>
const Tensor<T, Rank>& operator-=(const Tensor<T, Rank>& target, const X& x) {
  detail::apply_to<detail::SubtractFrom>(target.data, target.shape, x, "-=");
  return target;
}
template <class T, int Rank, class X, std::enable_if_t<are_operands<X> && !detail::is_partial<X>, int> = 0>
Gradient<T, Rank>& operator+=(Gradient<T, Rank>& gradient, const X& x) {
  const auto target = gradient.dense_target();
  if (target.overwrite) detail::apply_to<detail::Store>(target.data, gradient.shape(), x, "+=");
  else detail::apply_to<detail::AddTo>(target.data, gradient.shape(), x, "+=");
  return gradient;
}
template <class Target, class P, std::enable_if_t<detail::is_partial<P>, int> = 0>
auto operator+=(Target&& target, const P& part) -> decltype(part.add_to(target), target) {
  part.add_to(target);
  return target;
}

namespace detail {

/// Row (rank 1: element) `i` of the target, as a shape without the first dimension and a pointer.
template <int Rank>
Shape<Rank - 1> row_shape(const Shape<Rank>& shape) {
  Shape<Rank - 1> rest{};
  for (size_t i = 1; i < static_cast<size_t>(Rank); ++i) rest[i - 1] = shape[i];
  return rest;
}
template <int Rank>
int64_t row_size(const Shape<Rank>& shape) {
  int64_t product = 1;
  for (size_t i = 1; i < static_cast<size_t>(Rank); ++i) product *= shape[i];
  return product;
}

/// Element `i` of an adjoint list, whose numbers are its owner's to add to.
template <class T>
T& slot(const List<T>& adjoints, int64_t i) { return const_cast<T&>(adjoints.data[i]); }

template <class T, class X, std::enable_if_t<std::is_arithmetic_v<T>, int> = 0>
void add_to_slot(T& target, const X& x) { target += static_cast<T>(evaluate(x)); }
template <class T, int Rank, class X>
void add_to_slot(const Tensor<T, Rank>& target, const X& x) { target += x; }
template <class T>
void add_to_slot(const List<T>& target, const List<T>& x);  // list_adjoints.h
template <class T, class P, std::enable_if_t<is_partial<P>, int> = 0>
void add_to_slot(const List<T>& target, const P& part) { part.add_to(target); }

/// Elements before, at and behind an axis: a tensor as `outer` blocks of `length` rows of `inner` elements.
struct Blocks {
  int64_t outer = 1, length = 1, inner = 1;
};
template <int Rank>
Blocks blocks_of(const Shape<Rank>& shape, int64_t axis) {
  Blocks blocks;
  for (int64_t i = 0; i < Rank; ++i) {
    const int64_t n = shape[static_cast<size_t>(i)];
    (i < axis ? blocks.outer : i == axis ? blocks.length : blocks.inner) *= n;
  }
  return blocks;
}

/// All of a gradient, with what it holds so far.
template <class T, int Rank>
Tensor<T, Rank> dense_view(Gradient<T, Rank>& gradient) {
  const auto target = gradient.dense_target();
  if (target.overwrite) std::memset(static_cast<void*>(target.data), 0, static_cast<size_t>(gradient.size()) * sizeof(T));
  return {target.data, gradient.shape()};
}

}  // namespace detail

/// A sum into one row (one element, of a vector) of the target.
template <class X>
struct RowAt : detail::Partial {
  int64_t row;
  X value;
  const char* location;
  RowAt(int64_t i, const X& x, const char* where) : row(i), value(x), location(where) {}

  template <class T, int Rank>
  void add_to(const Tensor<T, Rank>& target) const {
    const int64_t i = detail::checked_index(row, target.shape[0], location);
    detail::apply_to<detail::AddTo>(target.data + i * detail::row_size<Rank>(target.shape), detail::row_shape<Rank>(target.shape), value, "+= row");
  }
  template <class T>
  void add_to(const List<T>& target) const {
    detail::add_to_slot(detail::slot(target, detail::checked_index(row, target.size, location)), value);
  }
  template <class T, int Rank>
  void add_to(Gradient<T, Rank>& gradient) const {
    T* target = gradient.row_target(detail::checked_index(row, gradient.shape()[0], location));
    detail::apply_to<detail::AddTo>(target, detail::row_shape<Rank>(gradient.shape()), value, "+= row");
  }
};

/// `gradient += row_at(i, e)`: only row i is touched. Fails with IndexError.
template <class X, detail::if_operands<X> = 0>
auto row_at(int64_t i, const X& x, const char* location = "") {
  auto e = expression_of(x);
  return RowAt<decltype(e)>(i, e, location);
}
/// The same for `index`: i may be negative, and x a scalar where the target is a vector.
template <class X, detail::if_operands<X> = 0>
auto index_at(int64_t i, const X& x, const char* location = "") { return row_at(i, x, location); }

/// A sum into the range of the first axis that begins at `start`.
template <class E>
struct Placed : detail::Partial {
  E value;
  int64_t start;
  Placed(const E& e, int64_t first) : value(e), start(first) {}

  template <class T, int Rank>
  void add_to(const Tensor<T, Rank>& target) const {
    static_assert(E::rank == Rank, "placed: ranks differ");
    Shape<Rank> part = target.shape;
    part[0] = value.shape()[0];
    if (start < 0 || start + part[0] > target.shape[0]) detail::fail_shapes("placed", target.shape.data(), Rank, value.shape().data(), Rank);
    detail::apply_to<detail::AddTo>(target.data + start * detail::row_size<Rank>(target.shape), part, value, "placed");
  }
  template <class T, int Rank>
  void add_to(Gradient<T, Rank>& gradient) const { add_to(detail::dense_view(gradient)); }
};

/// `x_adj += placed(e, start)`: adds e into x_adj[start : start + len(e)]. Fails with ValueError if that is not inside.
template <class X, detail::if_tensors<X> = 0>
auto placed(const X& x, int64_t start) {
  auto e = expression_of(x);
  return Placed<decltype(e)>(e, start);
}

/// The same along another axis.
template <class E>
struct PlacedAlong : detail::Partial {
  E value;
  int64_t start, axis;
  PlacedAlong(const E& e, int64_t first, int64_t along) : value(e), start(first), axis(along) {}

  template <class T, int Rank>
  void add_to(const Tensor<T, Rank>& target) const {
    static_assert(E::rank == Rank, "placed: ranks differ");
    const Mark mark = arena().mark();
    const Tensor<T, Rank> part(value);
    const int64_t along = detail::checked_index(axis, Rank, "");
    const auto whole = detail::blocks_of<Rank>(target.shape, along), own = detail::blocks_of<Rank>(part.shape, along);
    if (start < 0 || start + own.length > whole.length || own.outer != whole.outer || own.inner != whole.inner)
      detail::fail_shapes("placed", target.shape.data(), Rank, part.shape.data(), Rank);
    for (int64_t o = 0; o < whole.outer; ++o) {
      T* into = target.data + (o * whole.length + start) * whole.inner;
      const T* from = part.data + o * own.length * own.inner;
      for (int64_t i = 0; i < own.length * own.inner; ++i) into[i] += from[i];
    }
    arena().reset(mark);
  }
  template <class T, int Rank>
  void add_to(Gradient<T, Rank>& gradient) const { add_to(detail::dense_view(gradient)); }
};
template <class X, detail::if_tensors<X> = 0>
auto placed_along(const X& x, int64_t start, int64_t axis) {
  auto e = expression_of(x);
  return PlacedAlong<decltype(e)>(e, start, axis);
}

/// A sum into rows of the first axis: row k of the value into row start + k * step.
template <class E>
struct Strided : detail::Partial {
  E value;
  int64_t start, step;
  Strided(const E& e, int64_t first, int64_t by) : value(e), start(first), step(by) {}

  template <class T, int Rank>
  void add_to(const Tensor<T, Rank>& target) const {
    static_assert(E::rank == Rank, "strided: ranks differ");
    const Mark mark = arena().mark();
    const Tensor<T, Rank> rows(value);
    const int64_t row = detail::row_size<Rank>(target.shape);
    for (int64_t k = 0; k < rows.shape[0]; ++k) {
      T* into = target.data + detail::checked_index(start + k * step, target.shape[0], "") * row;
      for (int64_t i = 0; i < row; ++i) into[i] += rows.data[k * row + i];
    }
    arena().reset(mark);
  }
  template <class T, int Rank>
  void add_to(Gradient<T, Rank>& gradient) const { add_to(detail::dense_view(gradient)); }
};

/// `x_adj += strided_at(e, start, step)`: the adjoint of strided(x, start, step, len(e)).
template <class X, detail::if_tensors<X> = 0>
auto strided_at(const X& x, int64_t start, int64_t step) {
  auto e = expression_of(x);
  return Strided<decltype(e)>(e, start, step);
}

}  // namespace lantern
