#pragma once

#include <CLI/CLI.hpp>
#include <functional>

namespace lantern::cli {

/// `lantern explain CODE`: what a diagnostic's code means, with a program that causes it (docs/errors).
void add_explain(CLI::App& app, std::function<int()>& chosen);

}  // namespace lantern::cli
