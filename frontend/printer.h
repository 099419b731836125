#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "frontend/syntax.h"
#include "frontend/unparse.h"

/// Tree → text. Private to unparse: unparse_*.cpp implement it. One overload of print() and precedence() for each
/// kind, so that a new kind breaks the build.
namespace lantern::syntax {

/// From loosest to tightest, as in Python's grammar. An expression that stands where a tighter one is wanted gets
/// parentheses.
enum class Precedence {
  bare_tuple,  // `a, b`
  yield,
  named,       // `a := b`
  test,        // lambda, `a if b else c`
  or_,
  and_,
  not_,
  compare,
  bit_or,
  bit_xor,
  bit_and,
  shift,
  arithmetic,
  term,
  factor,
  power,
  await,
  atom
};

class Printer {
 public:
  void expression(const Expr& expr, Precedence wanted);
  void statement(const Stmt& stmt);
  void statements(const Block& block);  // nothing for an empty one

  std::string text;
  std::vector<Mapping> map;

 private:
  // unparse.cpp: text and positions
  void write(std::string_view part);
  void begin_line();  // a new line, indented
  std::size_t open_mapping(const Range& origin);  // no_mapping where the origin is unknown
  void close_mapping(std::size_t index);

  // unparse_expressions.cpp
  void print(const BoolOp& node);
  void print(const NamedExpr& node);
  void print(const BinOp& node);
  void print(const UnaryOp& node);
  void print(const Lambda& node);
  void print(const IfExp& node);
  void print(const Dict& node);
  void print(const Set& node);
  void print(const ListComp& node);
  void print(const SetComp& node);
  void print(const DictComp& node);
  void print(const GeneratorExp& node);
  void print(const Await& node);
  void print(const Yield& node);
  void print(const YieldFrom& node);
  void print(const Compare& node);
  void print(const Call& node);
  void print(const Attribute& node);
  void print(const Subscript& node);
  void print(const Starred& node);
  void print(const Name& node);
  void print(const List& node);
  void print(const Tuple& node);
  void print(const Slice& node);
  void print(const Constant& node);
  void print(const Number& node);
  void elements(const std::vector<ExprPtr>& elts);
  void generators(const std::vector<Comprehension>& generators);
  void arguments(const std::vector<ExprPtr>& args, const std::vector<Keyword>& keywords);
  void parameters(const Parameters& parameters);

  // unparse_strings.cpp
  void print(const String& node);
  std::string with_quote(const StringToken& token, std::string_view quote);  // "": impossible
  void format_call(const String& node);

  // unparse_patterns.cpp
  void pattern(const Pattern& pattern, bool closed);  // closed: `|` and `as` need parentheses
  void print(const MatchValue& node);
  void print(const MatchSingleton& node);
  void print(const MatchSequence& node);
  void print(const MatchMapping& node);
  void print(const MatchClass& node);
  void print(const MatchStar& node);
  void print(const MatchAs& node);
  void print(const MatchOr& node);

  // unparse_statements.cpp
  void print(const FunctionDef& node);
  void print(const ClassDef& node);
  void print(const Return& node);
  void print(const Delete& node);
  void print(const Assign& node);
  void print(const AugAssign& node);
  void print(const AnnAssign& node);
  void print(const For& node);
  void print(const While& node);
  void print(const If& node);
  void print(const With& node);
  void print(const Match& node);
  void print(const Raise& node);
  void print(const Try& node);
  void print(const Assert& node);
  void print(const Import& node);
  void print(const ImportFrom& node);
  void print(const Global& node);
  void print(const Nonlocal& node);
  void print(const ExprStmt& node);
  void print(const Pass& node);
  void print(const Break& node);
  void print(const Continue& node);
  void decorators(const std::vector<ExprPtr>& decorators);
  void suite(const Block& block);  // `:` and the block
  void orelse(const Block& block);
  void value(std::string_view keyword, const ExprPtr& expr, Precedence wanted);  // nothing for null
  void names(std::string_view keyword, const std::vector<std::string>& names);

  int level_ = 0;  // of indentation
  int line_ = 1;
  int column_ = 1;
};

}  // namespace lantern::syntax
