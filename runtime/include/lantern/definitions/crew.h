// How a thread waits for its crew, and the crew for it.
#pragma once

#include <unistd.h>

#include <chrono>

#include "lantern/crew.h"

namespace lantern {

namespace detail {

inline thread_local std::unique_ptr<Crew, EndOfCrew> own_crew;

// It is mostly soon, and to be woken takes a thread long: it sleeps when it has asked for a while, and let others go first each time.
template <class Reached>
void Crew::wait(std::unique_lock<std::mutex>& lock, const Reached& reached) {
  if (reached()) return;
  lock.unlock();
  const auto end = std::chrono::steady_clock::now() + std::chrono::microseconds(200);
  while (!reached() && std::chrono::steady_clock::now() < end) std::this_thread::yield();
  lock.lock();
  changed_.wait(lock, reached);
}

/// What keeps a thread from its turns that is no error of the program's: that there is no room for its stack, or for what it notes.
LANTERN_INLINE PendingError without_memory() {
  PendingError error{};
  error.row = &errors::out_of_memory;
  std::snprintf(error.kind, sizeof error.kind, "%s", error.row->kind);
  std::snprintf(error.message, sizeof error.message, "no memory is left for the turns of a thread (LANTERN_THREADS)");
  return error;
}

LANTERN_INLINE Crew::Crew() : process_(getpid()), waves_(parts_) {}

LANTERN_INLINE bool Crew::is_of_this_process() const { return process_ == getpid(); }

LANTERN_INLINE void EndOfCrew::operator()(Crew* ended) const {
  if (ended->is_of_this_process()) delete ended;
}

LANTERN_INLINE bool Crew::hire(int workers) {
  try {
    while (static_cast<int>(threads_.size()) < workers) threads_.emplace_back([this, w = static_cast<int>(threads_.size()) + 1] { work(w); });
  } catch (const std::exception&) {
    return false;
  }
  return true;
}

LANTERN_INLINE void Crew::start(int workers, void (*job)(void*, int), void* with) {
  // Before any of them has a job: nobody waits for a thread that could not be made.
  if (!hire(workers)) fail(errors::out_of_memory, "", "a thread cannot be made: memory, or what the system allows, is used up (LANTERN_THREADS)");
  const std::lock_guard<std::mutex> lock(mutex_);
  parts_.forget();
  job_ = job;
  with_ = with;
  workers_ = workers;
  arrived_ = done_ = 0;
  failed_ = false;
  failed_first_ = 0;
  decision_ = Decision::open;
  ++number_;
  changed_.notify_all();
}

LANTERN_INLINE bool Crew::arrive(bool succeeded) {
  std::unique_lock<std::mutex> lock(mutex_);
  ++arrived_;
  failed_ = failed_ || !succeeded;
  changed_.notify_all();
  if (!succeeded) return false;
  wait(lock, [&] { return decision_ != Decision::open; });
  return decision_ == Decision::back;
}

LANTERN_INLINE bool Crew::wait_for_arrivals() {
  std::unique_lock<std::mutex> lock(mutex_);
  wait(lock, [&] { return arrived_ == workers_; });
  return !failed_;
}

LANTERN_INLINE void Crew::finish() {
  wait_until_done();
  const int workers = workers_.exchange(0);
  for (int w = 1; w <= workers; ++w) parts_.add(w, true);
  if (failed_) deliver(error_);
}

LANTERN_INLINE void Crew::cancel() {
  if (!is_out()) return;
  decide(Decision::forget);
  waves_.fail();
  wait_until_done();
  workers_ = 0;
}

LANTERN_INLINE void Crew::put_off(void* gradient, void (*make_own)(void* gradient)) { put_off_.push_back({gradient, make_own}); }

LANTERN_INLINE void Crew::settle() {
  for (const auto& [gradient, make_own] : std::exchange(put_off_, {})) make_own(gradient);
}

LANTERN_INLINE void Crew::end_run() {
  cancel();
  put_off_.clear();
  parts_.use(0);
}

LANTERN_INLINE Crew::~Crew() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    leaving_ = true;
    changed_.notify_all();
  }
  for (auto& thread : threads_) thread.join();
}

LANTERN_INLINE void Crew::decide(Decision decision) {
  const std::lock_guard<std::mutex> lock(mutex_);
  decision_ = decision;
  changed_.notify_all();
}

LANTERN_INLINE void Crew::wait_until_done() {
  std::unique_lock<std::mutex> lock(mutex_);
  wait(lock, [&] { return done_ == workers_; });
}

LANTERN_INLINE void Crew::work(int number) {
  this_worker = number;
  int64_t seen = 0;
  std::unique_lock<std::mutex> lock(mutex_);
  while (true) {
    wait(lock, [&] { return leaving_ || number_ != seen; });
    if (leaving_) return;
    seen = number_;
    if (number > workers_) continue;
    lock.unlock();
    parts_.use(number);
    bool failed = false;
    try {
      job_(with_, number);
    } catch (...) {  // in the reverse sweep, or of turns made one by one
      failed = true;
      waves_.fail();
    }
    arena().clear();  // what the turns have left is nobody's
    lock.lock();
    if (failed) {
      if (failed_first_ == 0 || number < failed_first_) {
        if (thread_stack && thread_stack->failed) error_ = thread_stack->pending;
        else error_ = without_memory();
        failed_first_ = number;
      }
      failed_ = true;
    }
    ++done_;
    changed_.notify_all();
  }
}

LANTERN_INLINE Crew& thread_crew() {
  if (!crew || !crew->is_of_this_process()) {
    own_crew.reset(new Crew);
    crew = own_crew.get();
  }
  return *crew;
}

}  // namespace detail

LANTERN_INLINE int threads() {
  if (detail::thread_count == 0) {
    const char* text = std::getenv("LANTERN_THREADS");
    const int asked = text ? std::atoi(text) : 1;
    detail::thread_count = std::clamp(asked, 1, detail::most_threads);
  }
  return detail::thread_count;
}

LANTERN_INLINE void set_threads(int count) { detail::thread_count = std::clamp(count, 1, detail::most_threads); }

}  // namespace lantern
