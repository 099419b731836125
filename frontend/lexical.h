#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lantern::syntax {

struct LexicalError {
  std::uint32_t at;  // byte of the source
  std::string message;
};

/// The source as the grammar gets it, byte for byte in the same places: comments, and line ends that end no logical
/// line (inside brackets, behind a backslash), are blanks. The grammar's own scanner takes some dedented lines in
/// brackets for the end of a block. `error` tells of brackets and strings left open, in CPython's words.
struct LogicalLines {
  std::string text;
  std::optional<LexicalError> error;
};

LogicalLines logical_lines(std::string_view source);

}  // namespace lantern::syntax
