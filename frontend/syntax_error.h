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

/// The grammar reads the line that begins at byte `begin` as a part of the one before.
Diagnostic explain_joined_lines(const Module& module, const LogicalLines& lines, const ConcreteTree& tree, std::uint32_t begin);

}  // namespace lantern::syntax
