#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/syntax.h"

/// The concrete syntax tree, as the grammar has it: tree-sitter's, copied out once into one array, in preorder.
/// Comments and line continuations are left out. The only file that knows tree-sitter is concrete.cpp.
///
/// Some names the grammar reads as keywords of Python 2 or 3.12, or as heads of a generic type, and then misreads what
/// follows: `print >>f, x`, `type(x).y = z`, `x: list[int] | None`. Where that happened, the text is parsed again with
/// a number of the same length in the name's place, which allows all that may follow a name and nothing else; the
/// tree shows the name again.
namespace lantern::syntax {

class ConcreteTree;

/// A node's kind is the grammar's name for it ("if_statement"), or, for a token without a name, its text ("if").
struct ConcreteNode {
  const ConcreteTree* tree;
  std::string_view kind;
  std::string_view field;  // its role in its parent ("condition"), or ""
  std::uint32_t begin;     // bytes of the source
  std::uint32_t end;
  std::uint32_t next;      // index in the tree of the first node behind this one's descendants
  bool named;
  bool error;              // not in the grammar, missing from the source, or missing a part that shows nowhere

  std::string_view text() const;
  std::string identifier() const;  // the text as Python means it where it is a name: in Unicode's normal form NFKC
  Range range() const;
  bool is(std::string_view wanted) const { return kind == wanted; }

  const ConcreteNode* first_child() const;                          // null: no children
  const ConcreteNode* sibling_after(const ConcreteNode& child) const;  // of a child of this node; null: the last
  std::vector<const ConcreteNode*> children() const;                // tokens too
  std::vector<const ConcreteNode*> named_children() const;
  const ConcreteNode* child(std::string_view wanted_field) const;   // the first in that role, or null
  std::vector<const ConcreteNode*> all(std::string_view wanted_field) const;
  bool has_token(std::string_view token) const;                     // among its direct children
};

class ConcreteTree {
 public:
  /// Parses `text`, the logical lines of `source` (lexical.h); errors stay in the tree as nodes. `source` must
  /// outlive the tree.
  ConcreteTree(const std::string& source, std::string text);
  ConcreteTree(const ConcreteTree&) = delete;

  const ConcreteNode& root() const { return nodes_.front(); }
  const ConcreteNode* first_error() const;  // in source order; null: none
  /// The first of these bytes, where lines begin, that no statement begins at: the grammar has taken two lines for one; none: fine.
  std::optional<std::uint32_t> line_within_statement(const std::vector<std::uint32_t>& begins) const;
  const std::vector<ConcreteNode>& nodes() const { return nodes_; }
  const std::string& source() const { return source_; }
  Range range(std::uint32_t begin, std::uint32_t end) const;

 private:
  void read(const std::string& text);  // into nodes_
  bool mask_misread_names(std::string& text) const;  // whether there were any
  int line_of(std::uint32_t byte) const;
  int column_of(std::uint32_t byte, int line) const;

  const std::string& source_;
  std::vector<ConcreteNode> nodes_;
  std::vector<std::uint32_t> line_begins_;
  std::vector<std::uint32_t> characters_before_;  // of each byte; empty where every character is one byte
};

}  // namespace lantern::syntax
