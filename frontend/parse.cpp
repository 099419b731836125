#include "frontend/parse.h"

#include "frontend/concrete.h"
#include "frontend/lexical.h"
#include "frontend/source_text.h"
#include "frontend/syntax_error.h"
#include "frontend/tree_builder.h"
#include "support/deep_stack.h"

namespace lantern::syntax {

namespace {

Module parse_decoded(std::string text, FileName file) {
  Module module{.body = {}, .file = std::move(file), .source = std::move(text)};
  const LogicalLines lines = logical_lines(module.source);
  if (lines.error) throw Failure(explain_lexical_error(module, *lines.error));
  const ConcreteTree concrete(module.source, lines.text);
  if (const ConcreteNode* error = concrete.first_error()) throw Failure(explain_syntax_error(module, lines, *error));
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
