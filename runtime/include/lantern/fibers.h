// Calls side by side: each on a stack and an arena of its own, a fiber, so that it can wait: for another call's result, for
// its own adjoint, or for company in a product with a matrix that many calls share. One thread runs them all, in an order
// that the program alone decides. What they are for is in batch.h.
//
// An error within them is none yet: the calls are forgotten and made once more, one after another, which meets the error that
// the program has first, or none, where only the room for so many calls was short.
#pragma once

#include <algorithm>
#include <deque>
#include <memory>
#include <tuple>
#include <vector>

#include "lantern/array.h"
#include "lantern/block_matrix.h"
#include "lantern/crew.h"
#include "lantern/definitions.h"
#include "lantern/stack.h"
#include "lantern/switch.h"

namespace lantern::detail {

/// What a switch reads comes first, in one cache line.
struct alignas(64) Fiber {
  Context context;
  Fiber* next = nullptr;  // in the list that it is in
  char* stack_end;        // it grows down from here
  void (*run)(void*) = nullptr;
  void* work = nullptr;
  int64_t begun = 0;      // which one it is, of all that there were; 0: none runs here
  bool stays = false;     // behind its end, with what it leaves in its arena
  Arena memory;
};

/// Whether a vector that is met again, as that of a word is, is multiplied once. Compiled with -DLANTERN_EACH_PRODUCT, each time: to compare.
#ifdef LANTERN_EACH_PRODUCT
inline constexpr bool multiplies_once = false;
#else
inline constexpr bool multiplies_once = true;
#endif

/// So many of the vectors that wait are multiplied at a time.
inline constexpr int64_t most_at_once = 64;

/// Products of one matrix with a vector each, that wait to be one product.
struct SharedProduct {
  struct Request {
    const void* x;
    void* y;
    const void* addend;  // a vector as long as y, or y itself; null: none
    Fiber* fiber;
    const Request* same = nullptr;  // one in front of it, whose result is this one's, too
  };
  const void* matrix;
  int64_t rows, columns;  // as the vectors meet it
  bool transposed;        // in memory
  void (*multiply)(SharedProduct&);
  std::vector<Request> requests;
  std::vector<const void*> blocks;  // if it lies in memory as those: row by row, `matrix` the first
  std::vector<int64_t> block_rows, block_columns;
  int64_t since = 0;      // of all requests, the number of the first of these
  bool leads_on = true;   // whether there were further requests behind the last of these products, if this attempt has made one
  std::vector<const Request*> places;  // of what `find_same` has found

  /// Gives each its `same`. How many have none.
  int64_t find_same();
  bool has(const BlockMatrix<void>* of) const;
};

class Fibers {
 public:
  Fibers();
  Fibers(const Fibers&) = delete;
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
  Fiber* start(void (*run)(void*), void* work, bool stays = false);
  /// One that has ended, and stays: what it has left is forgotten.
  void release(Fiber* fiber) {
    fiber->begun = 0;
    fiber->memory.clear();
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
  void wait();

  /// Does it where there is room for large frames. It leaves nothing in the arena.
  template <class Work>
  void with_deep_stack(Work&& work) {
    if (!current_) return work();
    run_errand(called<Work>, address(work));
  }

  /// y = matrix · x or x · matrix, plus the addend, by `multiply`, when enough others have asked for the same or nothing else is left to do. blocks: as which the
  /// matrix, the first of them, lies in memory; null: in one piece.
  void product(void* y, const void* matrix, int64_t rows, int64_t columns, bool transposed, const void* x, const void* addend, void (*multiply)(SharedProduct&),
               const BlockMatrix<void>* blocks = nullptr);
  /// How many vectors the last of those products had.
  int64_t last_multiplied() const { return multiplied_; }
  const std::shared_ptr<Chunks>& chunks() const { return chunks_; }
  /// Begins to measure how much memory calls side by side take; `measured`: the most since then, of arenas and, about, of stacks.
  void measure() {
    measured_from_ = begun_;
    chunks_->measure();
  }
  int64_t measured() const { return chunks_->measured() + (begun_ - measured_from_) * page_bytes; }
  /// Room for `bytes` until it is asked for again.
  void* scratch(int64_t bytes);

  /// As an error does: the calls are made in turn.
  [[noreturn, gnu::cold]] void give_up();

  /// An error of calls side by side does not come back from here. That of the program does.
  void take(const PendingError& error);
  /// Behind the last call of a program, or its error.
  void end_run();

  ~Fibers();

 private:
  // A slot of the region: a stack, which ends somewhere in its upper part.
  static constexpr int64_t reserved_bytes = int64_t{1} << 38, slot_bytes = int64_t{1} << 21, stack_bytes = int64_t{3} << 19;
  static constexpr int64_t stack_charge = int64_t{1} << 15;  // few calls go beyond
  static constexpr size_t kept_stacks = size_t{1} << 13;
  static constexpr int64_t kept_bytes = int64_t{1} << 28;

  struct Attempt {
    ucontext_t origin;
    Mark mark;
    int64_t begun, under_way, owned;
    bool was_active, shares_turns;  // with threads, already
  };

  template <class Work>
  static void called(void* work) { (*static_cast<std::remove_reference_t<Work>*>(work))(); }
  template <class Work>
  static void* address(Work& work) { return const_cast<void*>(static_cast<const void*>(std::addressof(work))); }
  static void push(Fiber*& list, Fiber* fiber) { fiber->next = std::exchange(list, fiber); }
  static Fiber* pop(Fiber*& list) { return std::exchange(list, list->next); }

  bool attempt(void (*work)(void*), void* with);

  Fiber* added();

  static void enter();

  /// A fiber stops for whatever can go on.
  void leave(Fiber& fiber);
  void run_errand(void (*errand)(void*), void* work);
  void go(Context& from, Fiber& to);
  void to_thread();
  void resume();
  void multiply_most();

  /// Those that were begun after `begun` others are gone.
  void forget(int64_t begun);
  /// Gives back the memory of all but the first stacks. None is in use.
  void trim(size_t kept);

  Region region_;
  const std::shared_ptr<Chunks> chunks_;
  std::deque<Fiber> fibers_;
  int64_t begun_ = 0, under_way_ = 0, requested_ = 0, multiplied_ = 0, measured_from_ = 0;
  int64_t requested_before_ = 0;   // when the last product was made
  ptrdiff_t last_product_ = -1;    // of `shared_`; -1: none in this attempt
  Fiber *current_ = nullptr, *ready_ = nullptr, *free_ = nullptr;
  std::vector<SharedProduct> shared_;
  Buffer<char> scratch_;
  void (*errand_)(void*) = nullptr;
  void* errand_work_ = nullptr;
  bool active_ = false, awake_ = false, failed_ = false, failed_on_fiber_ = false, crowded_ = false;
  Attempt* open_ = nullptr;
  Context thread_;
  Arena* thread_memory_ = nullptr;
  char* thread_limit_ = nullptr;
};

/// This thread's; null: it has made no calls side by side yet.
inline thread_local Fibers* fibers = nullptr;

Fibers& thread_fibers();

/// What this thread has side by side, and its crew, put aside: a program that runs meanwhile has its own.
class FibersAside {
 public:
  FibersAside();
  ~FibersAside();
  FibersAside(const FibersAside&) = delete;

 private:
  std::unique_ptr<Fibers> own_fibers_;
  std::unique_ptr<Crew, EndOfCrew> own_crew_;
  SideBySide side_by_side_;
};

}  // namespace lantern::detail

#include LANTERN_DEFINITIONS("lantern/definitions/fibers.h")
