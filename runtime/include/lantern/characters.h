// Characters and slices of texts. They are views of the text: no bytes are copied.
#pragma once

#include <string_view>

#include "lantern/list.h"
#include "lantern/list_operations.h"

namespace lantern {

/// Python's text[i]. Fails with IndexError.
inline std::string_view character(std::string_view text, int64_t i, const char* location = "") {
  const bool is_ascii = detail::is_ascii(text);
  const int64_t place = detail::checked_list_index(i, is_ascii ? static_cast<int64_t>(text.size()) : length(text), "string", location);
  if (is_ascii) return {text.data() + place, 1};
  const std::string_view from = text.substr(static_cast<size_t>(detail::byte_of(text, place)));
  return from.substr(0, detail::bytes_of_first(from));
}

/// Characters `start` to `stop`; 0 ≤ start ≤ stop ≤ length.
inline std::string_view substring(std::string_view text, int64_t start, int64_t stop) {
  if (!detail::is_ascii(text)) start = detail::byte_of(text, start), stop = detail::byte_of(text, stop);
  return {text.data() + start, static_cast<size_t>(stop - start)};
}

/// `count` characters from `start` on, `step` apart, all of which the text has.
std::string_view every(std::string_view text, int64_t start, int64_t step, int64_t count);

/// Each character as a text.
List<std::string_view> characters(std::string_view text);

/// Python's ord. Fails with TypeError where the text is not one character.
int64_t code_of(std::string_view character, const char* location = "");

/// Python's chr. Fails with ValueError beyond Unicode, and of half characters (surrogates), which UTF-8 has none of.
std::string_view character_of(int64_t code, const char* location = "");

namespace detail {

inline constexpr uint32_t no_character = 0x110000;
/// Half a character (a surrogate).
inline bool is_half(uint32_t code) { return code >= 0xD800 && code < 0xE000; }

/// The code of the first character. Of a byte that is no UTF-8 that which Python gives it, half a character; of several, `no_character`.
inline uint32_t code_of_first(std::string_view text) {
  constexpr uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};  // of so many bytes
  const size_t bytes = bytes_of_first(text);
  const auto first = static_cast<unsigned char>(text[0]);
  if (bytes == 1) return first < 0x80 ? first : 0xDC00 + first;
  const size_t wanted = first < 0xC0 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  if (bytes != wanted) return no_character;
  uint32_t code = first & (0x7Fu >> bytes);
  for (size_t i = 1; i < bytes; ++i) code = code << 6 | (static_cast<unsigned char>(text[i]) & 0x3F);
  return code < least[bytes] || code >= no_character || is_half(code) ? no_character : code;
}

/// Puts a character's bytes there. How many.
inline int64_t put_code(char* at, uint32_t code) {
  const int64_t bytes = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  for (int64_t i = bytes - 1; i > 0; --i, code >>= 6) at[i] = static_cast<char>(0x80 | (code & 0x3F));
  at[0] = static_cast<char>(bytes == 1 ? code : (0xF00 >> bytes & 0xFF) | code);
  return bytes;
}

}  // namespace detail

}  // namespace lantern

#include LANTERN_DEFINITIONS("lantern/definitions/characters.h")
