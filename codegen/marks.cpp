#include "codegen/marks.h"

#include <charconv>

#include "support/diagnostic.h"

namespace lantern::marks {

namespace {

constexpr char begins = '\x01', ends = '\x02';

}  // namespace

std::string mark(std::size_t number) { return begins + std::to_string(number) + ends; }

Marked take_out(const std::string& text) {
  Marked result;
  std::size_t at = 0;
  while (true) {
    const std::size_t begin = text.find(begins, at);
    result.text.append(text, at, begin - at);
    if (begin == std::string::npos) return result;
    const std::size_t end = text.find(ends, begin);
    std::size_t number = 0;
    if (end == std::string::npos || std::from_chars(text.data() + begin + 1, text.data() + end, number).ec != std::errc()) {
      bug("emit", "a mark has no end");
    }
    result.marks.emplace_back(result.text.size(), number);
    at = end + 1;
  }
}

}  // namespace lantern::marks
