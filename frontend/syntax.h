#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "support/diagnostic.h"
#include "support/location.h"
#include "support/match.h"

/// The syntax tree of Python 3.11: parse.h makes it, passes rewrite it, unparse.h prints it.
///
/// Kinds and fields are those of CPython's `ast` module, under the same names, with these differences:
/// - An asynchronous statement or comprehension is its plain twin with `is_async`, `try … except*` a Try with
///   `is_star`. A parameter holds its own default.
/// - Nothing is stored of Load/Store/Del: where an expression stands says it.
/// - Literals keep their spelling: Number, String (with all the tokens of an implicit concatenation; f-strings
///   among them, their replacement fields parsed). None, True, False and `...` are Constant.
/// - Parentheses and comments are not kept; unparse writes the parentheses that are needed.
///
/// A node belongs to exactly one parent. Box is a null-able owning pointer that moves; a deep copy must be
/// spelled: clone(x). Nodes are destroyed iteratively, however deep; functions that recurse over a tree run in
/// on_deep_stack (support/deep_stack.h).
namespace lantern::syntax {

/// Where a node stands in its module's source. For a node that a pass made: the user's text that it stands for
/// (diagnostics and the source map use it). Lines and columns as in Location; line 0: no place is known.
struct Range {
  int line = 0;
  int column = 0;
  int end_line = 0;  // just behind the last character
  int end_column = 0;

  bool known() const { return line > 0; }
  friend bool operator==(const Range&, const Range&) = default;
};

struct Expr;
struct Stmt;
struct Pattern;

namespace detail {
Expr* copy(const Expr& original);
Stmt* copy(const Stmt& original);
Pattern* copy(const Pattern& original);
void dispose(Expr* node);
void dispose(Stmt* node);
void dispose(Pattern* node);
}  // namespace detail

/// Owns one node, or nothing. Its copy constructor is explicit, so that no tree is copied by accident.
template <class Node>
class Box {
 public:
  Box() = default;
  Box(std::nullptr_t) {}
  explicit Box(Node* owned) : node_(owned) {}
  explicit Box(const Box& other) : node_(other.node_ ? detail::copy(*other.node_) : nullptr) {}
  Box(Box&& other) noexcept : node_(std::exchange(other.node_, nullptr)) {}
  Box& operator=(Box other) noexcept {
    std::swap(node_, other.node_);
    return *this;
  }
  ~Box() {
    if (node_) detail::dispose(node_);
  }

  Node& operator*() { return *node_; }
  const Node& operator*() const { return *node_; }
  Node* operator->() { return node_; }
  const Node* operator->() const { return node_; }
  Node* get() { return node_; }
  const Node* get() const { return node_; }
  explicit operator bool() const { return node_ != nullptr; }
  Node* release() { return std::exchange(node_, nullptr); }

