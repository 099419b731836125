#pragma once

#include "frontend/concrete.h"
#include "frontend/lexical.h"
#include "frontend/syntax.h"

namespace lantern::syntax {

/// What is wrong with a module that the tokenizer's rules refuse.
Diagnostic explain_lexical_error(const Module& module, const LexicalError& error);

/// What is wrong with a module that the grammar does not accept: `error` is the first stretch of text that
/// tree-sitter could not place, which tells the line, and often the column.
Diagnostic explain_syntax_error(const Module& module, const LogicalLines& lines, const ConcreteNode& error);

}  // namespace lantern::syntax
