#include "support/diagnostic.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

namespace lantern {

namespace {

std::string line_of_file(const std::string& file, int line) {
  std::ifstream in(file, std::ios::binary);
  std::string text;
  for (int i = 0; i < line && std::getline(in, text); ++i) {
  }
  if (!in) return {};
  if (!text.empty() && text.back() == '\r') text.pop_back();
  return text;
}

// Bytes up to the column-th character: columns count code points, tabs stay tabs.
std::string padding(const std::string& line, int column) {
  std::string pad;
  int characters = 1;
  for (const unsigned char byte : line) {
    if ((byte & 0xC0) == 0x80) continue;
    if (characters++ >= column) break;
    pad += byte == '\t' ? '\t' : ' ';
  }
  return pad;
}

std::string place(const Location& location) {
  if (!location.file) return {};
  if (!location.known()) return *location.file + ": ";
  return fmt::format("{}:{}:{}: ", *location.file, location.line, location.column);
}

std::string excerpt(const Location& location, const std::string& known_line) {
  if (!location.known()) return {};
  const std::string line =
      !known_line.empty() || !location.file ? known_line : line_of_file(*location.file, location.line);
  if (line.empty()) return {};
  int width = 1;
  if (location.end_line == location.line) width = std::max(1, location.end_column - location.column);
  return fmt::format("  {}\n  {}^{}\n", line, padding(line, location.column), std::string(width - 1, '~'));
}

}  // namespace

const std::string& Location::file_name() const {
  static const std::string none;
  return file ? *file : none;
}

Outcome Failure::outcome() const {
  auto worst = Outcome::fine;
  for (const auto& diagnostic : diagnostics) worst = std::max(worst, diagnostic.outcome);
  return worst;
}

std::string render(const Diagnostic& diagnostic, bool colour) {
  const char* bold = colour ? "\033[1m" : "";
  const char* red = colour ? "\033[1;31m" : "";
  const char* off = colour ? "\033[0m" : "";
  std::string text = fmt::format("{}{}{}{}error:{} {}{}{} [{}]\n", bold, place(diagnostic.location), off, red, off, bold,
                                 diagnostic.message, off, diagnostic.code);
  text += excerpt(diagnostic.location, diagnostic.source_line);
  for (const auto& note : diagnostic.notes) {
    text += fmt::format("{}note: {}\n", place(note.location), note.message) + excerpt(note.location, {});
  }
  if (!diagnostic.hint.empty()) text += fmt::format("  hint: {}\n", diagnostic.hint);
  return text;
}

std::string render(const std::vector<Diagnostic>& diagnostics, bool colour) {
  std::string text;
  for (const auto& diagnostic : diagnostics) text += render(diagnostic, colour);
  return text;
}

Failure bug_of(const std::string& pass, const std::string& what) {
  return Failure({.code = "LT0901",
                 .location = {},
                 .message = fmt::format("this is a bug in Lantern, in '{}': {}", pass, what),
                 .hint = "please report it together with the program that caused it",
                 .outcome = Outcome::bug_in_lantern});
}

void bug(const std::string& pass, const std::string& what) { throw bug_of(pass, what); }

}  // namespace lantern
