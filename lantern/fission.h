#pragma once

#include <functional>
#include <set>
#include <string>

#include "lantern/ir.h"

namespace lantern {

/// What in a loop's body depends on the turns before.
std::set<const ir::Binding*> dependent_on_turns(const ir::For& loop);

/// Whether nobody could tell when it runs: it changes nothing, and cannot fail.
bool is_quiet(const ir::Binding& binding);

/// Takes a loop of known length apart: into turns that do not depend on each other, with all that `worthwhile` finds there, and a
/// loop over what those gave.
///
///   y = for i in (range 0 n 1) with s = a { t = call f(i); u = s + t => u }
///
///   ts = each i below n { t = call f(i) => t }
///   y = for i in (range 0 n 1) with s = a { v = index(ts, i); u = s + v => u }
///
/// Empty if it did; else why not: "its calls depend on the turn before".
std::string take_apart(ir::Program& program, ir::Block& block, std::size_t loop, const std::function<bool(const ir::Binding&)>& worthwhile);

}  // namespace lantern
