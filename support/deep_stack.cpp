// One mmap'ed region, reserved but not committed, and one switch of context onto it. Exceptions cannot
// unwind across a context's bottom frame, so they are carried over by hand.
#include "support/deep_stack.h"

#include <sys/mman.h>
#include <ucontext.h>

#include <cstddef>
#include <exception>

#include "support/diagnostic.h"

namespace lantern {

namespace {

constexpr std::size_t reserved_bytes = std::size_t{16} << 30;

struct Switch {
  const std::function<void()>* work;
  std::exception_ptr error;
  ucontext_t caller, callee;
};

thread_local Switch* active = nullptr;

void enter() {
  try {
    (*active->work)();
  } catch (...) {
    active->error = std::current_exception();
  }
  swapcontext(&active->callee, &active->caller);
}

}  // namespace

void on_deep_stack(const std::function<void()>& work) {
  if (active) return work();
  void* stack = mmap(nullptr, reserved_bytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (stack == MAP_FAILED) return work();  // little address space: the thread's own stack has to do
  Switch state{&work, nullptr, {}, {}};
  getcontext(&state.callee);
  state.callee.uc_stack.ss_sp = stack;
  state.callee.uc_stack.ss_size = reserved_bytes;
  state.callee.uc_link = nullptr;
  makecontext(&state.callee, enter, 0);
  active = &state;
  swapcontext(&state.caller, &state.callee);
  active = nullptr;
  munmap(stack, reserved_bytes);
  if (state.error) std::rethrow_exception(state.error);
}

}  // namespace lantern
