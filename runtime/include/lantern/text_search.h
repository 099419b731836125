// Texts within texts: where they are, what stands between them, and others in their place. Parts are views of the text.
#pragma once

#include <string_view>

#include "lantern/letters.h"

namespace lantern {

inline bool starts_with(std::string_view text, std::string_view part) { return text.substr(0, part.size()) == part; }
inline bool ends_with(std::string_view text, std::string_view part) { return text.size() >= part.size() && text.substr(text.size() - part.size()) == part; }
inline bool contains(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

/// The first place from `start` (not negative) on where `part` stands; -1: nowhere.
inline int64_t find_from(std::string_view text, std::string_view part, int64_t start) {
  const bool is_ascii = detail::is_ascii(text);
  const int64_t size = is_ascii ? static_cast<int64_t>(text.size()) : length(text);
  if (start > size) return -1;
  const size_t found = text.find(part, static_cast<size_t>(is_ascii ? start : detail::byte_of(text, start)));
  if (found == text.npos) return -1;
  return is_ascii ? static_cast<int64_t>(found) : detail::count_characters(text.data(), text.data() + found);
}

/// The last place where `part` stands; -1: nowhere.
inline int64_t find_last(std::string_view text, std::string_view part) {
  const size_t found = text.rfind(part);
  return found == text.npos ? -1 : detail::count_characters(text.data(), text.data() + found);
}

/// How often `part` stands in the text, not overlapping; the empty text: around each character.
int64_t count_of(std::string_view text, std::string_view part);

/// The text without white space, or any of `characters`, in front of it.
std::string_view strip_left(std::string_view text);
std::string_view strip_left(std::string_view text, std::string_view characters);
/// The same, behind it.
std::string_view strip_right(std::string_view text);
std::string_view strip_right(std::string_view text, std::string_view characters);

/// What stands between white space. most: how often it is split; negative: wherever it can be.
List<std::string_view> split(std::string_view text, int64_t most, const char* location = "");
/// What stands between separators. Fails with ValueError where the separator is empty.
List<std::string_view> split(std::string_view text, std::string_view separator, int64_t most, const char* location = "");
/// Lines; with what ends them, or without.
List<std::string_view> split_lines(std::string_view text, bool with_ends);

/// The text with `other` for `part`, the first `most` times, or each time, where that is negative.
std::string_view replaced(std::string_view text, std::string_view part, std::string_view other, int64_t most);

}  // namespace lantern

#include LANTERN_DEFINITIONS("lantern/definitions/text_search.h")
