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
#include "lantern/error.h"
#include "lantern/memory.h"
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
  ucontext_t entry, inside;
  unsigned float_state = 0;  // the caller's
  const void* caller_bottom = nullptr;  // for the address sanitizer: the stack we came from
  size_t caller_size = 0;

  Stack() {
    region = reserve_region(stack_reserved);
    if (!region.begin) fail(errors::out_of_memory, "", "no address space is left for the stack");
    mprotect(region.begin, page_bytes, PROT_NONE);  // a guard, should a frame ever pass the red zone
    charged = region.end();
#ifdef LANTERN_VALGRIND
    VALGRIND_STACK_REGISTER(region.begin, region.end());
#endif
  }
  ~Stack() {
    release_memory(region.end() - charged);
    munmap(region.begin, static_cast<size_t>(region.size));
  }
  Stack(const Stack&) = delete;
  Stack& operator=(const Stack&) = delete;
};

inline thread_local std::unique_ptr<Stack> thread_stack;

/// What calls side by side (fibers.h), once there are any, have to do with a thread's errors and with the end of a run.
struct SideBySide {
  bool on_fiber;  // the stack is another one
  void (*take)(const PendingError&);
  void (*end_run)();
};
inline thread_local SideBySide side_by_side{false, nullptr, nullptr};

[[noreturn]] inline void throw_error(const PendingError& error) {
  const auto thrown = [&](auto type) {
    return typename decltype(type)::type(error.row->code, error.kind, error.location, error.message);
  };
  const std::string_view kind = error.row->kind;
  if (kind == errors::stack_exhausted.kind) throw thrown(std::common_type<StackExhausted>{});
  if (kind == errors::out_of_memory.kind) throw thrown(std::common_type<OutOfMemory>{});
  if (kind == errors::treebank.kind) throw thrown(std::common_type<DataError>{});
  throw thrown(std::common_type<Error>{});
}

inline void announce_leave([[maybe_unused]] const Stack& stack) {
#ifdef LANTERN_ASAN
  __asan_unpoison_memory_region(stack.charged, static_cast<size_t>(stack.region.end() - stack.charged));
  __sanitizer_start_switch_fiber(nullptr, stack.caller_bottom, stack.caller_size);
#endif
}

/// Delivers `error`: off the stack by throwing, on it by abandoning the stack.
[[noreturn]] inline void deliver(PendingError& error) {
  Stack* stack = thread_stack.get();
  if (!stack || !stack->active) throw_error(error);
  if (side_by_side.take) side_by_side.take(error);
  if (&error != &stack->pending) stack->pending = error;
  stack->failed = true;
  announce_leave(*stack);
  setcontext(&stack->entry);
  std::abort();  // setcontext does not return
}

inline thread_local PendingError thread_error;

inline void enter_stack() {
  Stack& stack = *thread_stack;
#ifdef LANTERN_ASAN
  __sanitizer_finish_switch_fiber(nullptr, &stack.caller_bottom, &stack.caller_size);
#endif
  try {
    stack.run(stack.work);
  } catch (...) {  // cannot pass the bottom frame by itself
    stack.exception = std::current_exception();
  }
  announce_leave(stack);
  setcontext(&stack.entry);
}

/// A check found the stack below what it knows to be there: charge more memory, or fail.
[[gnu::noinline, gnu::cold]] inline void stack_reached(char* frame) {
  Stack& stack = *thread_stack;
  if (side_by_side.on_fiber) fail(errors::stack_exhausted, "", "the stack of one of several calls is exhausted");
  if (frame < stack.floor) {
    fail(errors::stack_exhausted, "", "the stack of %.1f MB is exhausted in '%s': the recursion is too deep (LANTERN_STACK)",
         static_cast<double>(stack.region.end() - stack.floor) / 1e6, stack_gauge.innermost);
  }
  const int64_t more = (stack.charged - frame + stack_step - 1) / stack_step * stack_step;
  charge_memory(more, "the stack");
  stack.charged -= more;
  stack_gauge.limit = stack.charged > stack.floor ? stack.charged : stack.floor;
}

#if defined(__SSE2__)
inline constexpr unsigned flush_bits = 0x8040;  // flush to zero, denormals are zero
#endif

void run_on_stack(void (*run)(void*), void* work);

}  // namespace detail

