#pragma once

#include <map>
#include <set>
#include <utility>

#include "lantern/ir.h"

namespace lantern {

/// Of each function the pairs of a formal and a result that may have elements of an array, or places of a list, in common.
using SharedPlaces = std::map<const ir::Function*, std::set<std::pair<std::size_t, std::size_t>>>;

SharedPlaces shared_places(const ir::Program& program);

/// Whether a list that an operation gives has places of its own.
bool makes_places_of_its_own(const Operator& op);
/// Whether an operation gives an array or a list with something changed.
bool gives_changed(const Operator& op);

}  // namespace lantern
