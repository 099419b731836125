#include "frontend/comments.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

namespace lantern::syntax {

namespace {

constexpr std::array for_tools = {"type:", "noqa",    "pylint:", "pragma:", "fmt:",      "isort:", "mypy:", "ruff:", "pyright:",
                                  "nosec", "flake8:", "yapf:",   "black:",  "coverage:", "!",      "-*-",   "%%"};

/// The comment without `#`, or "" where it says nothing to a reader.
std::string said(std::string_view comment) {
  const std::size_t begin = comment.find_first_not_of("#: \t"), end = comment.find_last_not_of(" \t\f");
  if (begin == std::string_view::npos || end < begin) return "";
  const std::string_view text = comment.substr(begin, end + 1 - begin);
  const bool speaks = std::any_of(text.begin(), text.end(), [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || (c & 0x80) != 0; });
  const bool is_for_tools = std::any_of(for_tools.begin(), for_tools.end(), [&](const char* head) { return text.substr(0, std::string_view(head).size()) == head; });
  return speaks && !is_for_tools ? std::string(text) : "";
}

}  // namespace

std::vector<Comment> comments_of(std::string_view source, const LogicalLines& lines) {
  std::vector<std::size_t> line_begins{0};
  for (std::size_t at = 0; at < source.size(); ++at) {
    if (source[at] == '\n') line_begins.push_back(at + 1);
  }
  const auto line_of = [&](std::size_t at) { return static_cast<int>(std::upper_bound(line_begins.begin(), line_begins.end(), at) - line_begins.begin()); };
  const auto column_of = [&](std::size_t at) { return at - line_begins[static_cast<std::size_t>(line_of(at)) - 1]; };

  std::vector<Comment> comments;
  for (const auto& place : lines.comments) {
    std::string text = said(source.substr(place.begin, place.end - place.begin));
    const auto behind = std::upper_bound(lines.begins.begin(), lines.begins.end(), place.begin);
    if (text.empty() || behind == (place.within ? lines.begins.begin() : lines.begins.end())) continue;
    const auto of = place.within ? behind - 1 : behind;
    if (!place.within && column_of(*of) != column_of(place.begin)) continue;
    const int line = line_of(*of), last = of + 1 == lines.begins.end() ? static_cast<int>(line_begins.size()) : line_of(*(of + 1)) - 1;
    if (!comments.empty() && comments.back().line == line) comments.back().text += "\n" + text;
    else comments.push_back({line, std::max(line, last), std::move(text)});
  }
  return comments;
}

}  // namespace lantern::syntax
