// Calls side by side: each on a stack and an arena of its own, a fiber, so that it can wait: for another call's result, for
// its own adjoint, or for company in a product with a matrix that many calls share. One thread runs them all, in an order
// that the program alone decides. What they are for is in batch.h.
//
// An error within them is none yet: the calls are forgotten and made once more, one after another, which meets the error that
// the program has first, or none, where only the room for so many calls was short.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "lantern/array.h"
#include "lantern/crew.h"
#include "lantern/stack.h"
#include "lantern/switch.h"

namespace lantern::detail {

struct Fiber {
  Context context;
  Arena memory;           // while it does not run
  char* stack_limit = nullptr;
  Fiber* next = nullptr;  // in the list that it is in
  void (*run)(void*) = nullptr;
  void* work = nullptr;
  int64_t begun = 0;      // which one it is, of all that there were; 0: none runs here
  bool stays = false;     // behind its end, with what it leaves in its arena
};

/// Products of one matrix with a vector each, that wait to be one product.
struct SharedProduct {
  struct Request {
    const void* x;
    void* y;
    Fiber* fiber;
  };
  const void* matrix;
  int64_t rows, columns;  // as the vectors meet it
  bool transposed;        // in memory
  void (*multiply)(SharedProduct&);
  std::vector<Request> requests;
};

class Fibers {
 public:
  /// Runs `work()`, which puts calls side by side. False: it has failed before `commit`, and nothing of it is left.
  template <class Work>
  bool attempt(Work&& work) { return attempt(called<Work>, address(work)); }
  /// The calls can be made once more no longer: what comes after them has begun.
  void commit() { open_ = nullptr; }

  /// Calls are side by side where control is.
  bool active() const { return active_; }
  /// Whether calls that are put side by side now are a part of an attempt, or would be one of their own.
  bool within_attempt() const { return open_ || current_; }
  /// Whether they may be: none are left from before that would be lost with them.
  bool may_attempt() const { return !one_by_one && !crowded_ && !ready_; }
  bool one_by_one = false;  // an attempt has failed: they are made in turn
  /// Whether an error of what runs here is none yet.
  bool is_attempt() const { return open_ != nullptr; }
  /// How many that are to be released have not ended yet.
  int64_t under_way() const { return under_way_; }

