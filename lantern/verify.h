#pragma once

#include "lantern/ir.h"

namespace lantern {

/// What holds of the IR between passes: every variable is bound once and before it is read, blocks give as many results
/// as their binding takes, calls as many arguments as the callee has formals. Throws Failure LT0901 that names `pass`.
void verify(const ir::Program& program, const std::string& pass);

}  // namespace lantern
