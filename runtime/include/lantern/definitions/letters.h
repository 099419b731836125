// Kinds of characters, and their cases: ASCII, Latin, Greek and Cyrillic letters, and what has no case.
#pragma once

#include <algorithm>

#include "lantern/letters.h"

namespace lantern {

namespace detail {

LANTERN_INLINE void unknown_character(uint32_t code, const char* function, const char* what, const char* location) {
  char bytes[5] = {};
  put_code(bytes, code);
  fail(errors::domain, location, "%s of '%s' (U+%04X): %s depends on the version of Unicode, or on what stands around it", function, bytes, code, what);
}

LANTERN_INLINE int kinds_beyond_ascii(uint32_t code) {
  using namespace kind;
  struct Range {
    uint32_t first, last;
    unsigned kinds;  // of letters in pairs, those of the first; the next one is small
    bool in_pairs = false;
  };
  constexpr unsigned large = alpha | upper, small = alpha | lower;
  static constexpr Range ranges[] = {
      {0xAA, 0xAA, small}, {0xB2, 0xB3, digit | numeric}, {0xB5, 0xB5, small}, {0xB9, 0xB9, digit | numeric}, {0xBA, 0xBA, small}, {0xBC, 0xBE, numeric},
      {0xC0, 0xD6, large}, {0xD7, 0xD7, 0}, {0xD8, 0xDE, large}, {0xDF, 0xF6, small}, {0xF7, 0xF7, 0}, {0xF8, 0xFF, small},
      {0x80, 0xBF, 0},  // the rest of them
      {0x100, 0x137, large, true}, {0x138, 0x138, small}, {0x139, 0x148, large, true}, {0x149, 0x149, small}, {0x14A, 0x177, large, true}, {0x178, 0x178, large}, {0x179, 0x17E, large, true}, {0x17F, 0x17F, small},
      {0x300, 0x344, 0}, {0x346, 0x36F, 0},  // accents that follow their letters
      {0x386, 0x386, large}, {0x387, 0x387, 0}, {0x388, 0x38A, large}, {0x38C, 0x38C, large}, {0x38E, 0x38F, large}, {0x390, 0x390, small}, {0x391, 0x3A1, large}, {0x3A3, 0x3AB, large}, {0x3AC, 0x3CE, small},
      {0x400, 0x42F, large}, {0x430, 0x45F, small},
      {0x2010, 0x2027, 0}, {0x2030, 0x205E, 0}, {0x2190, 0x23F3, 0}, {0x3041, 0x3096, alpha}, {0x30A1, 0x30FA, alpha}, {0x4E00, 0x9FCC, alpha}, {0xAC00, 0xD7A3, alpha}, {0x1F600, 0x1F64F, 0}};
  if (is_space(code)) return space;
  if (is_half(code) || code == no_character) return 0;
  for (const Range& range : ranges) {
    if (range.first <= code && code <= range.last) return static_cast<int>(range.in_pairs && (code - range.first) % 2 ? small : range.kinds);
  }
  return -1;
}

inline constexpr uint32_t no_letter = 0xFFFFFFFF;

/// The letter of the other case, or `no_letter` where it is not one, or not known.
LANTERN_INLINE uint32_t small_of(uint32_t code) {
  if (code < 128) return code + 32;
  if (code <= 0xDE) return code + 32;
  if (code == 0x130 || code == 0x3A3) return no_letter;  // two characters; another letter at the end of a word
  if (code == 0x178) return 0xFF;
  if (code < 0x180) return code + 1;
  if (code == 0x386) return 0x3AC;
  if (code >= 0x388 && code <= 0x38A) return code + 37;
  if (code == 0x38C) return 0x3CC;
  if (code == 0x38E || code == 0x38F) return code + 63;
  if (code >= 0x391 && code <= 0x3AB) return code + 32;
  return code < 0x410 ? code + 80 : code + 32;  // Cyrillic
}
LANTERN_INLINE uint32_t large_of(uint32_t code) {
  if (code < 128) return code - 32;
  if (code == 0xAA || code == 0xBA || code == 0x138) return code;  // has none
  if (code == 0xB5) return 0x39C;
  if (code == 0xDF || code == 0x149 || code == 0x390 || code == 0x3B0) return no_letter;  // several characters
  if (code == 0xFF) return 0x178;
  if (code < 0x100) return code - 32;
  if (code == 0x131) return 'I';
  if (code == 0x17F) return 'S';
  if (code < 0x180) return code - 1;
  if (code == 0x3AC) return 0x386;
  if (code >= 0x3AD && code <= 0x3AF) return code - 37;
  if (code == 0x3C2) return 0x3A3;
  if (code == 0x3CC) return 0x38C;
  if (code == 0x3CD || code == 0x3CE) return code - 63;
  if (code >= 0x3B1 && code <= 0x3CB) return code - 32;
  return code < 0x450 ? code - 32 : code - 80;  // Cyrillic
}

}  // namespace detail

LANTERN_INLINE bool detail::consists_of_kind(unsigned wanted, const char* what, std::string_view text, const char* location) {
  using namespace kind;
  const bool of_cases = wanted == upper || wanted == lower;
  bool found = !of_cases && !text.empty();
  for (; !text.empty(); text.remove_prefix(bytes_of_first(text))) {
    const uint32_t code = code_of_first(text);
    const int kinds = code < 128 ? static_cast<int>(kinds_of_ascii(code)) : kinds_beyond_ascii(code);
    if (kinds < 0 && wanted == space) return false;  // all of these are known
    if (kinds < 0) {
      char function[32];
      std::snprintf(function, sizeof function, "str.is%s()", what);
      unknown_character(code, function, "what it is", location);
    }
    const auto has = static_cast<unsigned>(kinds);
    if (of_cases ? (has & (upper | lower) & ~wanted) != 0 : (has & wanted) == 0) return false;
    found = found || (has & wanted) != 0;
  }
  return found;
}

LANTERN_INLINE std::string_view detail::in_other_case(const char* which, std::string_view text, const char* location) {
  auto* const result = static_cast<char*>(arena().allocate_close<char>(static_cast<int64_t>(text.size())));
  char* next = result;
  bool in_word = false;  // behind a letter with a case; of "capitalize", behind the first character
  for (; !text.empty(); text.remove_prefix(bytes_of_first(text))) {
    const uint32_t code = code_of_first(text);
    const int kinds = code < 128 ? static_cast<int>(kinds_of_ascii(code)) : kinds_beyond_ascii(code);
    const unsigned has = kinds > 0 ? static_cast<unsigned>(kinds) : 0;
    const bool is_small = (has & kind::lower) != 0, is_large = (has & kind::upper) != 0;
    const bool up = which[0] == 'u' || (which[0] == 's' ? is_small : which[0] != 'l' && !in_word);
    uint32_t changed = up && is_small ? large_of(code) : !up && is_large ? small_of(code) : code;
    if (code == 0xDF && up) {
      *next++ = 'S';
      changed = which[0] == 'u' || which[0] == 's' ? 'S' : 's';
    }
    if (kinds < 0 || changed == no_letter) {
      char function[32];
      std::snprintf(function, sizeof function, "str.%s()", which);
      unknown_character(code, function, "what it becomes", location);
    }
    next = changed == code ? std::copy_n(text.data(), bytes_of_first(text), next) : next + put_code(next, changed);
    in_word = which[0] == 'c' || is_small || is_large;
  }
  return {result, static_cast<size_t>(next - result)};
}

}  // namespace lantern
