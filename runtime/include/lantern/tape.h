// What the forward sweep of a recursion over numbers leaves for its reverse sweep, eight bytes a number. It lies in the arena, in blocks.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <tuple>
#include <type_traits>
#include <utility>

#include "lantern/arena.h"

namespace lantern {

/// Numbers that come off in groups, as they went on, the last group first.
class Tape {
 public:
  template <class... Numbers>
  void push(const Numbers&... numbers) {
    static_assert(((sizeof(Numbers) <= slot && std::is_arithmetic_v<Numbers>) && ...));
    constexpr int64_t bytes = slot * static_cast<int64_t>(sizeof...(Numbers));
    if (end_ - top_ < bytes) extend(bytes);
    char* place = top_;
    ((std::memcpy(place, &numbers, sizeof(Numbers)), place += slot), ...);
    top_ = place;
  }

  /// The last group that was pushed and has not come off, of these types. There must be one. A number alone is no tuple.
  template <class... Numbers>
  auto pop() {
    if (top_ == begin_) go_back();
    top_ -= slot * static_cast<int64_t>(sizeof...(Numbers));
    std::tuple<Numbers...> numbers;
    const char* place = top_;
    std::apply([&](auto&... each) { ((std::memcpy(&each, place, sizeof(each)), place += slot), ...); }, numbers);
    if constexpr (sizeof...(Numbers) == 1) return std::get<0>(numbers);
    else return numbers;
  }

 private:
  /// In front of a block's numbers: where the one before it stands.
  struct Block {
    char *begin, *top;
  };
  static constexpr int64_t slot = 8, smallest_block = int64_t{1} << 9, largest_block = int64_t{1} << 16;

  [[gnu::noinline]] void extend(int64_t bytes) {
    const int64_t size = std::max(bytes, std::clamp(2 * (end_ - begin_), smallest_block, largest_block));
    char* block = static_cast<char*>(arena().allocate(static_cast<int64_t>(sizeof(Block)) + size));
    const Block before{begin_, top_};
    std::memcpy(block, &before, sizeof(Block));
    begin_ = top_ = block + sizeof(Block);
    end_ = begin_ + size;
  }

  [[gnu::noinline]] void go_back() {
    Block before;
    std::memcpy(&before, begin_ - sizeof(Block), sizeof(Block));
    begin_ = before.begin;
    top_ = end_ = before.top;
  }

  char *begin_ = nullptr, *top_ = nullptr, *end_ = nullptr;
};

}  // namespace lantern
