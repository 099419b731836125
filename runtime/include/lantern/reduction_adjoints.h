// What the derivatives of reductions and of broadcasting are made of.
#pragma once

#include <array>
#include <cstdint>

#include "lantern/indexing.h"
#include "lantern/reductions.h"

namespace lantern {

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
    const auto e = detail::lines_of(expression_of(x));
    const Shape<from> whole = e.shape();
    detail::check_broadcasts_to(whole, Leaf<T, rank>(Tensor<T, rank>(nullptr, shape)), "sum_to");
    const auto result = zeros<T>(shape);
    int64_t lines = 1;
    for (size_t d = 0; d + 1 < from; ++d) lines *= whole[d];
    const int64_t n = whole[from - 1], columns = shape[Rank - 1];
    Shape<from> at{};
    for (int64_t line = 0; n > 0 && line < lines; ++line, detail::next_line(at, whole)) {
      int64_t place = 0;
      for (size_t d = 0; d < Rank - 1; ++d) place = place * shape[d] + (shape[d] == 1 ? 0 : at[from - Rank + d]);
      T* const to = result.data + place * columns;
      if (columns == n) detail::run_loop<detail::AddTo>(to, e.row(at), n);
      else *to = static_cast<T>(*to + detail::sum_loop<T>(e.row(at), n));
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

}  // namespace lantern
