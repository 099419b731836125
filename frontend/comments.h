#pragma once

#include <string_view>
#include <vector>

#include "frontend/lexical.h"
#include "frontend/syntax.h"

namespace lantern::syntax {

/// What a file's author says of its logical lines, by line. A comment within a logical line speaks of it; one on lines of its own of the one
/// behind it, if that is indented alike. Left out are lines for tools (`# noqa`, `# type: ignore`) and rules (`# -----`).
std::vector<Comment> comments_of(std::string_view source, const LogicalLines& lines);

}  // namespace lantern::syntax
