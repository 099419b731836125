#include "codegen/pieces.h"

#include <algorithm>
#include <cctype>

namespace lantern {

namespace {

constexpr std::size_t shortest = 6000;  // characters: a part costs the formatter as much as a few hundred do

/// Whether the line that a brace ends opens a namespace.
bool opens_namespace(const std::string& code, std::size_t brace) {
  const std::size_t line = code.rfind('\n', brace) + 1;  // npos + 1 is 0
  return code.compare(line, 9, "namespace") == 0;
}

}  // namespace

std::size_t token_end(const std::string& code, std::size_t at) {
  const char first = code[at];
  if (first == '/' && at + 1 < code.size() && code[at + 1] == '/') return std::min(code.find('\n', at), code.size());
  const bool is_separator = first == '\'' && at > 0 && std::isalnum(static_cast<unsigned char>(code[at - 1]));  // 1'000
  if (first != '"' && (first != '\'' || is_separator)) return at + 1;
  for (++at; at < code.size() && code[at] != first; ++at) at += code[at] == '\\';
  return std::min(at + 1, code.size());
}

std::string without_comments(const std::string& code) {
  std::string text;
  for (std::size_t at = 0, end; at < code.size(); at = end) {
    end = token_end(code, at);
    if (code[at] != '/' || end == at + 1) text.append(code, at, end - at);
  }
  return text;
}

std::vector<Piece> pieces_of(const std::string& code) {
  std::vector<Piece> pieces;
  std::size_t begin = 0;
  int depth = 0;  // of braces that are no namespace's
  std::vector<bool> namespaces;
  for (std::size_t at = 0; at < code.size(); at = token_end(code, at)) {
    if (code[at] == '{') {
      namespaces.push_back(depth == 0 && opens_namespace(code, at));
      depth += namespaces.back() ? 0 : 1;
    } else if (code[at] == '}' && !namespaces.empty()) {
      const bool was_definition = !namespaces.back();
      depth -= was_definition ? 1 : 0;
      namespaces.pop_back();
      std::size_t end = at + 1;
      if (end < code.size() && code[end] == ';') ++end;
      if (!was_definition || depth > 0 || end - begin < shortest || code.compare(end, 2, "\n\n") != 0) continue;
      const std::size_t next = code.find_first_not_of('\n', end);
      if (next == std::string::npos) break;
      pieces.push_back({begin, end + 1});
      begin = next;
    }
  }
  pieces.push_back({begin, code.size()});
  return pieces;
}

}  // namespace lantern
