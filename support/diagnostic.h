#pragma once

#include <exception>
#include <string>
#include <vector>

#include "support/location.h"

namespace lantern {

/// How a run ends; also the process's exit code.
enum class Outcome { fine = 0, program_is_wrong = 1, usage_is_wrong = 2, bug_in_lantern = 3, environment = 4 };

struct Note {
  Location location;
  std::string message;
};

/// One thing that is wrong, in the user's terms. `code` is stable ("LT0301"); docs/errors.md lists them:
/// LT01xx Python syntax and conversion, LT02xx S-expressions, LT03xx names and staging, LT04xx types and
/// shapes, LT05xx derivatives, LT06xx build and load, LT07xx data and run time, LT08xx command line,
/// LT09xx bugs of ours.
struct Diagnostic {
  std::string code;
  Location location;
  std::string message;          // what is wrong, with which variable
  std::string hint = {};        // what to do; may be empty
  std::vector<Note> notes = {};
  Outcome outcome = Outcome::program_is_wrong;
  std::string source_line = {};  // the text of location.line; filled by whoever has the source at hand
};

/// Thrown by every stage: one or more diagnostics, in source order.
class Failure : public std::exception {
 public:
  explicit Failure(Diagnostic diagnostic) { diagnostics.push_back(std::move(diagnostic)); }
  explicit Failure(std::vector<Diagnostic> all) : diagnostics(std::move(all)) {}
  const char* what() const noexcept override { return diagnostics.empty() ? "" : diagnostics[0].message.c_str(); }
  Outcome outcome() const;

  std::vector<Diagnostic> diagnostics;
};

/// `file:line:column: error: message [code]`, then the line with a caret, notes and the hint. If
/// `source_line` is empty and the file can be read, the line is read from it.
std::string render(const Diagnostic& diagnostic, bool colour = false);
std::string render(const std::vector<Diagnostic>& diagnostics, bool colour = false);

/// A broken promise of ours: names the pass, outcome bug_in_lantern.
Failure bug_of(const std::string& pass, const std::string& what);
/// Throws it.
[[noreturn]] void bug(const std::string& pass, const std::string& what);

}  // namespace lantern
