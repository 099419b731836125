// Turns that threads share, some of them at a time: a wave, which the next thread that is free takes. Which turns a wave has does not depend on the
// timing, and what it adds to gradients goes to a part of them (gradient_parts.h): parts are added in the order of their waves.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <vector>

#include "lantern/definitions.h"
#include "lantern/gradient_parts.h"

namespace lantern::detail {

/// How many turns a wave has: enough to make products fast, few enough to stay in cache.
inline constexpr int64_t least_wave = 2, first_wave = 4, most_wave = 32, wave_bytes = int64_t{1} << 22;

/// What comes behind a wave of so many turns, which took so much memory (0: not known).
inline int64_t next_wave(int64_t turns, int64_t bytes) {
  const int64_t fitting = bytes == 0 ? most_wave : turns * wave_bytes / bytes;
  return std::clamp(fitting, least_wave, std::min(std::max(2 * turns, least_wave), most_wave));
}

class WaveQueue {
 public:
  struct Wave {
    int64_t number, begin, end;  // its turns
    int part;                    // what it adds to
  };

  explicit WaveQueue(GradientParts& parts);

  /// So many turns, none of which has begun.
  void begin(int64_t turns, int threads);
  /// The wave that this thread is to make. False: there is none, or one has failed.
  bool next(Wave& wave);
  /// It has been made, and took so much memory.
  void complete(const Wave& wave, int64_t bytes);
  /// Until all waves before it are complete, so that an error in this one is the program's first. False: one of them has failed.
  bool wait_for_those_before(const Wave& wave);
  /// A wave that a thread has taken will not be complete.
  void fail();

 private:
  /// As wide as the wave that came so many before deserves: that one is complete, mostly.
  int64_t lag() const { return 2 * threads_; }

  struct Taken {
    int64_t turns, bytes;
    int part;
    bool is_complete;
  };

  GradientParts& parts_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Taken> taken_;     // in their order
  std::vector<int> free_parts_;  // the one given back last is taken first: it is in cache
  int64_t left_ = 0, turns_ = 0, threads_ = 1, added_ = 0;
  bool adding_ = false, failed_ = false;
};

}  // namespace lantern::detail

#include LANTERN_DEFINITIONS("lantern/definitions/wave_queue.h")
