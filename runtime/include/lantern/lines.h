// Tensors whose lines are computed when a loop comes to them: of softmax and the like, whose elements are not each of their own.
#pragma once

#include <cstdint>
#include <new>

#include "lantern/expression.h"

namespace lantern {

/// A tensor whose lines, along the last axis, are computed one by one, when a loop comes to them: fill(outer, line) writes the line at `outer`, a position
/// whose last coordinate does not count. Of at least two axes.
template <class T, int Rank, class Fill>
struct Lines : Expression<Lines<T, Rank, Fill>> {
  static_assert(Rank >= 2, "a vector is one line");
  using value_type = T;
  static constexpr int rank = Rank;
  Lines(const Shape<Rank>& shape, const Fill& fill) : fill_(fill), shape_(shape), room_(new (arena().allocate(sizeof(Room))) Room{arena().allocate_array<T>(shape[Rank - 1])}) {}
  const Shape<Rank>& shape() const { return shape_; }
  template <size_t Result>
  bool is_flat(const std::array<int64_t, Result>&) const { return false; }
  detail::Contiguous<T> flat() const { return {nullptr}; }  // which nobody asks for
  detail::Contiguous<T> stretched(int64_t) const { return {nullptr}; }
  template <size_t Result>
  detail::Row<T> row(const std::array<int64_t, Result>& outer) const {
    static_assert(static_cast<size_t>(Rank) <= Result);
    Shape<Rank> own{};
    for (size_t i = 0; i + 1 < Rank; ++i) own[i] = shape_[i] == 1 ? 0 : outer[Result - Rank + i];
    if (!room_->is_filled || !detail::same_shape(room_->at, own)) fill_(own, room_->line);
    room_->is_filled = true;
    room_->at = own;
    return {room_->line, shape_[Rank - 1] == 1 ? 0 : 1};
  }
  /// All lines, where they belong.
  void store(T* target) const {
    Shape<Rank> outer{};
    const int64_t n = shape_[Rank - 1];
    int64_t lines = n == 0 ? 0 : 1;
    for (size_t i = 0; i + 1 < Rank; ++i) lines *= shape_[i];
    for (int64_t line = 0; line < lines; ++line, detail::next_line(outer, shape_)) fill_(outer, target + line * n);
  }

 private:
  /// The line that was computed last. Copies of this share it.
  struct Room {
    T* line;
    Shape<Rank> at = {};
    bool is_filled = false;
  };
  Fill fill_;
  Shape<Rank> shape_;
  Room* room_;
};

namespace detail {
template <class E>
inline constexpr bool are_lines = false;
template <class T, int Rank, class Fill>
inline constexpr bool are_lines<Lines<T, Rank, Fill>> = true;
}  // namespace detail

}  // namespace lantern