  /// Begins `run(work)` soon, on a stack of its own, which is given back when that returns; or, if it `stays`, when it is released.
  Fiber* start(void (*run)(void*), void* work, bool stays = false) {
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
  /// One that has ended, and stays: what it has left is forgotten.
  void release(Fiber* fiber) {
    fiber->begun = 0;
    push(free_, fiber);
  }
  /// The fiber that runs; null: the thread's own stack does.
  Fiber* current() const { return current_; }
  /// Lets one that waits go on.
  void wake(Fiber* fiber) {
    if (fiber) push(ready_, fiber);
    else awake_ = true;
  }
  /// Until somebody wakes this stack.
  void wait() {
    if (current_) return leave(*current_);
    awake_ = false;
    while (!awake_) {
      if (ready_) resume();
      else multiply_most();
    }
  }

  /// Does it where there is room for large frames. It leaves nothing in the arena.
  template <class Work>
  void with_deep_stack(Work&& work) {
    if (!current_) return work();
    errand_ = called<Work>;
    errand_work_ = address(work);
    Fiber& fiber = *current_;
    push(ready_, &fiber);
    fiber.memory = arena();
    to_thread();
    switch_to(fiber.context, thread_);
  }

  /// y = matrix · x or x · matrix, by `multiply`, when enough others have asked for the same or nothing else is left to do.
  template <class T>
  void product(T* y, const T* matrix, int64_t rows, int64_t columns, bool transposed, const T* x, void (*multiply)(SharedProduct&)) {
    const auto is_same = [&](const SharedProduct& one) {
      return one.matrix == matrix && one.rows == rows && one.columns == columns && one.transposed == transposed && one.multiply == multiply;
    };
    auto shared = std::find_if(shared_.begin(), shared_.end(), is_same);
    if (shared == shared_.end()) shared = shared_.insert(shared_.end(), {matrix, rows, columns, transposed, multiply, {}});
    shared->requests.push_back({x, y, current_});
    wait();
  }
  /// How many vectors the last of those products had.
  int64_t last_multiplied() const { return multiplied_; }
  /// Room for `bytes` until it is asked for again.
  void* scratch(int64_t bytes) {
    if (scratch_.count() < bytes) scratch_ = Buffer<char>(bytes + bytes / 2);
    return scratch_.data();
  }

  /// As an error does: the calls are made in turn.
  [[noreturn]] void give_up() {
    PendingError error;
    error.row = &errors::host;
    take(error);
    std::abort();  // there was no attempt
  }

  /// An error of calls side by side does not come back from here. That of the program does.
  void take(const PendingError& error) {
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
  /// Behind the last call of a program, or its error.
  void end_run() {
    if (crew) crew->cancel();
    forget(0);
    shared_.clear();
    active_ = one_by_one = crowded_ = false;
    open_ = nullptr;
    under_way_ = 0;
    trim(kept_slots);
  }

  ~Fibers() {
    trim(0);
    if (region_.begin) munmap(region_.begin, static_cast<size_t>(region_.size));
  }

 private:
  // A slot of the region: a stack that grows down from its middle, where the fiber is noted, and an arena that grows up.
  static constexpr int64_t reserved_bytes = int64_t{1} << 38, slot_bytes = int64_t{1} << 22, stack_bytes = int64_t{3} << 19;
  static constexpr int64_t stack_charge = int64_t{1} << 15;  // few calls go beyond
  static constexpr int64_t kept_slots = int64_t{1} << 13;

  struct Attempt {
    ucontext_t origin;
    Mark mark;
    int64_t begun, under_way;
    bool was_active;
  };

  template <class Work>
  static void called(void* work) { (*static_cast<std::remove_reference_t<Work>*>(work))(); }
  template <class Work>
  static void* address(Work& work) { return const_cast<void*>(static_cast<const void*>(std::addressof(work))); }
  static void push(Fiber*& list, Fiber* fiber) { fiber->next = std::exchange(list, fiber); }
  static Fiber* pop(Fiber*& list) { return std::exchange(list, list->next); }

  bool attempt(void (*work)(void*), void* with) {
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

  Fiber* slot(int64_t i) const {  // not all at one place of their slots: caches and page tables would have them all in one row
    return reinterpret_cast<Fiber*>(region_.begin + i * slot_bytes + stack_bytes + i * 5 % 64 * page_bytes + i % 16 * 256);
  }
  Fiber* added() {
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

  static void enter();

  /// A fiber stops for whatever can go on.
  void leave(Fiber& fiber) {
    fiber.memory = arena();
    if (ready_) return go(fiber.context, *pop(ready_));
    to_thread();
    switch_to(fiber.context, thread_);
  }
  void go(Context& from, Fiber& to) {
    current_ = &to;
    arena() = to.memory;
    stack_gauge.limit = to.stack_limit;
    side_by_side.on_fiber = true;
    switch_to(from, to.context);
  }
  void to_thread() {
    current_ = nullptr;
    arena() = thread_memory_;
    stack_gauge.limit = thread_limit_;
    side_by_side.on_fiber = false;
  }
  void resume() {
    thread_memory_ = arena();
    thread_limit_ = stack_gauge.limit;
    go(thread_, *pop(ready_));
    if (auto* errand = std::exchange(errand_, nullptr)) errand(errand_work_);
  }
  void multiply_most() {
    const auto fewer = [](const SharedProduct& a, const SharedProduct& b) { return a.requests.size() < b.requests.size(); };
    const auto most = std::max_element(shared_.begin(), shared_.end(), fewer);
    if (most == shared_.end() || most->requests.empty()) std::abort();  // each waits for another
    multiplied_ = static_cast<int64_t>(most->requests.size());
    most->multiply(*most);
    for (auto request = most->requests.rbegin(); request != most->requests.rend(); ++request) wake(request->fiber);
    most->requests.clear();
  }

  /// Those that were begun after `begun` others are gone.
  void forget(int64_t begun) {
    ready_ = nullptr;
    errand_ = nullptr;
    for (auto& shared : shared_) shared.requests.clear();
    for (int64_t i = slots_; i-- > 0;) {
      if (slot(i)->begun <= begun) continue;
      slot(i)->begun = 0;
      push(free_, slot(i));
    }
  }
  /// Gives back the memory of all but the first slots. None is in use.
  void trim(int64_t kept) {
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

  Region region_;
  int64_t slots_ = 0, begun_ = 0, under_way_ = 0, multiplied_ = 0;
  Fiber *current_ = nullptr, *ready_ = nullptr, *free_ = nullptr;
  std::vector<SharedProduct> shared_;
  Buffer<char> scratch_;
  void (*errand_)(void*) = nullptr;
  void* errand_work_ = nullptr;
  bool active_ = false, awake_ = false, failed_ = false, failed_on_fiber_ = false, crowded_ = false;
  Attempt* open_ = nullptr;
  Context thread_;
  Arena thread_memory_;
  char* thread_limit_ = nullptr;
};

/// This thread's; null: it has made no calls side by side yet.
inline thread_local Fibers* fibers = nullptr;

inline Fibers& thread_fibers() {
  static thread_local std::unique_ptr<Fibers> owner;
  if (!owner) {
    owner = std::make_unique<Fibers>();
    fibers = owner.get();
    side_by_side.take = [](const PendingError& error) { fibers->take(error); };
    side_by_side.end_run = [] { fibers->end_run(); };
  }
  return *fibers;
}

inline void Fibers::enter() {
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
