#pragma once

#include <string_view>

namespace lantern::spelling {

/// Whether headers that generated C++ includes, or that programs include beside it, define a macro of that name, as M_PI, INT_MAX or I: what is called so
/// would become something else before the compiler has seen it.
bool is_macro(std::string_view name);

}  // namespace lantern::spelling
