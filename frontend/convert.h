#pragma once

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/syntax.h"

/// Python source → converted Python: control flow, calls and operators become calls of `lantern.operators`, which
/// look at their operands when they run and either do what Python does or stage it.
namespace lantern {

/// Which function of a file is meant: the one whose code object has this first line (its `def`, or its first decorator)
/// and this name ("<lambda>" for a lambda).
struct FunctionPlace {
  int line = 0;
  std::string name = {};
  int column = 0;  // for lambdas that share a line: a place in the one that is meant; 0: there is one
};

/// A function that stays plain Python, and why ("it is a generator"). Not an error.
struct Unconverted {
  std::string function;
  std::string code;
  std::string reason;
  Location location;
};

struct Conversion {
  std::string text;  // "" if the function that was asked for is left unconverted
  /// [output line, output column, line, column, end line, end column], by output position, outer nodes first; lines
  /// and columns (in characters) count from 1.
  std::vector<std::array<int, 6>> source_map;
  std::vector<std::string> free_variables;  // of the function that was asked for; the factory's formals behind `ag__`
  std::vector<syntax::Comment> comments;    // of the user's, in the function that was asked for
  std::vector<Unconverted> unconverted;     // in a whole file: all that are; else that function, if it is
};

/// A whole file, every function and method in place, `import lantern.operators as ag__` on top. Throws Failure LT0101
/// for a syntax error.
Conversion convert(std::string_view source, const std::string& filename);

/// A file whose functions are converted one by one: read once, and never changed. Copies share it, and threads may.
class SourceFile {
 public:
  /// Throws Failure LT0101 for a syntax error.
  SourceFile(std::string_view source, const std::string& filename);

  /// One function, as a factory: `def factory__(ag__, FREE…): def NAME(…): …; return NAME`. A function that calls itself
  /// through a global is called `NAME__` there, so that the global is still meant. Throws Failure: LT0156 if no such
  /// function stands there, LT0157 if several lambdas do and `column` does not say which.
  Conversion convert(const FunctionPlace& place) const;

  /// Of all its logical lines, by line.
  const std::vector<syntax::Comment>& comments() const;

 private:
  struct Read;
  std::shared_ptr<const Read> read_;
};

}  // namespace lantern