 private:
  Node* node_ = nullptr;
};

using ExprPtr = Box<Expr>;
using StmtPtr = Box<Stmt>;
using PatternPtr = Box<Pattern>;
using Block = std::vector<StmtPtr>;

// ---- parts shared by several kinds

enum class BoolOperator { and_, or_ };
enum class BinaryOperator { add, sub, mult, mat_mult, div, mod, pow, l_shift, r_shift, bit_or, bit_xor, bit_and, floor_div };
enum class UnaryOperator { invert, not_, u_add, u_sub };
enum class CompareOperator { eq, ne, lt, le, gt, ge, is, is_not, in, not_in };

std::string_view spelling(BoolOperator op);
std::string_view spelling(BinaryOperator op);
std::string_view spelling(UnaryOperator op);
std::string_view spelling(CompareOperator op);

struct Parameter {
  std::string name;
  ExprPtr annotation = {};     // may be null, like every Box below that says so
  ExprPtr default_value = {};  // may be null
  Range range = {};
};

/// `posonly, /, args, *vararg, kwonly, **kwarg`
struct Parameters {
  std::vector<Parameter> posonly = {};
  std::vector<Parameter> args = {};
  std::optional<Parameter> vararg = {};
  std::vector<Parameter> kwonly = {};
  std::optional<Parameter> kwarg = {};
};

/// `name=value` in a call or a class header; `**value` where `name` is empty.
struct Keyword {
  std::string name;
  ExprPtr value;
  Range range = {};
};

/// `for target in iter if ifs[0] if ifs[1] …`
struct Comprehension {
  ExprPtr target;
  ExprPtr iter;
  std::vector<ExprPtr> ifs = {};
  bool is_async = false;
};

/// `import name as asname`; `asname` may be empty.
struct Alias {
  std::string name;
  std::string asname = {};
  Range range = {};
};

// ---- expressions

struct BoolOp { BoolOperator op; std::vector<ExprPtr> values; };
struct NamedExpr { ExprPtr target; ExprPtr value; };  // target := value
struct BinOp { ExprPtr left; BinaryOperator op; ExprPtr right; };
struct UnaryOp { UnaryOperator op; ExprPtr operand; };
struct Lambda { Parameters parameters; ExprPtr body; };
struct IfExp { ExprPtr test; ExprPtr body; ExprPtr orelse; };  // body if test else orelse
struct DictItem { ExprPtr key; ExprPtr value; };               // key null: **value
struct Dict { std::vector<DictItem> items; };
struct Set { std::vector<ExprPtr> elts; };
struct ListComp { ExprPtr elt; std::vector<Comprehension> generators; };
struct SetComp { ExprPtr elt; std::vector<Comprehension> generators; };
struct DictComp { ExprPtr key; ExprPtr value; std::vector<Comprehension> generators; };
struct GeneratorExp { ExprPtr elt; std::vector<Comprehension> generators; };
struct Await { ExprPtr value; };
struct Yield { ExprPtr value; };  // may be null
struct YieldFrom { ExprPtr value; };
struct Compare { ExprPtr left; std::vector<CompareOperator> ops; std::vector<ExprPtr> comparators; };
struct Call { ExprPtr func; std::vector<ExprPtr> args; std::vector<Keyword> keywords; };
struct Attribute { ExprPtr value; std::string attr; };
struct Subscript { ExprPtr value; ExprPtr slice; };  // slice: any expression, a Slice, or a Tuple with Slices in it
struct Starred { ExprPtr value; };
struct Name { std::string id; };
struct List { std::vector<ExprPtr> elts; };
struct Tuple { std::vector<ExprPtr> elts; };
struct Slice { ExprPtr lower; ExprPtr upper; ExprPtr step; };  // each may be null; only inside a Subscript

enum class ConstantKind { none, true_, false_, ellipsis };
struct Constant { ConstantKind kind; };

struct Number { std::string spelling; };  // "12", "0x_ff", "1e-3", "2j"

/// A piece of a string token: text, or in an f-string the replacement field `{value!conversion:format_spec}`.
/// `f"{x=}"` is parsed as the text `x=` and the field `{x!r}`, which is what CPython makes of it.
struct StringPart {
  std::string text = {};  // where `value` is null: as spelled, escapes unresolved, `{{` and `}}` still doubled
  ExprPtr value = {};
  char conversion = 0;    // 'r', 's', 'a' or 0
  bool has_format_spec = false;
  std::vector<StringPart> format_spec = {};
};

/// One quoted token: `prefix` as spelled ("", "r", "b", "Rb", "f", …), `quote` one of ' " ''' """.
struct StringToken {
  std::string prefix;
  std::string quote;
  std::vector<StringPart> parts;
  bool is_bytes() const { return prefix.find_first_of("bB") != std::string::npos; }
  bool is_formatted() const { return prefix.find_first_of("fF") != std::string::npos; }
  bool is_raw() const { return prefix.find_first_of("rR") != std::string::npos; }
};

/// A string literal: one or more tokens, concatenated. Has the type bytes if its tokens are bytes; is an
/// f-string if one of its tokens is.
struct String {
  std::vector<StringToken> tokens;
  bool is_bytes() const { return !tokens.empty() && tokens[0].is_bytes(); }
  bool is_formatted() const;
};

/// The special members of `Node`, here and below, are functions of syntax.cpp: implicit ones were compiled in each library anew.
struct Expr {
  struct Node : std::variant<BoolOp, NamedExpr, BinOp, UnaryOp, Lambda, IfExp, Dict, Set, ListComp, SetComp, DictComp,
                              GeneratorExp, Await, Yield, YieldFrom, Compare, Call, Attribute, Subscript, Starred, Name,
                              List, Tuple, Slice, Constant, Number, String> {
    using variant::variant;
    Node(const Node&);
    Node(Node&&) noexcept;
    Node& operator=(Node&&) noexcept;
    ~Node();
  };
  Node node;
  Range range = {};
};

// ---- patterns of `match`

struct MatchValue { ExprPtr value; };          // case 1: case "x": case a.b:
struct MatchSingleton { ConstantKind kind; };  // None, True, False
struct MatchSequence { std::vector<PatternPtr> patterns; };
struct MatchMapping { std::vector<ExprPtr> keys; std::vector<PatternPtr> patterns; std::string rest; };  // rest: may be ""
struct MatchKeyword { std::string attr; PatternPtr pattern; };
struct MatchClass { ExprPtr cls; std::vector<PatternPtr> patterns; std::vector<MatchKeyword> keywords; };
struct MatchStar { std::string name; };                    // "": *_
struct MatchAs { PatternPtr pattern; std::string name; };  // null, "": the wildcard _; null, "x": the capture x
struct MatchOr { std::vector<PatternPtr> patterns; };

struct Pattern {
  struct Node : std::variant<MatchValue, MatchSingleton, MatchSequence, MatchMapping, MatchClass, MatchStar, MatchAs, MatchOr> {
    using variant::variant;
    Node(const Node&);
    Node(Node&&) noexcept;
    Node& operator=(Node&&) noexcept;
    ~Node();
  };
  Node node;
  Range range = {};
};

// ---- statements. A Block is never empty where Python's grammar wants a statement (write Pass).

struct FunctionDef {
  std::string name;
  Parameters parameters;
  Block body;
  std::vector<ExprPtr> decorator_list = {};
  ExprPtr returns = {};  // may be null
  bool is_async = false;
};
struct ClassDef {
  std::string name;
  std::vector<ExprPtr> bases;
  std::vector<Keyword> keywords;
  Block body;
  std::vector<ExprPtr> decorator_list = {};
};
struct Return { ExprPtr value; };  // may be null
struct Delete { std::vector<ExprPtr> targets; };
struct Assign { std::vector<ExprPtr> targets; ExprPtr value; };  // targets[0] = targets[1] = … = value
struct AugAssign { ExprPtr target; BinaryOperator op; ExprPtr value; };
struct AnnAssign { ExprPtr target; ExprPtr annotation; ExprPtr value; bool simple = true; };  // simple false: `(x): int`
struct For { ExprPtr target; ExprPtr iter; Block body; Block orelse; bool is_async = false; };
struct While { ExprPtr test; Block body; Block orelse; };
struct If { ExprPtr test; Block body; Block orelse; };  // elif: an If alone in `orelse`
struct WithItem { ExprPtr context_expr; ExprPtr optional_vars; };  // optional_vars may be null
struct With { std::vector<WithItem> items; Block body; bool is_async = false; };
struct MatchCase { PatternPtr pattern; ExprPtr guard; Block body; };  // guard may be null
struct Match { ExprPtr subject; std::vector<MatchCase> cases; };
struct Raise { ExprPtr exc; ExprPtr cause; };  // both may be null
struct ExceptHandler { ExprPtr type; std::string name; Block body; Range range = {}; };  // type may be null, name ""
struct Try { Block body; std::vector<ExceptHandler> handlers; Block orelse; Block finalbody; bool is_star = false; };
struct Assert { ExprPtr test; ExprPtr msg; };  // msg may be null
struct Import { std::vector<Alias> names; };
struct ImportFrom { std::string module; std::vector<Alias> names; int level = 0; };  // module "" only with level > 0
struct Global { std::vector<std::string> names; };
struct Nonlocal { std::vector<std::string> names; };
struct ExprStmt { ExprPtr value; };  // ast.Expr
struct Pass {};
struct Break {};
struct Continue {};

struct Stmt {
  struct Node : std::variant<FunctionDef, ClassDef, Return, Delete, Assign, AugAssign, AnnAssign, For, While, If, With, Match,
                              Raise, Try, Assert, Import, ImportFrom, Global, Nonlocal, ExprStmt, Pass, Break, Continue> {
    using variant::variant;
    Node(const Node&);
    Node(Node&&) noexcept;
    Node& operator=(Node&&) noexcept;
    ~Node();
  };
  Node node;
  Range range = {};  // a decorated definition's begins at its `def` or `class`, as in CPython
};

/// A file. `source` is its text in UTF-8 with `\n` line ends, which every Range refers to.
/// What the user says of a logical line, without `#`: lines of text for the lines `line` to `end_line` (from 1).
struct Comment {
  int line, end_line;
  std::string text;
};

struct Module {
  Block body = {};
  FileName file = {};
  std::string source = {};
  std::vector<Comment> comments = {};  // by line

