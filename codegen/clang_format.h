#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace lantern {

/// C++ as clang-format lays it out, in up to so many columns; offsets into the code become offsets into the result.
std::string clang_formatted(const std::string& code, int columns, std::vector<std::size_t>& offsets);

}  // namespace lantern
