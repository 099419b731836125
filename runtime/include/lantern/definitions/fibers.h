// How fibers go on, wait and are forgotten.
#pragma once

#include "lantern/fibers.h"

namespace lantern::detail {

LANTERN_INLINE Fiber* Fibers::start(void (*run)(void*), void* work, bool stays) {
  Fiber* fiber = free_ ? free_ : added();
  free_ = fiber->next;
  char* const middle = reinterpret_cast<char*>(fiber);
#ifdef LANTERN_ASAN
  __asan_unpoison_memory_region(middle - stack_bytes, static_cast<size_t>(stack_bytes));  // frames that were abandoned
#endif
  prepare(fiber->context, middle - stack_bytes, middle, enter);
  fiber->memory.clear();
  fiber->run = run;
  fiber->work = work;
  fiber->begun = ++begun_;
  fiber->stays = stays;
  under_way_ += stays;
  wake(fiber);
  return fiber;
}

LANTERN_INLINE void Fibers::wait() {
  if (current_) return leave(*current_);
  awake_ = false;
  while (!awake_) {
    if (ready_) resume();
    else multiply_most();
  }
}

LANTERN_INLINE void* Fibers::scratch(int64_t bytes) {
  if (scratch_.count() < bytes) scratch_ = Buffer<char>(bytes + bytes / 2);
  return scratch_.data();
}

LANTERN_INLINE void Fibers::give_up() {
  PendingError error;
  error.row = &errors::host;
  take(error);
  std::abort();  // there was no attempt
}

LANTERN_INLINE void Fibers::take(const PendingError& error) {
  if (!active_) return;
  crowded_ = crowded_ || error.row == &errors::stack_exhausted || error.row == &errors::out_of_memory;
  failed_on_fiber_ = current_ != nullptr;
  if (current_) to_thread();
  if (open_) {
    failed_ = true;
#ifdef LANTERN_ASAN
    if (failed_on_fiber_) __sanitizer_start_switch_fiber(nullptr, thread_.bottom, thread_.size);
#endif
    setcontext(&open_->origin);
  }
  end_run();
}

LANTERN_INLINE void Fibers::end_run() {
  if (crew) crew->cancel();
  forget(0);
  shared_.clear();
  active_ = one_by_one = crowded_ = false;
  open_ = nullptr;
  under_way_ = 0;
  trim(kept_slots);
}

LANTERN_INLINE Fibers::~Fibers() {
  trim(0);
  if (region_.begin) munmap(region_.begin, static_cast<size_t>(region_.size));
}

LANTERN_INLINE bool Fibers::attempt(void (*work)(void*), void* with) {
  Attempt own;
  own.mark = arena().mark();
  own.begun = begun_;
  own.under_way = under_way_;
  own.was_active = std::exchange(active_, true);
  failed_ = false;
  open_ = &own;
  getcontext(&own.origin);  // an error comes back to here
  if (!failed_) work(with);
  if (failed_) {
#ifdef LANTERN_ASAN
    if (failed_on_fiber_) __sanitizer_finish_switch_fiber(nullptr, nullptr, nullptr);
    char* const abandoned = thread_stack->charged - stack_red_zone;
    __asan_unpoison_memory_region(abandoned, static_cast<size_t>(static_cast<char*>(__builtin_frame_address(0)) - abandoned));
#endif
    forget(own.begun);
    under_way_ = own.under_way;
    arena().reset(own.mark);
  }
  open_ = nullptr;
  active_ = own.was_active;
  return !std::exchange(failed_, false);
}

LANTERN_INLINE Fiber* Fibers::added() {
  if (!region_.begin) {
    region_ = reserve_region(reserved_bytes);
    if (region_.begin) madvise(region_.begin, static_cast<size_t>(region_.size), MADV_NOHUGEPAGE);
  }
  if ((slots_ + 1) * slot_bytes > region_.size) fail(errors::stack_exhausted, "", "there is no room for more calls side by side");
  charge_memory(stack_charge, "a stack");
  char* const middle = reinterpret_cast<char*>(slot(slots_));
#ifdef LANTERN_VALGRIND
  VALGRIND_STACK_REGISTER(middle - stack_bytes, middle);
#endif
  Fiber* const fiber = new (middle) Fiber;
  fiber->memory = Arena(middle + sizeof(Fiber), region_.begin + ++slots_ * slot_bytes);
  fiber->stack_limit = middle - stack_bytes + stack_red_zone;
  fiber->next = free_;
  return fiber;
}

LANTERN_INLINE void Fibers::leave(Fiber& fiber) {
  fiber.memory = arena();
  if (ready_) return go(fiber.context, *pop(ready_));
  to_thread();
  switch_to(fiber.context, thread_);
}

LANTERN_INLINE void Fibers::go(Context& from, Fiber& to) {
  current_ = &to;
  arena() = to.memory;
  stack_gauge.limit = to.stack_limit;
  side_by_side.on_fiber = true;
  switch_to(from, to.context);
}

LANTERN_INLINE void Fibers::to_thread() {
  current_ = nullptr;
  arena() = thread_memory_;
  stack_gauge.limit = thread_limit_;
  side_by_side.on_fiber = false;
}

LANTERN_INLINE void Fibers::resume() {
  thread_memory_ = arena();
  thread_limit_ = stack_gauge.limit;
  go(thread_, *pop(ready_));
  if (auto* errand = std::exchange(errand_, nullptr)) errand(errand_work_);
}

LANTERN_INLINE void Fibers::multiply_most() {
  const auto fewer = [](const SharedProduct& a, const SharedProduct& b) { return a.requests.size() < b.requests.size(); };
  const auto most = std::max_element(shared_.begin(), shared_.end(), fewer);
  if (most == shared_.end() || most->requests.empty()) std::abort();  // each waits for another
  multiplied_ = static_cast<int64_t>(most->requests.size());
  most->multiply(*most);
  for (auto request = most->requests.rbegin(); request != most->requests.rend(); ++request) wake(request->fiber);
  most->requests.clear();
}

LANTERN_INLINE void Fibers::forget(int64_t begun) {
  ready_ = nullptr;
  errand_ = nullptr;
  for (auto& shared : shared_) shared.requests.clear();
  for (int64_t i = slots_; i-- > 0;) {
    if (slot(i)->begun <= begun) continue;
    slot(i)->begun = 0;
    push(free_, slot(i));
  }
}

LANTERN_INLINE void Fibers::trim(int64_t kept) {
  if (slots_ <= kept) return;
  free_ = nullptr;
  for (int64_t i = slots_; i-- > kept;) {
    slot(i)->memory.release_charge();
    release_memory(stack_charge);
  }
  for (int64_t i = kept; i-- > 0;) push(free_, slot(i));
  discard_pages(region_.begin + kept * slot_bytes, region_.begin + slots_ * slot_bytes);
  slots_ = kept;
}

LANTERN_INLINE void Fibers::product(void* y, const void* matrix, int64_t rows, int64_t columns, bool transposed, const void* x, void (*multiply)(SharedProduct&)) {
  const auto is_same = [&](const SharedProduct& one) {
    return one.matrix == matrix && one.rows == rows && one.columns == columns && one.transposed == transposed && one.multiply == multiply;
  };
  auto shared = std::find_if(shared_.begin(), shared_.end(), is_same);
  if (shared == shared_.end()) shared = shared_.insert(shared_.end(), {matrix, rows, columns, transposed, multiply, {}});
  shared->requests.push_back({x, y, current_});
  wait();
}

LANTERN_INLINE void Fibers::run_errand(void (*errand)(void*), void* work) {
  errand_ = errand;
  errand_work_ = work;
  Fiber& fiber = *current_;
  push(ready_, &fiber);
  fiber.memory = arena();
  to_thread();
  switch_to(fiber.context, thread_);
}

LANTERN_INLINE Fibers& thread_fibers() {
  static thread_local std::unique_ptr<Fibers> owner;
  if (!owner) {
    owner = std::make_unique<Fibers>();
    fibers = owner.get();
    side_by_side.take = [](const PendingError& error) { fibers->take(error); };
    side_by_side.end_run = [] { fibers->end_run(); };
  }
  return *fibers;
}

LANTERN_INLINE void Fibers::enter() {
  Fibers& all = *fibers;
  Fiber& fiber = *all.current_;
  entered(fiber.context);
  try {
    fiber.run(fiber.work);
  } catch (...) {  // made in turn, the calls throw it where it can be caught
    PendingError error;
    error.row = &errors::host;
    all.take(error);
  }
  if (fiber.stays) --all.under_way_;
  else all.release(&fiber);
  all.leave(fiber);
  std::abort();  // nobody comes back
}

}  // namespace lantern::detail
