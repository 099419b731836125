// Ending a scratch region: `reset` to a mark, but first move results that lie above it down to it.
#pragma once

#include <cstdint>
#include <cstring>
#include <tuple>

#include "lantern/list.h"
#include "lantern/tensor.h"

namespace lantern {

namespace detail {

// A result moves in two steps: a compact copy above the top, then all copies at once down to the mark; pointers into
// the copies shift along. `copied` makes the copy of what lies above the mark, `shifted` moves its pointers.

template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
T copied(T x, const char*) { return x; }
template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
T shifted(T x, const char*, int64_t) { return x; }

inline bool above(const void* end, const char* mark, const char* top) { return end > mark && end <= top; }
template <class T>
T* shift(T* data, const char* from, int64_t distance) {
  auto* place = const_cast<char*>(reinterpret_cast<const char*>(data));
  return place >= from ? reinterpret_cast<T*>(place - distance) : data;
}

template <class T, int Rank>
Tensor<T, Rank> copied(Tensor<T, Rank> x, const char* mark) {
  const int64_t size = x.size();
  if (size == 0 || !above(x.data + size, mark, arena().top())) return x;
  return {copy_to_arena(x.data, size, size), x.shape};
}
template <class T, int Rank>
Tensor<T, Rank> shifted(Tensor<T, Rank> x, const char* from, int64_t distance) { return {shift(x.data, from, distance), x.shape}; }

inline std::string_view copied(std::string_view x, const char* mark) {
  return x.empty() || !above(x.data() + x.size(), mark, arena().top()) ? x : arena_string(x);
}
inline std::string_view shifted(std::string_view x, const char* from, int64_t distance) { return {shift(x.data(), from, distance), x.size()}; }

template <class T>
List<T> copied(List<T> x, const char* mark) {
  if (x.size == 0 || !above(x.data + x.size, mark, arena().top())) return x;
  T* elements = with_room(x.data, x.size, x.size);
  for (int64_t i = 0; i < x.size; ++i) elements[i] = copied(elements[i], mark);
  return {elements, x.size};
}
template <class T>
List<T> shifted(List<T> x, const char* from, int64_t distance) {
  if (reinterpret_cast<const char*>(x.data) >= from)
    for (int64_t i = 0; i < x.size; ++i) const_cast<T*>(x.data)[i] = shifted(x.data[i], from, distance);
  return {shift(x.data, from, distance), x.size};
}

}  // namespace detail

/// Resets the arena to `mark` and returns the results, moved down where they lay above it: tensors, lists, strings and
/// scalars; several as a tuple. What lay below stays where it is.
template <class... Results>
auto keep(Mark mark, const Results&... results) {
  char* from = Arena::align(arena().top());
  std::tuple<Results...> copies{detail::copied(results, mark.top)...};
  const int64_t bytes = std::max<int64_t>(0, arena().top() - from);
  arena().reset(mark);
  char* to = bytes > 0 ? static_cast<char*>(arena().allocate(bytes)) : from;
  const std::tuple<Results...> moved = std::apply(
      [&](const auto&... copy) { return std::tuple<Results...>{detail::shifted(copy, from, from - to)...}; }, copies);
  if (bytes > 0) std::memmove(to, from, static_cast<size_t>(bytes));
  if constexpr (sizeof...(Results) == 1) return std::get<0>(moved);
  else return moved;
}

}  // namespace lantern
