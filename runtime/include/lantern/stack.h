// The Lantern stack. In continuation-passing style the whole forward sweep stays on the stack, so generated code runs
// on one of its own: one a thread, reserved large, committed as it is touched, checked at every function and
// continuation entry. An error abandons it: control goes back to the frame of `on_stack`, which throws.
#pragma once

#include <atomic>
#include <cstdarg>
#include <exception>
#include <memory>
#include <type_traits>
#include <utility>

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif
#if __has_include(<valgrind/valgrind.h>)
#include <valgrind/valgrind.h>
#define LANTERN_VALGRIND 1
#endif

#include "lantern/arena.h"
#include "lantern/definitions.h"
#include "lantern/error.h"
#include "lantern/memory.h"
#include "lantern/owned_memory.h"
#include "lantern/switch.h"

namespace lantern {

namespace detail {

inline std::atomic<int64_t> stack_limit_bytes{0};  // 0: not asked for yet
inline std::atomic<bool> flush_to_zero{true};

inline constexpr int64_t stack_reserved = int64_t{1} << 36;
inline constexpr int64_t stack_red_zone = int64_t{1} << 19;  // unchecked frames: kernels put up to 2 × 128 KB there
inline constexpr int64_t stack_step = int64_t{1} << 20;      // the memory limit is asked once a step

/// What a check reads: one comparison. Below `limit` there may be more stack; `stack_reached` decides.
struct StackGauge {
  char* limit;
  const char* innermost;
};
inline thread_local StackGauge stack_gauge{nullptr, ""};

/// An error under way from `fail` to the frame of `on_stack`; no owner, since nothing would be destroyed.
struct PendingError {
  const ErrorKind* row = nullptr;
  char kind[64], location[512], message[1024];
};

struct Stack {
  Region region;
  char* floor = nullptr;    // the lowest address a checked frame may have
  char* charged = nullptr;  // memory is charged from here up
  bool active = false;
  bool failed = false;
  void (*run)(void*) = nullptr;
  void* work = nullptr;
  std::exception_ptr exception;
  PendingError pending;
  Mark arena_mark{};
  Context entry, inside;
  unsigned float_state = 0;  // the caller's
  const void* caller_bottom = nullptr;  // for the address sanitizer: the stack we came from
  size_t caller_size = 0;

  Stack();
  ~Stack();
  Stack(const Stack&) = delete;
  Stack& operator=(const Stack&) = delete;
};

inline thread_local Stack* thread_stack = nullptr;  // which the thread's end deletes
inline thread_local Mark waiting{};                 // below it in the arena are values of programs that wait for their host (host.h)

/// What a host reads by itself, outside of a run, stays in the arena: below what its next call forgets (results.h).
inline void keep_for_host() {
  if (!thread_stack || !thread_stack->active) waiting = arena().mark();
}

/// What calls side by side (fibers.h), once there are any, have to do with a thread's errors and with the end of a run.
struct SideBySide {
  bool on_fiber;  // the stack is another one
  void (*take)(const PendingError&);
  void (*end_run)();
};
inline thread_local SideBySide side_by_side{false, nullptr, nullptr};

/// Delivers `error`: off the stack by throwing, on it by abandoning the stack.
[[noreturn]] void deliver(PendingError& error);

inline thread_local PendingError thread_error;

/// A check found the stack below what it knows to be there: charge more memory, or fail.
[[gnu::cold]] void stack_reached(char* frame);

void run_on_stack(void (*run)(void*), void* work);

}  // namespace detail

/// Bytes that checked frames may use on each thread's stack: LANTERN_STACK ("16G"), by default all that is reserved
/// (64 GB of address space, where there is that much). Takes effect at the next outermost `on_stack`.
int64_t stack_limit();
inline void set_stack_limit(int64_t bytes) { detail::stack_limit_bytes = std::max<int64_t>(bytes, 1); }

/// Denormals count as zero inside `on_stack` (they slow a reverse sweep tenfold), unless this is off.
inline void set_flush_to_zero(bool on) { detail::flush_to_zero = on; }

/// At the entry of every generated function. Fails with StackExhausted, which names it.
[[gnu::always_inline]] inline void check_stack(const char* function) {
  detail::StackGauge& gauge = detail::stack_gauge;
  gauge.innermost = function;
  char* frame = static_cast<char*>(__builtin_frame_address(0));
  if (__builtin_expect(frame < gauge.limit, 0)) detail::stack_reached(frame);
}
/// At the entry of every continuation: they nest with no function entry in between.
[[gnu::always_inline]] inline void check_stack() {
  char* frame = static_cast<char*>(__builtin_frame_address(0));
  if (__builtin_expect(frame < detail::stack_gauge.limit, 0)) detail::stack_reached(frame);
}

/// Runs `work()` on this thread's Lantern stack and returns its result (default-constructible, or void). Throws what
/// `work` throws, and as an Error what it reports by `fail`; then the arena is as it was. Nested calls run in place.
template <class F>
auto on_stack(F&& work) -> decltype(work()) {
  using Result = decltype(work());
  using Work = std::remove_reference_t<F>;
  void* const given = const_cast<void*>(static_cast<const void*>(&work));
  if constexpr (std::is_void_v<Result>) {
    detail::run_on_stack([](void* f) { (*static_cast<Work*>(f))(); }, given);
  } else {
    struct Call {
      void* of;
      Result result{};
    } call{given};
    detail::run_on_stack([](void* f) { static_cast<Call*>(f)->result = (*static_cast<Work*>(static_cast<Call*>(f)->of))(); }, &call);
    return std::move(call.result);
  }
}

/// Runs library code whose frames do own things: an exception leaves those frames in the ordinary way and only then
/// becomes a `fail`. Returns what `work` returns (trivially destructible, or kept by the caller).
template <class F>
auto guarded(F&& work) -> decltype(work()) {
  detail::PendingError& error = detail::thread_error;
  const auto note = [&](const ErrorKind& row, const char* kind, const char* location, const char* message) {
    error.row = &row;
    std::snprintf(error.kind, sizeof error.kind, "%s", kind);
    std::snprintf(error.location, sizeof error.location, "%s", location);
    std::snprintf(error.message, sizeof error.message, "%s", message);
  };
  try {
    return work();
  } catch (const std::bad_alloc&) {
    note(errors::out_of_memory, errors::out_of_memory.kind, "", "the system has no memory left");
  }
  detail::deliver(error);
}

}  // namespace lantern

#include LANTERN_DEFINITIONS("lantern/definitions/stack.h")
