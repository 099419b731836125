// Patterns of `match`. The grammar leaves a number's minus sign and the wildcard `_` as bare tokens.
#include "frontend/build.h"
#include "frontend/tree_builder.h"
#include "support/deep_stack.h"

namespace lantern::syntax {

namespace {

PatternPtr capture(std::string_view name, const Range& range) {
  return make(MatchAs{{}, name == "_" ? "" : std::string(name)}, range);
}

}  // namespace

// The patterns among a node's children, in order; punctuation and keywords are stepped over.
std::vector<PatternPtr> TreeBuilder::patterns(const ConcreteNode& node) {
  std::vector<PatternPtr> result;
  const ConcreteNode* minus = nullptr;
  for (const ConcreteNode* child = node.first_child(); child; child = node.sibling_after(*child)) {
    if (child->is("-")) {
      minus = child;
    } else if (child->is("integer") || child->is("float")) {
      result.push_back(number_pattern(*child, minus));
      minus = nullptr;
    } else if (child->is("_")) {
      result.push_back(capture("_", child->range()));
    } else if (child->named && !child->is("if_clause") && !child->is("block")) {
      result.push_back(pattern(*child));
    }
  }
  return result;
}

PatternPtr TreeBuilder::number_pattern(const ConcreteNode& node, const ConcreteNode* minus) {
  ExprPtr value = number(node);
  Range range = value->range;
  if (minus) {
    range = from_to(minus->range(), range);
    value = make(UnaryOp{UnaryOperator::u_sub, std::move(value)}, range);
  }
  return make(MatchValue{std::move(value)}, range);
}

// `case a, b:` is a sequence without brackets.
PatternPtr TreeBuilder::case_patterns(const ConcreteNode& clause) {
  auto found = patterns(clause);
  if (found.empty()) refuse(clause, "invalid syntax");
  if (found.size() == 1 && !clause.has_token(",")) return std::move(found[0]);
  const ConcreteNode* last = nullptr;  // a pattern, or the comma behind it
  for (const ConcreteNode* child : clause.children()) {
    if (child->is("case_pattern") || child->is(",")) last = child;
  }
  const Range range = from_to(found.front()->range, last->range());
  return make(MatchSequence{std::move(found)}, range);
}

PatternPtr TreeBuilder::pattern(const ConcreteNode& node) {
  const Nesting nesting(*this, node);
  const Range range = node.range();
  if (node.is("case_pattern")) {
    auto inner = patterns(node);
    if (inner.size() != 1) refuse(node, "invalid syntax");
    return std::move(inner[0]);
  }
  if (node.is("as_pattern")) {
    auto inner = patterns(*node.first_child());
    const auto children = node.named_children();
    if (inner.size() != 1 || children.size() != 2) refuse(node, "invalid syntax");
    return make(MatchAs{std::move(inner[0]), children[1]->identifier()}, range);
  }
  if (node.is("union_pattern")) return make(MatchOr{patterns(node)}, range);
  if (node.is("list_pattern")) return make(MatchSequence{patterns(node)}, range);
  if (node.is("tuple_pattern")) {
    auto inner = patterns(node);
    if (inner.size() != 1 || node.has_token(",") || is<MatchStar>(*inner[0])) {
      return make(MatchSequence{std::move(inner)}, range);
    }
    return std::move(inner[0]);
  }
  if (node.is("splat_pattern")) {
    if (node.has_token("**")) refuse(node, "invalid syntax");
    const auto children = node.named_children();
    std::string name = children.empty() ? "" : children[0]->identifier();
    return make(MatchStar{name == "_" ? "" : std::move(name)}, range);
  }
  if (node.is("dotted_name")) {
    const auto parts = node.named_children();
    if (parts.size() == 1) return capture(parts[0]->identifier(), range);
    return make(MatchValue{dotted_name(node)}, range);
  }
  if (node.is("identifier")) {
    return capture(node.identifier(), range);
  }
  if (node.is("none")) return make(MatchSingleton{ConstantKind::none}, range);
  if (node.is("true")) return make(MatchSingleton{ConstantKind::true_}, range);
  if (node.is("false")) return make(MatchSingleton{ConstantKind::false_}, range);
  if (node.is("string") || node.is("concatenated_string")) return make(MatchValue{string(node)}, range);
  if (node.is("complex_pattern")) {  // [-] real (+|-) imaginary
    const auto parts = node.named_children();
    if (parts.size() != 2) refuse(node, "invalid syntax");
    const ConcreteNode* first = node.first_child();
    PatternPtr real = number_pattern(*parts[0], first->is("-") ? first : nullptr);
    const auto op = node.sibling_after(*parts[0])->is("+") ? BinaryOperator::add : BinaryOperator::sub;
    return make(MatchValue{make(BinOp{std::move(as<MatchValue>(real)->value), op, number(*parts[1])}, range)}, range);
  }
  if (node.is("dict_pattern")) return mapping_pattern(node);
  if (node.is("class_pattern")) return class_pattern(node);
  refuse(node, "invalid syntax");
}

PatternPtr TreeBuilder::mapping_pattern(const ConcreteNode& node) {
  MatchMapping result;
  const ConcreteNode* minus = nullptr;
  for (const ConcreteNode* child : node.children()) {
    if (child->is("splat_pattern")) {
      const auto name = child->named_children();
      if (!child->has_token("**") || name.empty()) refuse(*child, "invalid syntax");
      result.rest = name[0]->identifier();
    } else if (child->is("-")) {
      minus = child;
    } else if (child->field == "value") {
      result.patterns.push_back(pattern(*child));
    } else if (child->named) {  // a key
      const bool is_number = child->is("integer") || child->is("float");
      PatternPtr key = is_number ? number_pattern(*child, minus) : pattern(*child);
      minus = nullptr;
      if (auto* value = as<MatchValue>(key)) result.keys.push_back(std::move(value->value));
      else if (auto* singleton = as<MatchSingleton>(key)) result.keys.push_back(make(Constant{singleton->kind}, key->range));
      else refuse(*child, "mapping pattern keys may only match literals and attribute lookups");
    }
  }
  if (result.keys.size() != result.patterns.size()) refuse(node, "invalid syntax");
  return make(std::move(result), node.range());
}

PatternPtr TreeBuilder::class_pattern(const ConcreteNode& node) {
  const auto parts = node.named_children();  // the class, then its case_patterns
  MatchClass result{.cls = dotted_name(*parts[0]), .patterns = {}, .keywords = {}};
  for (std::size_t i = 1; i < parts.size(); ++i) {
    // `name=pattern as x` comes as `(name=pattern) as x`.
    const ConcreteNode* keyword = parts[i]->first_child();
    const ConcreteNode* as_pattern = keyword && keyword->is("as_pattern") ? keyword : nullptr;
    if (as_pattern) keyword = as_pattern->first_child()->first_child();
    if (!keyword || !keyword->is("keyword_pattern")) {
      result.patterns.push_back(pattern(*parts[i]));
      continue;
    }
    auto found = patterns(*keyword);  // the name reads as a capture, before its pattern
    if (found.size() != 2) refuse(*keyword, "invalid syntax");
    PatternPtr value = std::move(found[1]);
    if (as_pattern) {
      const auto name = as_pattern->named_children().back();
      const Range range = from_to(value->range, name->range());
      value = make(MatchAs{std::move(value), name->identifier()}, range);
    }
    result.keywords.push_back({keyword->named_children()[0]->identifier(), std::move(value)});
  }
  return make(std::move(result), node.range());
}

}  // namespace lantern::syntax
