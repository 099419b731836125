#pragma once

#include <CLI/CLI.hpp>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace lantern::cli {

/// What the command line asks of the compiler's passes.
struct PassFlags {
  std::vector<std::string> print_after, disable;
  std::string schedule, bug_in;
  bool time = false, remarks = false;

  /// Makes --print-after, --disable-pass, --schedule, --remarks and --time-passes options of a command.
  void add_to(CLI::App& command);
  /// Sets the options of lantern_compile.
  void set(nlohmann::ordered_json& options) const;
};

}  // namespace lantern::cli
