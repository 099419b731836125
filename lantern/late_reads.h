#pragma once

#include <map>
#include <set>

#include "lantern/lowered.h"

namespace lantern::lowered {

/// Of functions in continuation-passing style which formals their reverse sweep may read, or hand to a call whose reverse sweep does: arrays and lists that
/// have to stay as they are for as long as the continuation runs.
using LateReads = std::map<const ir::Function*, std::set<std::size_t>>;
LateReads late_reads(Program& program);

}  // namespace lantern::lowered
