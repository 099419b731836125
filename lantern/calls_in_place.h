#pragma once

#include <map>
#include <optional>
#include <utility>

#include "lantern/late_reads.h"
#include "lantern/lowered.h"
#include "lantern/shared_places.h"

namespace lantern::lowered {

/// What is known of the functions that are called. changed: formal → result, which is the formal, changed where it is.
struct Calls {
  SharedPlaces shared;
  LateReads late = {};
  std::map<std::pair<const ir::Function*, Form>, std::map<std::size_t, std::size_t>> changed = {};
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