  Location location(const Range& range) const;
  /// A diagnostic at `range`, with its source line filled in; throw it as Failure(...).
  Diagnostic diagnostic(std::string code, const Range& range, std::string message, std::string hint = {}) const;
};

// ---- walking

/// `match(expr, [](const BinOp& n) {…}, [](const Name& n) {…}, …)`: one visitor for each kind, and none with
/// `auto`, so that a new kind breaks the build until every pass answers. Expr, Stmt or Pattern, const or not.
template <class Tree, class... Visitors>
decltype(auto) match(Tree& tree, Visitors&&... visitors) {
  return visit_alternative(Overloaded{std::forward<Visitors>(visitors)...}, tree.node);
}

/// The node as a `Kind`, or null: `if (auto* call = as<Call>(expr))`.
template <class Kind, class Tree>
auto* as(Tree& tree) {
  return std::get_if<Kind>(&tree.node);
}
template <class Kind, class Node>
auto* as(Box<Node>& box) {
  return box ? std::get_if<Kind>(&box->node) : nullptr;
}
template <class Kind, class Node>
auto* as(const Box<Node>& box) {
  return box ? std::get_if<Kind>(&box->node) : nullptr;
}
template <class Kind, class Tree>
bool is(const Tree& tree) {
  return as<Kind>(tree) != nullptr;
}

/// Deep copies, ranges included.
inline ExprPtr clone(const ExprPtr& original) { return ExprPtr(original); }
inline StmtPtr clone(const StmtPtr& original) { return StmtPtr(original); }
inline PatternPtr clone(const PatternPtr& original) { return PatternPtr(original); }
ExprPtr clone(const Expr& original);
StmtPtr clone(const Stmt& original);
Block clone(const Block& original);

}  // namespace lantern::syntax
