#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/diagnostic.h"

namespace lantern {

/// The fields that api/lantern.h documents.
nlohmann::ordered_json to_json(const std::vector<Diagnostic>& diagnostics);

/// Reads them back, from the staging program too: every field but `message` may be absent, and a note may be a mere
/// string. What is not a diagnostic is a bug of ours.
std::vector<Diagnostic> diagnostics_from_json(const nlohmann::ordered_json& json);

/// JSON text; bytes that are not UTF-8 are replaced.
std::string dump(const nlohmann::ordered_json& json);

}  // namespace lantern
