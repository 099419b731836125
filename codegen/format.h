#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace lantern {

/// C++ as clang-format lays it out in Google's style, up to 110 columns.
std::string format(const std::string& code);
/// The same; offsets into the code become offsets into the result. Each is to be that of a token's first character.
std::string format(const std::string& code, std::vector<std::size_t>& offsets);

}  // namespace lantern
