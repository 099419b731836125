// What characters are, and letters of the other case. Of those that not every version of Unicode has, or has alike, it is not said: ValueError.
#pragma once

#include <string_view>

#include "lantern/characters.h"

namespace lantern {

/// Whether a text has characters, and Python's str.is<what>() holds: "alpha", "digit", "decimal", "alnum", "space", "upper" or "lower". Fails with ValueError
/// on characters that are not known.
inline bool consists_of(const char* what, std::string_view text, const char* location = "");

/// A text in another case: Python's str.<which>(), "upper", "lower", "title", "capitalize" or "swapcase". Fails with ValueError on characters that are not known.
inline std::string_view in_case(const char* which, std::string_view text, const char* location = "");

namespace detail {

/// What a character is, as bits.
namespace kind {
inline constexpr unsigned alpha = 1, decimal = 2, digit = 4, numeric = 8, space = 16, upper = 32, lower = 64;
}

/// The kinds of a character beyond ASCII; -1: it is not known.
int kinds_beyond_ascii(uint32_t code);

inline bool is_space(uint32_t code) {
  if (code < 128) return code == ' ' || (code >= 9 && code <= 13) || (code >= 28 && code <= 31);
  return code == 0x85 || code == 0xA0 || code == 0x1680 || (code >= 0x2000 && code <= 0x200A) || code == 0x2028 || code == 0x2029 || code == 0x202F || code == 0x205F || code == 0x3000;
}

inline unsigned kinds_of_ascii(uint32_t code) {
  using namespace kind;
  if (code >= '0' && code <= '9') return decimal | digit | numeric;
  if (code >= 'A' && code <= 'Z') return alpha | upper;
  if (code >= 'a' && code <= 'z') return alpha | lower;
  return is_space(code) ? space : 0;
}

/// The kinds of which str.is<what>() wants one.
constexpr unsigned kinds_called(const char* what) {
  using namespace kind;
  switch (what[0]) {
    case 'a': return what[2] == 'p' ? alpha : alpha | decimal | digit | numeric;
    case 'd': return what[1] == 'i' ? digit : decimal;
    case 's': return space;
    default: return what[0] == 'u' ? upper : lower;
  }
}

bool consists_of_kind(unsigned wanted, const char* what, std::string_view text, const char* location);
std::string_view in_other_case(const char* which, std::string_view text, const char* location);

/// An error about a character: `"str.upper()"`, `"which letter it becomes"`.
[[noreturn]] void unknown_character(uint32_t code, const char* function, const char* what, const char* location);

}  // namespace detail

inline bool consists_of(const char* what, std::string_view text, const char* location) {
  const unsigned wanted = detail::kinds_called(what);
  if (text.size() == 1) return (detail::kinds_of_ascii(static_cast<unsigned char>(text[0])) & wanted) != 0;
  return detail::consists_of_kind(wanted, what, text, location);
}

inline std::string_view in_case(const char* which, std::string_view text, const char* location) {
  if (text.size() != 1) return detail::in_other_case(which, text, location);
  const unsigned changes = which[0] == 'l' ? detail::kind::upper : which[0] == 's' ? detail::kind::upper | detail::kind::lower : detail::kind::lower;
  return detail::kinds_of_ascii(static_cast<unsigned char>(text[0])) & changes ? character_of(text[0] ^ 32) : text;
}

}  // namespace lantern

#include LANTERN_DEFINITIONS("lantern/definitions/letters.h")
