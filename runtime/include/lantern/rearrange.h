// Elements in another order, or several times: flip, swap_axes, repeat, take, argsort; and arange, cumsum. Copies in the arena.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

#include "lantern/indexing.h"
#include "lantern/matmul.h"
#include "lantern/reductions.h"

namespace lantern {

/// [n]: 0, 1, … n-1. Fails with ValueError for a negative n.
inline Vector<int64_t> arange(int64_t n) {
  const auto result = new_tensor<int64_t, 1>({n});
  for (int64_t i = 0; i < n; ++i) result.data[i] = i;
  return result;
}

/// The elements along `axis` in reverse order.
template <class X, detail::if_tensors<X> = 0>
auto flip(const X& x, int64_t axis) {
  constexpr int rank = rank_of<X>;
  const auto t = evaluate(x);
  const auto result = new_tensor<element_type<X>, rank>(t.shape);
  const auto blocks = detail::blocks_of<rank>(t.shape, detail::checked_index(axis, rank, ""));
  for (int64_t o = 0; o < blocks.outer; ++o) {
    const int64_t begin = o * blocks.length;
    if (blocks.inner == 1) {
      std::reverse_copy(t.data + begin, t.data + begin + blocks.length, result.data + begin);
      continue;
    }
    for (int64_t i = 0; i < blocks.length; ++i)
      detail::copy_elements(result.data + (begin + blocks.length - 1 - i) * blocks.inner, t.data + (begin + i) * blocks.inner, blocks.inner);
  }
  return result;
}

namespace detail {
/// [outer, m, middle, n, inner] to [outer, n, middle, m, inner].
template <class T>
void exchange(T* to, const T* from, int64_t outer, int64_t m, int64_t middle, int64_t n, int64_t inner) {
  const int64_t row = middle * n * inner, column = middle * m * inner, size = m * row;
  for (const T* const end = from + outer * size; from != end; from += size, to += size)
    for (int64_t k = 0; k < middle; ++k) {
      if (inner == 1) {
        turn(to + k * m, column, from + k * n, row, m, n);
        continue;
      }
      for (int64_t i = 0; i < m; ++i)
        for (int64_t j = 0; j < n; ++j) copy_elements(to + j * column + (k * m + i) * inner, from + i * row + (k * n + j) * inner, inner);
    }
}
}  // namespace detail

/// The tensor with two of its axes exchanged.
template <class X, detail::if_tensors<X> = 0>
auto swap_axes(const X& x, int64_t first, int64_t second) {
  constexpr int rank = rank_of<X>;
  const auto t = evaluate(x);
  const auto [i, j] = std::minmax({detail::checked_index(first, rank, ""), detail::checked_index(second, rank, "")});
  const auto upper = detail::blocks_of<rank>(t.shape, i), lower = detail::blocks_of<rank>(t.shape, j);
  Shape<rank> shape = t.shape;
  std::swap(shape[static_cast<size_t>(i)], shape[static_cast<size_t>(j)]);
  const auto result = new_tensor<element_type<X>, rank>(shape);
  if (i == j)
    detail::copy_elements(result.data, t.data, t.size());
  else if (t.size() > 0)
    detail::exchange(result.data, t.data, upper.outer, upper.length, lower.outer / (upper.outer * upper.length), lower.length, lower.inner);
  return result;
}

/// Each element along `axis` `count` times in a row. Fails with ValueError for a negative count.
template <class X, detail::if_tensors<X> = 0>
auto repeat(const X& x, int64_t count, int64_t axis) {
  constexpr int rank = rank_of<X>;
  if (count < 0) fail(errors::domain, detail::current_place, "elements cannot be repeated %lld times", static_cast<long long>(count));
  const auto t = evaluate(x);
  const int64_t along = detail::checked_index(axis, rank, "");
  Shape<rank> shape = t.shape;
  int64_t& length = shape[static_cast<size_t>(along)];
  if (__builtin_mul_overflow(length, count, &length)) detail::fail_too_large();
  const auto result = new_tensor<element_type<X>, rank>(shape);
  const auto blocks = detail::blocks_of<rank>(t.shape, along);
  auto* next = result.data;
  for (int64_t row = 0; row < blocks.outer * blocks.length; ++row)
    for (int64_t k = 0; k < count; ++k, next += blocks.inner) detail::copy_elements(next, t.data + row * blocks.inner, blocks.inner);
  return result;
}
/// The adjoint of repeat: sums of `count` elements in a row along `axis`, of the shape of `like`.
template <class Y, class X, detail::if_tensors<Y, X> = 0>
auto repeat_sum(const Y& y, int64_t count, int64_t axis, const X& like) {
  constexpr int rank = rank_of<X>;
  const auto t = evaluate(y);
  const auto result = zeros<element_type<Y>>(shape_of(like));
  const auto blocks = detail::blocks_of<rank>(result.shape, detail::checked_index(axis, rank, ""));
  const auto* next = t.data;
  for (int64_t row = 0; row < blocks.outer * blocks.length; ++row)
    for (int64_t k = 0; k < count; ++k)
      for (int64_t i = 0; i < blocks.inner; ++i) result.data[row * blocks.inner + i] += *next++;
  return result;
}

/// Sums of all elements up to each along `axis`.
template <class X, detail::if_tensors<X> = 0>
auto cumsum(const X& x, int64_t axis) {
  using T = detail::sum_of<element_type<X>>;
  constexpr int rank = rank_of<X>;
  const auto t = evaluate(x);
  const auto result = new_tensor<T, rank>(t.shape);
  const auto blocks = detail::blocks_of<rank>(t.shape, detail::checked_index(axis, rank, ""));
  for (int64_t o = 0; o < blocks.outer; ++o)
    for (int64_t i = 0; i < blocks.length; ++i)
      for (int64_t j = 0; j < blocks.inner; ++j) {
        const int64_t place = (o * blocks.length + i) * blocks.inner + j;
        const T element = static_cast<T>(t.data[place]);
        result.data[place] = i == 0 ? element : ops::Add<T>::scalar(element, result.data[place - blocks.inner]);
      }
  return result;
}

/// Rows `indices` [m] of the first axis; negative ones count from the end. Fails with IndexError.
template <class X, class I, detail::if_tensors<X, I> = 0>
auto take(const X& x, const I& indices, const char* location = "") {
  constexpr int rank = rank_of<X>;
  const auto t = evaluate(x);
  const auto places = evaluate(indices);
  Shape<rank> shape = t.shape;
  shape[0] = places.shape[0];
  const auto result = new_tensor<element_type<X>, rank>(shape);
  const int64_t row = detail::row_size<rank>(t.shape);
  for (int64_t k = 0; k < shape[0]; ++k)
    detail::copy_elements(result.data + k * row, t.data + detail::checked_index(places.data[k], t.shape[0], location) * row, row);
  return result;
}

/// The adjoint of take: a sum of each row into that row of the target.
template <class T, int Rank>
struct RowsAt : detail::Partial {
  Vector<int64_t> rows;
  Tensor<T, Rank> values;
  RowsAt(const Vector<int64_t>& indices, const Tensor<T, Rank>& x) : rows(indices), values(x) {}

