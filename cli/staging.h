#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace lantern::cli {

struct StagingRequest {
  std::string file;
  std::optional<std::string> source = {};  // the file's text, where there is no file to read
  std::string entry;   // empty: what the file exports
  std::string emit;    // the stage that the user asked for
  std::string dtype;
  std::string mode;    // "compile", "run" or "check"
  std::vector<std::string> arguments = {};  // the entry's flags, for "run" and "check"
  int calls = 0, seed = 0;                  // for "check"
  std::string python;  // the user's choice; empty: the active environment's, else $LANTERN_PYTHON (that of an installed wheel), else PATH's python3
};

struct StagingReply {
  std::string sexpr;
  std::string staging;               // where that was asked for: the source, marked with what became of its statements
  nlohmann::ordered_json sources;    // to explore: the files that the program comes from, [{"file", "decisions"}]
  std::vector<std::string> folders;  // of the headers that the program includes
  std::vector<std::string> imports;  // the Python files that the program imports
  std::string name;                  // of the program; may be empty
  std::string entry;                 // for "run": what the program calls it
  nlohmann::ordered_json arguments;  // for "run": {formal: value}, in the entry's order
  bool ended = false;                // nothing to compile: checked, or the flags asked for help
};

/// The Python that stages: the chosen one, else the active environment's, else PATH's python3.
std::string python_to_start(const std::string& chosen);

/// Runs the user's Python on the staging package, which runs the user's file and gives back its S-expressions. Throws a
/// Failure with what is wrong in the user's program (LT01xx, LT03xx), or with Python itself (LT0803, LT0804, LT0806).
StagingReply stage(const StagingRequest& request);

}  // namespace lantern::cli
