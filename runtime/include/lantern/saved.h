// What the turns of a loop save for its reverse sweep. It lies in the arena, in blocks, and takes what the values take: a number
// its eight bytes, an array the place and shape of one that lies in the arena itself.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "lantern/tensor.h"

namespace lantern {

/// The shape of a tensor, whose elements may go: they are not looked at again.
template <class T, int Rank>
Tensor<T, Rank> outline(const Tensor<T, Rank>& tensor) { return {nullptr, tensor.shape}; }

/// Values that come out in the opposite order.
template <class T>
class Saved {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  void push(const T& value) {
    if (taken_ == capacity_) extend();
    block_->values()[taken_++] = value;
  }

  /// The last value that was pushed and has not come out. There must be one.
  T pop() {
    if (taken_ == 0) {
      block_ = block_->before;
      taken_ = capacity_ = block_->capacity;
    }
    return block_->values()[--taken_];
  }

 private:
  struct Block {
    Block* before;
    int64_t capacity;
    T* values() { return reinterpret_cast<T*>(this + 1); }
  };
  static_assert(alignof(T) <= alignof(Block));
  static constexpr int64_t largest_block = int64_t{1} << 16;  // bytes: what is left over at the end is little

  void extend() {
    const int64_t fit = std::max<int64_t>(1, (largest_block - static_cast<int64_t>(sizeof(Block))) / static_cast<int64_t>(sizeof(T)));
    const int64_t capacity = std::min<int64_t>(fit, std::max<int64_t>(6, 2 * capacity_));
    block_ = new (arena().allocate(static_cast<int64_t>(sizeof(Block)) + capacity * static_cast<int64_t>(sizeof(T)))) Block{block_, capacity};
    capacity_ = capacity;
    taken_ = 0;
  }

  Block* block_ = nullptr;
  int64_t taken_ = 0, capacity_ = 0;
};

}  // namespace lantern
