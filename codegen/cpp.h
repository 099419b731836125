#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

/// C++ as data: expressions that know how tightly they bind, and a writer of statements. Layout is the formatter's.
namespace lantern::cpp {

/// From loose to tight, as C++ has them.
enum class Binding { assignment, conditional, logical_or, logical_and, equality, relation, sum, product, prefix, postfix, primary };

struct Expr {
  std::string text;
  Binding binding = Binding::primary;
  std::string type = {};  // the arithmetic type that a cast or a literal has; "" where the text does not show it
};

/// The expression as an operand where anything looser than `least` would be taken apart.
std::string operand(const Expr& e, Binding least);

Expr binary(const Expr& left, std::string_view symbol, const Expr& right);
Expr prefix(std::string_view symbol, const Expr& e);
Expr call(std::string_view function, const std::vector<Expr>& arguments);
/// The expression as a number of a type: itself where it shows that it is one.
Expr cast(const std::string& type, const Expr& e);
Expr subscript(const Expr& object, const Expr& place);
Expr member(const Expr& object, std::string_view name);
Expr arrow(const Expr& pointer, std::string_view name);
Expr dereference(const Expr& pointer);
Expr conditional(const Expr& condition, const Expr& then, const Expr& otherwise);
Expr string_literal(std::string_view text);

/// Comma-separated texts.
std::string list(const std::vector<std::string>& parts);

/// Statements, one a line, blocks in braces.
class Writer {
 public:
  void line(const std::string& text) { text_ += text + "\n"; }
  void open(const std::string& head) { line(head + " {"); }
  void close(const std::string& tail = "") { line("}" + tail); }
  void blank() { line(""); }
  /// Lines of text, of which each is a comment, as far as C++ can have it in one.
  void comment(std::string_view text, std::string_view head = "//");
  void add(const std::string& text) { text_ += text; }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

}  // namespace lantern::cpp
