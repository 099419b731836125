#include "frontend/lexical.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace lantern::syntax {

namespace {

constexpr std::string_view openers = "([{", closers = ")]}";

// The end of the string whose quote is at `at`; none if it is left open.
std::optional<std::size_t> string_end(std::string_view source, std::size_t at) {
  const char quote = source[at];
  const bool triple = source.substr(at, 3) == std::string(3, quote);
  at += triple ? 3 : 1;
  for (; at < source.size(); ++at) {
    if (source[at] == '\\') ++at;
    else if (source[at] == '\n' && !triple) return std::nullopt;
    else if (source[at] == quote && !triple) return at + 1;
    else if (triple && source.substr(at, 3) == std::string(3, quote)) return at + 3;
  }
  return std::nullopt;
}

}  // namespace

LogicalLines logical_lines(std::string_view source) {
  LogicalLines result{std::string(source), std::nullopt};
  std::vector<std::uint32_t> open;  // brackets
  bool line_is_blank = true;        // so far
  const auto fail = [&](std::size_t at, std::string message) {
    result.error = LexicalError{static_cast<std::uint32_t>(at), std::move(message)};
    return result;
  };
  for (std::size_t at = 0; at < source.size(); ++at) {
    const char c = source[at];
    if (c == '#') {
      const std::size_t end = std::min(source.find('\n', at), source.size());
      std::fill(result.text.begin() + at, result.text.begin() + end, ' ');
      at = end - 1;
    } else if (c == '"' || c == '\'') {
      const auto end = string_end(source, at);
      if (!end) {
        const bool triple = source.substr(at, 3) == std::string(3, c);
        return fail(at, fmt::format("unterminated {}string literal", triple ? "triple-quoted " : ""));
      }
      at = *end - 1;
      line_is_blank = false;
    } else if (c == '\n') {
      if (open.empty()) line_is_blank = true;
      else result.text[at] = ' ';
    } else if (c == '\\' && source.substr(at + 1, 1) == "\n") {
      // On a line of its own it is part of the indentation, which is the grammar's business.
      if (!line_is_blank) result.text[at] = result.text[at + 1] = ' ';
      ++at;
    } else if (openers.find(c) != std::string_view::npos) {
      open.push_back(static_cast<std::uint32_t>(at));
      line_is_blank = false;
    } else if (const auto kind = closers.find(c); kind != std::string_view::npos) {
      if (open.empty()) return fail(at, fmt::format("unmatched '{}'", c));
      const char opener = source[open.back()];
      if (opener != openers[kind]) {
        return fail(at, fmt::format("closing parenthesis '{}' does not match opening parenthesis '{}'", c, opener));
      }
      open.pop_back();
    } else if (c != ' ' && c != '\t' && c != '\f') {
      line_is_blank = false;
    }
  }
  if (!open.empty()) return fail(open.back(), fmt::format("'{}' was never closed", source[open.back()]));
  return result;
}

}  // namespace lantern::syntax
