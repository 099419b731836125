#pragma once

#include <CLI/CLI.hpp>
#include <functional>

namespace lantern::cli {

/// Adds the subcommand: curves of logs of training, drawn by Python's matplotlib.
void add_plot(CLI::App& app, std::function<int()>& chosen);

}  // namespace lantern::cli
