#pragma once

#include "lantern/lowered.h"

namespace lantern {

/// Whether an expression is of C++'s own floating type of that dtype: locals are, and what operators make of such.
bool is_of_cpp(const lowered::ExprPtr& e, DType dtype);
/// Whether C++ has an expression in a number of that very dtype, so that a cast to it says nothing.
bool has_own_type(const lowered::ExprPtr& e, DType dtype);
/// Whether C++ brings an operand of an infix operator to `wanted` by itself, beside one of that dtype, and nothing is lost that -Wconversion would ask for.
bool follows(const lowered::ExprPtr& operand, DType wanted);

}  // namespace lantern
