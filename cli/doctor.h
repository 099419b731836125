#pragma once

#include <CLI/CLI.hpp>
#include <functional>

namespace lantern::cli {

/// `lantern doctor`: what Lantern needs, whether it is there, and how to get it. Exit code 4 where something is missing.
void add_doctor(CLI::App& app, std::function<int()>& chosen);

}  // namespace lantern::cli
