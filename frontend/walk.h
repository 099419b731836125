#pragma once

#include <functional>

#include "frontend/syntax.h"

/// Generic traversal, for passes and analyses that care about a few kinds and want to reach the rest. Each
/// function visits *direct* children only, never null ones, in the order in which Python evaluates them where
/// that order is fixed, else in source order. A visitor may replace the Box that it is given.
namespace lantern::syntax {

/// The sub-expressions of an expression: a lambda's defaults and body, a comprehension's parts, the fields of an
/// f-string included.
void for_each_child(Expr& expr, const std::function<void(ExprPtr&)>& visit);
void for_each_child(const Expr& expr, const std::function<void(const Expr&)>& visit);

/// The expressions that stand directly in a statement: targets, values, tests, decorators, defaults, annotations,
/// and those in the patterns and guards of `match`; not those of statements nested in it.
void for_each_expression(Stmt& stmt, const std::function<void(ExprPtr&)>& visit);
void for_each_expression(const Stmt& stmt, const std::function<void(const Expr&)>& visit);

/// The blocks nested directly in a statement: body, orelse, handlers' and cases' bodies, finalbody. Empty blocks too.
void for_each_block(Stmt& stmt, const std::function<void(Block&)>& visit);
void for_each_block(const Stmt& stmt, const std::function<void(const Block&)>& visit);

/// The expressions in a pattern and in the patterns nested in it.
void for_each_expression(Pattern& pattern, const std::function<void(ExprPtr&)>& visit);

/// The patterns nested in a pattern; their expressions are reached through for_each_expression.
void for_each_pattern(Pattern& pattern, const std::function<void(Pattern&)>& visit);

/// The names that a pattern binds, in source order.
std::vector<std::string> captured_names(const Pattern& pattern);

/// Gives `origin` to every node in the tree whose own place is unknown, so that what a pass made in place of the
/// user's text points there.
void inherit(ExprPtr& expr, const Range& origin);
void inherit(StmtPtr& stmt, const Range& origin);
void inherit(Block& block, const Range& origin);

}  // namespace lantern::syntax
