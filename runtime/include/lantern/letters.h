// What characters are, and letters of the other case. Of those that not every version of Unicode has, or has alike, it is not said: ValueError.
#pragma once

#include <string_view>

#include "lantern/characters.h"

namespace lantern {

/// Whether a text has characters, and Python's str.is<what>() holds: "alpha", "digit", "decimal", "alnum", "space", "upper" or "lower". Fails with ValueError
/// on characters that are not known.
bool consists_of(const char* what, std::string_view text, const char* location = "");

/// A text in another case: Python's str.<which>(), "upper", "lower", "title", "capitalize" or "swapcase". Fails with ValueError on characters that are not known.
std::string_view in_case(const char* which, std::string_view text, const char* location = "");

namespace detail {

/// What a character is, as bits.
inline constexpr unsigned alpha = 1, decimal = 2, digit = 4, numeric = 8, space = 16, upper = 32, lower = 64;

/// The kinds of a character beyond ASCII; -1: it is not known.
int kinds_beyond_ascii(uint32_t code);

inline bool is_space(uint32_t code) {
  if (code < 128) return code == ' ' || (code >= 9 && code <= 13) || (code >= 28 && code <= 31);
  return code == 0x85 || code == 0xA0 || code == 0x1680 || (code >= 0x2000 && code <= 0x200A) || code == 0x2028 || code == 0x2029 || code == 0x202F || code == 0x205F || code == 0x3000;
}

/// An error about a character: `"str.upper()"`, `"which letter it becomes"`.
[[noreturn]] void unknown_character(uint32_t code, const char* function, const char* what, const char* location);

}  // namespace detail

}  // namespace lantern

#include LANTERN_DEFINITIONS("lantern/definitions/letters.h")
