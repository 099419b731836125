// Values that are sequences: lists, strings and data sets. All live in the arena and are passed by value.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>

#include "lantern/arena.h"
#include "lantern/expect.h"

namespace lantern {

/// A list of trivially copyable values; operations give a new one.
template <class T>
struct List {
  static_assert(std::is_trivially_copyable_v<T>);
  using value_type = T;
  const T* data = nullptr;
  int64_t size = 0;
  /// Element `i`, which is there, counted from the front. Who writes to it knows that nobody else has the list.
  T& operator[](int64_t i) const {
    detail::expect_within(i, size);
    return const_cast<T*>(data)[i];
  }
  const T* begin() const { return data; }
  const T* end() const { return data + size; }
};

/// The structures that a program is trained on, in an order; `label` is what a progress bar says.
template <class T>
struct Dataset {
  using value_type = T;
  const T* const* items = nullptr;
  int64_t size = 0;
  std::string_view label{};
  const T& operator[](int64_t i) const { return *items[i]; }

  struct Iterator {
    const T* const* at;
    const T& operator*() const { return **at; }
    Iterator& operator++() {
      ++at;
      return *this;
    }
    bool operator!=(const Iterator& other) const { return at != other.at; }
  };
  Iterator begin() const { return {items}; }
  Iterator end() const { return {items + size}; }
};

/// Python's range(start, stop, step).
class Range {
 public:
  /// `count` values from `start` on, `step` apart.
  Range(int64_t start, int64_t step, uint64_t count) : start_(start), step_(step), count_(count) {}
  struct Iterator {
    int64_t value, step;
    uint64_t left;
    int64_t operator*() const { return value; }
    Iterator& operator++() {
      value = static_cast<int64_t>(static_cast<uint64_t>(value) + static_cast<uint64_t>(step));
      --left;
      return *this;
    }
    bool operator!=(const Iterator& other) const { return left != other.left; }
  };
  Iterator begin() const { return {start_, step_, count_}; }
  Iterator end() const { return {0, 0, 0}; }

 private:
  int64_t start_, step_;
  uint64_t count_;
};

/// Fails with ValueError where `step` is zero.
inline Range range(int64_t start, int64_t stop, int64_t step = 1, const char* location = "") {
  if (step == 0) fail(errors::domain, location, "range() arg 3 must not be zero");
  if (step > 0 ? start >= stop : start <= stop) return {start, step, 0};
  const uint64_t distance = step > 0 ? static_cast<uint64_t>(stop) - static_cast<uint64_t>(start) : static_cast<uint64_t>(start) - static_cast<uint64_t>(stop);
  const uint64_t stride = step > 0 ? static_cast<uint64_t>(step) : ~static_cast<uint64_t>(step) + 1;
  return {start, step, (distance - 1) / stride + 1};
}

template <class T>
int64_t length(const List<T>& list) { return list.size; }
template <class T>
int64_t length(const Dataset<T>& dataset) { return dataset.size; }

namespace detail {

/// `i` counted from the end if negative. Fails with IndexError, in NumPy's words.
inline int64_t checked_index(int64_t i, int64_t size, const char* location) {
  const int64_t place = i < 0 ? i + size : i;
  if (place < 0 || place >= size) fail(errors::index, location, "index %lld is out of bounds for axis 0 with size %lld", static_cast<long long>(i), static_cast<long long>(size));
  return place;
}

/// The same for a Python list, in Python's words.
inline int64_t checked_list_index(int64_t i, int64_t size, const char* what, const char* location) {
  const int64_t place = i < 0 ? i + size : i;
  if (place < 0 || place >= size) fail(errors::index, location, "%s index out of range", what);
  return place;
}

template <class T>
void copy_elements(T* to, const T* from, int64_t count) {
  if (count > 0) std::memcpy(static_cast<void*>(to), static_cast<const void*>(from), static_cast<size_t>(count) * sizeof(T));
}

template <class T>
T* copy_to_arena(const T* data, int64_t count, int64_t room, Arena& to = arena()) {
  T* copy = to.allocate_array<T>(room);
  copy_elements(copy, data, count);
  return copy;
}

/// What stands in front of a list's elements, wherever they lie in the arena (list_operations.h).
struct Room {
  int64_t capacity, taken;
};

template <class T>
Room* room_of(const List<T>& list) {
  if (list.size == 0 || !arena().holds(list.data)) return nullptr;
  return reinterpret_cast<Room*>(const_cast<char*>(reinterpret_cast<const char*>(list.data))) - 1;
}

/// Copies of `taken` elements, the beginning of a list with room for `capacity`.
template <class T>
T* with_room(const T* data, int64_t taken, int64_t capacity, Arena& to = arena()) {
  static_assert(alignof(T) <= sizeof(Room) && sizeof(Room) <= Arena::alignment);
  if (capacity > (int64_t{1} << 48)) fail(errors::out_of_memory, "", "a list of %lld elements", static_cast<long long>(capacity));
  Room* room = new (to.allocate(static_cast<int64_t>(sizeof(Room)) + capacity * static_cast<int64_t>(sizeof(T)))) Room{capacity, taken};
  T* elements = reinterpret_cast<T*>(room + 1);
  copy_elements(elements, data, taken);
  return elements;
}

/// A list all of whose `size` places have been filled.
template <class T>
List<T> full(T* elements, int64_t size) {
  reinterpret_cast<Room*>(elements)[-1].taken = size;
  return {elements, size};
}

}  // namespace detail

template <class T>
T index(const List<T>& list, int64_t i, const char* location = "") {
  return list.data[detail::checked_list_index(i, list.size, "list", location)];
}
template <class T>
const T* index(const Dataset<T>& dataset, int64_t i, const char* location = "") {
  return dataset.items[detail::checked_list_index(i, dataset.size, "data set", location)];
}

/// A copy of `text` in the arena.
inline std::string_view arena_string(std::string_view text) {
  auto* const copy = static_cast<char*>(arena().allocate_close<char>(static_cast<int64_t>(text.size())));
  detail::copy_elements(copy, text.data(), static_cast<int64_t>(text.size()));
  return {copy, text.size()};
}

/// A structure in the arena: `make<Tree>(label, word, left, right)`.
template <class T, class... Fields>
const T* make(const Fields&... fields) {
  static_assert(std::is_trivially_destructible_v<T>);
  return new (arena().allocate_close<T>()) T{fields...};
}

}  // namespace lantern

#include LANTERN_DEFINITIONS("lantern/definitions/text_places.h")
