// What a gradient is to be the sum of: pairs of vectors, copied until their outer products are made, all at once. Among calls side by side the copies lie
// in chunks (chunks.h), of which a reverse sweep gives back more than it records: they take no memory of their own.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "lantern/array.h"
#include "lantern/fibers.h"

namespace lantern::detail {

/// Rows of a matrix, in memory `step` apart, or each where it is.
template <class T>
struct RowsOf {
  const T* first;
  int64_t step;
  const T* const* each = nullptr;
  const T* operator[](int64_t row) const { return each ? each[row] : first + row * step; }
};

template <class T>
class Records {
 public:
  Records() = default;
  Records(Records&&) noexcept = default;
  Records& operator=(Records&&) noexcept = default;
  ~Records() { clear(); }

  int64_t count() const { return static_cast<int64_t>(left_.size()); }
  /// The vectors of all pairs so far.
  RowsOf<T> left() const { return {nullptr, 0, left_.data()}; }
  RowsOf<T> right() const { return {nullptr, 0, right_.data()}; }

  /// One more, of m and n elements. `most`: how many of that size there may be.
  void add(const T* left, int64_t m, const T* right, int64_t n, int64_t most) {
    const T* const of_left = copy(left, m, most * (m + n));
    const T* const of_right = copy(right, n, most * (m + n));
    left_.push_back(of_left);
    right_.push_back(of_right);
  }
  void clear() {
    for (Chunk* const chunk : chunks_) lender_->take_back(chunk);
    chunks_.clear();
    left_.clear();
    right_.clear();
    room_ = end_ = nullptr;
    own_used_ = 0;
    in_own_ = false;
  }

 private:
  const T* copy(const T* elements, int64_t count, int64_t most) {
    if (end_ - room_ < count) make_room(count, most);
    T* const place = room_;
    room_ = std::copy_n(elements, count, place);
    return place;
  }
  [[gnu::noinline]] void make_room(int64_t count, int64_t most) {
    if (fibers && fibers->active() && (chunks_.empty() || lender_ == fibers->chunks())) {
      if (in_own_) own_used_ = room_ - own_.data();
      in_own_ = false;
      lender_ = fibers->chunks();
      const Chunk* const chunk = chunks_.emplace_back(lender_->lend(count * static_cast<int64_t>(sizeof(T))));
      room_ = reinterpret_cast<T*>(Arena::align(chunk->begin()));
      end_ = reinterpret_cast<T*>(chunk->end);
    } else {
      if (own_used_ == 0 && own_.count() < most) {
        own_ = {};
        own_ = Buffer<T>(most, Filled::anything);  // pages that none has come to take no memory
      }
      in_own_ = true;
      room_ = own_.data() + own_used_;
      end_ = own_.data() + own_.count();
    }
  }

  std::vector<const T*> left_, right_;
  T *room_ = nullptr, *end_ = nullptr;
  std::vector<Chunk*> chunks_;
  std::shared_ptr<Chunks> lender_;
  Buffer<T> own_;
  int64_t own_used_ = 0;  // before the last chunk
  bool in_own_ = false;   // the room is there
};

}  // namespace lantern::detail
