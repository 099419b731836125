// Calls of functions of the process that loaded a program: `lt.py_function`.
//
// The host's function runs on this thread, in the middle of the program, and on its stack; else it is as if no program were
// under way. It may enter this program again: an error there does not abandon the stack of the one that waits, the arena's
// values below its mark are kept, and floating-point arithmetic is the host's own.
#pragma once

#include <string_view>
#include <tuple>
#include <type_traits>

#include "lantern/evaluate.h"
#include "lantern/fibers.h"
#include "lantern/list.h"
#include "lantern/stack.h"

namespace lantern {

/// A call of the host's function of that name. Arguments and result are images, as an entry's are: the host writes the
/// result's, and what it points to is the host's, until its next call.
struct HostRequest {
  const char* name;
  const void* const* arguments;
  void* result;
  int32_t failed = 1;  // until the host says that it has not: the function raised, or was never come to; the host keeps what
};
using HostCall = void (*)(HostRequest* request);

namespace detail {

inline thread_local HostCall host_call = nullptr;  // of the program under way

inline constexpr int64_t host_stack = int64_t{1} << 23;  // what a function of the host's is sure to find

/// The program under way, put aside while its host runs.
class Waiting {
 public:
  Waiting() : stack_(std::exchange(thread_stack, nullptr)), gauge_(stack_gauge), place_(current_place), call_(host_call), mark_(waiting) {
    waiting = arena().mark();
    stack_gauge = {nullptr, ""};
#if defined(__SSE2__)
    float_state_ = _mm_getcsr();
    if (stack_ && stack_->active) _mm_setcsr(stack_->float_state);
#endif
  }
  ~Waiting() {
    delete std::exchange(thread_stack, stack_);
    stack_gauge = gauge_;
    current_place = place_;
    host_call = call_;
    arena().reset(waiting);
    waiting = mark_;
#if defined(__SSE2__)
    _mm_setcsr(float_state_);
#endif
  }
  Waiting(const Waiting&) = delete;

 private:
  FibersAside fibers_;
  Stack* const stack_;
  StackGauge gauge_;
  const char* place_;
  HostCall call_;
  Mark mark_;
#if defined(__SSE2__)
  unsigned float_state_;
#endif
};

/// {const char*; int64_t}: how text passes between languages.
struct HostText {
  const char* data;
  int64_t size;
};

/// What has the bytes of an argument's image.
template <class X>
auto image_of(const X& x) {
  if constexpr (std::is_convertible_v<const X&, std::string_view>) {
    const std::string_view text = x;
    return HostText{text.data(), static_cast<int64_t>(text.size())};
  } else {
    return evaluate(x);
  }
}

template <class Result>
using ImageOf = std::conditional_t<std::is_same_v<Result, std::string_view>, HostText, Result>;

/// A copy in the arena of what the host gave.
inline std::string_view taken(const HostText& text) { return arena_string({text.data, static_cast<size_t>(text.size)}); }
template <class T, int Rank>
Tensor<T, Rank> taken(const Tensor<T, Rank>& tensor) { return copy(tensor); }
template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
T taken(T number) { return number; }

inline void require_host_stack(const char* name, const char* location) {
  const Stack* stack = thread_stack;
  const char* frame = static_cast<const char*>(__builtin_frame_address(0));
  if (stack && stack->active && frame - stack->region.begin < host_stack)
    fail(errors::stack_exhausted, location, "no stack is left to call '%s': the recursion is too deep", name);
}

}  // namespace detail

/// The host's function of that name, called now. Fails where it raises, or where the program has no host.
template <class Result, class... Operands>
Result call_host(const char* name, const char* location, const Operands&... operands) {
  if (!detail::host_call) fail(errors::host, location, "'%s' is Python's, and the program was not loaded by Python", name);
  detail::require_host_stack(name, location);
  const auto images = std::make_tuple(detail::image_of(operands)...);
  const auto arguments = std::apply([](const auto&... image) { return std::array<const void*, sizeof...(image) + 1>{&image..., nullptr}; }, images);
  detail::ImageOf<Result> result{};
  HostRequest request{name, arguments.data(), &result};
  {
    const HostCall call = detail::host_call;
    const detail::Waiting waiting;
    call(&request);
  }
  if (request.failed) fail(errors::host, location, "'%s' failed", name);
  return detail::taken(result);
}

}  // namespace lantern
