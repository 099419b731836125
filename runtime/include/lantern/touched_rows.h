// The rows of a table that a gradient has something in, side by side: a step reads few of a large vocabulary's, and those it reads stay in cache.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "lantern/array.h"

namespace lantern::detail {

template <class T>
class TouchedRows {
 public:
  bool empty() const { return rows_.empty(); }
  int64_t count() const { return static_cast<int64_t>(rows_.size()); }

  /// Row `row`, of `size` elements, of a table with `rows` rows: zeros, where it is touched for the first time. Rows do not move until all are forgotten.
  T* at(int64_t row, int64_t rows, int64_t size) {
    if (place_.empty()) place_.resize(static_cast<size_t>(rows), nowhere);
    int32_t& place = place_[static_cast<size_t>(row)];
    if (place == nowhere) place = add(row, size);
    return data(place);
  }
  /// use(row, elements) for each, in the order in which they were touched.
  template <class Use>
  void for_each(Use&& use) const {
    for (int64_t i = 0; i < count(); ++i) use(rows_[static_cast<size_t>(i)], data(i));
  }
  /// Keeps the memory.
  void clear() {
    for (const int64_t row : rows_) place_[static_cast<size_t>(row)] = nowhere;
    rows_.clear();
  }

 private:
  static constexpr int32_t nowhere = -1;

  T* data(int64_t place) const { return blocks_[static_cast<size_t>(place / in_block_)].data() + place % in_block_ * size_; }
  int32_t add(int64_t row, int64_t size) {
    if (blocks_.empty()) {
      size_ = size;
      in_block_ = std::max<int64_t>(16, 4096 / std::max<int64_t>(1, size * static_cast<int64_t>(sizeof(T))));
    }
    const int64_t place = count();
    if (place / in_block_ == static_cast<int64_t>(blocks_.size())) {
      Buffer<T> block(in_block_ * size_, Filled::anything);  // which may fail
      blocks_.push_back(std::move(block));
    }
    rows_.push_back(row);
    std::fill_n(data(place), size_, T(0));
    return static_cast<int32_t>(place);
  }

  std::vector<int64_t> rows_;
  std::vector<int32_t> place_;     // of each row of the table
  std::vector<Buffer<T>> blocks_;  // of in_block_ rows each
  int64_t size_ = 0, in_block_ = 1;
};

}  // namespace lantern::detail
