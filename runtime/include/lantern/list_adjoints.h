// Adjoints of lists. Beside a list of numbers, arrays or lists stands a list of their adjoints, of the same length. Lists that
// share elements may share the adjoints of these: what is added to the one has been added to the other, and once.
#pragma once

#include <algorithm>
#include <cstdint>

#include "lantern/accumulate.h"
#include "lantern/indexing.h"
#include "lantern/list_operations.h"
#include "lantern/structure_adjoints.h"

namespace lantern {

/// Zeros in the form of a list's elements.
template <class T>
List<T> zeros_like(const List<T>& list) {
  if constexpr (detail::is_link<T>) return detail::with_links([&](AdjointLinks& links) { return links.of(list); });
  T* zeros = detail::with_room<T>(nullptr, 0, list.size);
  for (int64_t i = 0; i < list.size; ++i) zeros[i] = zeros_like(list.data[i]);
  return detail::full(zeros, list.size);
}

namespace detail {

/// Adds an adjoint to another, unless the two are the same numbers.
template <class T, std::enable_if_t<std::is_arithmetic_v<T>, int> = 0>
void add_adjoint(T& target, T x) { target += x; }
template <class T, int Rank>
void add_adjoint(const Tensor<T, Rank>& target, const Tensor<T, Rank>& x) {
  if (target.data != x.data) target += x;
}
template <class T>
void add_adjoints(const List<T>& target, int64_t first, int64_t step, const T* x, int64_t count);
template <class T>
void add_adjoint(const List<T>& target, const List<T>& x) {
  if (target.size != x.size) fail_shapes("adjoint", &target.size, 1, &x.size, 1);
  add_adjoints(target, 0, 1, x.data, x.size);
}

/// Adds `x` to `count` elements of `target` from `first` on, `step` apart.
template <class T>
void add_adjoints(const List<T>& target, int64_t first, int64_t step, const T* x, int64_t count) {
  if (step == 1 && target.data + first == x) return;
  for (int64_t k = 0; k < count; ++k) add_adjoint(slot(target, first + k * step), x[k]);
}

template <class T>
void add_to_slot(const List<T>& target, const List<T>& x) { add_adjoint(target, x); }

/// A sum into elements of an adjoint list.
template <class T>
struct ListPart : Partial {
  List<T> value;
  int64_t start, step;
  ListPart(const List<T>& x, int64_t first, int64_t by) : value(x), start(first), step(by) {}
  void add_to(const List<T>& target) const { add_adjoints(target, start, step, value.data, value.size); }
};

}  // namespace detail

template <class T>
const List<T>& operator+=(const List<T>& target, const List<T>& x) {
  detail::add_adjoint(target, x);
  return target;
}

/// `rows_adj += index_at(i, row_adj)` of a list of lists.
template <class T>
auto index_at(int64_t i, const List<T>& x, const char* location = "") { return RowAt<List<T>>(i, x, location); }
/// `rows_adj += index_at(i, index_at(j, x_adj))`: what touches a part of an element.
template <class P, std::enable_if_t<detail::is_partial<P>, int> = 0>
auto index_at(int64_t i, const P& part, const char* location = "") { return RowAt<P>(i, part, location); }
/// `xs_adj += placed(part_adj, start)`: the adjoint of slice(xs, start, stop).
template <class T>
auto placed(const List<T>& x, int64_t start) { return detail::ListPart<T>(x, start, 1); }
/// `xs_adj += strided_at(part_adj, start, step)`: the adjoint of strided(xs, start, step, count).
template <class T>
auto strided_at(const List<T>& x, int64_t start, int64_t step) { return detail::ListPart<T>(x, start, step); }

/// The adjoint of `list` of that of pop(list): with a zero behind it.
template <class T>
struct Extended : detail::Partial {
  List<T> front, list;
  Extended(const List<T>& x, const List<T>& whole) : front(x), list(whole) {}
  operator List<T>() const { return append(front, zeros_like(list.data[list.size - 1])); }
  void add_to(const List<T>& target) const { detail::add_adjoints(target, 0, 1, front.data, front.size); }
};
template <class T>
Extended<T> extended(const List<T>& x, const List<T>& list) { return {x, list}; }

/// The parts of stack(list), as a list.
template <class X, class T>
List<T> unstacked(const X& stacked, const List<T>& list) {
  const auto rows = evaluate(stacked);
  T* parts = detail::with_room<T>(nullptr, 0, list.size);
  for (int64_t i = 0; i < list.size; ++i) parts[i] = index(rows, i);
  return detail::full(parts, list.size);
}

/// The item is zero: a number, or what has the form of `like`.
template <class T>
void clear_item(const List<T>& adjoints, int64_t place) { set_item(adjoints, place, T(0)); }
template <class T>
void clear_item(const List<T>& adjoints, int64_t place, const T& like) { set_item(adjoints, place, zeros_like(like)); }

/// Where remove(list, i) takes an element away, and where insert(list, i, x) puts one.
template <class T>
int64_t place_in(int64_t i, const List<T>& list) { return i < 0 ? i + list.size : i; }
template <class T>
int64_t insertion_place(int64_t i, const List<T>& list) { return std::clamp<int64_t>(place_in(i, list), 0, list.size); }

}  // namespace lantern
