#pragma once

#include <CLI/CLI.hpp>
#include <functional>

namespace lantern::cli {

/// `lantern completion SHELL`: prints what makes bash, zsh or fish complete the command's words.
void add_completion(CLI::App& app, std::function<int()>& chosen);

}  // namespace lantern::cli
