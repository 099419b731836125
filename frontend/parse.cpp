#include "frontend/parse.h"

#include <algorithm>

#include "frontend/concrete.h"
#include "frontend/lexical.h"
#include "frontend/source_text.h"
#include "frontend/syntax_error.h"
#include "frontend/tree_builder.h"
#include "support/deep_stack.h"

namespace lantern::syntax {

namespace {

Range place_of(std::string_view source, std::size_t at) {
  const auto line_begin = at == 0 ? 0 : source.rfind('\n', at - 1) + 1;  // npos + 1 is 0
  const auto before = source.substr(0, at);
  const int line = 1 + static_cast<int>(std::count(before.begin(), before.end(), '\n'));
  const auto is_first_byte = [](char c) { return (c & 0xC0) != 0x80; };
  const int column = 1 + static_cast<int>(std::count_if(before.begin() + line_begin, before.end(), is_first_byte));
  return {line, column, line, column + 1};
}

Module parse_decoded(std::string text, FileName file) {
  Module module{.body = {}, .file = std::move(file), .source = std::move(text)};
  LogicalLines lines = logical_lines(module.source);
  if (lines.error) throw Failure(module.diagnostic("LT0101", place_of(module.source, lines.error->at), lines.error->message));
  const ConcreteTree concrete(module.source, std::move(lines.text));
  if (const ConcreteNode* error = concrete.first_error()) throw Failure(explain_syntax_error(module, *error));
  on_deep_stack([&] { module.body = TreeBuilder(module).block(concrete.root()); });
  return module;
}

}  // namespace

Module parse(std::string_view bytes, FileName file) {
  std::string text = decode(bytes, file);
  return parse_decoded(std::move(text), std::move(file));
}

Module parse_text(std::string_view utf8, FileName file) {
  std::string text = decode_utf8(utf8, file);
  return parse_decoded(std::move(text), std::move(file));
}

}  // namespace lantern::syntax
