// Threads that share the turns of an `each` (batch.h): the first turns are the calling thread's, the next the first worker's, and so
// on, whatever the timing. A worker has a stack, an arena and fibers of its own, and of each gradient a part, which is added in the
// workers' order: the same number of threads gives the same bits.
#pragma once

#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "lantern/stack.h"

namespace lantern {

namespace detail {

inline constexpr int most_threads = 32;
inline std::atomic<int> thread_count{0};  // 0: not asked for yet

/// Which of the threads that share a program's turns this one is; 0: the one that the program was called on.
inline thread_local int worker = 0;

/// What a worker has added to gradients since its turns began: how to finish its part there, and to add that to the whole.
struct WorkersPart {
  void* gradient;
  void (*finish)(void* gradient, int worker);
  void (*add)(void* gradient, int worker);
};
inline thread_local std::vector<WorkersPart>* workers_parts = nullptr;

class Crew {
 public:
  /// Begins `job(with, worker)` on workers 1 to `workers`.
  void start(int workers, void (*job)(void*, int), void* with) {
    const std::lock_guard<std::mutex> lock(mutex_);
    job_ = job;
    with_ = with;
    workers_ = workers;
    arrived_ = done_ = 0;
    failed_ = false;
    decision_ = Decision::open;
    ++number_;
    for (int w = static_cast<int>(threads_.size()) + 1; w <= workers; ++w) {
      parts_.push_back(std::make_unique<std::vector<WorkersPart>>());
      threads_.emplace_back([this, w, parts = parts_.back().get()] { work(w, *parts); });
    }
    changed_.notify_all();
  }
  bool is_out() const { return workers_ > 0; }

  /// A worker's turns have come as far as they can alone. Whether they may go back now; if not, they are forgotten.
  bool arrive(bool succeeded) {
    std::unique_lock<std::mutex> lock(mutex_);
    ++arrived_;
    failed_ = failed_ || !succeeded;
    changed_.notify_all();
    if (!succeeded) return false;
    changed_.wait(lock, [&] { return decision_ != Decision::open; });
    return decision_ == Decision::back;
  }
  /// Until all workers have arrived. Whether none has failed.
  bool wait_for_arrivals() {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [&] { return arrived_ == workers_; });
    return !failed_;
  }
  /// Lets the workers' turns go back.
  void go_back() { decide(Decision::back); }
  /// Until they have; then what they added to gradients is in the whole. Fails with what one of them failed with.
  void finish() {
    wait_until_done();
    const int workers = std::exchange(workers_, 0);
    for (int w = 1; w <= workers; ++w) {
      for (const WorkersPart& part : *parts_[static_cast<size_t>(w - 1)]) part.add(part.gradient, w);
    }
    if (failed_) deliver(error_);
  }
  /// Forgets the workers' turns.
  void cancel() {
    if (!is_out()) return;
    decide(Decision::forget);
    wait_until_done();
    workers_ = 0;
  }

  ~Crew() {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      leaving_ = true;
      changed_.notify_all();
    }
    for (auto& thread : threads_) thread.join();
  }

 private:
  enum class Decision { open, back, forget };

  void decide(Decision decision) {
    const std::lock_guard<std::mutex> lock(mutex_);
    decision_ = decision;
    changed_.notify_all();
  }
  void wait_until_done() {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [&] { return done_ == workers_; });
  }

  void work(int number, std::vector<WorkersPart>& parts) {
    worker = number;
    workers_parts = &parts;
    int64_t seen = 0;
    std::unique_lock<std::mutex> lock(mutex_);
    while (true) {
      changed_.wait(lock, [&] { return leaving_ || number_ != seen; });
      if (leaving_) return;
      seen = number_;
      if (number > workers_) continue;
      lock.unlock();
      parts.clear();
      bool failed = false;
      try {
        job_(with_, number);
        for (const WorkersPart& part : parts) part.finish(part.gradient, number);
      } catch (...) {  // in the reverse sweep: before, errors are met again in turn
        failed = true;
      }
      lock.lock();
      if (failed && thread_stack) {
        error_ = thread_stack->pending;
        failed_ = true;
      }
      ++done_;
      changed_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::thread> threads_;
  std::vector<std::unique_ptr<std::vector<WorkersPart>>> parts_;
  void (*job_)(void*, int) = nullptr;
  void* with_ = nullptr;
  int workers_ = 0, arrived_ = 0, done_ = 0;
  int64_t number_ = 0;
  bool failed_ = false, leaving_ = false;
  Decision decision_ = Decision::open;
  PendingError error_;
};

inline thread_local Crew* crew = nullptr;

inline Crew& thread_crew() {
  static thread_local std::unique_ptr<Crew> owner;
  if (!owner) {
    owner = std::make_unique<Crew>();
    crew = owner.get();
  }
  return *owner;
}

}  // namespace detail

/// Threads that share a minibatch: LANTERN_THREADS, by default 1.
inline int threads() {
  if (detail::thread_count == 0) {
    const char* text = std::getenv("LANTERN_THREADS");
    const int asked = text ? std::atoi(text) : 1;
    detail::thread_count = std::clamp(asked, 1, detail::most_threads);
  }
  return detail::thread_count;
}
inline void set_threads(int count) { detail::thread_count = std::clamp(count, 1, detail::most_threads); }

}  // namespace lantern
