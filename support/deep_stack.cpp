// One mmap'ed region, reserved but not committed, and one switch of context onto it. Exceptions cannot
// unwind across a context's bottom frame, so they are carried over by hand.
#include "support/deep_stack.h"

#include <sys/mman.h>
#include <ucontext.h>

#include <algorithm>
#include <cstddef>
#include <exception>
#include <iterator>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define LANTERN_ASAN 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define LANTERN_ASAN 1
#endif
#ifdef LANTERN_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

namespace lantern {

namespace {

constexpr std::size_t reserved_bytes = std::size_t{16} << 30;
constexpr std::size_t guard_bytes = std::size_t{1} << 20;  // below it, so that no frame ever ends in somebody's memory

struct Switch {
  const std::function<void()>* work;
  void* stack;
  std::exception_ptr error;
  ucontext_t caller, callee;
  const void* caller_bottom = nullptr;  // for the address sanitizer: the stack we came from
  std::size_t caller_size = 0;
};

thread_local Switch* active = nullptr;

#ifdef LANTERN_ASAN
// Frames that an exception left deep down are still marked as in use: whoever gets their addresses next must not suffer.
void unpoison_touched(const Switch& state) {
  constexpr std::size_t step = std::size_t{1} << 20, page = 4096;
  unsigned char resident[step / page];
  for (char* at = static_cast<char*>(state.stack) + reserved_bytes - step; at >= state.stack; at -= step) {
    const bool touched = mincore(at, step, resident) == 0 && std::any_of(std::begin(resident), std::end(resident), [](unsigned char r) { return r & 1; });
    if (!touched) return;
    __asan_unpoison_memory_region(at, step);
  }
}
#endif

// What the address sanitizer must be told of a switch of stacks. Elsewhere these do nothing.
void announce_enter([[maybe_unused]] const Switch& state, [[maybe_unused]] void** fake_stack) {
#ifdef LANTERN_ASAN
  __sanitizer_start_switch_fiber(fake_stack, state.stack, reserved_bytes);
#endif
}
void announce_entered([[maybe_unused]] Switch& state) {
#ifdef LANTERN_ASAN
  __sanitizer_finish_switch_fiber(nullptr, &state.caller_bottom, &state.caller_size);
#endif
}
void announce_leave([[maybe_unused]] const Switch& state) {
#ifdef LANTERN_ASAN
  __sanitizer_start_switch_fiber(nullptr, state.caller_bottom, state.caller_size);
#endif
}
void announce_left([[maybe_unused]] const Switch& state, [[maybe_unused]] void* fake_stack) {
#ifdef LANTERN_ASAN
  __sanitizer_finish_switch_fiber(fake_stack, nullptr, nullptr);
  unpoison_touched(state);
#endif
}

void enter() {
  announce_entered(*active);
  try {
    (*active->work)();
  } catch (...) {
    active->error = std::current_exception();
  }
  announce_leave(*active);
  setcontext(&active->caller);
}

}  // namespace

void on_deep_stack(const std::function<void()>& work) {
  if (active) return work();
  void* stack = mmap(nullptr, reserved_bytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (stack == MAP_FAILED) return work();  // little address space: the thread's own stack has to do
  mprotect(stack, guard_bytes, PROT_NONE);
  Switch state{&work, stack, nullptr, {}, {}};
  getcontext(&state.callee);
  state.callee.uc_stack.ss_sp = stack;
  state.callee.uc_stack.ss_size = reserved_bytes;
  state.callee.uc_link = nullptr;
  makecontext(&state.callee, enter, 0);
  active = &state;
  void* fake_stack = nullptr;
  announce_enter(state, &fake_stack);
  swapcontext(&state.caller, &state.callee);
  announce_left(state, fake_stack);
  active = nullptr;
  munmap(stack, reserved_bytes);
  if (state.error) std::rethrow_exception(state.error);
}

}  // namespace lantern
