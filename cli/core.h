#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

/// The C API, as C++: text comes back, the log goes to stderr, diagnostics are thrown as a Failure.
namespace lantern::cli {

std::string convert(std::string_view source, const std::string& file);
/// {"code", "map"} as lantern_convert documents them.
nlohmann::ordered_json conversion_of(std::string_view source, const std::string& file);
std::string analyse(std::string_view source, const std::string& file);
std::string compile(std::string_view sexpr, const std::string& file, const nlohmann::ordered_json& options);

}  // namespace lantern::cli
