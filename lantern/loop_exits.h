#pragma once

#include "lantern/flags.h"

/// Loops that flags leave, and the function behind them.
namespace lantern {

/// `while (!done) { …; done = c; }`, if that is at i, becomes `while (true) { …; if (c) break; }`. Whether it is.
bool leave_loop(lowered::Statements& list, std::size_t i);

/// `… done = c; if (c) break; } if (done) { return x; }`, if the loop is at i, becomes `… if (c) { return x; } }`. Behind a loop that
/// only breaks leave, what returns goes there, too. Whether it does.
bool leave_function(lowered::Statements& list, std::size_t i, const Flags& flags);

}  // namespace lantern