/// Bytes that checked frames may use on each thread's stack: LANTERN_STACK ("16G"), by default all that is reserved
/// (64 GB of address space, where there is that much). Takes effect at the next outermost `on_stack`.
inline int64_t stack_limit() {
  if (detail::stack_limit_bytes == 0) {
    const char* text = std::getenv("LANTERN_STACK");
    const int64_t bytes = text ? parse_bytes(text) : 0;
    detail::stack_limit_bytes = bytes ? bytes : detail::stack_reserved;
  }
  return detail::stack_limit_bytes;
}
inline void set_stack_limit(int64_t bytes) { detail::stack_limit_bytes = std::max<int64_t>(bytes, 1); }

/// Denormals count as zero inside `on_stack` (they slow a reverse sweep tenfold), unless this is off (`--exact`).
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
  if constexpr (std::is_void_v<Result>) {
    detail::run_on_stack([](void* f) { (*static_cast<std::remove_reference_t<F>*>(f))(); },
                         const_cast<void*>(static_cast<const void*>(&work)));
  } else {
    Result result{};
    on_stack([&] { result = work(); });
    return result;
  }
}

inline void detail::run_on_stack(void (*run)(void*), void* work) {
  if (!thread_stack) thread_stack = std::make_unique<Stack>();
  Stack& stack = *thread_stack;
  if (stack.active) return run(work);
  stack.run = run;
  stack.work = work;
  stack.failed = false;
  stack.arena_mark = arena().mark();
  const int64_t usable = std::min(stack_limit(), stack.region.size - stack_red_zone - page_bytes);
  stack.floor = stack.region.end() - usable;
  stack_gauge.limit = std::max(stack.charged, stack.floor);
#if defined(__SSE2__)
  stack.float_state = _mm_getcsr();
  if (flush_to_zero) _mm_setcsr(stack.float_state | flush_bits);  // getcontext saves it for the stack to start with
#endif
  getcontext(&stack.inside);
  stack.inside.uc_stack.ss_sp = stack.region.begin;
  stack.inside.uc_stack.ss_size = static_cast<size_t>(stack.region.size);
  stack.inside.uc_link = nullptr;
  makecontext(&stack.inside, enter_stack, 0);
  stack.active = true;
#ifdef LANTERN_ASAN
  void* fake_stack = nullptr;
  __sanitizer_start_switch_fiber(&fake_stack, stack.region.begin, static_cast<size_t>(stack.region.size));
#endif
  swapcontext(&stack.entry, &stack.inside);
#ifdef LANTERN_ASAN
  __sanitizer_finish_switch_fiber(fake_stack, nullptr, nullptr);
#endif
  stack.active = false;
  if (side_by_side.end_run) side_by_side.end_run();
  stack_gauge.limit = nullptr;
#if defined(__SSE2__)
  _mm_setcsr(stack.float_state);
#endif
  constexpr int64_t keep = int64_t{1} << 24;
  if (stack.region.end() - stack.charged > keep) {  // an unusually deep run: its memory goes back
    discard_pages(stack.charged - stack_red_zone, stack.region.end() - keep);
    release_memory(stack.region.end() - keep - stack.charged);
    stack.charged = stack.region.end() - keep;
  }
  if (stack.failed || stack.exception) arena().reset(stack.arena_mark);
  arena().trim();
  if (stack.failed) throw_error(stack.pending);
  if (stack.exception) std::rethrow_exception(std::exchange(stack.exception, nullptr));
}

inline void fail(const ErrorKind& kind, const char* location, const char* format, ...) {
  detail::PendingError& error = detail::thread_error;
  std::va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(error.message, sizeof error.message, format, arguments);
  va_end(arguments);
  error.row = &kind;
  std::snprintf(error.kind, sizeof error.kind, "%s", kind.kind);
  std::snprintf(error.location, sizeof error.location, "%s", location ? location : "");
  detail::deliver(error);
}

inline void raise_error(std::string_view kind, const char* location, std::string_view message) {
  detail::PendingError& error = detail::thread_error;
  error.row = &errors::raised;
  std::snprintf(error.message, sizeof error.message, "%.*s", static_cast<int>(message.size()), message.data());
  std::snprintf(error.kind, sizeof error.kind, "%.*s", static_cast<int>(kind.size()), kind.data());
  std::snprintf(error.location, sizeof error.location, "%s", location ? location : "");
  detail::deliver(error);
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
