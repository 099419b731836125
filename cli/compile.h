#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>

namespace lantern::cli {

/// Adds the subcommand. What it is to do, once the command line is read, goes into `chosen`.
void add_compile(CLI::App& app, std::function<int()>& chosen);

/// ".py" or ".sexpr"; anything else is wrong usage.
std::string suffix_of(const std::string& file);

}  // namespace lantern::cli
