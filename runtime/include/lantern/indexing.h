// Parts of tensors (views, checked), and tensors made of parts (copies in the arena).
#pragma once

#include <cstdint>
#include <cstring>

#include "lantern/accumulate.h"
#include "lantern/list_operations.h"

namespace lantern {

/// Dimension `axis` of a tensor; negative counts from the end. Fails with IndexError.
template <class X, detail::if_tensors<X> = 0>
int64_t dimension(const X& x, int64_t axis) { return shape_of(x)[static_cast<size_t>(detail::checked_index(axis, rank_of<X>, ""))]; }
template <class X, detail::if_tensors<X> = 0>
int64_t length(const X& x) { return shape_of(x)[0]; }
/// The number of elements; 1 for a scalar.
template <class X, detail::if_operands<X> = 0>
int64_t size(const X& x) {
  int64_t product = 1;
  for (const int64_t n : shape_of(x)) product *= n;
  return product;
}

/// x[i]: an element of a vector, else a view of rank one less. `i` may be negative. Fails with IndexError.
template <class X, detail::if_tensors<X> = 0>
auto index(const X& x, int64_t i, const char* location = "") {
  const auto t = evaluate(x);
  const int64_t place = detail::checked_index(i, t.shape[0], location);
  using T = element_type<X>;
  if constexpr (rank_of<X> == 1) return T(t.data[place]);
  else return Tensor<T, rank_of<X> - 1>(t.data + place * detail::row_size<rank_of<X>>(t.shape), detail::row_shape<rank_of<X>>(t.shape));
}
namespace detail {
/// Where an item of a tensor is, a number or an array, and how many elements it has.
template <class T>
struct Place {
  T* data;
  int64_t size;
};
/// x[places…]. Fails with IndexError.
template <size_t Places, class T, int Rank>
Place<T> item_at(const Tensor<T, Rank>& x, const int64_t (&places)[Places], const char* location) {
  static_assert(Places <= Rank);
  Place<T> item{x.data, x.size()};
  for (size_t axis = 0; axis < Places; ++axis) {
    const int64_t place = checked_index(places[axis], x.shape[axis], location);
    item.size /= x.shape[axis];
    item.data += place * item.size;
  }
  return item;
}
/// Copies `value` to where x[places…] is. Fails with IndexError, or ValueError if it is of another shape.
template <size_t Places, class T, int Rank, class V>
void put_item(const Tensor<T, Rank>& x, const int64_t (&places)[Places], const V& value, const char* location) {
  const auto [item, size] = item_at(x, places, location);
  if constexpr (Places == Rank) {
    *item = value;
  } else {
    const auto part = evaluate(value);
    static_assert(rank_of<decltype(part)> == Rank - Places);
    if (!std::equal(part.shape.begin(), part.shape.end(), x.shape.begin() + Places)) fail_shapes("an item that is set", x.shape.data() + Places, Rank - Places, part.shape.data(), Rank - Places);
    if (size > 0) std::memmove(static_cast<void*>(item), part.data, static_cast<size_t>(size) * sizeof(T));
  }
}
}  // namespace detail

/// x[places…] = value, a number or an array of x's elements; places may be negative. Fails with IndexError, or ValueError if the value is of
/// another shape. x.
template <size_t Places, class T, int Rank, class V>
const Tensor<T, Rank>& set_item(const Tensor<T, Rank>& x, const int64_t (&places)[Places], const V& value, const char* location = "") {
  detail::put_item(x, places, value, location);
  return x;
}
template <class T, int Rank, class V>
const Tensor<T, Rank>& set_item(const Tensor<T, Rank>& x, int64_t place, const V& value, const char* location = "") {
  detail::put_item(x, {place}, value, location);
  return x;
}

/// x[places…], a number. Fails with IndexError.
template <class T, int Rank>
detail::Item<T> item_of(const Tensor<T, Rank>& x, const int64_t (&places)[Rank], const char* location) {
  return {*detail::item_at(x, places, location).data, location};
}
template <class T>
detail::Item<T> item_of(const Tensor<T, 1>& x, int64_t place, const char* location) {
  const int64_t places[] = {place};
  return item_of(x, places, location);
}

/// x[places…] = 0. Fails with IndexError.
template <size_t Places, class T, int Rank>
void clear_item(const Tensor<T, Rank>& x, const int64_t (&places)[Places]) {
  const auto item = detail::item_at(x, places, "");
  std::fill(item.data, item.data + item.size, T(0));
}
template <class T, int Rank>
void clear_item(const Tensor<T, Rank>& x, int64_t place) {
  const int64_t places[] = {place};
  clear_item(x, places);
}

/// The same as set_item of a copy of x, which it gives.
template <size_t Places, class X, class V, detail::if_tensors<X> = 0>
auto with_item(const X& x, const int64_t (&places)[Places], const V& value, const char* location = "") {
  const auto result = copy(x);
  detail::put_item(result, places, value, location);
  return result;
}
template <class X, class V, detail::if_tensors<X> = 0>
auto with_item(const X& x, int64_t place, const V& value, const char* location = "") {
  const int64_t places[] = {place};
  return with_item(x, places, value, location);
}

/// Item `j` of item `i`: x[i][j], of an array or a list.
template <class X>
auto index(const X& x, int64_t i, int64_t j, const char* location) {
  return index(index(x, i, location), j, location);
}

/// Row `i` of a table [n,d], as a view.
template <class X, detail::if_tensors<X> = 0>
auto row(const X& x, int64_t i, const char* location = "") {
  static_assert(rank_of<X> >= 2, "row takes a matrix");
  return index(x, i, location);
}

namespace detail {
inline void check_slice(int64_t start, int64_t stop, int64_t length, const char* location) {
  if (start < 0 || start > stop || stop > length)
    fail(errors::index, location, "slice %lld:%lld is out of range for length %lld", static_cast<long long>(start), static_cast<long long>(stop), static_cast<long long>(length));
}
}  // namespace detail

/// x[start:stop] along the first axis, as a view; 0 ≤ start ≤ stop ≤ length, else IndexError.
template <class X, detail::if_tensors<X> = 0>
auto slice(const X& x, int64_t start, int64_t stop, const char* location = "") {
  auto t = evaluate(x);
  detail::check_slice(start, stop, t.shape[0], location);
  t.data += start * detail::row_size<rank_of<X>>(t.shape);
  t.shape[0] = stop - start;
  return t;
}

/// The same along another axis: a copy.
template <class X, detail::if_tensors<X> = 0>
auto slice_along(const X& x, int64_t start, int64_t stop, int64_t axis, const char* location = "") {
  constexpr int rank = rank_of<X>;
  const auto t = evaluate(x);
  const int64_t along = detail::checked_index(axis, rank, "");
  const auto whole = detail::blocks_of<rank>(t.shape, along);
  detail::check_slice(start, stop, whole.length, location);
  Shape<rank> shape = t.shape;
  shape[static_cast<size_t>(along)] = stop - start;
  const auto result = new_tensor<element_type<X>, rank>(shape);
  const int64_t chunk = (stop - start) * whole.inner;
  for (int64_t o = 0; o < whole.outer; ++o) detail::copy_elements(result.data + o * chunk, t.data + (o * whole.length + start) * whole.inner, chunk);
  return result;
}

namespace detail {
template <class T, int Rank, class V>
void put_slice(const Tensor<T, Rank>& x, int64_t start, const V& value, int64_t axis, const char* location) {
  auto part = evaluate(value);
  const int64_t along = checked_index(axis, Rank, "");
  const auto whole = blocks_of<Rank>(x.shape, along);
  auto room = x.shape;
  const int64_t length = room[static_cast<size_t>(along)] = part.shape[static_cast<size_t>(along)];
  if (part.shape != room) fail_shapes("a part that is set", room.data(), Rank, part.shape.data(), Rank);
  check_slice(start, start + length, whole.length, location);
  const int64_t chunk = length * whole.inner;
  if (chunk == 0) return;
  const bool overlaps = part.data < x.data + x.size() && x.data < part.data + part.size();
  if (overlaps && whole.outer > 1) part = copy(part);  // a[:, 2] = a[0]: one block may be part of what another one takes
  for (int64_t o = 0; o < whole.outer; ++o)
    std::memmove(static_cast<void*>(x.data + (o * whole.length + start) * whole.inner), part.data + o * chunk, static_cast<size_t>(chunk) * sizeof(T));
}
}  // namespace detail

/// x with `value` from `start` on along an axis, where it is; and in a copy. Fails with IndexError, or ValueError if the value does not fit.
template <class T, int Rank, class V>
void set_slice(const Tensor<T, Rank>& x, int64_t start, const V& value, int64_t axis, const char* location = "") { detail::put_slice(x, start, value, axis, location); }
template <class T, int Rank, class V>
void set_slice(const Tensor<T, Rank>& x, int64_t start, const V& value, const char* location = "") { detail::put_slice(x, start, value, 0, location); }
template <class X, class V, detail::if_tensors<X> = 0>
auto with_slice(const X& x, int64_t start, const V& value, int64_t axis, const char* location = "") {
  const auto result = copy(x);
  detail::put_slice(result, start, value, axis, location);
  return result;
}
template <class X, class V, detail::if_tensors<X> = 0>
auto with_slice(const X& x, int64_t start, const V& value, const char* location = "") { return with_slice(x, start, value, 0, location); }

/// `count` rows of the first axis from `start` on, `step` apart: a copy. Fails with IndexError.
template <class X, detail::if_tensors<X> = 0>
auto strided(const X& x, int64_t start, int64_t step, int64_t count, const char* location = "") {
  const auto t = evaluate(x);
  detail::check_places(start, step, count, t.shape[0], location);
  auto shape = t.shape;
  shape[0] = count;
  const auto result = new_tensor<element_type<X>, rank_of<X>>(shape);
  const int64_t row = detail::row_size<rank_of<X>>(t.shape);
  for (int64_t k = 0; k < count; ++k) detail::copy_elements(result.data + k * row, t.data + (start + k * step) * row, row);
  return result;
}

namespace detail {
/// A shape for all elements of another one, in which a dimension may be -1. Fails with ValueError.
template <size_t From, size_t To>
std::array<int64_t, To> shape_of_all(const std::array<int64_t, From>& from, const std::array<int64_t, To>& dimensions, const char* what) {
  std::array<int64_t, To> shape = dimensions;
  int64_t size = 1, known = 1, open = 0;
  for (const int64_t n : from) size *= n;
  for (const int64_t n : shape) {
    if (n < 0) ++open;
    else known *= n;
  }
  for (int64_t& n : shape)
    if (n < 0 && open == 1 && known > 0) n = size / known;
  if (open > 1 || checked_size<static_cast<int>(To)>(shape) != size)
    fail_shapes(what, from.data(), static_cast<int>(From), dimensions.data(), static_cast<int>(To));
  return shape;
}
}  // namespace detail

/// The same elements in another shape (a view); one dimension may be -1. Fails with ValueError.
template <size_t Rank, class X, detail::if_operands<X> = 0>
auto reshape(const X& x, const std::array<int64_t, Rank>& dimensions) {
  const auto t = [&] {
    if constexpr (rank_of<X> == 0) return evaluate(broadcast_to(x, Shape<1>{1}));
    else return evaluate(x);
  }();
  const Shape<static_cast<int>(Rank)> shape = detail::shape_of_all(t.shape, dimensions, "reshape");
  if constexpr (Rank == 0) return element_type<X>(*t.data);
  else return Tensor<element_type<X>, static_cast<int>(Rank)>(t.data, shape);
}
template <class X, size_t Rank, detail::if_operands<X> = 0>
auto reshape(const X& x, const int64_t (&dimensions)[Rank]) {
  std::array<int64_t, Rank> shape;
  std::copy(dimensions, dimensions + Rank, shape.begin());
  return reshape(x, shape);
}

namespace detail {

template <class T, int Rank>
Tensor<T, Rank> concat_tensors(const Tensor<T, Rank>* parts, int64_t count, int64_t axis) {
  if (count == 0) fail(errors::shape, current_place, "need at least one array to concatenate");
  const auto along = static_cast<size_t>(checked_index(axis, Rank, ""));
  Shape<Rank> shape = parts[0].shape;
  for (int64_t i = 1; i < count; ++i) {
    Shape<Rank> same = parts[i].shape;
    same[along] = parts[0].shape[along];
    if (same != parts[0].shape) fail_shapes("concat", parts[0].shape.data(), Rank, parts[i].shape.data(), Rank);
    shape[along] += parts[i].shape[along];
  }
  const auto result = new_tensor<T, Rank>(shape);
  const Blocks whole = blocks_of<Rank>(shape, static_cast<int64_t>(along));
  int64_t offset = 0;
  for (int64_t i = 0; i < count; ++i) {
    const int64_t chunk = parts[i].shape[along] * whole.inner;
    for (int64_t o = 0; o < whole.outer; ++o)
      if (chunk > 0) std::memcpy(static_cast<void*>(result.data + o * whole.length * whole.inner + offset), parts[i].data + o * chunk, static_cast<size_t>(chunk) * sizeof(T));
    offset += chunk;
  }
  return result;
}

template <class T, int Rank, class... E>
Tensor<T, Rank> concat_expressions(const E&... parts) {
  const Shape<Rank> shapes[] = {parts.shape()...};
  Shape<Rank> shape = shapes[0];
  shape[0] = 0;
  for (const Shape<Rank>& part : shapes) {
    if (!std::equal(part.begin() + 1, part.end(), shape.begin() + 1)) fail_shapes("concat", shapes[0].data(), Rank, part.data(), Rank);
    shape[0] += part[0];
  }
  const auto result = new_tensor<T, Rank>(shape);
  T* place = result.data;
  const Shape<Rank>* part_shape = shapes;
  const auto write = [&](const auto& part) {
    const Tensor<T, Rank> into(place, *part_shape++);
    assign(into, part);
    place += into.size();
  };
  (write(parts), ...);
  return result;
}

template <class T, int Rank>
Tensor<T, Rank + 1> stack_tensors(const Tensor<T, Rank>* parts, int64_t count) {
  if (count == 0) fail(errors::shape, current_place, "need at least one array to stack");
  Shape<Rank + 1> shape;
  shape[0] = count;
  std::copy(parts[0].shape.begin(), parts[0].shape.end(), shape.begin() + 1);
  const auto result = new_tensor<T, Rank + 1>(shape);
  const int64_t size = parts[0].size();
  for (int64_t i = 0; i < count; ++i) {
    if (parts[i].shape != parts[0].shape) fail_shapes("stack", parts[0].shape.data(), Rank, parts[i].shape.data(), Rank);
    if (size > 0) std::memcpy(static_cast<void*>(result.data + i * size), parts[i].data, static_cast<size_t>(size) * sizeof(T));
  }
  return result;
}

}  // namespace detail

/// The operands behind one another along an axis. Fails with ValueError.
template <class... X, detail::if_tensors<X...> = 0>
auto concat_along(int64_t axis, const X&... x) {
  using T = promoted_type<X...>;
  constexpr int rank = std::max({rank_of<X>...});
  static_assert(std::min({rank_of<X>...}) == rank, "concat takes tensors of one rank");
  const Tensor<T, rank> parts[] = {evaluate(detail::operand_as<T>(x))...};
  return detail::concat_tensors(parts, static_cast<int64_t>(sizeof...(X)), axis);
}
/// Along the first axis, written once: operands that are expressions need no arrays.
template <class... X, detail::if_tensors<X...> = 0>
auto concat(const X&... x) {
  using T = promoted_type<X...>;
  constexpr int rank = std::max({rank_of<X>...});
  static_assert(std::min({rank_of<X>...}) == rank, "concat takes tensors of one rank");
  return detail::concat_expressions<T, rank>(expression_of(x)...);
}
template <class T, int Rank>
auto concat(const List<Tensor<T, Rank>>& parts) { return detail::concat_tensors(parts.data, parts.size, 0); }

/// The operands along a new first axis; scalars give a vector. Fails with ValueError.
template <class... X, detail::if_operands<X...> = 0>
auto stack(const X&... x) {
  using T = detail::common_operand<X...>;
  constexpr int rank = std::max({rank_of<X>...});
  static_assert(std::min({rank_of<X>...}) == rank, "stack takes operands of one rank");
  if constexpr (rank == 0) {
    const T values[] = {static_cast<T>(evaluate(x))...};
    constexpr auto size = static_cast<int64_t>(sizeof...(X));
    return Vector<T>{detail::copy_to_arena(values, size, size), {size}};
  } else {
    const Tensor<T, rank> parts[] = {evaluate(detail::operand_as<T>(x))...};
    return detail::stack_tensors(parts, static_cast<int64_t>(sizeof...(X)));
  }
}
/// The array of these elements, row-major, where they are: it is not to be written to.
template <class T, size_t Count, size_t Rank>
Tensor<T, static_cast<int>(Rank)> view_of(const T (&elements)[Count], const int64_t (&shape)[Rank]) {
  Tensor<T, static_cast<int>(Rank)> tensor{const_cast<T*>(elements), {}};
  std::copy_n(shape, Rank, tensor.shape.begin());
  return tensor;
}
template <class T, int Rank>
auto stack(const List<Tensor<T, Rank>>& parts) { return detail::stack_tensors(parts.data, parts.size); }
template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
Vector<T> stack(const List<T>& parts) {
  if (parts.size == 0) fail(errors::shape, detail::current_place, "need at least one number to stack");
  return {detail::copy_to_arena(parts.data, parts.size, parts.size), {parts.size}};
}

}  // namespace lantern
