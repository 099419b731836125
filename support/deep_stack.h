#pragma once

#include <functional>

namespace lantern {

/// Runs `work` on a stack of its own: large in address space, committed as it is touched, so that passes
/// may recurse over a user's nesting and depth costs memory. Exceptions pass through. Nested calls run in place.
void on_deep_stack(const std::function<void()>& work);

/// Nesting that a reader accepts; past it, an error. Sized so that every pass fits on the deep stack.
inline constexpr int max_nesting = 2'000'000;

}  // namespace lantern
