// Compound statements.
#include <algorithm>

#include "frontend/build.h"
#include "frontend/tree_builder.h"

namespace lantern::syntax {

Block TreeBuilder::suite(const ConcreteNode& node) {
  Block result = block(node);
  if (result.empty()) refuse(node, "expected an indented block");
  return result;
}

Block TreeBuilder::else_clause(const ConcreteNode* node) { return node ? suite(*node->child("body")) : Block(); }

namespace {

// The block of a clause whose grammar gives it no role: the last child.
const ConcreteNode* last_block(const ConcreteNode& node) {
  const auto children = node.named_children();
  return !children.empty() && children.back()->is("block") ? children.back() : nullptr;
}

const ConcreteNode* child_of_kind(const ConcreteNode& node, std::string_view kind) {
  for (const ConcreteNode* child : node.named_children()) {
    if (child->is(kind)) return child;
  }
  return nullptr;
}

// `A as e` in `A as e` and in what the grammar has around it: `A if c else (A as e)`, `lambda: (A as e)`. Null, where there is none.
const ConcreteNode* as_pattern_in(const ConcreteNode& node) {
  if (node.is("as_pattern")) return &node;
  return node.is("conditional_expression") || node.is("lambda") ? as_pattern_in(*node.named_children().back()) : nullptr;
}

}  // namespace

// `elif` is an If alone in the orelse of the one before; built from the last clause backwards.
StmtPtr TreeBuilder::if_statement(const ConcreteNode& node) {
  const auto clauses = node.all("alternative");
  std::vector<If> branches;
  ExprPtr test = expression(*node.child("condition"));
  branches.push_back({std::move(test), suite(*node.child("consequence")), {}});
  std::vector<Range> ranges{node.range()};
  Block orelse;
  for (const ConcreteNode* clause : clauses) {
    if (clause->is("else_clause")) {
      orelse = else_clause(clause);
      continue;
    }
    ExprPtr condition = expression(*clause->child("condition"));
    branches.push_back({std::move(condition), suite(*clause->child("consequence")), {}});
    ranges.push_back(from_to(clause->range(), node.range()));
  }
  while (branches.size() > 1) {
    branches.back().orelse = std::move(orelse);
    orelse = list_of<StmtPtr>(make(std::move(branches.back()), ranges.back()));
    branches.pop_back();
    ranges.pop_back();
  }
  branches[0].orelse = std::move(orelse);
  return make(std::move(branches[0]), node.range());
}

StmtPtr TreeBuilder::for_statement(const ConcreteNode& node) {
  For result{.target = expression(*node.child("left")),
             .iter = expression(*node.child("right")),
             .body = suite(*node.child("body")),
             .orelse = else_clause(node.child("alternative")),
             .is_async = node.has_token("async")};
  return make(std::move(result), node.range());
}

StmtPtr TreeBuilder::while_statement(const ConcreteNode& node) {
  While result{.test = expression(*node.child("condition")),
               .body = suite(*node.child("body")),
               .orelse = else_clause(node.child("alternative"))};
  return make(std::move(result), node.range());
}

ExceptHandler TreeBuilder::except_clause(const ConcreteNode& node) {
  ExceptHandler result;
  result.range = node.range();
  const ConcreteNode* body = last_block(node);
  if (!body) refuse(node, "invalid syntax");
  if (node.has_token(",")) refuse(node, "multiple exception types must be parenthesized");
  std::vector<const ConcreteNode*> parts;
  for (const ConcreteNode* child : node.named_children()) {
    if (child != body) parts.push_back(child);
  }
  if (parts.size() > 1) refuse(node, "invalid syntax");
  if (!parts.empty()) {
    WithItem caught = perhaps_named(*parts[0]);
    result.type = std::move(caught.context_expr);
    if (caught.optional_vars) {
      if (!is<Name>(*caught.optional_vars)) refuse(*as_pattern_in(*parts[0])->named_children()[1], "invalid syntax");
      result.name = as<Name>(caught.optional_vars)->id;
    }
  }
  result.body = suite(*body);
  return result;
}

StmtPtr TreeBuilder::try_statement(const ConcreteNode& node) {
  Try result;
  result.body = suite(*node.child("body"));
  for (const ConcreteNode* child : node.named_children()) {
    if (child->is("except_clause") || child->is("except_group_clause")) {
      result.is_star = child->is("except_group_clause");
      result.handlers.push_back(except_clause(*child));
    } else if (child->is("else_clause")) {
      result.orelse = else_clause(child);
    } else if (child->is("finally_clause")) {
      const ConcreteNode* body = last_block(*child);
      if (!body) refuse(*child, "invalid syntax");
      result.finalbody = suite(*body);
    }
  }
  return make(std::move(result), node.range());
}

WithItem TreeBuilder::perhaps_named(const ConcreteNode& node) {
  const ConcreteNode* pattern = as_pattern_in(node);
  const auto parts = (pattern ? *pattern : node).named_children();
  if ((pattern ? *parts[0] : node).is("named_expression") || (pattern && parts.size() != 2)) refuse(node, "invalid syntax");
  named_ = pattern;
  ExprPtr context = expression(node);
  return {std::move(context), pattern ? expression(*parts[1]) : ExprPtr()};
}

ExprPtr TreeBuilder::before_as(const ConcreteNode& pattern) {
  if (&pattern != named_) refuse(pattern, "invalid syntax");
  return expression(*pattern.named_children()[0]);
}

// `with (a as b, c):` may come as items, or as one item that is a tuple of them.
void TreeBuilder::with_items(const ConcreteNode& node, std::vector<WithItem>& items) {
  const auto parts = node.named_children();
  const bool groups = (node.is("tuple") || node.is("parenthesized_expression")) && std::any_of(parts.begin(), parts.end(), [](const auto* part) { return as_pattern_in(*part); });
  if (groups) {
    for (const ConcreteNode* part : parts) with_items(*part, items);
  } else {
    items.push_back(perhaps_named(node));
  }
}

StmtPtr TreeBuilder::with_statement(const ConcreteNode& node) {
  With result;
  result.is_async = node.has_token("async");
  const ConcreteNode* clause = child_of_kind(node, "with_clause");
  if (!clause) refuse(node, "invalid syntax");
  for (const ConcreteNode* item : clause->named_children()) with_items(*item->first_child(), result.items);
  const auto is_starred = [](const WithItem& item) { return is<Starred>(item.context_expr); };
  if (std::any_of(result.items.begin(), result.items.end(), is_starred)) {  // `with (a, *b):` is a tuple after all
    Tuple tuple;
    for (WithItem& item : result.items) tuple.elts.push_back(std::move(item.context_expr));
    result.items.clear();
    result.items.push_back({make(std::move(tuple), clause->range()), ExprPtr()});
  }
  result.body = suite(*node.child("body"));
  return make(std::move(result), node.range());
}

StmtPtr TreeBuilder::match_statement(const ConcreteNode& node) {
  Match result;
  result.subject = expression_or_tuple(node, node.all("subject"));
  for (const ConcreteNode* clause : node.child("body")->all("alternative")) {
    MatchCase one{.pattern = case_patterns(*clause), .guard = {}, .body = {}};
    if (const ConcreteNode* guard = clause->child("guard")) one.guard = only_expression(*guard);
    one.body = suite(*clause->child("consequence"));
    result.cases.push_back(std::move(one));
  }
  if (result.cases.empty()) refuse(node, "expected an indented block of cases");
  return make(std::move(result), node.range());
}

StmtPtr TreeBuilder::definition(const ConcreteNode& node, std::vector<ExprPtr> decorators) {
  if (const ConcreteNode* type_parameters = node.child("type_parameters")) {
    refuse(*type_parameters, "invalid syntax", "type parameters came with Python 3.12; Lantern reads 3.11");
  }
  std::string name = node.child("name")->identifier();
  if (node.is("class_definition")) {
    ClassDef result{.name = std::move(name), .bases = {}, .keywords = {}, .body = {}};
    if (const ConcreteNode* bases = node.child("superclasses")) arguments(*bases, result.bases, result.keywords);
    result.body = suite(*node.child("body"));
    result.decorator_list = std::move(decorators);
    return make(std::move(result), node.range());
  }
  FunctionDef result{.name = std::move(name), .parameters = parameters(node.child("parameters")), .body = {}};
  result.returns = annotation(node.child("return_type"));
  result.body = suite(*node.child("body"));
  result.decorator_list = std::move(decorators);
  result.is_async = node.has_token("async");
  return make(std::move(result), node.range());
}

StmtPtr TreeBuilder::decorated_definition(const ConcreteNode& node) {
  std::vector<ExprPtr> decorators;
  for (const ConcreteNode* child : node.named_children()) {
    if (child->is("decorator")) decorators.push_back(only_expression(*child));
  }
  return definition(*node.child("definition"), std::move(decorators));
}

}  // namespace lantern::syntax
