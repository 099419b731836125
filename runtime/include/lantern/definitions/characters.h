// What is made of a text's characters.
#pragma once

#include <algorithm>

#include "lantern/characters.h"

namespace lantern {

LANTERN_INLINE List<std::string_view> characters(std::string_view text) {
  const int64_t size = length(text);
  std::string_view* const elements = detail::with_room<std::string_view>(nullptr, 0, size);
  for (int64_t i = 0; i < size; ++i) {
    const size_t bytes = detail::bytes_of_first(text);
    elements[i] = text.substr(0, bytes);
    text.remove_prefix(bytes);
  }
  return detail::full(elements, size);
}

LANTERN_INLINE std::string_view every(std::string_view text, int64_t start, int64_t step, int64_t count) {
  if (count <= 0) return {};
  const char* const end = text.data() + text.size();
  char* const result = arena().allocate_array<char>(static_cast<int64_t>(text.size()));
  char* next = result;
  const bool is_ascii = detail::is_ascii(text);
  const char* at = text.data() + (is_ascii ? start : detail::byte_of(text, start));
  const auto bytes_here = [&] { return detail::bytes_of_first({at, static_cast<size_t>(end - at)}); };
  for (int64_t k = 0; k < count; ++k) {
    if (k > 0 && is_ascii) at += step;
    for (int64_t i = 0; k > 0 && !is_ascii && i < (step < 0 ? -step : step); ++i) {
      if (step > 0) at += bytes_here();
      else
        do --at;
        while (detail::continues(*at));
    }
    next = std::copy_n(at, bytes_here(), next);
  }
  return {result, static_cast<size_t>(next - result)};
}

LANTERN_INLINE int64_t code_of(std::string_view character, const char* location) {
  if (character.empty() || character.size() != detail::bytes_of_first(character)) {
    const auto size = static_cast<long long>(length(character));
    char message[96];
    std::snprintf(message, sizeof message, "ord() expected a character, but string of length %lld found", size);
    raise_error("TypeError", location, message);
  }
  const uint32_t code = detail::code_of_first(character);
  if (code == detail::no_character) fail(errors::domain, location, "ord() of bytes that are no UTF-8");
  return code;
}

LANTERN_INLINE std::string_view character_of(int64_t code, const char* location) {
  static constexpr auto ascii = [] {
    struct {
      char all[128];
    } codes{};
    for (int i = 0; i < 128; ++i) codes.all[i] = static_cast<char>(i);
    return codes;
  }();
  if (code != static_cast<int32_t>(code)) fail(errors::overflow, location, "Python int too large to convert to C int");
  if (code < 0 || code > 0x10FFFF) fail(errors::domain, location, "chr() arg not in range(0x110000)");
  if (code < 0x110000 && detail::is_half(static_cast<uint32_t>(code))) fail(errors::domain, location, "chr(%lld) is half a character (a surrogate), which UTF-8 has none of", static_cast<long long>(code));
  if (code < 128) return {ascii.all + code, 1};
  auto* const bytes = static_cast<char*>(arena().allocate_close<char>(4));
  return {bytes, static_cast<size_t>(detail::put_code(bytes, static_cast<uint32_t>(code)))};
}

}  // namespace lantern
