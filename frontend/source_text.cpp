#include "frontend/source_text.h"

#include <iconv.h>

#include <algorithm>
#include <cctype>
#include <memory>
#include <optional>

#include "support/diagnostic.h"

namespace lantern::syntax {

namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

[[noreturn]] void refuse(const FileName& file, int line, int column, std::string message, std::string hint = {}) {
  throw Failure(Diagnostic{.code = "LT0101",
                           .location = {file, line, column, line, column + 1},
                           .message = std::move(message),
                           .hint = std::move(hint)});
}

// How long the UTF-8 sequence at `at` is; 0 if it is not one (RFC 3629: shortest form, no surrogates).
std::size_t sequence_length(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const auto continues = [&](std::size_t i) { return (byte(i) & 0xC0) == 0x80; };
  const unsigned first = byte(at), second = byte(at + 1);
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF) return continues(at + 1) ? 2 : 0;
  if (first >= 0xE0 && first <= 0xEF) {
    if (first == 0xE0 && second < 0xA0) return 0;
    if (first == 0xED && second > 0x9F) return 0;
    return continues(at + 1) && continues(at + 2) ? 3 : 0;
  }
  if (first >= 0xF0 && first <= 0xF4) {
    if (first == 0xF0 && second < 0x90) return 0;
    if (first == 0xF4 && second > 0x8F) return 0;
    return continues(at + 1) && continues(at + 2) && continues(at + 3) ? 4 : 0;
  }
  return 0;
}

void check_utf8(std::string_view text, const FileName& file) {
  int line = 1, column = 1;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = sequence_length(text, at);
    if (length == 0) {
      refuse(file, line, column, "the file is not UTF-8, and declares no other encoding",
             "save it as UTF-8, or name its encoding on the first line: # -*- coding: latin-1 -*-");
    }
    if (text[at] == '\0') refuse(file, line, column, "source code cannot contain null bytes");
    column = text[at] == '\n' ? 1 : column + 1;
    line += text[at] == '\n';
    at += length;
  }
}

std::string with_plain_line_ends(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\r') {
      result += text[i];
      continue;
    }
    result += '\n';
    if (i + 1 < text.size() && text[i + 1] == '\n') ++i;
  }
  return result;
}

std::string_view first_line(std::string_view text) { return text.substr(0, text.find_first_of("\r\n")); }

// PEP 263: `^[ \t\f]*#.*?coding[:=][ \t]*([-_.a-zA-Z0-9]+)`
std::optional<std::string> cookie_in(std::string_view line) {
  const auto start = line.find_first_not_of(" \t\f");
  if (start == std::string_view::npos || line[start] != '#') return std::nullopt;
  for (auto at = line.find("coding", start); at != std::string_view::npos; at = line.find("coding", at + 1)) {
    std::string_view rest = line.substr(at + 6);
    if (rest.empty() || (rest[0] != ':' && rest[0] != '=')) continue;
    rest.remove_prefix(1);
    rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
    const auto is_name = [](unsigned char c) { return std::isalnum(c) || c == '-' || c == '_' || c == '.'; };
    const auto end = std::find_if_not(rest.begin(), rest.end(), is_name);
    if (end != rest.begin()) return std::string(rest.begin(), end);
  }
  return std::nullopt;
}

// The declared encoding and the line that declares it: the first, or the second if the first holds no code.
std::optional<std::pair<std::string, int>> declared_encoding(std::string_view text) {
  const std::string_view first = first_line(text);
  if (auto cookie = cookie_in(first)) return std::pair{*cookie, 1};
  const auto code = first.find_first_not_of(" \t\f");
  if (code != std::string_view::npos && first[code] != '#') return std::nullopt;
  if (first.size() == text.size()) return std::nullopt;
  std::string_view rest = text.substr(first.size());
  rest.remove_prefix(rest.substr(0, 2) == "\r\n" ? 2 : 1);
  if (auto cookie = cookie_in(first_line(rest))) return std::pair{*cookie, 2};
  return std::nullopt;
}

std::string normalised(std::string name) {
  for (char& c : name) c = c == '_' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (name == "utf8" || name == "utf-8" || name.starts_with("utf-8-")) return "utf-8";
  for (const std::string_view latin : {"latin-1", "iso-8859-1", "iso-latin-1"}) {
    if (name == latin || name.starts_with(std::string(latin) + "-")) return "iso-8859-1";
  }
  return name;
}

struct CloseIconv {
  void operator()(void* descriptor) const { iconv_close(descriptor); }
};

std::string from_encoding(std::string_view bytes, const std::string& encoding, int line, const FileName& file) {
  iconv_t opened = iconv_open("UTF-8", encoding.c_str());
  if (opened == reinterpret_cast<iconv_t>(-1)) {
    refuse(file, line, 1, "unknown encoding: " + encoding, "save the file as UTF-8");
  }
  const std::unique_ptr<void, CloseIconv> descriptor(opened);
  std::string input(bytes), output(bytes.size() * 4 + 16, '\0');
  char* in = input.data();
  char* out = output.data();
  std::size_t in_left = input.size(), out_left = output.size();
  if (iconv(descriptor.get(), &in, &in_left, &out, &out_left) == static_cast<std::size_t>(-1) ||
      iconv(descriptor.get(), nullptr, nullptr, &out, &out_left) == static_cast<std::size_t>(-1)) {
    const auto bad_line = 1 + std::count(input.data(), in, '\n');
    refuse(file, static_cast<int>(bad_line), 1, "a byte on this line is not " + encoding + ", the encoding that the file declares");
  }
  output.resize(output.size() - out_left);
  return output;
}

}  // namespace

std::string decode_utf8(std::string_view bytes, const FileName& file) {
  if (bytes.starts_with(byte_order_mark)) bytes.remove_prefix(byte_order_mark.size());
  std::string text = with_plain_line_ends(bytes);
  check_utf8(text, file);
  return text;
}

std::string decode(std::string_view bytes, const FileName& file) {
  const bool marked = bytes.starts_with(byte_order_mark);
  const auto declared = declared_encoding(marked ? bytes.substr(byte_order_mark.size()) : bytes);
  const std::string encoding = declared ? normalised(declared->first) : "utf-8";
  if (encoding == "utf-8") return decode_utf8(bytes, file);
  if (marked) {
    refuse(file, declared->second, 1, "the file begins with a UTF-8 byte order mark but declares the encoding " + declared->first);
  }
  return decode_utf8(from_encoding(bytes, encoding, declared->second, file), file);
}

}  // namespace lantern::syntax
