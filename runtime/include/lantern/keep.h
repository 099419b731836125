// Ending a scratch region: `reset` to a mark, but first move results that lie above it down to it.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <tuple>

#include "lantern/copies.h"
#include "lantern/definitions.h"

namespace lantern {

namespace detail {

// A result moves in two steps: what of it lies above the mark is copied to the arena aside, and then all copies at once to the mark;
// `shifted` moves the pointers into them along.

template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
T shifted(T x, int64_t) { return x; }

template <class T>
T* shift(T* data, int64_t distance) {
  auto* place = const_cast<char*>(reinterpret_cast<const char*>(data));
  return arena_aside.holds(place) ? reinterpret_cast<T*>(place + distance) : data;
}

template <class T, int Rank>
Tensor<T, Rank> shifted(Tensor<T, Rank> x, int64_t distance) { return {shift(x.data, distance), x.shape}; }

inline std::string_view shifted(std::string_view x, int64_t distance) { return {shift(x.data(), distance), x.size()}; }

template <class T>
List<T> shifted(List<T> x, int64_t distance) {
  if (x.size > 0 && arena_aside.holds(x.data))
    for (int64_t i = 0; i < x.size; ++i) const_cast<T*>(x.data)[i] = shifted(x.data[i], distance);
  return {shift(x.data, distance), x.size};
}

template <class T>
inline constexpr bool is_flat_result = std::is_arithmetic_v<T>;
template <class T, int Rank>
inline constexpr bool is_flat_result<Tensor<T, Rank>> = true;

/// Elements above the mark, and the pointer to them.
struct Block {
  char* begin;
  int64_t bytes;
  const void** owner;
};
template <class T>
Block block_of(T&) { return {nullptr, 0, nullptr}; }
template <class T, int Rank>
Block block_of(Tensor<T, Rank>& x) {
  return {reinterpret_cast<char*>(const_cast<std::remove_const_t<T>*>(x.data)), x.size() * static_cast<int64_t>(sizeof(T)), const_cast<const void**>(reinterpret_cast<void**>(&x.data))};
}

/// Moves blocks down to the mark, the lowest first, and resets the arena to behind them. Where one would go over another, as where they
/// share elements, nothing moves. Whether it has.
bool move_down(Mark mark, Block* begin, Block* end);

}  // namespace detail

/// Resets the arena to `mark` and returns the results, moved down where they lay above it: tensors, lists, strings and
/// scalars; several as a tuple. What lay below stays where it is.
template <class... Results>
auto keep(Mark mark, const Results&... results) {
  if constexpr ((detail::is_flat_result<Results> && ...)) {
    std::tuple<Results...> kept{results...};
    std::array<detail::Block, sizeof...(Results)> blocks = std::apply([](auto&... result) { return std::array<detail::Block, sizeof...(Results)>{detail::block_of(result)...}; }, kept);
    const bool moved = detail::move_down(mark, blocks.data(), blocks.data() + blocks.size());
    if constexpr (sizeof...(Results) == 1) {
      if (moved) return std::get<0>(kept);
    } else {
      if (moved) return kept;
    }
  }
  Arena& aside = detail::arena_aside;
  const std::tuple<Results...> copies = Copies(arena(), mark, aside).of(std::tuple<Results...>{results...});
  arena().reset(mark);
  const int64_t bytes = aside.bytes();
  char* const to = bytes > 0 ? static_cast<char*>(arena().allocate(bytes)) : nullptr;
  const std::tuple<Results...> moved = std::apply(
      [&](const auto&... copy) { return std::tuple<Results...>{detail::shifted(copy, to - aside.begin())...}; }, copies);
  detail::permit(aside.begin(), aside.top());  // with what lies between them
  if (bytes > 0) std::memcpy(to, aside.begin(), static_cast<size_t>(bytes));
  aside.reset({aside.begin()});
  aside.trim();
  if constexpr (sizeof...(Results) == 1) return std::get<0>(moved);
  else return moved;
}

}  // namespace lantern

#include LANTERN_DEFINITIONS("lantern/definitions/keep.h")
