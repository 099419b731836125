#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/syntax.h"

/// Names: the places that assignments store to, and the names that a function's own code binds.
namespace lantern::analysis {

using NameSet = std::set<std::string>;

/// One step from an object to a place in it: `.left`, or an item under a literal key, `[0]`, `['k']`.
struct Selector {
  enum class Kind { attribute, item } kind;
  std::string text;  // the attribute's name, or the key as it is spelled
  friend auto operator<=>(const Selector&, const Selector&) = default;
};

/// A name and the way from it: `a`, `a.b`, `a[0]`, `self.cache['k'].x`.
struct QualifiedName {
  std::string root;
  std::vector<Selector> selectors = {};

  bool is_simple() const { return selectors.empty(); }
  /// Whether this may be a place in what stands at the other: `a.b[0]` in `a.b`, and in `c.b`, since c may be a; no place in itself.
  bool may_be_within(const QualifiedName& other) const;
  std::string text() const;
  syntax::ExprPtr expression() const;
  syntax::ExprPtr expression(syntax::ExprPtr object) const;  // the same way, from an object that is at hand
  friend auto operator<=>(const QualifiedName&, const QualifiedName&) = default;
};

/// The place that `expr` spells, if it is one whose way is fixed: names, attributes, literal keys.
std::optional<QualifiedName> qualified_name(const syntax::Expr& expr);

/// What a function's code says about its names, nested functions and classes left out.
struct Bindings {
  std::vector<std::string> locals;  // parameters first, then in the order of first binding
  NameSet globals;                  // declared `global`
  NameSet nonlocals;                // declared `nonlocal`

  bool is_local(const std::string& name) const;
  bool is_declared(const std::string& name) const { return globals.count(name) || nonlocals.count(name); }
};

Bindings bindings_of(const syntax::Parameters& parameters, const syntax::Block& body);
std::vector<std::string> parameter_names(const syntax::Parameters& parameters);

/// The names that a target binds: `a` and `b` in `a, (x.y, *b)`. Empty for attributes and items.
std::vector<std::string> bound_names(const syntax::Expr& target);

/// The names that `:=` binds in an expression for the function around it, those in comprehensions included.
std::vector<std::string> walrus_names(const syntax::Expr& expr);

/// Attributes with a fixed way that a block stores to or deletes, nested statements included, nested functions and classes not; in the order of first
/// appearance. Items are none of them: the list or dict that has one tells of its own changes.
std::vector<QualifiedName> stored_places(const syntax::Block& block);

}  // namespace lantern::analysis
