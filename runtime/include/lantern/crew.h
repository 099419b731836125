// Threads that share the turns of an `each` (batch.h, batch_terms.h): the first turns are the calling thread's, the next the first worker's, and so
// on, whatever the timing. A worker has a stack, an arena and fibers of its own, and of each gradient a part, which is added in the
// workers' order: the same number of threads gives the same bits.
#pragma once

#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "lantern/definitions.h"
#include "lantern/stack.h"

namespace lantern {

namespace detail {

inline constexpr int most_threads = 32;
inline std::atomic<int> thread_count{0};  // 0: not asked for yet

/// Which of the threads that share a program's turns this one is; 0: the one that the program was called on.
inline thread_local int worker = 0;

/// What a worker has added to a gradient since its turns began, and how to add that to the whole.
struct WorkersPart {
  void* gradient;
  void (*add)(void* gradient, int worker);
};
inline thread_local std::vector<WorkersPart>* workers_parts = nullptr;

class Crew {
 public:
  /// Begins `job(with, worker)` on workers 1 to `workers`.
  void start(int workers, void (*job)(void*, int), void* with);
  bool is_out() const { return workers_ > 0; }

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

  /// Until the next turns are shared or the run ends, a gradient leaves records where its workers made them; `settle` makes them its own.
  void put_off(void* gradient, void (*settle)(void* gradient)) { put_off_.push_back({gradient, settle}); }
  void settle() {
    for (const auto& [gradient, settle] : std::exchange(put_off_, {})) settle(gradient);
  }
  void end_run() {
    cancel();
    put_off_.clear();
  }

  ~Crew();

 private:
  enum class Decision { open, back, forget };

  void decide(Decision decision);
  void wait_until_done();

  void work(int number, std::vector<WorkersPart>& parts);

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::thread> threads_;
  std::vector<std::unique_ptr<std::vector<WorkersPart>>> parts_;
  std::vector<std::pair<void*, void (*)(void*)>> put_off_;
  void (*job_)(void*, int) = nullptr;
  void* with_ = nullptr;
  int workers_ = 0, arrived_ = 0, done_ = 0, failed_first_ = 0;
  int64_t number_ = 0;
  bool failed_ = false, leaving_ = false;
  Decision decision_ = Decision::open;
  PendingError error_;
};

inline thread_local Crew* crew = nullptr;
inline thread_local std::unique_ptr<Crew> own_crew;

Crew& thread_crew();

}  // namespace detail

/// Threads that share a minibatch: LANTERN_THREADS, by default 1.
int threads();
void set_threads(int count);

}  // namespace lantern

#include LANTERN_DEFINITIONS("lantern/definitions/crew.h")
