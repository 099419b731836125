#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

/// The command line described, for what is made of it: completion, the manual page, suggestions.
namespace lantern::cli {

struct OptionDescription {
  std::vector<std::string> names;    // "-o", "--emit"; of a positional its one name, FILE
  std::string value;                 // what it takes: STAGE; "" for a flag
  std::vector<std::string> choices;  // the values that it may have; none: any
  std::string text;
  bool positional, required;
};

struct CommandDescription {
  std::string name, text, footer;  // name: "" for the command itself
  std::vector<OptionDescription> options;

  std::vector<std::string> option_names() const;
};

/// The command itself, then its subcommands. What is hidden from --help is left out.
std::vector<CommandDescription> describe(const CLI::App& app);

}  // namespace lantern::cli
