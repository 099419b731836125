// How a thread waits for its crew, and the crew for it.
#pragma once

#include "lantern/crew.h"

namespace lantern {

namespace detail {

LANTERN_INLINE void Crew::start(int workers, void (*job)(void*, int), void* with) {
  const std::lock_guard<std::mutex> lock(mutex_);
  job_ = job;
  with_ = with;
  workers_ = workers;
  arrived_ = done_ = 0;
  failed_ = false;
  failed_first_ = 0;
  decision_ = Decision::open;
  ++number_;
  for (int w = static_cast<int>(threads_.size()) + 1; w <= workers; ++w) {
    parts_.push_back(std::make_unique<std::vector<WorkersPart>>());
    threads_.emplace_back([this, w, parts = parts_.back().get()] { work(w, *parts); });
  }
  changed_.notify_all();
}

LANTERN_INLINE bool Crew::arrive(bool succeeded) {
  std::unique_lock<std::mutex> lock(mutex_);
  ++arrived_;
  failed_ = failed_ || !succeeded;
  changed_.notify_all();
  if (!succeeded) return false;
  changed_.wait(lock, [&] { return decision_ != Decision::open; });
  return decision_ == Decision::back;
}

LANTERN_INLINE bool Crew::wait_for_arrivals() {
  std::unique_lock<std::mutex> lock(mutex_);
  changed_.wait(lock, [&] { return arrived_ == workers_; });
  return !failed_;
}

LANTERN_INLINE void Crew::finish() {
  wait_until_done();
  const int workers = std::exchange(workers_, 0);
  for (int w = 1; w <= workers; ++w) {
    for (const WorkersPart& part : *parts_[static_cast<size_t>(w - 1)]) part.add(part.gradient, w);
  }
  if (failed_) deliver(error_);
}

LANTERN_INLINE void Crew::cancel() {
  if (!is_out()) return;
  decide(Decision::forget);
  wait_until_done();
  workers_ = 0;
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
  changed_.wait(lock, [&] { return done_ == workers_; });
}

LANTERN_INLINE void Crew::work(int number, std::vector<WorkersPart>& parts) {
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
    } catch (...) {  // in the reverse sweep, or of turns made one by one
      failed = true;
    }
    lock.lock();
    if (failed && thread_stack) {
      if (failed_first_ == 0 || number < failed_first_) {
        error_ = thread_stack->pending;
        failed_first_ = number;
      }
      failed_ = true;
    }
    ++done_;
    changed_.notify_all();
  }
}

LANTERN_INLINE Crew& thread_crew() {
  if (!crew) {
    own_crew = std::make_unique<Crew>();
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
