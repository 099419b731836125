// The Lantern stack's functions: entered, abandoned, left.
#pragma once

#include "lantern/stack.h"

namespace lantern {

namespace detail {

struct StackRelease {
  ~StackRelease() { delete std::exchange(thread_stack, nullptr); }
};
inline thread_local StackRelease stack_release;

LANTERN_INLINE Stack::Stack() {
  region = reserve_region(stack_reserved);
  if (!region.begin) fail(errors::out_of_memory, "", "no address space is left for the stack");
  mprotect(region.begin, page_bytes, PROT_NONE);  // a guard, should a frame ever pass the red zone
  charged = region.end();
#ifdef LANTERN_VALGRIND
  VALGRIND_STACK_REGISTER(region.begin, region.end());
#endif
}
LANTERN_INLINE Stack::~Stack() {
  release_memory(region.end() - charged);
  munmap(region.begin, static_cast<size_t>(region.size));
}

[[noreturn]] LANTERN_INLINE void throw_error(const PendingError& error) {
  const auto thrown = [&](auto type) {
    return typename decltype(type)::type(error.row->code, error.kind, error.location, error.message);
  };
  const std::string_view kind = error.row->kind;
  if (kind == errors::stack_exhausted.kind) throw thrown(std::common_type<StackExhausted>{});
  if (kind == errors::out_of_memory.kind) throw thrown(std::common_type<OutOfMemory>{});
  if (kind == errors::treebank.kind) throw thrown(std::common_type<DataError>{});
  throw thrown(std::common_type<Error>{});
}

LANTERN_INLINE void announce_leave([[maybe_unused]] const Stack& stack) {
#ifdef LANTERN_ASAN
  __asan_unpoison_memory_region(stack.charged, static_cast<size_t>(stack.region.end() - stack.charged));
  __sanitizer_start_switch_fiber(nullptr, stack.caller_bottom, stack.caller_size);
#endif
}

LANTERN_INLINE void deliver(PendingError& error) {
  Stack* stack = thread_stack;
  if (!stack || !stack->active) throw_error(error);
  if (side_by_side.take) side_by_side.take(error);
  if (&error != &stack->pending) stack->pending = error;
  stack->failed = true;
  announce_leave(*stack);
  stack->entry.watched.enter();
  go_to(stack->entry);
}

LANTERN_INLINE void enter_stack() {
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
  stack.entry.watched.enter();
  go_to(stack.entry);
}

[[gnu::noinline, gnu::cold]] LANTERN_INLINE void stack_reached(char* frame) {
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

}  // namespace detail

LANTERN_INLINE int64_t stack_limit() {
  if (detail::stack_limit_bytes == 0) {
    const char* text = std::getenv("LANTERN_STACK");
    const int64_t bytes = text ? parse_bytes(text) : 0;
    detail::stack_limit_bytes = bytes ? bytes : detail::stack_reserved;
  }
  return detail::stack_limit_bytes;
}

LANTERN_INLINE void detail::run_on_stack(void (*run)(void*), void* work) {
  if (!thread_stack) {
    check_settings();
    static_cast<void>(&stack_release);  // touched, so that this thread's end runs its destructor
    thread_stack = new Stack;
  }
  Stack& stack = *thread_stack;
  forget_places();  // of texts that were the caller's
  if (stack.active) return run(work);
  stack.run = run;
  stack.work = work;
  stack.failed = false;
  current_place = "";  // what ran before comes from elsewhere
  const int64_t owned_before = owned_blocks.begun;
  stack.arena_mark = arena().mark();
  const int64_t usable = std::min(stack_limit(), stack.region.size - stack_red_zone - page_bytes);
  stack.floor = stack.region.end() - usable;
  stack_gauge.limit = std::max(stack.charged, stack.floor);
#if defined(__SSE2__)
  stack.float_state = _mm_getcsr();
  if (flush_to_zero) _mm_setcsr(stack.float_state | flush_bits);  // the stack starts with it
#endif
  prepare(stack.inside, stack.region.begin, stack.region.end(), enter_stack);
  stack.active = true;
#ifdef LANTERN_ASAN
  void* fake_stack = nullptr;
  __sanitizer_start_switch_fiber(&fake_stack, stack.region.begin, static_cast<size_t>(stack.region.size));
#endif
  stack.entry.watched.leave();
  stack.inside.watched.enter();
  swap_stacks(stack.entry, stack.inside);
  stack.inside.watched.end();
#ifdef LANTERN_ASAN
  __sanitizer_finish_switch_fiber(fake_stack, nullptr, nullptr);
#endif
  stack.active = false;
  give_back_abandoned(owned_before);
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

LANTERN_INLINE void fail(const ErrorKind& kind, const char* location, const char* format, ...) {
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

LANTERN_INLINE void raise_error(std::string_view kind, const char* location, std::string_view message) {
  detail::PendingError& error = detail::thread_error;
  error.row = &errors::raised;
  std::snprintf(error.message, sizeof error.message, "%.*s", static_cast<int>(message.size()), message.data());
  std::snprintf(error.kind, sizeof error.kind, "%.*s", static_cast<int>(kind.size()), kind.data());
  std::snprintf(error.location, sizeof error.location, "%s", location ? location : "");
  detail::deliver(error);
}

}  // namespace lantern
