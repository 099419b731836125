#pragma once

#include <string_view>

#include "frontend/syntax.h"

namespace lantern::syntax {

/// Parses a Python file's bytes: a BOM, or a PEP 263 cookie, says their encoding, else they are UTF-8. Line ends
/// may be LF, CRLF or CR. Throws Failure LT0101 at the place of a syntax error, with its line.
///
/// What is accepted is a superset of Python 3.11: every statement and expression comes back, but rules such as
/// "a default precedes a parameter without one" or "`return` outside a function" are CPython's to check.
Module parse(std::string_view bytes, FileName file);

/// The same for text that is UTF-8 already, whatever its cookie says (as CPython does for a `str`).
Module parse_text(std::string_view utf8, FileName file);

}  // namespace lantern::syntax
