#pragma once

#include "lantern/lowered.h"

namespace lantern {

/// Whether it is a call of a function, or a number that comes of calls or from outside, such as a random one.
bool is_call(const lowered::ExprPtr& e);

/// Whether a call, `value`, may stand in the place of the variable that is its result in the statement, which is the next one: C++ evaluates nothing that
/// the call could change or must come behind in front of it, and no place that errors are told of.
bool takes_call(lowered::Statement& statement, const ir::Variable* result, const lowered::ExprPtr& value);

/// Whether the value of a variable, which was computed in front of the statement, may be computed in it: no call beside it could come first
/// and change it, or end in an error that comes behind it.
bool stands_beside_calls(lowered::Statement& statement, const ir::Variable* variable, const lowered::ExprPtr& value);

}  // namespace lantern
