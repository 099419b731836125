#pragma once

#include "lantern/lowered.h"

namespace lantern {

/// Where the first operation of a statement comes from whose operands' shapes may turn out not to fit each other when the
/// program runs; none where the types leave no doubt. Nested statements aside.
const Location* first_unsure_shape(const lowered::Statement& statement);

}  // namespace lantern
