#pragma once

#include "lantern/flags.h"

/// Branches by flags that branches have set.
namespace lantern {

/// Two branches by one condition, side by side, become one, if those are at i. Whether they are. copies: a number that gets another value between them
/// gets it on both ways.
bool merge_branches(lowered::Statements& list, std::size_t i, const Flags& flags, bool copies);

/// `if (…) { …; done = true; } else { …; done = false; } if (done) { return x; }`, if that is at i: the return goes where done
/// becomes true. Whether it is. of_function: what returns there returns from the function.
bool thread_flag(lowered::Statements& list, std::size_t i, bool of_function, const Flags& flags, bool copies);

}  // namespace lantern
