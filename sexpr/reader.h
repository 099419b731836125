#pragma once

#include <string_view>

#include "sexpr/datum.h"

namespace lantern::sexpr {

/// Reads every datum of `text`. Throws a Failure with all the errors found, in order (LT0201–LT0210), at
/// file:line:column. Nesting costs memory, not stack; past max_nesting it is an error.
Document read(std::string_view text, FileName file);
inline Document read(std::string_view text, std::string_view file) {
  return read(text, std::make_shared<const std::string>(file));
}

}  // namespace lantern::sexpr
