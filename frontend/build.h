#pragma once

#include "frontend/syntax.h"

/// Short spellings for the nodes that passes make. None sets a range: inherit() (walk.h) does, once, at the end.
///
///     assign(name("y"), call(name("f"), list_of<ExprPtr>(name("x"), number(2))))     // y = f(x, 2)
namespace lantern::syntax {

/// Any node from its kind: make(BinOp{…}, range), make(Pass{}), make(MatchStar{"rest"}).
ExprPtr make(Expr::Node node, Range range = {});
StmtPtr make(Stmt::Node node, Range range = {});
PatternPtr make(Pattern::Node node, Range range = {});

/// A vector of owning things; an initializer list cannot move them.
template <class Element, class... Elements>
std::vector<Element> list_of(Elements&&... elements) {
  std::vector<Element> result;
  result.reserve(sizeof...(elements));
  (result.push_back(std::forward<Elements>(elements)), ...);
  return result;
}

// ---- expressions
ExprPtr name(std::string id);
/// `a.b.c` from "a.b.c".
ExprPtr dotted_name(std::string_view dotted);
ExprPtr attribute(ExprPtr value, std::string attr);
ExprPtr subscript(ExprPtr value, ExprPtr slice);
ExprPtr call(ExprPtr func, std::vector<ExprPtr> args = {}, std::vector<Keyword> keywords = {});
ExprPtr tuple(std::vector<ExprPtr> elts);
ExprPtr list(std::vector<ExprPtr> elts);
ExprPtr lambda(Parameters parameters, ExprPtr body);
ExprPtr not_(ExprPtr operand);
ExprPtr number(long long value);  // negative values become a UnaryOp
ExprPtr none();
ExprPtr boolean(bool value);
/// A string literal with this value (UTF-8), quoted and escaped.
ExprPtr string(std::string_view value);
/// ("a", "b", …), a tuple of string literals.
ExprPtr strings(const std::vector<std::string>& values);

/// The value of a string literal that is neither bytes nor formatted, escapes resolved; none for anything else
/// (and for a literal with \N{…} in it).
std::optional<std::string> string_value(const Expr& expr);

// ---- statements
StmtPtr assign(ExprPtr target, ExprPtr value);
StmtPtr expr_stmt(ExprPtr value);
StmtPtr return_(ExprPtr value = {});
StmtPtr pass();
StmtPtr nonlocal_(std::vector<std::string> names);
StmtPtr if_(ExprPtr test, Block body, Block orelse = {});
StmtPtr function_def(std::string name, Parameters parameters, Block body);
/// Plain parameters without annotation or default.
Parameters parameters(std::vector<std::string> names);

}  // namespace lantern::syntax
