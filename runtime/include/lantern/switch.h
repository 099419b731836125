// A stack that control can leave and come back to. On x86-64 a switch saves the registers that a call preserves and nothing
// else; elsewhere, and for the address sanitizer to follow, it is ucontext's, which takes a system call or two. So it is where
// the processor keeps return addresses on a shadow stack, which only the system can switch: few programs are run so, though
// many are compiled to be. The thread sanitizer is told of each switch, too.
#pragma once

#include <ucontext.h>

#include <cstdint>
#include <cstdlib>
#include <utility>

#include "lantern/memory.h"
#include "lantern/sanitizers.h"

#if defined(__x86_64__) && !defined(LANTERN_ASAN)
#define LANTERN_OWN_SWITCH 1
#endif

namespace lantern::detail {

/// What the thread sanitizer knows a stack by; nothing without it. Its functions are a part of the one that switches: what is entered on
/// one stack must not be left on another.
class WatchedStack {
 public:
#ifdef LANTERN_TSAN
  WatchedStack() = default;
  WatchedStack(const WatchedStack&) = delete;
  WatchedStack& operator=(const WatchedStack&) = delete;
  ~WatchedStack() { end(); }

  /// A new stack; the one before, which control is not on, is forgotten.
  void begin() {
    end();
    stack_ = own_ = __tsan_create_fiber(0);
  }
  void end() {
    if (own_) __tsan_destroy_fiber(std::exchange(own_, nullptr));
  }
  /// The stack that control is on.
  [[gnu::always_inline]] void leave() { stack_ = __tsan_get_current_fiber(); }
  /// In front of the switch to it.
  [[gnu::always_inline]] void enter() { __tsan_switch_to_fiber(stack_, 0); }

 private:
  void *stack_ = nullptr, *own_ = nullptr;
#else
  void begin() {}
  void end() {}
  void leave() {}
  void enter() {}
#endif
};

/// A switch by the system.
struct SystemContext {
  ucontext_t state;
  SystemContext* left = nullptr;  // what control came from
  const void* bottom = nullptr;
  size_t size = 0;
  void* fake_stack = nullptr;
  WatchedStack watched;
  const void* place() const { return this; }
};

/// Told to the address sanitizer behind each switch, by the side that is switched to.
inline void entered([[maybe_unused]] SystemContext& context) {
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
/// Leaves the running stack, whose place `from` keeps, for the one at `to`, and tells no sanitizer.
inline void swap_stacks(SystemContext& from, SystemContext& to) { swapcontext(&from.state, &to.state); }
/// Leaves the running stack for good.
[[noreturn]] inline void go_to(SystemContext& to) {
  setcontext(&to.state);
  std::abort();  // it does not return
}
/// As swap_stacks, with what sanitizers are told.
inline void switch_to(SystemContext& from, SystemContext& to) {
  to.left = &from;
#ifdef LANTERN_ASAN
  __sanitizer_start_switch_fiber(&from.fake_stack, to.bottom, to.size);
#endif
  from.watched.leave();
  to.watched.enter();
  swap_stacks(from, to);
  entered(from);
}
/// A context that begins with `entry`, which never returns, on the stack [begin, end).
inline void prepare(SystemContext& context, char* begin, char* end, void (*entry)()) {
  context.bottom = begin;
  context.size = static_cast<size_t>(end - begin);
  context.fake_stack = nullptr;
  getcontext(&context.state);
  context.state.uc_stack.ss_sp = begin;
  context.state.uc_stack.ss_size = context.size;
  context.state.uc_link = nullptr;
  context.watched.begin();
  makecontext(&context.state, entry, 0);
}

#ifdef LANTERN_OWN_SWITCH

/// Where a stack stands that control is not on.
struct OwnContext {
  void* top = nullptr;
  WatchedStack watched;
  const void* place() const { return top; }
};

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
inline void swap_stacks(OwnContext& from, OwnContext& to) { switch_stack(&from.top, to.top); }
[[noreturn]] inline void go_to(OwnContext& to) {
  void* left;
  switch_stack(&left, to.top);
  std::abort();
}
inline void switch_to(OwnContext& from, OwnContext& to) {
  from.watched.leave();
  to.watched.enter();
  swap_stacks(from, to);
}
inline void prepare(OwnContext& context, char* /*begin*/, char* end, void (*entry)()) {
  void** top = reinterpret_cast<void**>(reinterpret_cast<uintptr_t>(end) & ~uintptr_t{15});
  *--top = nullptr;  // where a return address would be
  *--top = reinterpret_cast<void*>(entry);
  for (int saved = 0; saved < 6; ++saved) *--top = nullptr;
  context.top = top;
  context.watched.begin();
}
inline void entered(OwnContext&) {}

#endif

#if defined(LANTERN_OWN_SWITCH) && defined(__CET__)

/// Whether this thread has a shadow stack.
inline bool has_shadow_stack() {
  uint64_t top = 0;
  asm volatile("rdsspq %0" : "+r"(top));  // without one, nothing is done
  return top != 0;
}

/// Compiled for a shadow stack, which there may be or not.
struct Context {
  OwnContext own;
  SystemContext system;
  WatchedStack& watched = has_shadow_stack() ? system.watched : own.watched;
  const void* place() const { return has_shadow_stack() ? system.place() : own.place(); }
};
inline void swap_stacks(Context& from, Context& to) {
  if (has_shadow_stack()) swap_stacks(from.system, to.system);
  else swap_stacks(from.own, to.own);
}
[[noreturn]] inline void go_to(Context& to) {
  if (has_shadow_stack()) go_to(to.system);
  go_to(to.own);
}
inline void switch_to(Context& from, Context& to) {
  if (has_shadow_stack()) switch_to(from.system, to.system);
  else switch_to(from.own, to.own);
}
inline void prepare(Context& context, char* begin, char* end, void (*entry)()) {
  if (has_shadow_stack()) prepare(context.system, begin, end, entry);
  else prepare(context.own, begin, end, entry);
}
inline void entered(Context&) {}

#elif defined(LANTERN_OWN_SWITCH)
using Context = OwnContext;
#else
using Context = SystemContext;
#endif

}  // namespace lantern::detail
