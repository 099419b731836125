// What a gradient is to be the sum of: pairs of vectors, copied until their outer products are made, all at once. Among calls side by side the copies lie
// in chunks (chunks.h), of which a reverse sweep gives back more than it records: they take no memory of their own.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <type_traits>
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

/// Σ left[r] ⊗ right[r], of so many columns; right: packed (products/stepped_products.h).
template <class T>
struct SumOfProducts {
  RowsOf<T> left;
  const T* right;
  int64_t columns, records;
};

template <class T>
class Records {
 public:
  int64_t count() const { return static_cast<int64_t>(left_.size()); }
  /// The vectors of all pairs so far.
  RowsOf<T> left() const { return {nullptr, 0, left_.data()}; }
  RowsOf<T> right() const { return {nullptr, 0, right_.data()}; }

  /// One more, of m and n elements; false: it has been added to one with the same right vector. `most`: how many of
  /// that size there may be.
  bool add(const T* left, int64_t m, const T* right, int64_t n, int64_t most) {
    int32_t& place = places_[sample(right, n)];
    if (multiplies_once && n > 0 && place < count() && std::memcmp(right_[static_cast<size_t>(place)], right, static_cast<size_t>(n) * sizeof(T)) == 0) {
      T* const sum = left_[static_cast<size_t>(place)];
      for (int64_t i = 0; i < m; ++i) sum[i] += left[i];
      return false;
    }
    T* const of_left = copy(left, m, most * (m + n));
    T* const of_right = copy(right, n, most * (m + n));
    place = static_cast<int32_t>(count());
    left_.push_back(of_left);
    right_.push_back(of_right);
    return true;
  }
  void clear() {
    left_.clear();
    right_.clear();
    lent_.clear();
    room_ = end_ = nullptr;
  }

 private:
  /// Where a record with this right vector may stand, by some of its elements.
  static size_t sample(const T* right, int64_t n) {
    std::uint64_t sum = 0;
    for (int64_t i = 0, step = std::max<int64_t>(1, n / 8); i < n; i += step) {
      std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t> bits;
      std::memcpy(&bits, right + i, sizeof(T));
      sum = (sum ^ bits) * 0x9E3779B97F4A7C15u;
    }
    return sum >> (64 - log_places);
  }

  T* copy(const T* elements, int64_t count, int64_t most) {
    if (end_ - room_ < count) make_room(count, most);
    T* const place = room_;
    room_ = std::copy_n(elements, count, place);
    return place;
  }
  [[gnu::noinline]] void make_room(int64_t count, int64_t most) {
    if (fibers && fibers->active() && (lent_.empty() || lent_.back().get_deleter().lender == fibers->chunks())) {
      const auto& lender = fibers->chunks();
      std::unique_ptr<Chunk, TakeBack> chunk(lender->lend(count * static_cast<int64_t>(sizeof(T))), {lender});
      room_ = reinterpret_cast<T*>(Arena::align(chunk->begin()));
      end_ = reinterpret_cast<T*>(chunk->end);
      lent_.push_back(std::move(chunk));
    } else {  // at most once: it holds all that may still come
      if (own_.count() < most) {
        own_ = {};
        own_ = Buffer<T>(most, Filled::anything);  // pages that none has come to take no memory
      }
      room_ = own_.data();
      end_ = room_ + own_.count();
    }
  }

  struct TakeBack {
    std::shared_ptr<Chunks> lender;
    void operator()(Chunk* chunk) const { lender->take_back(chunk); }
  };

  static constexpr int log_places = 9;

  std::vector<T*> left_, right_;
  int32_t places_[size_t{1} << log_places] = {};  // of the record that was made last, of those that may stand there
  std::vector<std::unique_ptr<Chunk, TakeBack>> lent_;
  Buffer<T> own_;
  T *room_ = nullptr, *end_ = nullptr;  // of the last of them
};

}  // namespace lantern::detail
