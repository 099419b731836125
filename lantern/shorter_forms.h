#pragma once

#include "lantern/lowered.h"

/// What C++ says by one call.
namespace lantern {

/// A loop that does no more than append one value n times to an empty list gives `repeated(value, n)`.
void gather_repeated(lowered::Statements& statements);

/// Several results of a call that are handed on as they are: `return f(x);`. Direct form only.
void return_calls(lowered::Statements& statements);

}  // namespace lantern
