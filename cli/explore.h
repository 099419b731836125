#pragma once

#include <CLI/CLI.hpp>
#include <functional>

namespace lantern::cli {

/// `lantern explore`: a program at every stage of the compiler, side by side, as one HTML page.
void add_explore(CLI::App& app, std::function<int()>& chosen);

}  // namespace lantern::cli
