// A stack that control can leave and come back to. On x86-64 a switch saves the registers that a call preserves and nothing
// else; elsewhere, and for the address sanitizer to follow, it is ucontext's, which takes a system call or two.
#pragma once

#include <ucontext.h>

#include <cstdint>
#include <utility>

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
#if defined(__x86_64__) && !defined(LANTERN_ASAN) && !defined(__CET__)
#define LANTERN_OWN_SWITCH 1
#endif

namespace lantern::detail {

#ifdef LANTERN_OWN_SWITCH

/// Where a stack stands that control is not on.
struct Context {
  void* top = nullptr;
  const void* place() const { return top; }
};

/// Leaves the running stack, whose place `from` keeps, for the one at `to`.
[[gnu::naked, gnu::noinline]] inline void switch_stack(void** /*from*/, void* /*to*/) {
  asm("pushq %rbp\n\t"
      "pushq %rbx\n\t"
      "pushq %r12\n\t"
      "pushq %r13\n\t"
      "pushq %r14\n\t"
      "pushq %r15\n\t"
      "movq %rsp, (%rdi)\n\t"
      "movq %rsi, %rsp\n\t"
      "popq %r15\n\t"
      "popq %r14\n\t"
      "popq %r13\n\t"
      "popq %r12\n\t"
      "popq %rbx\n\t"
      "popq %rbp\n\t"
      "ret");
}
inline void switch_to(Context& from, Context& to) { switch_stack(&from.top, to.top); }

/// A context that begins with `entry`, which never returns, on the stack [begin, end).
inline void prepare(Context& context, char* /*begin*/, char* end, void (*entry)()) {
  void** top = reinterpret_cast<void**>(reinterpret_cast<uintptr_t>(end) & ~uintptr_t{15});
  *--top = nullptr;  // where a return address would be
  *--top = reinterpret_cast<void*>(entry);
  for (int saved = 0; saved < 6; ++saved) *--top = nullptr;
  context.top = top;
}
inline void entered(Context&) {}

#else

struct Context {
  ucontext_t state;
  Context* left = nullptr;  // what control came from
  const void* bottom = nullptr;
  size_t size = 0;
  void* fake_stack = nullptr;
  const void* place() const { return this; }
};

/// Told to the address sanitizer behind each switch, by the side that is switched to.
inline void entered([[maybe_unused]] Context& context) {
#ifdef LANTERN_ASAN
  const void* bottom = nullptr;
  size_t size = 0;
  __sanitizer_finish_switch_fiber(context.fake_stack, &bottom, &size);
  if (context.left && !context.left->bottom) {
    context.left->bottom = bottom;
    context.left->size = size;
  }
#endif
}
inline void switch_to(Context& from, Context& to) {
  to.left = &from;
#ifdef LANTERN_ASAN
  __sanitizer_start_switch_fiber(&from.fake_stack, to.bottom, to.size);
#endif
  swapcontext(&from.state, &to.state);
  entered(from);
}
inline void prepare(Context& context, char* begin, char* end, void (*entry)()) {
  context.bottom = begin;
  context.size = static_cast<size_t>(end - begin);
  context.fake_stack = nullptr;
  getcontext(&context.state);
  context.state.uc_stack.ss_sp = begin;
  context.state.uc_stack.ss_size = context.size;
  context.state.uc_link = nullptr;
  makecontext(&context.state, entry, 0);
}

#endif

}  // namespace lantern::detail
