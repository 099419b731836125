// What searches a text as a whole.
#pragma once

#include <algorithm>

#include "lantern/text_search.h"

namespace lantern {

LANTERN_INLINE int64_t count_of(std::string_view text, std::string_view part) {
  if (part.empty()) return length(text) + 1;
  int64_t count = 0;
  for (size_t at = text.find(part); at != text.npos; at = text.find(part, at + part.size())) ++count;
  return count;
}

namespace detail {

/// The bytes of the last character.
LANTERN_INLINE size_t bytes_of_last(std::string_view text) {
  size_t bytes = 1;
  while (bytes < text.size() && continues(text[text.size() - bytes])) ++bytes;
  return bytes;
}

template <class Test>
std::string_view without_first(std::string_view text, Test&& goes) {
  while (!text.empty() && goes(text.substr(0, bytes_of_first(text)))) text.remove_prefix(bytes_of_first(text));
  return text;
}
template <class Test>
std::string_view without_last(std::string_view text, Test&& goes) {
  while (!text.empty() && goes(text.substr(text.size() - bytes_of_last(text)))) text.remove_suffix(bytes_of_last(text));
  return text;
}

inline bool is_white(std::string_view character) { return is_space(code_of_first(character)); }


}  // namespace detail

LANTERN_INLINE std::string_view strip_left(std::string_view text) { return detail::without_first(text, detail::is_white); }
LANTERN_INLINE std::string_view strip_right(std::string_view text) { return detail::without_last(text, detail::is_white); }
LANTERN_INLINE std::string_view strip_left(std::string_view text, std::string_view characters) {
  return detail::without_first(text, [&](std::string_view c) { return contains(characters, c); });
}
LANTERN_INLINE std::string_view strip_right(std::string_view text, std::string_view characters) {
  return detail::without_last(text, [&](std::string_view c) { return contains(characters, c); });
}

LANTERN_INLINE List<std::string_view> split(std::string_view text, int64_t most, const char*) {
  List<std::string_view> parts;
  for (text = strip_left(text); !text.empty(); text = strip_left(text)) {
    if (most >= 0 && parts.size == most) {
      append_to(parts, text);
      break;
    }
    const std::string_view rest = detail::without_first(text, [](std::string_view c) { return !detail::is_white(c); });
    append_to(parts, text.substr(0, text.size() - rest.size()));
    text = rest;
  }
  return parts;
}

LANTERN_INLINE List<std::string_view> split(std::string_view text, std::string_view separator, int64_t most, const char* location) {
  if (separator.empty()) fail(errors::domain, location, "empty separator");
  List<std::string_view> parts;
  for (size_t found = text.find(separator); found != text.npos && parts.size != most; found = text.find(separator)) {
    append_to(parts, text.substr(0, found));
    text.remove_prefix(found + separator.size());
  }
  append_to(parts, text);
  return parts;
}

LANTERN_INLINE List<std::string_view> split_lines(std::string_view text, bool with_ends) {
  const auto ends_line = [](uint32_t code) { return (code >= 10 && code <= 13) || (code >= 28 && code <= 30) || code == 0x85 || code == 0x2028 || code == 0x2029; };
  List<std::string_view> lines;
  while (!text.empty()) {
    const std::string_view rest = detail::without_first(text, [&](std::string_view c) { return !ends_line(detail::code_of_first(c)); });
    const size_t size = text.size() - rest.size();
    const size_t end = rest.empty() ? 0 : starts_with(rest, "\r\n") ? 2 : detail::bytes_of_first(rest);
    append_to(lines, text.substr(0, with_ends ? size + end : size));
    text.remove_prefix(size + end);
  }
  return lines;
}

LANTERN_INLINE std::string_view replaced(std::string_view text, std::string_view part, std::string_view other, int64_t most) {
  int64_t times = count_of(text, part);
  if (most >= 0) times = std::min(times, most);
  if (times == 0) return text;
  const auto size = static_cast<int64_t>(text.size()) + times * (static_cast<int64_t>(other.size()) - static_cast<int64_t>(part.size()));
  char* const result = arena().allocate_array<char>(size);
  char* next = result;
  const auto put = [&](std::string_view bytes) { next = std::copy(bytes.begin(), bytes.end(), next); };
  for (; times > 0; --times) {
    const size_t found = part.empty() ? 0 : text.find(part);
    put(text.substr(0, found));
    put(other);
    text.remove_prefix(found + part.size());
    if (part.empty() && !text.empty()) {
      const size_t bytes = detail::bytes_of_first(text);
      put(text.substr(0, bytes));
      text.remove_prefix(bytes);
    }
  }
  put(text);
  return {result, static_cast<size_t>(size)};
}

}  // namespace lantern
