#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/concrete.h"
#include "frontend/syntax.h"

/// Concrete tree → syntax tree. Private to the parser: parse.cpp uses it, parse_*.cpp implement it.
namespace lantern::syntax {

/// From the first place's begin to the last one's end.
inline Range from_to(const Range& first, const Range& last) {
  return {first.line, first.column, last.end_line, last.end_column};
}

class TreeBuilder {
 public:
  /// `stars`: bytes where a star stands in the source, and a blank in what the grammar read. Each goes to the
  /// operand that follows it.
  TreeBuilder(const Module& module, const std::vector<std::uint32_t>& stars);

  Block module_body(const ConcreteNode& root);

 private:
  Block block(const ConcreteNode& node);  // the statements among its children
  // parse_statements.cpp, parse_compound.cpp: each appends nothing or returns one statement.
  StmtPtr statement(const ConcreteNode& node);
  StmtPtr expression_statement(const ConcreteNode& node);
  StmtPtr assignment(const ConcreteNode& node);
  StmtPtr augmented_assignment(const ConcreteNode& node);
  StmtPtr return_statement(const ConcreteNode& node);
  StmtPtr delete_statement(const ConcreteNode& node);
  StmtPtr raise_statement(const ConcreteNode& node);
  StmtPtr assert_statement(const ConcreteNode& node);
  StmtPtr import_statement(const ConcreteNode& node);
  StmtPtr import_from_statement(const ConcreteNode& node);
  StmtPtr if_statement(const ConcreteNode& node);
  StmtPtr for_statement(const ConcreteNode& node);
  StmtPtr while_statement(const ConcreteNode& node);
  StmtPtr try_statement(const ConcreteNode& node);
  StmtPtr with_statement(const ConcreteNode& node);
  StmtPtr match_statement(const ConcreteNode& node);
  StmtPtr definition(const ConcreteNode& node, std::vector<ExprPtr> decorators);
  StmtPtr decorated_definition(const ConcreteNode& node);
  Block suite(const ConcreteNode& node);  // the block of a clause; refuses an empty one
  Block else_clause(const ConcreteNode* node);
  ExceptHandler except_clause(const ConcreteNode& node);
  void with_items(const ConcreteNode& node, std::vector<WithItem>& items);
  WithItem perhaps_named(const ConcreteNode& node);  // `expression` or `expression as target`
  ExprPtr before_as(const ConcreteNode& pattern);    // of the latter, the former
  std::vector<Alias> aliases(const ConcreteNode& node);
  std::vector<std::string> identifiers(const ConcreteNode& node);
  Parameters parameters(const ConcreteNode* node);
  ExprPtr annotation(const ConcreteNode* node);

  // parse_expressions.cpp
  ExprPtr expression(const ConcreteNode& node);
  ExprPtr optional_expression(const ConcreteNode* node);
  ExprPtr convert(const ConcreteNode& node);
  ExprPtr only_expression(const ConcreteNode& node);  // of the one named child
  std::vector<ExprPtr> expressions(const ConcreteNode& node);  // of the named children
  /// The named children as one expression: a tuple if there is a comma among them.
  ExprPtr expression_or_tuple(const ConcreteNode& node, const std::vector<const ConcreteNode*>& elements);
  ExprPtr boolean_operator(const ConcreteNode& node);
  ExprPtr binary_operator(const ConcreteNode& node);
  ExprPtr and_or_xor(const ConcreteNode& node);
  ExprPtr unary_operator(const ConcreteNode& node);
  ExprPtr comparison(const ConcreteNode& node);
  ExprPtr await(const ConcreteNode& node);
  ExprPtr yield(const ConcreteNode& node);
  ExprPtr lambda(const ConcreteNode& node);
  ExprPtr conditional(const ConcreteNode& node);
  ExprPtr named_expression(const ConcreteNode& node);
  ExprPtr call(const ConcreteNode& node);
  ExprPtr attribute(const ConcreteNode& node);
  ExprPtr subscript(const ConcreteNode& node);
  ExprPtr slice(const ConcreteNode& node);
  ExprPtr starred(const ConcreteNode& node);
  ExprPtr parenthesized(const ConcreteNode& node);
  ExprPtr dictionary(const ConcreteNode& node);
  ExprPtr comprehension(const ConcreteNode& node);
  ExprPtr number(const ConcreteNode& node);
  ExprPtr dotted_name(const ConcreteNode& node);
  std::vector<Comprehension> comprehension_clauses(const ConcreteNode& node);
  void arguments(const ConcreteNode& node, std::vector<ExprPtr>& args, std::vector<Keyword>& keywords);

  // parse_strings.cpp
  ExprPtr string(const ConcreteNode& node);
  StringToken string_token(const ConcreteNode& node);
  std::vector<StringPart> string_parts(const ConcreteNode& node, std::uint32_t begin, std::uint32_t end, int depth);
  void replacement_field(const ConcreteNode& node, int depth, std::vector<StringPart>& parts);

  // parse_patterns.cpp
  PatternPtr pattern(const ConcreteNode& node);
  std::vector<PatternPtr> patterns(const ConcreteNode& node);
  PatternPtr case_patterns(const ConcreteNode& clause);
  PatternPtr class_pattern(const ConcreteNode& node);
  PatternPtr mapping_pattern(const ConcreteNode& node);
  PatternPtr number_pattern(const ConcreteNode& node, const ConcreteNode* minus);

  [[noreturn]] void refuse(const Range& range, std::string message, std::string hint = {}) const;
  [[noreturn]] void refuse(const ConcreteNode& node, std::string message, std::string hint = {}) const;

  /// Counts how deep the current node is nested, while it lives.
  class Nesting {
   public:
    Nesting(TreeBuilder& builder, const ConcreteNode& node);
    ~Nesting() { --depth_; }

   private:
    int& depth_;
  };

  const Module& module_;
  int depth_ = 0;
  const ConcreteNode* named_ = nullptr;  // the `expression as target` whose target has been taken
  std::map<std::uint32_t, std::uint32_t> stars_;  // of operands without their stars yet: their begin, the star
};

}  // namespace lantern::syntax
