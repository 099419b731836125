#pragma once

#include <set>

#include "lantern/lowered.h"

namespace lantern::lowered {

using Functions = std::set<const ir::Function*>;

/// Whether evaluating an expression may take memory of the arena. What has a value of C++'s own, and what is a view of
/// what is there already, takes none; without: nor do calls of these.
bool takes_memory(const ExprPtr& e, const Functions& without = {});

/// Whether a statement, or one within it, may: or moves the arena back to a mark, which may be that of what stands around it.
bool takes_memory(Statement& s, const Functions& without = {});
bool takes_memory(Statements& list, const Functions& without = {});

/// Before:  const auto mark = arena().mark();           After:  for (int64_t i = 1; i < n; ++i) {
///          for (int64_t i = 1; i < n; ++i) {                     total += gcd(i, n);
///            total += gcd(i, n);                               }
///            arena().reset(mark);
///          }
/// Loops mark the arena where they call functions; once all are there, it is known which take memory.
void leave_out_marks(Program& program);

}  // namespace lantern::lowered
