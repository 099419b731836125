// Characters of texts, and what is known of their places: it goes when the text goes.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "lantern/characters.h"
#include "lantern/keep.h"
#include "lantern/stack.h"
#include "lantern/text.h"
#include "lantern/text_search.h"

namespace runtime_texts_test {

using namespace lantern;

template <class F>
std::string error_of(F&& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.code() + " " + error.location();
  }
  return "none";
}

/// `count` characters that are "a", and one "é" in place of the last two bytes, or "aa".
std::string long_text(size_t count, bool is_ascii) { return std::string(count - 2, 'a') + (is_ascii ? "aa" : "\xc3\xa9"); }

TEST_CASE("a character is a view, by its place among characters") {
  const std::string_view text = "na\xc3\xafve \xf0\x9f\x98\x80!";
  CHECK(length(text) == 8);
  CHECK(character(text, 2) == "\xc3\xaf");
  CHECK(character(text, -2) == "\xf0\x9f\x98\x80");
  CHECK(character(text, 7).data() == text.data() + text.size() - 1);
  CHECK(substring(text, 2, 4) == "\xc3\xafv");
  CHECK(every(text, 7, -3, 3) == "!ea");
  CHECK(lantern::code_of("\xf0\x9f\x98\x80") == 0x1F600);
  CHECK(character_of(0x20AC) == "\xe2\x82\xac");
}

TEST_CASE("bytes that are no UTF-8 are read within the text") {
  const std::string text = "\xe2\x82", other = "\x82\xac";
  CHECK(character(text, 0) == text);
  CHECK(characters(text).size == 1);
  CHECK(characters(other).size == 0);
  CHECK(in_case("upper", text) == text);
  CHECK(error_of([&] { lantern::code_of("ab", "a.py:1:2"); }) == "LT0701 a.py:1:2");
  CHECK(every("a\xe2", 1, -1, 2) == "\xe2" "a");
  CHECK(split(text, -1).size == 1);
}

TEST_CASE("a byte that is no UTF-8 is half a character, as in Python") {
  const std::string byte = "\xe9", several = "\xc3" + std::string(40, '\xa9');
  CHECK(lantern::code_of(byte) == 0xDCE9);
  CHECK(error_of([&] { lantern::code_of(several, "a.py:1:2"); }) == "LT0708 a.py:1:2");
  for (const std::string& text : {byte, several, std::string(40, '\xe9')}) {
    for (const char* which : {"upper", "lower", "title", "capitalize", "swapcase"}) CHECK(in_case(which, text) == text);
    for (const char* what : {"alpha", "digit", "alnum", "space", "upper"}) CHECK_FALSE(consists_of(what, text));
  }
  CHECK(quoted(byte + "'\n\xc3\xa9\xe2\x80\x8b") == "\"\\udce9'\\n\xc3\xa9\\u200b\"");
}

TEST_CASE("places are found from wherever they were looked for last") {
  std::string text;
  for (int i = 0; i < 500; ++i) text += i % 3 ? "x" : "\xe2\x82\xac";
  const auto mark = arena().mark();
  const std::string_view kept = arena_string(text);
  for (const int64_t place : {0, 499, 250, 251, 249, 3, 496, 1, 498, 260}) {
    CHECK(character(kept, place) == (place % 3 ? "x" : "\xe2\x82\xac"));
    CHECK(character(kept, place - 500) == character(kept, place));
  }
  CHECK(length(kept) == 500);
  CHECK(find_from(kept, "x", 100) == 100);
  CHECK(find_last(kept, "\xe2\x82\xac") == 498);
  arena().reset(mark);
}

TEST_CASE("what the arena forgets is not known any more") {
  const auto mark = arena().mark();
  for (const bool is_ascii : {true, false, true, false}) {
    const std::string_view text = arena_string(long_text(100, is_ascii));
    CHECK(length(text) == (is_ascii ? 100 : 99));
    CHECK(character(text, -1) == (is_ascii ? "a" : "\xc3\xa9"));
    const auto inner = arena().mark();
    arena_string(long_text(200, is_ascii));
    arena().reset(inner);  // above the text, which is still known
    CHECK(length(text) == (is_ascii ? 100 : 99));
    arena().reset(mark);
  }
  for (const bool is_ascii : {true, false}) {  // where results move down to it
    const std::string_view text = keep(mark, arena_string(long_text(100, is_ascii)));
    CHECK(length(text) == (is_ascii ? 100 : 99));
    arena().reset(mark);
  }
  arena().clear();
  CHECK(length(arena_string(long_text(100, true))) == 100);
  arena().clear();
  CHECK(length(arena_string(long_text(100, false))) == 99);
  arena().clear();
}

TEST_CASE("a run knows nothing of the texts of the one before") {
  std::string text = long_text(100, true);
  CHECK(on_stack([&] { return length(text) + length(text); }) == 200);
  text = long_text(100, false);
  CHECK(on_stack([&] { return length(text); }) == 99);
  text = long_text(100, true);
  CHECK(length(text) == 100);  // outside of a run nothing is kept
  text = long_text(100, false);
  CHECK(length(text) == 99);
  CHECK(on_stack([&] {
          std::string own = long_text(100, true);
          const int64_t before = on_stack([&] { return length(own); });
          own = long_text(100, false);
          return before - on_stack([&] { return length(own); });
        }) == 1);
}

TEST_CASE("a text that gets longer is looked at where it is new") {
  const auto mark = arena().mark();
  std::string_view text = "";
  int64_t lengths = 0;
  for (int i = 0; i < 3000; ++i) {
    text = join_texts(text, i % 2 ? "\xc3\xa9" : "e");
    lengths += length(text);
    if (i == 100) CHECK(character(text, 99) == "\xc3\xa9");
  }
  CHECK(lengths == 3000 * 3001 / 2);
  CHECK(length(text.substr(0, 60)) == 40);
  arena().reset(mark);
}

}  // namespace runtime_texts_test
