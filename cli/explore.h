#pragma once

#include <CLI/CLI.hpp>
#include <functional>

#include "cli/general.h"

namespace lantern::cli {

/// `lantern explore`: a program at every stage of the compiler, side by side, as one HTML page.
void add_explore(CLI::App& app, const General& general, std::function<int()>& chosen);

}  // namespace lantern::cli
