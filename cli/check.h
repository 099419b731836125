#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

namespace lantern::cli {

/// `lantern check`: runs the entries of a Python file plainly and compiled on random arguments, and compares. `flags`: what stands
/// behind the entry's name.
void add_check(CLI::App& app, const std::vector<std::string>& flags, std::function<int()>& chosen);

}  // namespace lantern::cli
