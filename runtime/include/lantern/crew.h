// Threads that share turns. Those of an `each` (batch.h): the first turns are the calling thread's, the next the first worker's, and so on, whatever
// the timing. Those of an `each_term` (batch_terms.h): whoever is free takes the next (wave_queue.h). A worker has a stack, an arena and fibers of
// its own, and adds to parts of gradients, which are added to the whole in one order: the same number of threads gives the same bits.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "lantern/definitions.h"
#include "lantern/gradient_parts.h"
#include "lantern/stack.h"
#include "lantern/wave_queue.h"

namespace lantern {

namespace detail {

inline std::atomic<int> thread_count{0};  // 0: not asked for yet

/// Which of the threads that share a program's turns this one is; 0: the one that the program was called on.
inline thread_local int this_worker = 0;

class Crew {
 public:
  Crew();
  Crew(const Crew&) = delete;
  /// Workers 1 to `workers` are there. False: a thread cannot be made.
  bool hire(int workers);
  /// Begins `job(with, worker)` on workers 1 to `workers`. Fails with OutOfMemory where a thread cannot be made.
  void start(int workers, void (*job)(void*, int), void* with);
  bool is_out() const { return workers_ > 0; }
  /// Not that of one which it was forked from: such a crew has no threads, and cannot be waited for.
  bool is_of_this_process() const;

  /// A worker's turns have come as far as they can alone. Whether they may go back now; if not, they are forgotten.
  bool arrive(bool succeeded);
  /// Until all workers have arrived. Whether none has failed.
  bool wait_for_arrivals();
  /// Lets the workers' turns go back.
  void go_back() { decide(Decision::back); }
  /// Until they have; then what they added to gradients is in the whole. Fails with what the first of them, in their order, failed with.
  void finish();
  /// Forgets the workers' turns.
  void cancel();

  /// Of the turns that the thread that has this crew shares with it.
  WaveQueue& waves() { return waves_; }
  GradientParts& parts() { return parts_; }

  /// Until the next turns are shared or the run ends, a gradient leaves records where its workers made them; `make_own` makes them its own.
  void put_off(void* gradient, void (*make_own)(void* gradient));
  void settle();
  void end_run();

  ~Crew();

 private:
  enum class Decision { open, back, forget };

  void decide(Decision decision);
  void wait_until_done();
  /// Until `reached()`, which reads atomics.
  template <class Reached>
  void wait(std::unique_lock<std::mutex>& lock, const Reached& reached);

  void work(int number);

  const pid_t process_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::thread> threads_;
  GradientParts parts_;
  WaveQueue waves_;
  std::vector<std::pair<void*, void (*)(void*)>> put_off_;
  void (*job_)(void*, int) = nullptr;
  void* with_ = nullptr;
  int failed_first_ = 0;
  std::atomic<int> workers_{0}, arrived_{0}, done_{0};
  std::atomic<int64_t> number_{0};
  std::atomic<bool> leaving_{false};
  std::atomic<Decision> decision_{Decision::open};
  bool failed_ = false;
  PendingError error_;
};

/// Another process's stays as it is.
struct EndOfCrew {
  void operator()(Crew* ended) const;
};

inline thread_local Crew* crew = nullptr;
Crew& thread_crew();

}  // namespace detail

/// Threads that share a minibatch: LANTERN_THREADS, by default 1.
int threads();
void set_threads(int count);

}  // namespace lantern

#include LANTERN_DEFINITIONS("lantern/definitions/crew.h")
