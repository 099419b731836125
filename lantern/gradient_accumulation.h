#pragma once

#include <functional>

#include "lantern/activity.h"
#include "lantern/batching.h"
#include "lantern/ir.h"

namespace lantern {

/// The gradient of a sum is the sum of the gradients of its terms: where a function whose gradient is taken sums up what calls give, in
/// the turns of a loop mostly, that of each term is taken as soon as the term is known, and what it keeps for that is given back at once.
///
///   y = value-and-grad (of_batch trees) wrt w            of_batch(trees): total = for tree in trees with s = 0.0 {
///                                                                           x = call loss(tree); t = s + x => t }
///                                                                         mean = total / n => mean
///
///   y = value-and-grad (of_batch trees) wrt w, in parts  … { a = 1.0 / n; x = add-gradient loss(tree) times a; … }
///
/// Whether it has changed the program, and is to run again. `remark` is told of each, and of what is not taken so and why.
bool accumulate_gradients(ir::Program& program, const Activity& activity, const std::function<void(const Remark&)>& remark);

}  // namespace lantern