  template <class Target>
  void add_to(Target&& target) const {
    for (int64_t k = 0; k < rows.shape[0]; ++k) row_at(rows.data[k], index(values, k)).add_to(target);
  }
};

/// `gradient += rows_at(indices, e)`: only those rows are touched; one that occurs twice takes both. Fails with IndexError.
template <class I, class X, detail::if_tensors<I, X> = 0>
auto rows_at(const I& indices, const X& x) {
  return RowsAt<element_type<X>, rank_of<X>>(evaluate(detail::operand_as<int64_t>(indices)), evaluate(x));
}

namespace detail {
/// A copy of `x` after use(row of the copy, row of `values`, elements of a row) for each of the rows `indices` [m], in order.
template <class X, class I, class V, class Use>
auto scattered(const X& x, const I& indices, const V& values, const char* location, Use&& use) {
  constexpr int rank = rank_of<X>;
  const auto result = copy(x);
  const auto places = evaluate(indices);
  const auto rows = evaluate(values);
  Shape<rank> wanted = result.shape;
  wanted[0] = places.shape[0];
  if (rows.shape != wanted) fail_shapes("scatter", wanted.data(), rank, rows.shape.data(), rank);
  const int64_t row = row_size<rank>(result.shape);
  for (int64_t k = 0; k < wanted[0]; ++k) use(result.data + checked_index(places.data[k], result.shape[0], location) * row, rows.data + k * row, row);
  return result;
}
}  // namespace detail

/// `x` with `values` [m,…] as its rows `indices` [m], or added to them; negative ones count from the end, and of equal ones the last is set.
/// Fails with IndexError, and with ValueError where the shapes do not fit.
template <class X, class I, class V, detail::if_tensors<X, I, V> = 0>
auto scatter(const X& x, const I& indices, const V& values, const char* location = "") {
  return detail::scattered(x, indices, values, location, [](auto* to, const auto* from, int64_t n) { detail::copy_elements(to, from, n); });
}
template <class X, class I, class V, detail::if_tensors<X, I, V> = 0>
auto scatter_add(const X& x, const I& indices, const V& values, const char* location = "") {
  return detail::scattered(x, indices, values, location, [](auto* to, const auto* from, int64_t n) {
    for (int64_t i = 0; i < n; ++i) to[i] = ops::Add<std::decay_t<decltype(*to)>>::scalar(to[i], from[i]);
  });
}
/// The adjoint of the rows that scatter sets: rows `indices` of `x`, zeros for those that a later one has overwritten.
template <class X, class I, detail::if_tensors<X, I> = 0>
auto last_taken(const X& x, const I& indices) {
  const auto places = evaluate(indices);
  const auto result = take(x, places);
  const int64_t row = detail::row_size<rank_of<X>>(result.shape), length = shape_of(x)[0];
  const Mark scratch = arena().mark();
  const auto is_set = full<bool>({length}, false);
  for (int64_t k = places.shape[0]; k-- > 0;) {
    bool& later = is_set.data[detail::checked_index(places.data[k], length, "")];
    if (later) std::fill(result.data + k * row, result.data + (k + 1) * row, element_type<X>(0));
    later = true;
  }
  arena().reset(scratch);
  return result;
}

namespace detail {
/// A whole number for each element, in whose order elements are sorted, from small to large or the other way, NaN behind all others.
template <class E>
auto key_of(E x, bool descending) {
  using Key = std::conditional_t<sizeof(E) == 8, uint64_t, uint32_t>;
  constexpr Key sign = Key(1) << (8 * sizeof(Key) - 1);
  Key key;
  if constexpr (std::is_floating_point_v<E>) {
    if (x != x) return ~Key(0);
    x += E(0);  // of -0.0, too, 0
    std::memcpy(&key, &x, sizeof key);
    key = key & sign ? ~key : key | sign;
  } else {
    key = static_cast<Key>(x) ^ sign;
  }
  return descending ? static_cast<Key>(~key) : key;
}
template <class Key>
struct Keyed {
  Key key, place;
};
/// Sorts by keys, some bits at a time, the lowest first; equals stay as they stood. The result is in `sorted` or in `spare`, all of `count`.
template <class Key>
const Keyed<Key>* radix_sort(Keyed<Key>* sorted, Keyed<Key>* spare, int64_t count) {
  constexpr int bits = 11, digits = (8 * static_cast<int>(sizeof(Key)) + bits - 1) / bits;
  constexpr Key last = (Key(1) << bits) - 1;
  for (int digit = 0; digit < digits; ++digit) {
    const auto digit_of = [&](const Keyed<Key>& element) { return static_cast<size_t>(element.key >> (bits * digit) & last); };
    int64_t begins[static_cast<size_t>(last) + 1] = {};
    for (int64_t i = 0; i < count; ++i) ++begins[digit_of(sorted[i])];
    if (begins[digit_of(sorted[0])] == count) continue;
    int64_t begin = 0;
    for (int64_t& place : begins) begin += std::exchange(place, begin);
    for (int64_t i = 0; i < count; ++i) spare[begins[digit_of(sorted[i])]++] = sorted[i];
    std::swap(sorted, spare);
  }
  return sorted;
}
}  // namespace detail

/// [n]: the order that sorts a vector, from small to large or the other way; equals as they stood, NaN last as in NumPy.
template <class X, detail::if_tensors<X> = 0>
Vector<int64_t> argsort(const X& x, bool descending, const char* = "") {
  static_assert(rank_of<X> == 1, "argsort takes a vector");
  constexpr int64_t few = 256;  // for which counting digits takes longer
  const auto t = evaluate(x);
  const int64_t count = t.shape[0];
  const auto order = arange(count);
  const Mark scratch = arena().mark();
  using Key = decltype(detail::key_of(t.data[0], descending));
  auto* const elements = arena().allocate_array<detail::Keyed<Key>>(count);
  for (int64_t i = 0; i < count; ++i) elements[i] = {detail::key_of(t.data[i], descending), static_cast<Key>(i)};
  if (count < few || static_cast<uint64_t>(count) > std::numeric_limits<Key>::max()) {
    detail::merge_sort(order.data, arena().allocate_array<int64_t>(count), count, [&](int64_t a, int64_t b) { return elements[a].key < elements[b].key; });
  } else {
    const auto* const sorted = detail::radix_sort(elements, arena().allocate_array<detail::Keyed<Key>>(count), count);
    for (int64_t i = 0; i < count; ++i) order.data[i] = static_cast<int64_t>(sorted[i].place);
  }
  arena().reset(scratch);
  return order;
}

}  // namespace lantern
