#pragma once

#include <compare>
#include <memory>
#include <string>

namespace lantern {

/// A file's name as its user knows it, shared by every location in it. Null: no file.
using FileName = std::shared_ptr<const std::string>;

/// Where something stands in a source file. Lines and columns count from 1, columns in characters
/// (Unicode code points), as editors show them; line 0 means "no place is known".
struct Location {
  FileName file;
  int line = 0;
  int column = 0;
  int end_line = 0;    // 0: unknown; else the position just behind the last character
  int end_column = 0;

  bool known() const { return line > 0; }
  const std::string& file_name() const;
};

}  // namespace lantern
