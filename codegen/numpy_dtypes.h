#pragma once

#include <optional>

#include "lantern/lowered.h"

namespace lantern {

/// The dtype in which NumPy computes an elementwise operator of arrays of rank 0, which are C++'s numbers here; else none.
std::optional<DType> numpys_dtype(const lowered::Apply& apply, const Type& result);

/// The dtype that arrays have to be brought to beside one of rank 0, which is a number of C++'s and would be brought to theirs; else none.
std::optional<DType> widened_dtype(const lowered::Apply& apply);

/// Whether an expression is a number, and no array of rank 0, that may need more than 32 bits: beside an array of 32 that is an error.
bool may_exceed_i32(const lowered::ExprPtr& number);

}  // namespace lantern
