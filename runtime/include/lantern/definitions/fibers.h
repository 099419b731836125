// How fibers go on, wait and are forgotten.
#pragma once

#include "lantern/fibers.h"

namespace lantern::detail {

inline thread_local std::unique_ptr<Fibers> own_fibers;

LANTERN_INLINE Fibers::Fibers() : chunks_(std::make_shared<Chunks>()) {}

LANTERN_INLINE Fiber* Fibers::start(void (*run)(void*), void* work, bool stays) {
  Fiber* fiber = free_ ? free_ : added();
  free_ = fiber->next;
  char* const end = fiber->stack_end;
#ifdef LANTERN_ASAN
  __asan_unpoison_memory_region(end - stack_bytes, static_cast<size_t>(stack_bytes));  // frames that were abandoned
#endif
  prepare(fiber->context, end - stack_bytes, end, enter);
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
  if (scratch_.count() < bytes) {
    scratch_ = {};  // before there is another
    constexpr int64_t least = int64_t{1} << 18;  // of the system's: what nobody comes to takes no memory
    scratch_ = Buffer<char>(std::max(least, bytes + bytes / 2), Filled::anything);
  }
  return scratch_.data();
}

LANTERN_INLINE void Fibers::give_up() {
  thread_error.row = &errors::host;
  take(thread_error);
  std::abort();  // there was no attempt
}

LANTERN_INLINE void Fibers::take(const PendingError& error) {
  if (!active_) return;
  crowded_ = crowded_ || error.row == &errors::stack_exhausted || error.row == &errors::out_of_memory;
  failed_on_fiber_ = current_ != nullptr;
  if (current_) {
    to_thread();
  }
  if (open_) {
    if (crew && !open_->shares_turns) crew->cancel();  // while what workers read and write is still there
    failed_ = true;
#ifdef LANTERN_ASAN
    if (failed_on_fiber_) __sanitizer_start_switch_fiber(nullptr, thread_.bottom, thread_.size);
#endif
    if (failed_on_fiber_) thread_.watched.enter();
    setcontext(&open_->origin);
  }
  end_run();
}

LANTERN_INLINE void Fibers::end_run() {
  if (crew) crew->end_run();
  forget(0);
  shared_.clear();
  last_product_ = -1;
  active_ = one_by_one = crowded_ = false;
  open_ = nullptr;
  under_way_ = 0;
  trim(kept_stacks);
  chunks_->clear(kept_bytes);
}

LANTERN_INLINE Fibers::~Fibers() {
#ifdef LANTERN_ASAN
  for (const Fiber& fiber : fibers_) __asan_unpoison_memory_region(fiber.stack_end - stack_bytes, static_cast<size_t>(stack_bytes));  // others will have the addresses
#endif
  trim(0);
  if (region_.begin) munmap(region_.begin, static_cast<size_t>(region_.size));
}

LANTERN_INLINE bool Fibers::attempt(void (*work)(void*), void* with) {
  Attempt own;
  own.mark = arena().mark();
  own.begun = begun_;
  own.under_way = under_way_;
  own.owned = owned_blocks.begun;
  own.was_active = std::exchange(active_, true);
  own.shares_turns = crew && crew->is_out();
  for (SharedProduct& shared : shared_) shared.leads_on = true;
  last_product_ = -1;
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
    give_back_abandoned(own.owned);
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
  const auto i = static_cast<int64_t>(fibers_.size());
  if ((i + 1) * slot_bytes > region_.size) fail(errors::stack_exhausted, "", "there is no room for more calls side by side");
  charge_memory(stack_charge, "a stack");
  // Not all at one place of their slots: page tables would have them all in one row. At a page's end: most calls' frames are one page.
  char* const end = region_.begin + (i + 1) * slot_bytes - i * 5 % 64 * page_bytes;
#ifdef LANTERN_VALGRIND
  VALGRIND_STACK_REGISTER(end - stack_bytes, end);
#endif
  Fiber& fiber = fibers_.emplace_back();
  fiber.memory = Arena(*chunks_);
  fiber.stack_end = end;
  fiber.next = free_;
  return &fiber;
}

LANTERN_INLINE void Fibers::leave(Fiber& fiber) {
  if (ready_) return go(fiber.context, *pop(ready_));
  to_thread();
  switch_to(fiber.context, thread_);
}

LANTERN_INLINE void Fibers::go(Context& from, Fiber& to) {
  if (ready_) {  // it is the next to run, and was not for long
    __builtin_prefetch(ready_->context.place());
    if (ready_->next) __builtin_prefetch(ready_->next);
  }
  current_ = &to;
  thread_arenas.in_use = &to.memory;
  stack_gauge.limit = to.stack_end - stack_bytes + stack_red_zone;
  side_by_side.on_fiber = true;
  switch_to(from, to.context);
}

LANTERN_INLINE void Fibers::to_thread() {
  current_ = nullptr;
  thread_arenas.in_use = thread_memory_;
  stack_gauge.limit = thread_limit_;
  side_by_side.on_fiber = false;
}

LANTERN_INLINE void Fibers::resume() {
  thread_memory_ = thread_arenas.in_use;
  thread_limit_ = stack_gauge.limit;
  go(thread_, *pop(ready_));
  if (auto* errand = std::exchange(errand_, nullptr)) errand(errand_work_);
}

LANTERN_INLINE bool SharedProduct::has(const BlockMatrix<void>* of) const {
  if (!of) return blocks.empty();
  return static_cast<size_t>(of->block_rows) == block_rows.size() && static_cast<size_t>(of->block_columns) == block_columns.size() &&
         std::equal(blocks.begin(), blocks.end(), of->blocks) && std::equal(block_rows.begin(), block_rows.end(), of->rows) &&
         std::equal(block_columns.begin(), block_columns.end(), of->columns);
}

LANTERN_INLINE int64_t SharedProduct::find_same() {
  if (!multiplies_once) return static_cast<int64_t>(requests.size());
  size_t mask = 15;
  while (mask < 2 * requests.size()) mask = 2 * mask + 1;
  places.assign(mask + 1, nullptr);
  int64_t distinct = 0;
  for (Request& request : requests) {
    if (request.addend == request.y) {  // a sum that grows: each adds to what the others have made of it
      ++distinct;
      continue;
    }
    const auto of_x = reinterpret_cast<std::uintptr_t>(request.x), of_addend = reinterpret_cast<std::uintptr_t>(request.addend);
    size_t place = (((of_x ^ (of_addend >> 7)) * 0x9E3779B97F4A7C15u) >> 32) & mask;
    while (places[place] && (places[place]->x != request.x || places[place]->addend != request.addend)) place = (place + 1) & mask;
    request.same = places[place];
    if (request.same) continue;
    places[place] = &request;
    ++distinct;
  }
  return distinct;
}

LANTERN_INLINE void Fibers::multiply_most() {
  if (last_product_ >= 0) shared_[static_cast<size_t>(last_product_)].leads_on = requested_ != requested_before_;
  // The one that is wanted most; of two as wanted, the one that was first asked for: it does not matter what this thread has done before. One that leads to no
  // other, as what goes back to words does, waits for company until there is enough for all that it is multiplied with at a time, or nothing else is left.
  const auto rank = [](const SharedProduct& one) {
    const size_t wanted = one.requests.size();
    return std::tuple(wanted > 0 && (one.leads_on || wanted >= static_cast<size_t>(most_at_once)), wanted, -one.since);
  };
  const auto most = std::max_element(shared_.begin(), shared_.end(), [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
  if (most == shared_.end() || most->requests.empty()) std::abort();  // each waits for another
  multiplied_ = static_cast<int64_t>(most->requests.size());
  last_product_ = most - shared_.begin();
  requested_before_ = requested_;
  most->multiply(*most);
  for (auto request = most->requests.rbegin(); request != most->requests.rend(); ++request) wake(request->fiber);
  most->requests.clear();
}

LANTERN_INLINE void Fibers::forget(int64_t begun) {
  ready_ = nullptr;
  errand_ = nullptr;
  for (auto& shared : shared_) shared.requests.clear();
  for (auto fiber = fibers_.rbegin(); fiber != fibers_.rend(); ++fiber) {
    if (fiber->begun <= begun) continue;
    fiber->begun = 0;
    fiber->memory.clear();
    push(free_, &*fiber);
  }
}

LANTERN_INLINE void Fibers::trim(size_t kept) {
  if (fibers_.size() <= kept) return;
  discard_pages(region_.begin + static_cast<int64_t>(kept) * slot_bytes, region_.begin + static_cast<int64_t>(fibers_.size()) * slot_bytes);
  release_memory(static_cast<int64_t>(fibers_.size() - kept) * stack_charge);
  while (fibers_.size() > kept) fibers_.pop_back();
  free_ = nullptr;
  for (auto fiber = fibers_.rbegin(); fiber != fibers_.rend(); ++fiber) push(free_, &*fiber);
}

LANTERN_INLINE void Fibers::product(void* y, const void* matrix, int64_t rows, int64_t columns, bool transposed, const void* x, const void* addend, void (*multiply)(SharedProduct&),
                                   const BlockMatrix<void>* blocks) {
  const auto is_same = [&](const SharedProduct& one) {
    return one.matrix == matrix && one.rows == rows && one.columns == columns && one.transposed == transposed && one.multiply == multiply && one.has(blocks);
  };
  auto shared = std::find_if(shared_.begin(), shared_.end(), is_same);
  if (shared == shared_.end()) {
    shared = shared_.insert(shared_.end(), {matrix, rows, columns, transposed, multiply, {}, {}, {}, {}, 0, true, {}});
    if (blocks) {
      shared->blocks.assign(blocks->blocks, blocks->blocks + blocks->block_rows * blocks->block_columns);
      shared->block_rows.assign(blocks->rows, blocks->rows + blocks->block_rows);
      shared->block_columns.assign(blocks->columns, blocks->columns + blocks->block_columns);
    }
  }
  if (shared->requests.empty()) shared->since = requested_;
  ++requested_;
  SharedProduct::Request& request = shared->requests.emplace_back();  // field by field: a copy of all waits until they are in cache
  request.x = x;
  request.y = y;
  request.addend = addend;
  request.fiber = current_;
  wait();
}

LANTERN_INLINE void Fibers::run_errand(void (*errand)(void*), void* work) {
  errand_ = errand;
  errand_work_ = work;
  Fiber& fiber = *current_;
  push(ready_, &fiber);
  to_thread();
  switch_to(fiber.context, thread_);
}

LANTERN_INLINE Fibers& thread_fibers() {
  if (!fibers) {
    own_fibers = std::make_unique<Fibers>();
    fibers = own_fibers.get();
    side_by_side.take = [](const PendingError& error) { fibers->take(error); };
    side_by_side.end_run = [] { fibers->end_run(); };
  }
  return *fibers;
}

LANTERN_INLINE FibersAside::FibersAside()
    : own_fibers_(std::move(own_fibers)), own_crew_(std::move(own_crew)), side_by_side_(std::exchange(side_by_side, SideBySide{})) {
  fibers = nullptr;
  crew = nullptr;
}

LANTERN_INLINE FibersAside::~FibersAside() {
  own_fibers = std::move(own_fibers_);
  own_crew = std::move(own_crew_);
  fibers = own_fibers.get();
  crew = own_crew.get();
  side_by_side = side_by_side_;
}

LANTERN_INLINE void Fibers::enter() {
  Fibers& all = *fibers;
  Fiber& fiber = *all.current_;
  entered(fiber.context);
  try {
    fiber.run(fiber.work);
  } catch (...) {  // made in turn, the calls throw it where it can be caught
    all.give_up();
  }
  if (fiber.stays) {
    --all.under_way_;
  } else {
    all.release(&fiber);
  }
  all.leave(fiber);
  std::abort();  // nobody comes back
}

}  // namespace lantern::detail
