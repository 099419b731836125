#pragma once

#include <string>

#include "frontend/syntax.h"

/// What the analyses say of a file, for people: first its scopes, then each function line by line beside its source.
///
///     next    the lines that may run next; `end`: the function ends
///     raises  where an exception goes, if the function catches it
///     reads   names, and the lines that may have bound them last; `?`: perhaps nobody
///     writes, may write, deletes
///     captures names that a function made here closes over; `for any call from here on`: it is not only called by its name
///     calls   functions made in this one that it calls by name, and what those call, by the line of their `def`
///     live    the names that are read later, or by a closure, before they are bound again
namespace lantern::analysis {

std::string listing(const syntax::Module& module);

}  // namespace lantern::analysis
