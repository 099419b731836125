#pragma once

#include <string>
#include <vector>

namespace lantern {

/// The text of headers that a user's program includes, and of all that they include by quoted path, each once: what it was
/// built from besides its own text. Throws Failure LT0604 where a header is in none of the folders.
std::string text_of_headers(const std::vector<std::string>& headers, const std::vector<std::string>& folders);

}  // namespace lantern
