// How threads take waves of turns, and add up what those leave.
#pragma once

#include "lantern/wave_queue.h"

namespace lantern::detail {

LANTERN_INLINE WaveQueue::WaveQueue(GradientParts& parts) : parts_(parts) {}

LANTERN_INLINE void WaveQueue::begin(int64_t turns, int threads) {
  taken_.clear();
  free_parts_.clear();
  for (int i = std::min(most_parts, 3 * threads); i > 0; --i) free_parts_.push_back(i);
  turns_ = left_ = turns;
  threads_ = threads;
  added_ = 0;
  adding_ = failed_ = false;
}

LANTERN_INLINE bool WaveQueue::next(Wave& wave) {
  std::unique_lock<std::mutex> lock(mutex_);
  const auto number = [&] { return static_cast<int64_t>(taken_.size()); };
  const auto before = [&] { return taken_[static_cast<size_t>(number() - lag())]; };
  changed_.wait(lock, [&] { return failed_ || left_ == 0 || (!free_parts_.empty() && (number() < lag() || before().is_complete)); });
  if (failed_ || left_ == 0) return false;
  const int64_t fitting = number() < lag() ? first_wave : next_wave(before().turns, before().bytes);
  // Short waves at the end: threads come to it together.
  const int64_t turns = std::min(left_, std::min(fitting, std::max(least_wave, left_ / (2 * threads_))));
  wave = {number(), turns_ - left_, turns_ - left_ + turns, free_parts_.back()};
  free_parts_.pop_back();
  taken_.push_back({turns, 0, wave.part, false});
  left_ -= turns;
  return true;
}

LANTERN_INLINE void WaveQueue::complete(const Wave& wave, int64_t bytes) {
  std::unique_lock<std::mutex> lock(mutex_);
  Taken& own = taken_[static_cast<size_t>(wave.number)];
  own.bytes = bytes;
  own.is_complete = true;
  if (!adding_) {
    adding_ = true;
    for (; !failed_ && added_ < static_cast<int64_t>(taken_.size()) && taken_[static_cast<size_t>(added_)].is_complete; ++added_) {
      const int part = taken_[static_cast<size_t>(added_)].part;
      lock.unlock();
      parts_.add(part, false);
      lock.lock();
      free_parts_.push_back(part);
    }
    adding_ = false;
  }
  changed_.notify_all();
}

LANTERN_INLINE bool WaveQueue::wait_for_those_before(const Wave& wave) {
  std::unique_lock<std::mutex> lock(mutex_);
  changed_.wait(lock, [&] { return failed_ || added_ == wave.number; });
  return !failed_;
}

LANTERN_INLINE void WaveQueue::fail() {
  const std::lock_guard<std::mutex> lock(mutex_);
  failed_ = true;
  changed_.notify_all();
}

}  // namespace lantern::detail
