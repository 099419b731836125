#pragma once

#include <CLI/CLI.hpp>
#include <functional>

namespace lantern::cli {

/// `lantern man`: prints the manual page, lantern(1).
void add_manual(CLI::App& app, std::function<int()>& chosen);

}  // namespace lantern::cli
