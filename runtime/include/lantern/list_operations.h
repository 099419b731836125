// Python's operations on lists, as functions from lists to lists.
//
// In front of a list's elements stands a note of how many have room there, and of how many places are taken. Whoever holds
// the list that ends where the free places begin may take one: what others can see never changes. So a list is a value, and
// yet appending costs O(1) on the average.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <initializer_list>
#include <iterator>

#include "lantern/list.h"
#include "lantern/scalar.h"

namespace lantern {

namespace detail {

/// The places from `start` on, `step` apart, `count` of them, all within `size`.
inline void check_places(int64_t start, int64_t step, int64_t count, int64_t size, const char* location) {
  const bool begins = start >= 0 && start < size;
  const int64_t behind = !begins ? 0 : step > 0 ? (size - 1 - start) / step : step < 0 ? -(start / step) : count;  // so many lie there after the first
  if (count != 0 && (count < 0 || !begins || count - 1 > behind)) fail(errors::index, location, "%lld places from %lld, %lld apart, do not lie within length %lld", static_cast<long long>(count), static_cast<long long>(start), static_cast<long long>(step), static_cast<long long>(size));
}

/// Merges two sorted halves of `order` until all is sorted; stable, whatever `before` says.
template <class Before>
void merge_sort(int64_t* order, int64_t* spare, int64_t count, const Before& before) {
  for (int64_t width = 1; width < count; width *= 2) {
    for (int64_t low = 0; low < count; low += 2 * width) {
      const int64_t middle = std::min(low + width, count), high = std::min(low + 2 * width, count);
      int64_t left = low, right = middle;
      for (int64_t k = low; k < high; ++k) spare[k] = left < middle && (right >= high || !before(order[right], order[left])) ? order[left++] : order[right++];
    }
    std::copy(spare, spare + count, order);
  }
}

template <class T>
void check_orderable(const T&, const char*) {}
inline void check_orderable(double x, const char* location) {
  if (std::isnan(x)) fail(errors::domain, location, "nan has no place in an order");
}
inline void check_orderable(float x, const char* location) { check_orderable(static_cast<double>(x), location); }

}  // namespace detail

namespace detail {
/// Where `insert` puts what it is given; like Python, at an end if there is no such element.
inline int64_t insertion_place(int64_t i, int64_t size) { return std::clamp<int64_t>(i < 0 ? i + size : i, 0, size); }

/// Of a list that nobody else has, in front of places that were made for it; null: it has none yet.
template <class T>
Room* own_room(const List<T>& list) {
  return list.data ? reinterpret_cast<Room*>(const_cast<char*>(reinterpret_cast<const char*>(list.data))) - 1 : nullptr;
}
}  // namespace detail

/// The list of these.
template <class T, class... X>
List<T> list_of(const X&... values) {
  constexpr int64_t size = sizeof...(X);
  T* elements = detail::with_room<T>(nullptr, 0, std::max<int64_t>(8, size));
  T* place = elements;
  ((*place++ = static_cast<T>(values)), ...);
  return detail::full(elements, size);
}

/// The same, of many: compiled once, however many lists there are.
template <class T>
[[gnu::noinline]] List<T> list_of(std::initializer_list<T> values) {
  const auto size = static_cast<int64_t>(values.size());
  T* elements = detail::with_room<T>(nullptr, 0, std::max<int64_t>(8, size));
  std::copy(values.begin(), values.end(), elements);
  return detail::full(elements, size);
}

/// The list of these elements where they are: it is not to be written to.
template <class T, size_t Count>
List<T> view_of(const T (&elements)[Count]) { return {elements, static_cast<int64_t>(Count)}; }

/// The list of a value n times; of none where n is negative.
template <class T>
List<T> repeated(const std::common_type_t<T>& value, int64_t n) {
  if (n <= 0) return {};
  T* elements = detail::with_room<T>(nullptr, 0, std::max<int64_t>(8, n));
  std::fill(elements, elements + n, value);
  return detail::full(elements, n);
}

/// An entry's argument, parts of tuples, is as long as the list of their first parts; or the lists are that are so deep within it. Fails with ValueError.
template <int Depth = 0, class T, class First>
void check_column(const char* argument, const List<T>& column, const List<First>& first) {
  if constexpr (Depth > 0) {
    for (int64_t i = 0; i < first.size; ++i) check_column<Depth - 1>(argument, column.data[i], first.data[i]);
    return;
  }
  if (column.size == first.size) return;
  fail(errors::shape, "", "'%s' has %lld elements, and the first parts of the same tuples are %lld", argument, static_cast<long long>(column.size), static_cast<long long>(first.size));
}

/// `list` with `value` behind it.
template <class T>
List<T> append(const List<T>& list, const std::common_type_t<T>& value) {
  const detail::Room* room = detail::room_of(list);
  T* elements = const_cast<T*>(list.data);
  if (!room || room->taken != list.size || room->capacity == list.size) {
    elements = detail::with_room(list.data, list.size, std::max<int64_t>(8, 2 * list.size));
  }
  elements[list.size] = value;
  return detail::full(elements, list.size + 1);
}

/// `list` with element `i` replaced. Fails with IndexError.
template <class T>
List<T> write(const List<T>& list, int64_t i, const std::common_type_t<T>& value, const char* location = "") {
  const int64_t place = detail::checked_list_index(i, list.size, "list assignment", location);
  T* copy = detail::with_room(list.data, list.size, list.size);
  copy[place] = value;
  return {copy, list.size};
}

/// `list` without its last element. Fails with IndexError.
template <class T>
List<T> pop(const List<T>& list, const char* location = "") {
  if (list.size == 0) fail(errors::index, location, "pop from empty list");
  return {list.data, list.size - 1};
}

/// `list` without element `i`. Fails with IndexError.
template <class T>
List<T> remove(const List<T>& list, int64_t i, const char* location = "") {
  const int64_t place = detail::checked_list_index(i, list.size, "list assignment", location);
  T* copy = detail::with_room(list.data, place, list.size);
  detail::copy_elements(copy + place, list.data + place + 1, list.size - place - 1);
  return detail::full(copy, list.size - 1);
}

/// `list` with `value` in front of element `i`; at an end if there is no such element.
template <class T>
List<T> insert(const List<T>& list, int64_t i, const std::common_type_t<T>& value) {
  const int64_t place = detail::insertion_place(i, list.size);
  T* copy = detail::with_room(list.data, place, list.size + 1);
  copy[place] = value;
  detail::copy_elements(copy + place + 1, list.data + place, list.size - place);
  return detail::full(copy, list.size + 1);
}

/// The element that `pop`, or `remove`, takes out. Fails as they do.
template <class T>
T popped(const List<T>& list, const char* location = "") { return pop(list, location).end()[0]; }
template <class T>
T popped(const List<T>& list, int64_t i, const char* location = "") { return list.data[detail::checked_list_index(i, list.size, "pop", location)]; }

/// What changes a list that nobody else has, where it is: element `i`, as `write` does.
template <class T>
void set_item(const List<T>& list, int64_t i, const std::common_type_t<T>& value, const char* location = "") {
  const_cast<T*>(list.data)[detail::checked_list_index(i, list.size, "list assignment", location)] = value;
}
namespace detail {
/// A number in a list or an array, which is updated where it is. Of whole numbers, what does not fit in 64 bits is an OverflowError.
template <class T>
class Item {
 public:
  Item(T& number, const char* location) : number_(number), location_(location) {}
  void operator+=(T x) { number_ = sum(number_, x); }
  void operator-=(T x) { number_ = difference(number_, x); }
  void operator*=(T x) { number_ = product(number_, x); }

