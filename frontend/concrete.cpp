#include "frontend/concrete.h"

#include <tree_sitter/api.h>
#include <utf8proc.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <type_traits>

extern "C" const TSLanguage* tree_sitter_python(void);

namespace lantern::syntax {

namespace {

template <auto release>
struct Release {
  template <class Owned>
  void operator()(Owned* owned) const {
    release(owned);
  }
};

bool is_left_out(std::string_view kind) { return kind == "comment" || kind == "line_continuation"; }

}  // namespace

ConcreteTree::ConcreteTree(const std::string& source, std::string text) : source_(source), line_begins_{0} {
  for (std::uint32_t i = 0; i < source.size(); ++i) {
    if (source[i] == '\n') line_begins_.push_back(i + 1);
  }
  if (std::any_of(source.begin(), source.end(), [](char c) { return (c & 0x80) != 0; })) {
    characters_before_.reserve(source.size() + 1);
    std::uint32_t count = 0;
    for (const char c : source) {
      characters_before_.push_back(count);
      count += (c & 0xC0) != 0x80;
    }
    characters_before_.push_back(count);
  }
  do read(text);
  while (mask_misread_names(text));
  for (ConcreteNode& node : nodes_) {
    const bool masked = node.is("integer") && !(source[node.begin] >= '0' && source[node.begin] <= '9');
    if (masked) node.kind = "identifier";
  }
}

bool ConcreteTree::mask_misread_names(std::string& text) const {
  bool any = false;
  const auto mask = [&](const ConcreteNode& node) {
    for (std::uint32_t i = node.begin; i < node.end; ++i) text[i] = '1';
    any = any || node.begin < node.end;
  };
  for (const ConcreteNode& node : nodes_) {
    const bool opens_with_name = node.is("print_statement") || node.is("type_alias_statement") || node.is("generic_type");
    if (opens_with_name && !(text[node.begin] >= '0' && text[node.begin] <= '9')) mask(*node.first_child());
    // `{x:=9}` in an f-string: `=9` is the format specification.
    if (node.is("named_expression") && node.field == "expression") {
      const ConcreteNode& walrus = *node.sibling_after(*node.first_child());
      text[walrus.end - 1] = '1';
      any = true;
    }
  }
  return any;
}

void ConcreteTree::read(const std::string& text) {
  nodes_.clear();
  const std::unique_ptr<TSParser, Release<ts_parser_delete>> parser(ts_parser_new());
  if (!ts_parser_set_language(parser.get(), tree_sitter_python())) {
    bug("parse", "the Python grammar and libtree-sitter do not fit together");
  }
  const std::unique_ptr<TSTree, Release<ts_tree_delete>> tree(
      ts_parser_parse_string(parser.get(), nullptr, text.data(), static_cast<std::uint32_t>(text.size())));
  if (!tree) bug("parse", "tree-sitter returned no tree");

  // Preorder, by hand: the tree may be deeper than any call stack. `open` holds the path from the root.
  TSTreeCursor cursor = ts_tree_cursor_new(ts_tree_root_node(tree.get()));
  std::vector<std::uint32_t> open;
  const auto enter = [&] {
    const TSNode node = ts_tree_cursor_current_node(&cursor);
    const char* field = ts_tree_cursor_current_field_name(&cursor);
    open.push_back(static_cast<std::uint32_t>(nodes_.size()));
    nodes_.push_back({.tree = this,
                      .kind = ts_node_type(node),
                      .field = field ? field : "",
                      .begin = ts_node_start_byte(node),
                      .end = ts_node_end_byte(node),
                      .next = 0,
                      .named = ts_node_is_named(node),
                      .error = ts_node_has_error(node)});
  };
  const auto leave = [&] {
    ConcreteNode& node = nodes_[open.back()];
    // tree-sitter marks the whole path down to an error; here, only its end.
    if (node.error) node.error = std::none_of(nodes_.begin() + open.back() + 1, nodes_.end(), [](const ConcreteNode& each) { return each.error; });
    if (is_left_out(node.kind)) nodes_.resize(open.back());
    else node.next = static_cast<std::uint32_t>(nodes_.size());
    open.pop_back();
  };
  enter();
  while (!open.empty()) {
    if (ts_tree_cursor_goto_first_child(&cursor)) {
      enter();
      continue;
    }
    leave();
    while (!open.empty() && !ts_tree_cursor_goto_next_sibling(&cursor)) {
      ts_tree_cursor_goto_parent(&cursor);
      leave();
    }
    if (!open.empty()) enter();
  }
  ts_tree_cursor_delete(&cursor);
}

const ConcreteNode* ConcreteTree::first_error() const {
  const auto found = std::find_if(nodes_.begin(), nodes_.end(), [](const ConcreteNode& node) { return node.error; });
  return found == nodes_.end() ? nullptr : &*found;
}

std::optional<std::uint32_t> ConcreteTree::line_within_statement(const std::vector<std::uint32_t>& begins) const {
  const auto begins_line = [](const ConcreteNode& node) {
    const auto ends_with = [&](std::string_view end) { return std::string_view(node.kind).ends_with(end); };
    return ends_with("_statement") || ends_with("_definition") || ends_with("_clause") || node.is("decorator");
  };
  std::vector<std::uint32_t> found;
  for (const ConcreteNode& node : nodes_) {
    if (node.named && begins_line(node)) found.push_back(node.begin);
  }
  for (const std::uint32_t begin : begins) {
    if (!std::binary_search(found.begin(), found.end(), begin)) return begin;
  }
  return std::nullopt;
}

int ConcreteTree::line_of(std::uint32_t byte) const {
  return static_cast<int>(std::upper_bound(line_begins_.begin(), line_begins_.end(), byte) - line_begins_.begin());
}

int ConcreteTree::column_of(std::uint32_t byte, int line) const {
  const std::uint32_t begin = line_begins_[line - 1];
  if (characters_before_.empty()) return static_cast<int>(byte - begin + 1);
  return static_cast<int>(characters_before_[byte] - characters_before_[begin] + 1);
}

Range ConcreteTree::range(std::uint32_t begin, std::uint32_t end) const {
  // Behind a `~` of ours (lexical.h), which stands for a blank or for the end of `match`.
  if (begin + 1 < end && begin >= 4 && source_.compare(begin - 4, 5, "match") == 0) ++begin;
  while (begin < end && (source_[begin] == ' ' || source_[begin] == '\t' || source_[begin] == '\f')) ++begin;
  const int line = line_of(begin), end_line = line_of(end);
  return {line, column_of(begin, line), end_line, column_of(end, end_line)};
}

std::string_view ConcreteNode::text() const { return std::string_view(tree->source()).substr(begin, end - begin); }

std::string ConcreteNode::identifier() const {
  std::string name(text());
  if (std::none_of(name.begin(), name.end(), [](char c) { return (c & 0x80) != 0; })) return name;
  const std::unique_ptr<utf8proc_uint8_t, Release<std::free>> normal(utf8proc_NFKC(reinterpret_cast<const utf8proc_uint8_t*>(name.c_str())));
  if (!normal) bug("parse", "a name has no normal form: " + name);
  return reinterpret_cast<const char*>(normal.get());
}

Range ConcreteNode::range() const { return tree->range(begin, end); }

const ConcreteNode* ConcreteNode::first_child() const {
  const auto index = static_cast<std::uint32_t>(this - tree->nodes().data());
  return index + 1 < next ? this + 1 : nullptr;
}

const ConcreteNode* ConcreteNode::sibling_after(const ConcreteNode& child) const {
  return child.next < next ? &tree->nodes()[child.next] : nullptr;
}

std::vector<const ConcreteNode*> ConcreteNode::children() const {
  std::vector<const ConcreteNode*> result;
  for (const ConcreteNode* each = first_child(); each; each = sibling_after(*each)) result.push_back(each);
  return result;
}

std::vector<const ConcreteNode*> ConcreteNode::named_children() const {
  std::vector<const ConcreteNode*> result;
  for (const ConcreteNode* each = first_child(); each; each = sibling_after(*each)) {
    if (each->named) result.push_back(each);
  }
  return result;
}

const ConcreteNode* ConcreteNode::child(std::string_view wanted_field) const {
  for (const ConcreteNode* each = first_child(); each; each = sibling_after(*each)) {
    if (each->field == wanted_field) return each;
  }
  return nullptr;
}

std::vector<const ConcreteNode*> ConcreteNode::all(std::string_view wanted_field) const {
  std::vector<const ConcreteNode*> result;
  for (const ConcreteNode* each = first_child(); each; each = sibling_after(*each)) {
    if (each->field == wanted_field) result.push_back(each);
  }
  return result;
}

bool ConcreteNode::has_token(std::string_view token) const {
  for (const ConcreteNode* each = first_child(); each; each = sibling_after(*each)) {
    if (!each->named && each->kind == token) return true;
  }
  return false;
}

}  // namespace lantern::syntax
