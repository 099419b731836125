// What else evaluating an expression may do than give its value.
#pragma once

#include "lantern/lowered.h"
#include "lantern/operators.h"

namespace lantern {

/// Whether it prints, draws, reads a file, or calls one of the program's functions, which may.
bool has_effect(const lowered::ExprPtr& e);

/// How it can fail when the program runs.
Failures failures(const lowered::ExprPtr& e);

/// Whether two are the same operation on the same variables and whole numbers.
bool are_equal(const lowered::ExprPtr& a, const lowered::ExprPtr& b);

}  // namespace lantern
