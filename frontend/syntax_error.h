#pragma once

#include "frontend/concrete.h"
#include "frontend/syntax.h"

namespace lantern::syntax {

/// What is wrong with a module that the grammar does not accept, and where. tree-sitter says only which stretch of
/// text it could not place; brackets and strings left open, the usual reasons, are looked for first.
Diagnostic explain_syntax_error(const Module& module, const ConcreteNode& error);

}  // namespace lantern::syntax
