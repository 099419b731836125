#pragma once

#include <string>
#include <vector>

#include "codegen/module.h"

namespace lantern {

/// Compiles a module into a shared object with the C ABI, in the cache ($LANTERN_CACHE, else ~/.cache/lantern), where one of
/// the same text, compiler and flags is found again; what all programs have in common is compiled there once (prepared.h), if it is
/// not beside this build, or in $LANTERN_PREPARED, already; where that is `none`, each program is compiled whole. The compiler is $LANTERN_CXX, else c++; the runtime's headers
/// are in $LANTERN_RUNTIME, else beside this build; the user's, in `folders`. Safe when two processes race. Returns the path. Throws Failure LT0601 with
/// the compiler's own words if it fails, LT0604 where a user's header is in none of the folders.
std::string build_shared_object(const Module& module, const std::vector<std::string>& folders = {});

}  // namespace lantern
