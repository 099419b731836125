#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

namespace lantern::cli {

/// Adds the subcommand; `flags` is what stood behind ENTRY on the command line.
void add_run(CLI::App& app, const std::vector<std::string>& flags, std::function<int()>& chosen);

/// Cuts what follows ENTRY off `arguments` (without the program's name) and returns it: those flags are the entry's, even
/// where ours are spelt alike. Arguments of another subcommand are left as they are.
std::vector<std::string> take_entry_flags(std::vector<std::string>& arguments);

}  // namespace lantern::cli
