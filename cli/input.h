#pragma once

#include <string>

namespace lantern::cli {

/// A program as it comes in.
struct Input {
  std::string file;          // as diagnostics name it; "<stdin>"
  std::string name;          // the program's, in C++
  std::string text;
  bool is_python;
  bool is_stdin;

  std::string base_name() const;  // the file's, without folders
  std::string folder() const;     // where the headers of its (extern …) are
};

/// Reads a .py or .sexpr file; "-" is standard input, Python unless it begins with a parenthesis or with a comment of S-expressions.
/// Throws Failure: LT0801 where it cannot be read, LT0805 for another suffix.
Input read_input(const std::string& file);

/// The same of what must be Python: LT0805, in these words, where it is not.
Input read_python(const std::string& file, const std::string& message, const std::string& hint);

}  // namespace lantern::cli
