#pragma once

#include <map>
#include <optional>
#include <utility>

#include "lantern/late_reads.h"
#include "lantern/lowered.h"
#include "lantern/shared_places.h"

namespace lantern::lowered {

/// What of an array or a list is changed where it is: the elements of an array, the places of a list, or those of its rows, too, lists themselves.
enum class Depth { elements, rows };

/// A result of a function that is one of its formals, changed where it is.
struct Changed {
  std::size_t result;
  Depth depth;
};

/// What is known of the functions that are called. changed: by the formal.
struct Calls {
  SharedPlaces shared;
  LateReads late = {};
  std::map<std::pair<const ir::Function*, Form>, std::map<std::size_t, Changed>> changed = {};
};

/// What a statement calls, and takes the results of.
std::optional<std::pair<const ir::Function*, Form>> called_by(const Statement& s);

/// A function that changes an array or a list that it is given, and gives it back, changes it where the caller has it, if no call looks at it
/// again as it was. `changed` is of those functions, whose bodies have been rewritten: what such a formal becomes is the formal. Their calls and
/// their results are as they were: `leave_out_changed` is to follow, when each call's result, too, is the variable that it is given.
Calls change_formals(Program& program);

/// Leaves out the results that are formals, where they are given and where they are taken.
void leave_out_changed(Program& program, const Calls& calls);

}  // namespace lantern::lowered