 private:
  static constexpr bool is_checked = std::is_same_v<T, int64_t>;
  T sum(T a, T b) const {
    if constexpr (is_checked) return checked_add(a, b, location_);
    else return a + b;
  }
  T difference(T a, T b) const {
    if constexpr (is_checked) return checked_subtract(a, b, location_);
    else return a - b;
  }
  T product(T a, T b) const {
    if constexpr (is_checked) return checked_multiply(a, b, location_);
    else return a * b;
  }

  T& number_;
  const char* location_;
};
}  // namespace detail
/// Element `i`, as `index` finds it. Fails with IndexError.
template <class T>
detail::Item<T> item_of(const List<T>& list, int64_t i, const char* location) {
  return {const_cast<T*>(list.data)[detail::checked_list_index(i, list.size, "list", location)], location};
}
/// Puts a value behind the others in element `i`, a list. Fails with IndexError.
template <class T>
void append_to_item(const List<List<T>>& lists, int64_t i, const std::common_type_t<T>& value, const char* location) {
  List<T>& list = const_cast<List<T>&>(lists.data[detail::checked_list_index(i, lists.size, "list", location)]);
  list = append(list, value);
}
template <class T>
void append_to(List<T>& list, const std::common_type_t<T>& value) {
  detail::Room* const room = detail::own_room(list);
  T* const elements = room && list.size < room->capacity ? const_cast<T*>(list.data) : detail::with_room(list.data, list.size, std::max<int64_t>(8, 2 * list.size));
  elements[list.size] = value;
  list = detail::full(elements, list.size + 1);
}
template <class T>
void pop_from(List<T>& list, const char* location = "") {
  list = pop(list, location);
  detail::own_room(list)->taken = list.size;
}
template <class T>
void remove_from(List<T>& list, int64_t i, const char* location = "") {
  T* const place = const_cast<T*>(list.data) + detail::checked_list_index(i, list.size, "list assignment", location);
  std::copy(place + 1, const_cast<T*>(list.end()), place);
  pop_from(list);
}
template <class T>
void insert_into(List<T>& list, int64_t i, const std::common_type_t<T>& value) {
  append_to(list, value);
  T* const end = const_cast<T*>(list.end());
  std::rotate(const_cast<T*>(list.data) + detail::insertion_place(i, list.size - 1), end - 1, end);
}

/// The list with places of its own: what was in them is in both.
template <class T>
List<T> copy(const List<T>& list) { return {detail::with_room(list.data, list.size, list.size), list.size}; }
template <class T>
List<T> deep_copy(const List<T>& list);
namespace detail {
template <class T>
T copy_of_element(const T& x) {
  if constexpr (std::is_scalar_v<T> || std::is_same_v<T, std::string_view>) return x;
  else return copy(x);
}
template <class T>
List<T> copy_of_element(const List<T>& list) { return deep_copy(list); }
}  // namespace detail
/// And the lists and arrays in it, and in those, with places and elements of their own.
template <class T>
List<T> deep_copy(const List<T>& list) {
  T* const elements = detail::with_room(list.data, list.size, list.size);
  if constexpr (!std::is_scalar_v<T>)
    for (int64_t i = 0; i < list.size; ++i) elements[i] = detail::copy_of_element(elements[i]);
  return {elements, list.size};
}

/// Elements `start` to `stop`; 0 ≤ start ≤ stop ≤ length, else IndexError.
template <class T>
List<T> slice(const List<T>& list, int64_t start, int64_t stop, const char* location = "") {
  detail::check_places(start, 1, stop - start, list.size, location);
  return {detail::with_room(list.data + start, stop - start, stop - start), stop - start};
}

/// The same, where they are: it is not to be written to, nor made longer.
template <class T>
List<T> part_of(const List<T>& list, int64_t start, int64_t stop, const char* location = "") {
  detail::check_places(start, 1, stop - start, list.size, location);
  return {list.data + start, stop - start};
}

/// `count` elements from `start` on, `step` apart. Fails with IndexError.
template <class T>
List<T> strided(const List<T>& list, int64_t start, int64_t step, int64_t count, const char* location = "") {
  detail::check_places(start, step, count, list.size, location);
  T* copy = detail::with_room(list.data, 0, count);
  for (int64_t k = 0; k < count; ++k) copy[k] = list.data[start + k * step];
  return detail::full(copy, count);
}

/// The lists behind one another.
template <class T, class... Lists>
List<T> concat(const List<T>& first, const Lists&... rest) {
  const List<T> lists[] = {first, rest...};
  int64_t size = 0;
  for (const auto& list : lists) size += list.size;
  T* copy = detail::with_room(first.data, first.size, size);
  T* next = copy + first.size;
  for (std::size_t i = 1; i < std::size(lists); next += lists[i++].size) detail::copy_elements(next, lists[i].data, lists[i].size);
  return detail::full(copy, size);
}

/// The order that sorts `list`, from small to large or the other way: places, equals as they stood. Fails with ValueError on NaN.
template <class T>
List<int64_t> argsort(const List<T>& list, bool descending, const char* location = "") {
  for (const T& x : list) detail::check_orderable(x, location);
  int64_t* order = detail::with_room<int64_t>(nullptr, 0, list.size);
  for (int64_t i = 0; i < list.size; ++i) order[i] = i;
  const Mark scratch = arena().mark();
  int64_t* spare = arena().allocate_array<int64_t>(list.size);
  if (descending) detail::merge_sort(order, spare, list.size, [&](int64_t a, int64_t b) { return list.data[b] < list.data[a]; });
  else detail::merge_sort(order, spare, list.size, [&](int64_t a, int64_t b) { return list.data[a] < list.data[b]; });
  arena().reset(scratch);
  return detail::full(order, list.size);
}

}  // namespace lantern
