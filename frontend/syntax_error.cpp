#include "frontend/syntax_error.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace lantern::syntax {

namespace {

Range place_of(std::string_view source, std::size_t at) {
  const std::string_view before = source.substr(0, at);
  const int line = 1 + static_cast<int>(std::count(before.begin(), before.end(), '\n'));
  const std::string_view in_line = before.substr(before.rfind('\n') + 1);  // npos + 1 is 0
  const auto is_first_byte = [](char c) { return (c & 0xC0) != 0x80; };
  const int column = 1 + static_cast<int>(std::count_if(in_line.begin(), in_line.end(), is_first_byte));
  return {line, column, line, column + 1};
}

// A line, from its first character that is no blank.
std::string_view line_at(std::string_view source, int line) {
  while (--line > 0) source.remove_prefix(source.find('\n') + 1);
  source = source.substr(0, source.find('\n'));
  return source.substr(std::min(source.find_first_not_of(" \t\f"), source.size()));
}

// Two statements on one line without a semicolon: what is missing between them, the end of a line, shows nowhere.
Range place_of_error(const Module& module, const ConcreteNode& error) {
  if (!error.is("module") && !error.is("block")) return error.range();
  const ConcreteNode* before = nullptr;
  for (const ConcreteNode* child : error.children()) {
    const auto between = [&] { return std::string_view(module.source).substr(before->end, child->begin - before->end); };
    if (before && before->named && child->named && between().find('\n') == std::string_view::npos) return child->range();
    before = child;
  }
  return place_of(module.source, error.begin);
}

bool is_inside_field(const ConcreteNode& error) {
  const auto& nodes = error.tree->nodes();
  return std::any_of(nodes.begin(), nodes.end(), [&](const ConcreteNode& node) {
    return node.is("interpolation") && node.begin <= error.begin && error.begin < node.end;
  });
}

}  // namespace

Diagnostic explain_lexical_error(const Module& module, const LexicalError& error) {
  return module.diagnostic("LT0101", place_of(module.source, error.at), error.message);
}

Diagnostic explain_syntax_error(const Module& module, const LogicalLines& lines, const ConcreteNode& error) {
  const bool colon_is_near = lines.missing_colon && lines.missing_colon->at >= error.begin && lines.missing_colon->at <= error.end;
  if (colon_is_near) return explain_lexical_error(module, *lines.missing_colon);
  const Range place = place_of_error(module, error);
  const std::string_view line = line_at(module.source, place.line);
  for (const std::string_view function : {"print", "exec"}) {
    if (!line.starts_with(function) || line.substr(function.size(), 1) != " ") continue;
    return module.diagnostic("LT0101", place, fmt::format("missing parentheses in call to '{0}': write {0}(…)", function));
  }
  if (line.starts_with("type ")) {
    return module.diagnostic("LT0101", place, "invalid syntax", "type aliases came with Python 3.12; Lantern reads 3.11");
  }
  if (!error.is("ERROR") && error.begin == error.end) {  // a token that the grammar had to invent
    if (!error.named) return module.diagnostic("LT0101", place, fmt::format("invalid syntax: expected '{}'", error.kind));
    const bool in_field = is_inside_field(error);
    return module.diagnostic("LT0101", place, in_field ? "f-string: empty expression not allowed" : "invalid syntax: expected an expression");
  }
  return module.diagnostic("LT0101", place, "invalid syntax");
}

Diagnostic explain_joined_lines(const Module& module, const LogicalLines& lines, const ConcreteTree& tree, std::uint32_t begin) {
  const auto line = std::lower_bound(lines.begins.begin(), lines.begins.end(), begin);
  const std::string_view before = line == lines.begins.begin() ? "" : std::string_view(module.source).substr(*std::prev(line));
  return module.diagnostic("LT0101", tree.range(begin, begin + 1), "this line is valid Python, and Lantern's grammar reads it as a part of the line before",
                           before.starts_with("match[") ? "put a blank between `match` and `[`"
                                                        : "put what ends the line before into parentheses, or a `pass` between the two");
}

}  // namespace lantern::syntax
