#include "frontend/syntax.h"

#include <algorithm>

#include "support/deep_stack.h"

namespace lantern::syntax {

Expr::Node::Node(const Node&) = default;
Expr::Node::Node(Node&&) noexcept = default;
Expr::Node& Expr::Node::operator=(Node&&) noexcept = default;
Expr::Node::~Node() = default;

Pattern::Node::Node(const Node&) = default;
Pattern::Node::Node(Node&&) noexcept = default;
Pattern::Node& Pattern::Node::operator=(Node&&) noexcept = default;
Pattern::Node::~Node() = default;

Stmt::Node::Node(const Node&) = default;
Stmt::Node::Node(Node&&) noexcept = default;
Stmt::Node& Stmt::Node::operator=(Node&&) noexcept = default;
Stmt::Node::~Node() = default;

namespace {

struct Pending {
  void* node;
  void (*destroy)(void* node);
};

// What the outermost dispose() on this thread has still to destroy; null when none is at work.
thread_local std::vector<Pending>* pending = nullptr;

// Destroying a node destroys the boxes of its children, which would recurse as deep as the tree is. So only the
// outermost call destroys; the calls from within it queue.
void destroy_in_turn(Pending first) {
  if (pending) {
    pending->push_back(first);
    return;
  }
  std::vector<Pending> queue{first};
  pending = &queue;
  while (!queue.empty()) {
    const Pending next = queue.back();
    queue.pop_back();
    next.destroy(next.node);
  }
  pending = nullptr;
}

template <class Node>
void dispose_of(Node* node) {
  destroy_in_turn({node, [](void* it) { delete static_cast<Node*>(it); }});
}

template <class Node>
Node* copy_of(const Node& original) {
  Node* result = nullptr;
  on_deep_stack([&] { result = new Node(original); });
  return result;
}

}  // namespace

namespace detail {
Expr* copy(const Expr& original) { return copy_of(original); }
Stmt* copy(const Stmt& original) { return copy_of(original); }
Pattern* copy(const Pattern& original) { return copy_of(original); }
void dispose(Expr* node) { dispose_of(node); }
void dispose(Stmt* node) { dispose_of(node); }
void dispose(Pattern* node) { dispose_of(node); }
}  // namespace detail

ExprPtr clone(const Expr& original) { return ExprPtr(detail::copy(original)); }
StmtPtr clone(const Stmt& original) { return StmtPtr(detail::copy(original)); }

Block clone(const Block& original) {
  Block result;
  result.reserve(original.size());
  for (const StmtPtr& stmt : original) result.push_back(clone(stmt));
  return result;
}

std::string_view spelling(BoolOperator op) { return op == BoolOperator::and_ ? "and" : "or"; }

std::string_view spelling(BinaryOperator op) {
  switch (op) {
    case BinaryOperator::add: return "+";
    case BinaryOperator::sub: return "-";
    case BinaryOperator::mult: return "*";
    case BinaryOperator::mat_mult: return "@";
    case BinaryOperator::div: return "/";
    case BinaryOperator::mod: return "%";
    case BinaryOperator::pow: return "**";
    case BinaryOperator::l_shift: return "<<";
    case BinaryOperator::r_shift: return ">>";
    case BinaryOperator::bit_or: return "|";
    case BinaryOperator::bit_xor: return "^";
    case BinaryOperator::bit_and: return "&";
    case BinaryOperator::floor_div: return "//";
  }
  bug("syntax", "a binary operator without a spelling");
}

std::string_view spelling(UnaryOperator op) {
  switch (op) {
    case UnaryOperator::invert: return "~";
    case UnaryOperator::not_: return "not";
    case UnaryOperator::u_add: return "+";
    case UnaryOperator::u_sub: return "-";
  }
  bug("syntax", "a unary operator without a spelling");
}

std::string_view spelling(CompareOperator op) {
  switch (op) {
    case CompareOperator::eq: return "==";
    case CompareOperator::ne: return "!=";
    case CompareOperator::lt: return "<";
    case CompareOperator::le: return "<=";
    case CompareOperator::gt: return ">";
    case CompareOperator::ge: return ">=";
    case CompareOperator::is: return "is";
    case CompareOperator::is_not: return "is not";
    case CompareOperator::in: return "in";
    case CompareOperator::not_in: return "not in";
  }
  bug("syntax", "a comparison without a spelling");
}

bool String::is_formatted() const {
  return std::any_of(tokens.begin(), tokens.end(), [](const StringToken& token) { return token.is_formatted(); });
}

Location Module::location(const Range& range) const {
  return {file, range.line, range.column, range.end_line, range.end_column};
}

Diagnostic Module::diagnostic(std::string code, const Range& range, std::string message, std::string hint) const {
  Diagnostic result{.code = std::move(code), .location = location(range), .message = std::move(message), .hint = std::move(hint)};
  std::size_t begin = 0;
  for (int line = 1; line < range.line && begin != std::string::npos; ++line) {
    begin = source.find('\n', begin);
    if (begin != std::string::npos) ++begin;
  }
  if (range.known() && begin < source.size()) {
    result.source_line = source.substr(begin, source.find('\n', begin) - begin);
  }
  return result;
}

}  // namespace lantern::syntax
