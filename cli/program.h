#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace lantern::cli {

/// Loads a built program and calls one of its entries with `arguments`, {formal: bool | integer | float | string}.
/// Results are dropped: the program prints them itself (staging/shown_results.py). An error that the program raises is thrown as a Failure, its place in `source`,
/// the file that the user wrote; one of the loading is LT0602.
void run_program(const std::string& shared_object, const std::string& entry, const nlohmann::ordered_json& arguments,
                 const std::string& source);

}  // namespace lantern::cli
