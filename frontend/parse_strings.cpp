// String literals: tokens keep their spelling; an f-string's replacement fields are parsed.
#include "frontend/tree_builder.h"

namespace lantern::syntax {

namespace {

// How many `{…{…}…}` deep CPython 3.11 lets a format specification nest.
constexpr int max_field_depth = 2;

void append_text(std::vector<StringPart>& parts, std::string_view text) {
  if (text.empty()) return;
  if (!parts.empty() && !parts.back().value) parts.back().text += text;
  else parts.push_back({.text = std::string(text)});
}

std::string with_braces_doubled(std::string_view text) {
  std::string result;
  for (const char c : text) {
    result += c;
    if (c == '{' || c == '}') result += c;
  }
  return result;
}

}  // namespace

ExprPtr TreeBuilder::string(const ConcreteNode& node) {
  String result;
  if (node.is("concatenated_string")) {
    for (const ConcreteNode* child : node.named_children()) result.tokens.push_back(string_token(*child));
  } else {
    result.tokens.push_back(string_token(node));
  }
  for (const StringToken& token : result.tokens) {
    if (token.is_bytes() != result.is_bytes()) refuse(node, "cannot mix bytes and nonbytes literals");
  }
  return ExprPtr(new Expr{std::move(result), node.range()});
}

StringToken TreeBuilder::string_token(const ConcreteNode& node) {
  const auto children = node.named_children();
  if (children.size() < 2) refuse(node, "invalid syntax");
  const std::string_view start = children.front()->text();
  const auto quote = start.find_first_of("'\"");
  if (quote == std::string_view::npos) refuse(node, "invalid syntax", "Python 3 has no backquotes: write repr(…)");
  StringToken token{std::string(start.substr(0, quote)), std::string(start.substr(quote)), {}};
  token.parts = string_parts(node, children.front()->end,
                             node.end - static_cast<std::uint32_t>(token.quote.size()), 0);
  return token;
}

std::vector<StringPart> TreeBuilder::string_parts(const ConcreteNode& node, std::uint32_t begin, std::uint32_t end,
                                                  int depth) {
  const std::string_view source = module_.source;
  std::vector<StringPart> parts;
  for (const ConcreteNode* child : node.named_children()) {
    if (!child->is("interpolation") && !child->is("format_expression")) continue;
    append_text(parts, source.substr(begin, child->begin - begin));
    replacement_field(*child, depth, parts);
    begin = child->end;
  }
  append_text(parts, source.substr(begin, end - begin));
  return parts;
}

void TreeBuilder::replacement_field(const ConcreteNode& node, int depth, std::vector<StringPart>& parts) {
  if (depth == max_field_depth) refuse(node, "f-string: expressions nested too deeply");
  const ConcreteNode* inner = node.child("expression");
  const ConcreteNode* conversion = node.child("type_conversion");
  const ConcreteNode* spec = node.child("format_specifier");
  if (!inner) refuse(node, "f-string: empty expression not allowed");
  StringPart field;
  field.value = expression(*inner);
  if (conversion) {
    const std::string_view text = conversion->text();
    if (text != "!r" && text != "!s" && text != "!a") {
      refuse(*conversion, "f-string: invalid conversion character: expected 's', 'r', or 'a'");
    }
    field.conversion = text[1];
  }
  if (spec) {
    field.has_format_spec = true;
    field.format_spec = string_parts(*spec, spec->begin + 1, spec->end, depth + 1);
  }
  if (node.has_token("=")) {  // `{x = }` shows its own text first
    const std::uint32_t end = conversion ? conversion->begin : spec ? spec->begin : node.end - 1;
    const std::string_view shown = std::string_view(module_.source).substr(node.begin + 1, end - node.begin - 1);
    append_text(parts, with_braces_doubled(shown));
    if (!conversion && !spec) field.conversion = 'r';
  }
  parts.push_back(std::move(field));
}

}  // namespace lantern::syntax
