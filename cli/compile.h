#pragma once

#include <CLI/CLI.hpp>
#include <functional>

#include "cli/general.h"

namespace lantern::cli {

/// Adds the subcommand. What it is to do, once the command line is read, goes into `chosen`.
void add_compile(CLI::App& app, const General& general, std::function<int()>& chosen);

}  // namespace lantern::cli
