#include "frontend/syntax_error.h"

#include <fmt/format.h>

#include <optional>

namespace lantern::syntax {

namespace {

struct Finding {
  std::uint32_t begin;
  std::uint32_t end;
  std::string message;
};

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

// Brackets and strings, read as Python's tokenizer does.
std::optional<Finding> find_left_open(std::string_view source) {
  std::vector<std::uint32_t> open;
  for (std::size_t at = 0; at < source.size(); ++at) {
    const char c = source[at];
    const auto here = static_cast<std::uint32_t>(at);
    if (c == '#') {
      at = std::min(source.find('\n', at), source.size());
    } else if (c == '"' || c == '\'') {
      const auto end = string_end(source, at);
      if (!end) {
        const bool triple = source.substr(at, 3) == std::string(3, c);
        return Finding{here, here + 1, fmt::format("unterminated {}string literal", triple ? "triple-quoted " : "")};
      }
      at = *end - 1;
    } else if (openers.find(c) != std::string_view::npos) {
      open.push_back(here);
    } else if (const auto kind = closers.find(c); kind != std::string_view::npos) {
      if (open.empty()) return Finding{here, here + 1, fmt::format("unmatched '{}'", c)};
      const char opener = source[open.back()];
      if (opener != openers[kind]) {
        return Finding{here, here + 1,
                       fmt::format("closing parenthesis '{}' does not match opening parenthesis '{}'", c, opener)};
      }
      open.pop_back();
    }
  }
  if (open.empty()) return std::nullopt;
  return Finding{open.back(), open.back() + 1, fmt::format("'{}' was never closed", source[open.back()])};
}

}  // namespace

Diagnostic explain_syntax_error(const Module& module, const ConcreteNode& error) {
  const auto finding = find_left_open(module.source);
  if (finding) return module.diagnostic("LT0101", error.tree->range(finding->begin, finding->end), finding->message);
  if (!error.is("ERROR")) {  // a token that the grammar had to invent
    return module.diagnostic("LT0101", error.range(), fmt::format("invalid syntax: expected '{}'", error.kind));
  }
  return module.diagnostic("LT0101", error.range(), "invalid syntax");
}

}  // namespace lantern::syntax
