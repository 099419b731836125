// The value of a plain string literal: Python's escapes, resolved.
#include "frontend/build.h"

namespace lantern::syntax {

namespace {

void append_utf8(std::string& out, unsigned long code) {
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xC0 | code >> 6);
    out += static_cast<char>(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    out += static_cast<char>(0xE0 | code >> 12);
    out += static_cast<char>(0x80 | (code >> 6 & 0x3F));
    out += static_cast<char>(0x80 | (code & 0x3F));
  } else {
    out += static_cast<char>(0xF0 | code >> 18);
    out += static_cast<char>(0x80 | (code >> 12 & 0x3F));
    out += static_cast<char>(0x80 | (code >> 6 & 0x3F));
    out += static_cast<char>(0x80 | (code & 0x3F));
  }
}

int digit_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return 16;
}

// Reads at most `most` digits of `base` at `at`, at least `least`; moves `at` behind them.
std::optional<unsigned long> digits(std::string_view text, std::size_t& at, int base, int least, int most) {
  unsigned long value = 0;
  int count = 0;
  while (count < most && at < text.size() && digit_value(text[at]) < base) {
    value = value * base + digit_value(text[at++]);
    ++count;
  }
  if (count < least) return std::nullopt;
  return value;
}

// `at` stands behind the backslash.
bool append_escape(std::string& out, std::string_view text, std::size_t& at) {
  static constexpr std::string_view letters = "\\'\"abfnrtv";
  static constexpr std::string_view meanings = "\\'\"\a\b\f\n\r\t\v";
  if (at == text.size()) return false;
  const char c = text[at];
  if (const auto known = letters.find(c); known != std::string_view::npos) {
    out += meanings[known];
    ++at;
    return true;
  }
  if (c == '\n') {  // a line joined
    ++at;
    return true;
  }
  std::optional<unsigned long> code;
  if (c >= '0' && c <= '7') {
    code = digits(text, at, 8, 1, 3);
  } else if (c == 'x' || c == 'u' || c == 'U') {
    const int width = c == 'x' ? 2 : c == 'u' ? 4 : 8;
    code = digits(text, ++at, 16, width, width);
  } else if (c == 'N') {
    return false;  // needs the table of Unicode names
  } else {
    out += '\\';  // not an escape: Python keeps the backslash
    return true;
  }
  const bool representable = code && *code <= 0x10FFFF && !(*code >= 0xD800 && *code <= 0xDFFF);
  if (representable) append_utf8(out, *code);
  return representable;
}

}  // namespace

std::optional<std::string> string_value(const Expr& expr) {
  const auto* literal = as<String>(expr);
  if (!literal || literal->is_bytes() || literal->is_formatted()) return std::nullopt;
  std::string value;
  for (const StringToken& token : literal->tokens) {
    for (const StringPart& part : token.parts) {
      std::size_t at = 0;
      while (at < part.text.size()) {
        const char c = part.text[at++];
        if (c != '\\' || token.is_raw()) {
          value += c;
        } else if (!append_escape(value, part.text, at)) {
          return std::nullopt;
        }
      }
    }
  }
  return value;
}

}  // namespace lantern::syntax
