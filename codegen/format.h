#pragma once

#include <string>

namespace lantern {

/// C++ as clang-format lays it out in Google's style, up to 110 columns.
std::string format(const std::string& code);

}  // namespace lantern
