// Where the characters of a text begin: it is bytes of UTF-8, and Python counts characters. What was found out of the long texts that were asked last
// is kept, so that `s[i]` in a loop takes no longer than in a list.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace lantern {

namespace detail {

/// A long text that was looked at: its characters, as many as its bytes where it is ASCII; else, one of them and the byte where it begins.
struct KnownText {
  const char *begin = nullptr, *end = nullptr;
  int64_t characters = 0, place = 0, byte = 0;
  bool is_ascii() const { return characters == end - begin; }
};

struct KnownTexts {
  static constexpr unsigned most = 4;
  KnownText texts[most];
  unsigned next = 0;
};
/// This thread's. A text is here as long as its bytes are: a run begins with none, and what the arena forgets is forgotten. Those that the arena does
/// not hold are a caller's, and do not change while the run lasts.
inline thread_local KnownTexts known_texts;

inline void forget_places() { known_texts = {}; }

/// Those of texts that end within a part of memory.
inline void forget_places(const char* after, const char* until) {
  for (KnownText& text : known_texts.texts)
    if (text.end > after && text.end <= until) text = {};
}

/// The last end of a known text within a part of memory; null: there is none.
inline const char* last_known_place(const char* after, const char* until) {
  const char* last = nullptr;
  for (const KnownText& text : known_texts.texts)
    if (text.end > after && text.end <= until && text.end > last) last = text.end;
  return last;
}

inline bool continues(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

inline int64_t count_characters(const char* begin, const char* end) {
  int64_t characters = 0;
  for (; begin != end; ++begin) characters += !continues(*begin);
  return characters;
}

/// Whether a short text is ASCII.
inline bool is_short_ascii(std::string_view text) {
  uint64_t all = 0, word = 0;
  size_t i = 0;
  for (; i + sizeof word <= text.size(); i += sizeof word) {
    std::memcpy(&word, text.data() + i, sizeof word);
    all |= word;
  }
  for (; i < text.size(); ++i) all |= static_cast<unsigned char>(text[i]);
  return (all & 0x8080808080808080) == 0;
}

inline constexpr size_t short_text = 48;

/// The text that holds it, all ASCII, or the text itself; null: it is not known yet.
inline KnownText* find_known(std::string_view text) {
  const char *const begin = text.data(), *const end = begin + text.size();
  for (KnownText& known : known_texts.texts)
    if (known.begin <= begin && end <= known.end && (known.is_ascii() || (known.begin == begin && known.end == end))) return &known;
  return nullptr;
}

KnownText& look_at(std::string_view text);

/// Where character `place` begins, of a text that has it and is not all ASCII; its end, for the number of its characters.
int64_t byte_of(std::string_view text, int64_t place);

/// Whether each character is one byte.
inline bool is_ascii(std::string_view text) {
  if (text.size() <= short_text) return is_short_ascii(text);
  const KnownText* const known = find_known(text);
  return (known ? *known : look_at(text)).is_ascii();
}

/// How many bytes the first character takes, of a text that has one. Bytes that are no UTF-8, as files may have them, belong to the one in front.
inline size_t bytes_of_first(std::string_view text) {
  size_t bytes = 1;
  while (bytes < text.size() && continues(text[bytes])) ++bytes;
  return bytes;
}

}  // namespace detail

/// Python's len: characters, not bytes.
inline int64_t length(std::string_view text) {
  if (text.size() <= detail::short_text) return detail::count_characters(text.data(), text.data() + text.size());
  const detail::KnownText* known = detail::find_known(text);
  if (!known) known = &detail::look_at(text);
  return known->is_ascii() ? static_cast<int64_t>(text.size()) : known->characters;
}

}  // namespace lantern
