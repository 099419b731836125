#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lantern::syntax {

struct LexicalError {
  std::uint32_t at;  // byte of the source
  std::string message;
};

/// The source as the grammar gets it, byte for byte in the same places, but plainer:
/// - comments, and line ends that end no logical line (inside brackets, behind a backslash), are blanks: the
///   grammar's own scanner takes some dedented lines in brackets for the end of a block;
/// - each logical line is indented by one blank a level, the rest of its indentation being form feeds, which count
///   nothing: that scanner knows neither tab stops nor columns past 255;
/// - between two lines of simple statements of one block, the line end is a `;` where a bracket or a string follows, or a comma
///   goes before: the grammar also tries to go on there (`k = j, 1`, then `[x][0] += 3`; `x,`, then `y, z = w`);
/// - the blank before a bracket in `match (a).b:` or `match [a]:` is a `~`: else the grammar takes `match` for a name that is
///   called or indexed. The tree is built without that operator, and nodes begin behind it. Where there is no blank, `match` moves
///   into the line's indentation to make one.
///
/// `error` is what CPython's tokenizer would refuse, in its words: brackets and strings left open, indentation that
/// does not fit. `missing_colon`, the first line that looks like a compound statement's without its colon, explains
/// why the grammar fails, if it does.
///
/// `stars` are the bytes of those stars that unpack something other than a name (`*[1], 2`), which the grammar knows
/// in some places only.
///
/// `begins` are the first bytes of the logical lines, in `text`: a statement or a clause of one begins at each.
/// `comments` are where they begin, at their `#`, and whether that is within a logical line.
struct LogicalLines {
  struct CommentPlace {
    std::uint32_t begin, end;
    bool within;
  };
  std::string text;
  std::optional<LexicalError> error = {};
  std::optional<LexicalError> missing_colon = {};
  std::vector<std::uint32_t> stars = {};
  std::vector<std::uint32_t> begins = {};
  std::vector<CommentPlace> comments = {};
};

LogicalLines logical_lines(std::string_view source);

}  // namespace lantern::syntax
