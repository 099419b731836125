#include "codegen/long_literals.h"

#include <fmt/format.h>

#include <algorithm>

#include "codegen/pieces.h"
#include "support/diagnostic.h"

namespace lantern {

namespace {

constexpr std::size_t longest = 2000;  // characters that the formatter is given

std::string name_of(std::size_t literal) { return fmt::format("lantern_literal_{}_", literal); }

struct Braces {
  std::size_t open, close;
};

/// Pairs of braces with much between them that is no statement; not those within others.
std::vector<Braces> long_braces(const std::string& code) {
  struct Open {
    std::size_t at;
    bool is_data = true;
  };
  std::vector<Open> open;
  std::vector<Braces> found;
  for (std::size_t at = 0; at < code.size(); at = token_end(code, at)) {
    if (code[at] == '{') {
      open.push_back({at});
    } else if (open.empty()) {
      continue;
    } else if (code[at] == ';' || code[at] == '/' || code[at] == '#') {  // a statement, a comment, a directive
      for (Open& one : open) one.is_data = false;
    } else if (code[at] == '}') {
      const Open last = open.back();
      open.pop_back();
      if (!last.is_data || at - last.at < longest) continue;
      while (!found.empty() && found.back().open > last.at) found.pop_back();
      found.push_back({last.at, at});
    }
  }
  return found;
}

/// The elements between commas, each with its own.
std::vector<std::string> elements_of(const std::string& text, bool nested) {
  std::vector<std::string> elements{""};
  int depth = 0;
  for (std::size_t at = 0, end; at < text.size(); at = end) {
    end = token_end(text, at);
    const char c = text[at];
    depth += (c == '(' || c == '{' || c == '[') - (c == ')' || c == '}' || c == ']');
    if (c == '\n' || (c == ' ' && elements.back().empty())) continue;
    elements.back().append(text, at, end - at);
    if (c == ',' && (nested || depth == 0)) elements.emplace_back();
  }
  if (elements.back().empty()) elements.pop_back();
  return elements;
}

/// Full lines, each begun by `indent` spaces; what stands behind the last takes room, too.
std::string in_lines(const std::string& text, std::size_t indent, std::size_t columns, std::size_t behind) {
  std::vector<std::string> parts;
  for (const std::string& element : elements_of(text, false)) {
    if (indent + element.size() <= columns) parts.push_back(element);
    else for (const std::string& part : elements_of(element, true)) parts.push_back(part);
  }
  std::string lines;
  std::size_t column = columns;
  for (const std::string& part : parts) {
    const bool fits = column + 1 + part.size() + (&part == &parts.back() ? behind : 0) <= columns;
    lines += fits ? " " + part : "\n" + std::string(indent, ' ') + part;
    column = (fits ? column + 1 : indent) + part.size();
  }
  return lines;
}

}  // namespace

WithoutLongLiterals without_long_literals(const std::string& code, std::vector<std::size_t>& offsets) {
  WithoutLongLiterals without;
  std::size_t at = 0, removed = 0;
  std::vector<std::size_t> shifts(offsets.size(), 0);
  for (const Braces& braces : long_braces(code)) {
    const std::string name = name_of(without.literals.size());
    without.code.append(code, at, braces.open + 1 - at);
    without.literals.push_back({without.code.size(), code.substr(braces.open + 1, braces.close - braces.open - 1)});
    without.code += name;
    at = braces.close;
    removed += without.literals.back().text.size() - name.size();
    for (std::size_t i = 0; i < offsets.size(); ++i)
      if (offsets[i] >= at) shifts[i] = removed;
  }
  without.code.append(code, at);
  for (std::size_t i = 0; i < offsets.size(); ++i) offsets[i] -= shifts[i];
  return without;
}

std::string with_long_literals(const std::string& formatted, const WithoutLongLiterals& without, int columns, std::vector<std::size_t>& offsets) {
  std::string code;
  std::size_t at = 0, added = 0;
  std::vector<std::size_t> shifts(offsets.size(), 0);
  for (std::size_t literal = 0; literal < without.literals.size(); ++literal) {
    const std::string name = name_of(literal);
    const std::size_t place = formatted.find(name, at);
    if (place == std::string::npos) bug("format", "it has lost " + name);
    code.append(formatted, at, place - at);
    const std::size_t line = formatted.rfind('\n', place) + 1, indent = formatted.find_first_not_of(' ', line) - line;  // npos + 1 is 0
    at = place + name.size();
    const std::size_t behind = std::min(formatted.find('\n', at), formatted.size()) - at;
    const std::string text = in_lines(without.literals[literal].text, indent + 4, static_cast<std::size_t>(columns), behind);
    code += text;
    added += text.size() - name.size();
    for (std::size_t i = 0; i < offsets.size(); ++i)
      if (offsets[i] >= at) shifts[i] = added;
  }
  code.append(formatted, at);
  for (std::size_t i = 0; i < offsets.size(); ++i) offsets[i] += shifts[i];
  return code;
}

}  // namespace lantern
