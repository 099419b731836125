// Places of characters in long texts, and in those beyond ASCII.
#pragma once

#include "lantern/list.h"
#include "lantern/stack.h"

namespace lantern::detail {

inline thread_local KnownText passing_text;  // which is somebody else's, and may change before a run forgets it

/// What is found out of a long text; where it is one that was known, and has got longer, of what is new.
LANTERN_INLINE KnownText& look_at(std::string_view text) {
  const char *const begin = text.data(), *const end = begin + text.size();
  KnownText* known = nullptr;
  const bool is_of_run = thread_stack && thread_stack->active && !arena().is_of_chunks();
  if (!arena().notes_places(begin, end) && !is_of_run) {
    known = &passing_text;
    *known = {begin, begin};
  }
  for (KnownText& each : known_texts.texts)
    if (!known && each.begin == begin && each.end <= end) known = &each;
  if (!known) {
    known = &known_texts.texts[known_texts.next++ % KnownTexts::most];
    *known = {begin, begin};
  }
  known->characters += count_characters(known->end, end);
  known->end = end;
  return *known;
}

LANTERN_INLINE int64_t byte_of(std::string_view text, int64_t place) {
  KnownText* known = text.size() <= short_text ? nullptr : find_known(text);
  int64_t at = 0, byte = 0;
  if (known && place >= known->place / 2) at = known->place, byte = known->byte;
  if (known && place > at && known->characters - place < place - at) at = known->characters, byte = static_cast<int64_t>(text.size());
  for (; at < place; ++at) byte += static_cast<int64_t>(bytes_of_first(text.substr(static_cast<size_t>(byte))));
  for (; at > place; --at)
    do --byte;
    while (continues(text[static_cast<size_t>(byte)]));
  if (known) known->place = place, known->byte = byte;
  return byte;
}

}  // namespace lantern::detail
