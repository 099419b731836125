// Results lie in the arena of the thread that called. They are forgotten at the beginning of its next call of an exported function, so that
// calling one for ever takes no more memory than calling it once.
#pragma once

#include <string_view>
#include <type_traits>

#include "lantern/arena.h"
#include "lantern/list.h"
#include "lantern/stack.h"
#include "lantern/tensor.h"

namespace lantern {

namespace detail {

/// Whether what an argument refers to lies in this thread's arena: elements, characters, a structure.
template <class T>
bool is_in_arena(const T& argument) {
  if constexpr (std::is_pointer_v<T>) return arena().holds(argument);
  else return arena().holds(&argument);
}
template <class T>
bool is_in_arena(const List<T>& list) { return arena().holds(list.data); }
template <class T>
bool is_in_arena(const Dataset<T>& set) { return arena().holds(set.items); }
template <class T, int Rank>
bool is_in_arena(const Tensor<T, Rank>& tensor) { return arena().holds(tensor.data); }
inline bool is_in_arena(std::string_view text) { return arena().holds(text.data()); }

}  // namespace detail

/// At the beginning of an exported function: what earlier calls of this thread have left in the arena is forgotten, results too, unless an argument lies
/// there, or the call is one within another.
template <class... Arguments>
void forget_results(const Arguments&... arguments) {
  const bool is_within = detail::thread_stack && detail::thread_stack->active;
  if (!is_within && !(... || detail::is_in_arena(arguments))) arena().reset(detail::waiting);
}

}  // namespace lantern
