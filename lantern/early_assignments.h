#pragma once

#include "lantern/lowered.h"

namespace lantern {

/// What a number becomes on the ways of a branch that leave it as it was made in front of the branch, it becomes there. Direct form only.
void assign_early(lowered::Statements& list);

/// What all ways of a branch give a variable, or most of them, or its last `else`, if that is a constant, the variable begins with:
///
///   int64_t left{};                              int64_t left = 0;
///   if (n > 0) {                                 if (n < 1) {
///     left = 0;                                    left = 1;
///   } else {                                     }
///     left = 1;
///   }
void begin_with_constants(lowered::Statements& statements);

/// What a branch at the end of a function gives variables that are there to be returned, it returns itself; whether it does now.
bool return_in_branch(lowered::Statements& statements);

}  // namespace lantern
