#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/options.h"

/// What each entry of the C API asks of the folders below, one function an entry. Each throws Failure.
namespace lantern::stages {

std::string convert(std::string_view source, const std::string& file, const CallOptions& options);
/// `log` is given what the passes have to say, also where this throws.
std::string compile(std::string_view sexpr, const std::string& file, const CallOptions& options, std::string& log);
std::string infer(std::string_view operation);
std::string operators();

/// The compiler's passes in order; those that a program can do without.
std::vector<std::string_view> passes();
std::vector<std::string_view> optional_passes();

/// A file's name without folders and suffix, made a C++ name: "models/my-model.py" is my_model.
std::string program_name(const std::string& file);

}  // namespace lantern::stages
