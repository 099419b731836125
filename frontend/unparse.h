#pragma once

#include <string>
#include <vector>

#include "frontend/syntax.h"

namespace lantern::syntax {

/// One statement or expression of the printed text and the user's text that it stands for. Both ranges as in
/// Range; `output` is what CPython reports for the node when it parses the text (parentheses outside it, a
/// decorated definition from its `def`), except that columns count characters, not UTF-8 bytes.
struct Mapping {
  Range output;
  Range origin;
};

struct Unparsed {
  std::string text;
  std::vector<Mapping> map;  // by output position, outer nodes before inner ones; only nodes of known origin
};

/// Prints the tree as Python 3.11: four spaces a level, one statement a line, the parentheses that are needed and
/// no others, literals as they were spelled. Parsing the text gives the same tree. Where a pass has put code in an
/// f-string that cannot stand there (a backslash, all kinds of quotes), `"…".format(…)` is printed in its stead.
Unparsed unparse(const Module& module);
Unparsed unparse(const Block& block);

/// One node's text, without a line end behind an expression.
std::string to_source(const Expr& expr);
std::string to_source(const Stmt& stmt);

/// Whether two trees are the same code: ranges do not count.
bool same_code(const Expr& a, const Expr& b);
bool same_code(const Stmt& a, const Stmt& b);

}  // namespace lantern::syntax
