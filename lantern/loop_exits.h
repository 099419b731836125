#pragma once

#include "lantern/flags.h"

/// Loops that flags leave, and the function behind them.
namespace lantern {

/// `while (!done) { …; done = c; }`, if that is at i, becomes `while (true) { …; if (c) break; }`, where c is a variable, or any condition. Whether it is.
bool leave_loop(lowered::Statements& list, std::size_t i, bool by_any_condition = false);

/// The same of all loops, by any condition: where no more is to be found out of the flag.
void leave_loops(lowered::Statements& list);

/// `… done = c; if (c) break; } if (done) { return x; }`, if the loop is at i, becomes `… if (c) { return x; } }`. Behind a loop that
/// only breaks leave, what returns goes there, too. Whether it does.
bool leave_function(lowered::Statements& list, std::size_t i, const Flags& flags);

}  // namespace lantern
