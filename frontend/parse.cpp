#include "frontend/parse.h"

#include <algorithm>
#include <iterator>

#include "frontend/comments.h"
#include "frontend/concrete.h"
#include "frontend/lexical.h"
#include "frontend/source_text.h"
#include "frontend/syntax_error.h"
#include "frontend/tree_builder.h"
#include "support/deep_stack.h"

namespace lantern::syntax {

namespace {

// Blanks for stars. One at the head of a line must not add to the indentation: a form feed does not (lexical.h).
std::string without_stars(const LogicalLines& lines) {
  std::string text = lines.text;
  for (const std::uint32_t star : lines.stars) {
    text[star] = ' ';
    std::size_t begin = star;
    while (begin > 0 && text[begin - 1] == ' ') --begin;
    if (begin == 0 || text[begin - 1] == '\n' || text[begin - 1] == '\f') text[begin] = '\f';
  }
  return text;
}

Module parse_decoded(std::string text, FileName file) {
  Module module{.body = {}, .file = std::move(file), .source = std::move(text)};
  const LogicalLines lines = logical_lines(module.source);
  if (lines.error) throw Failure(explain_lexical_error(module, *lines.error));
  module.comments = comments_of(module.source, lines);
  const auto build = [&](const ConcreteTree& tree, const std::vector<std::uint32_t>& stars) {
    std::vector<std::uint32_t> begins;  // but where a star has become a blank
    std::set_difference(lines.begins.begin(), lines.begins.end(), stars.begin(), stars.end(), std::back_inserter(begins));
    if (const auto joined = tree.line_within_statement(begins)) throw Failure(explain_joined_lines(module, lines, tree, *joined));
    on_deep_stack([&] { module.body = TreeBuilder(module, stars).module_body(tree.root()); });
    return std::move(module);
  };
  const ConcreteTree tree(module.source, lines.text);
  const ConcreteNode* error = tree.first_error();
  if (!error) return build(tree, {});
  if (!lines.stars.empty()) {  // perhaps the grammar does without the stars
    const ConcreteTree second(module.source, without_stars(lines));
    if (!second.first_error()) return build(second, lines.stars);
  }
  throw Failure(explain_syntax_error(module, lines, *error));
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
