// Expressions. Where the grammar groups otherwise than Python does, the tree is put right here:
//   `*a + b` comes as `(*a) + b`, `await x ** 2` as `await (x ** 2)`, `a ^ b & c` as `(a ^ b) & c`.
#include <algorithm>
#include <cctype>
#include <set>
#include <unordered_map>

#include "frontend/build.h"
#include "frontend/tree_builder.h"
#include "support/deep_stack.h"

namespace lantern::syntax {

namespace {

const std::unordered_map<std::string_view, BinaryOperator> binary_operators{
    {"+", BinaryOperator::add},      {"-", BinaryOperator::sub},       {"*", BinaryOperator::mult},
    {"@", BinaryOperator::mat_mult}, {"/", BinaryOperator::div},       {"%", BinaryOperator::mod},
    {"**", BinaryOperator::pow},     {"<<", BinaryOperator::l_shift},  {">>", BinaryOperator::r_shift},
    {"|", BinaryOperator::bit_or},   {"^", BinaryOperator::bit_xor},   {"&", BinaryOperator::bit_and},
    {"//", BinaryOperator::floor_div}};

const std::unordered_map<std::string_view, CompareOperator> compare_operators{
    {"==", CompareOperator::eq}, {"!=", CompareOperator::ne}, {"<", CompareOperator::lt},
    {"<=", CompareOperator::le}, {">", CompareOperator::gt},  {">=", CompareOperator::ge},
    {"is", CompareOperator::is}, {"is not", CompareOperator::is_not},
    {"in", CompareOperator::in}, {"not in", CompareOperator::not_in}};

// The operand that an expression's text begins with, where the grammar may leave a star; else null.
ExprPtr* first_operand(Expr& expr) {
  if (auto* node = as<BinOp>(expr)) return &node->left;
  if (auto* node = as<Compare>(expr)) return &node->left;
  if (auto* node = as<BoolOp>(expr)) return &node->values[0];
  if (auto* node = as<IfExp>(expr)) return &node->body;
  if (auto* node = as<Call>(expr)) return &node->func;
  if (auto* node = as<Attribute>(expr)) return &node->value;
  if (auto* node = as<Subscript>(expr)) return &node->value;
  return nullptr;
}

// `(*a) + b` → `*(a + b)`, `(x := a) + b` → `x := (a + b)`: both cover all that follows them, and where the grammar
// has them as an operand, without parentheses of their own, it is wrong.
ExprPtr with_prefix_outside(ExprPtr expr, const ConcreteNode& node) {
  static const std::set<std::string_view> operators{"binary_operator", "comparison_operator", "boolean_operator",
                                                    "conditional_expression", "call", "attribute", "subscript"};
  ExprPtr* first = operators.count(node.kind) > 0 ? first_operand(*expr) : nullptr;
  if (!first) return expr;
  auto* star = as<Starred>(*first);
  auto* walrus = as<NamedExpr>(*first);
  const auto has_parentheses = [&] {
    const ConcreteNode* leftmost = node.first_child();
    while (operators.count(leftmost->kind) > 0) leftmost = leftmost->first_child();
    return leftmost->is("parenthesized_expression");
  };
  if (!star && (!walrus || has_parentheses())) return expr;
  const Range whole = expr->range;
  ExprPtr prefixed = std::move(*first);
  ExprPtr& inner = star ? star->value : walrus->value;
  expr->range = from_to(inner->range, whole);
  *first = std::move(inner);
  inner = std::move(expr);
  prefixed->range = whole;
  return prefixed;
}

}  // namespace

ExprPtr TreeBuilder::expression(const ConcreteNode& node) {
  const Nesting nesting(*this, node);
  ExprPtr result = with_prefix_outside(convert(node), node);
  if (stars_.empty()) return result;
  const auto star = stars_.find(node.begin);  // found by the innermost operand; then it moves outside, as above
  if (star == stars_.end()) return result;
  const Range range = from_to(node.tree->range(star->second, star->second), node.range());
  stars_.erase(star);
  return make(Starred{std::move(result)}, range);
}

ExprPtr TreeBuilder::optional_expression(const ConcreteNode* node) { return node ? expression(*node) : ExprPtr(); }

ExprPtr TreeBuilder::convert(const ConcreteNode& node) {
  using Method = ExprPtr (TreeBuilder::*)(const ConcreteNode&);
  static const std::unordered_map<std::string_view, Method> methods{
      {"boolean_operator", &TreeBuilder::boolean_operator},
      {"binary_operator", &TreeBuilder::binary_operator},
      {"unary_operator", &TreeBuilder::unary_operator},
      {"not_operator", &TreeBuilder::unary_operator},
      {"comparison_operator", &TreeBuilder::comparison},
      {"await", &TreeBuilder::await},
      {"yield", &TreeBuilder::yield},
      {"lambda", &TreeBuilder::lambda},
      {"conditional_expression", &TreeBuilder::conditional},
      {"named_expression", &TreeBuilder::named_expression},
      {"call", &TreeBuilder::call},
      {"attribute", &TreeBuilder::attribute},
      {"subscript", &TreeBuilder::subscript},
      {"slice", &TreeBuilder::slice},
      {"list_splat", &TreeBuilder::starred},
      {"list_splat_pattern", &TreeBuilder::starred},
      {"splat_type", &TreeBuilder::starred},
      {"parenthesized_expression", &TreeBuilder::parenthesized},
      {"dictionary", &TreeBuilder::dictionary},
      {"list_comprehension", &TreeBuilder::comprehension},
      {"set_comprehension", &TreeBuilder::comprehension},
      {"dictionary_comprehension", &TreeBuilder::comprehension},
      {"generator_expression", &TreeBuilder::comprehension},
      {"integer", &TreeBuilder::number},
      {"float", &TreeBuilder::number},
      {"string", &TreeBuilder::string},
      {"concatenated_string", &TreeBuilder::string},
      {"dotted_name", &TreeBuilder::dotted_name},
      {"as_pattern", &TreeBuilder::before_as},
      {"type", &TreeBuilder::only_expression},
      {"as_pattern_target", &TreeBuilder::only_expression}};
  const Range range = node.range();
  if (node.is("identifier")) return make(Name{node.identifier()}, range);
  if (const auto found = methods.find(node.kind); found != methods.end()) return (this->*found->second)(node);
  if (node.is("none")) return make(Constant{ConstantKind::none}, range);
  if (node.is("true")) return make(Constant{ConstantKind::true_}, range);
  if (node.is("false")) return make(Constant{ConstantKind::false_}, range);
  if (node.is("ellipsis")) return make(Constant{ConstantKind::ellipsis}, range);
  if (node.is("list") || node.is("list_pattern")) return make(List{expressions(node)}, range);
  if (node.is("set")) return make(Set{expressions(node)}, range);
  if (node.is("tuple") || node.is("tuple_pattern")) {
    const ConcreteNode* first = node.sibling_after(*node.first_child());  // behind the parenthesis
    const bool one_without_comma = first->named && node.sibling_after(*first)->is(")");
    return one_without_comma ? parenthesized(node) : make(Tuple{expressions(node)}, range);
  }
  if (node.is("expression_list") || node.is("pattern_list")) return make(Tuple{expressions(node)}, range);
  refuse(node, "invalid syntax");
}

ExprPtr TreeBuilder::only_expression(const ConcreteNode& node) {
  const auto children = node.named_children();
  if (children.size() != 1) refuse(node, "invalid syntax");
  return expression(*children[0]);
}

std::vector<ExprPtr> TreeBuilder::expressions(const ConcreteNode& node) {
  std::vector<ExprPtr> result;
  for (const ConcreteNode* child = node.first_child(); child; child = node.sibling_after(*child)) {
    if (child->named) result.push_back(expression(*child));
  }
  return result;
}

ExprPtr TreeBuilder::expression_or_tuple(const ConcreteNode& node, const std::vector<const ConcreteNode*>& elements) {
  if (elements.size() == 1 && !node.has_token(",")) return expression(*elements[0]);
  std::vector<ExprPtr> elts;
  for (const ConcreteNode* element : elements) elts.push_back(expression(*element));
  const ConcreteNode* last = elements.back();
  const ConcreteNode* behind = node.sibling_after(*last);
  if (behind && behind->is(",")) last = behind;
  return make(Tuple{std::move(elts)}, from_to(elements.front()->range(), last->range()));
}

// `a and b and c` nests to the left in the grammar; ast has one node with three values.
ExprPtr TreeBuilder::boolean_operator(const ConcreteNode& node) {
  const std::string_view op = node.child("operator")->kind;
  std::vector<ExprPtr> values;
  const ConcreteNode* left = &node;
  while (left->is("boolean_operator") && left->child("operator")->kind == op) {
    values.push_back(expression(*left->child("right")));
    left = left->child("left");
  }
  values.push_back(expression(*left));
  std::reverse(values.begin(), values.end());
  return make(BoolOp{op == "and" ? BoolOperator::and_ : BoolOperator::or_, std::move(values)}, node.range());
}

ExprPtr TreeBuilder::binary_operator(const ConcreteNode& node) {
  if (node.child("operator")->is("^") || node.child("operator")->is("&")) return and_or_xor(node);
  ExprPtr left = expression(*node.child("left"));
  ExprPtr right = expression(*node.child("right"));
  return make(BinOp{std::move(left), binary_operators.at(node.child("operator")->kind), std::move(right)}, node.range());
}

// The grammar lets `^` bind tighter than `&`; in Python it is the other way round. A chain of the two is taken
// apart, left to right, and put together again as `^` between products of `&`.
ExprPtr TreeBuilder::and_or_xor(const ConcreteNode& node) {
  std::vector<const ConcreteNode*> chain, open{&node};  // operands and operators, in source order
  while (!open.empty()) {
    const ConcreteNode* next = open.back();
    open.pop_back();
    const ConcreteNode* op = next->is("binary_operator") ? next->child("operator") : nullptr;
    if (op && (op->is("^") || op->is("&"))) {
      open.push_back(next->child("right"));
      open.push_back(op);
      open.push_back(next->child("left"));
    } else {
      chain.push_back(next);
    }
  }
  ExprPtr sum, product;
  std::uint32_t product_begin = node.begin;
  const auto join = [&](ExprPtr& left, BinaryOperator op, ExprPtr right, std::uint32_t begin, std::uint32_t end) {
    if (left) left = make(BinOp{std::move(left), op, std::move(right)}, node.tree->range(begin, end));
    else left = std::move(right);
  };
  for (std::size_t i = 0; i < chain.size(); i += 2) {
    if (i > 0 && chain[i - 1]->is("^")) {
      join(sum, BinaryOperator::bit_xor, std::exchange(product, ExprPtr()), node.begin, chain[i - 2]->end);
      product_begin = chain[i]->begin;
    }
    join(product, BinaryOperator::bit_and, expression(*chain[i]), product_begin, chain[i]->end);
  }
  join(sum, BinaryOperator::bit_xor, std::move(product), node.begin, node.end);
  return sum;
}

ExprPtr TreeBuilder::unary_operator(const ConcreteNode& node) {
  const ConcreteNode* token = node.child("operator");
  if (token && token->is("~") && module_.source[node.begin] != '~') return expression(*node.child("argument"));  // lexical.h
  const UnaryOperator op = node.is("not_operator") ? UnaryOperator::not_
                           : token->is("-")        ? UnaryOperator::u_sub
                           : token->is("+")        ? UnaryOperator::u_add
                                                   : UnaryOperator::invert;
  return make(UnaryOp{op, expression(*node.child("argument"))}, node.range());
}

ExprPtr TreeBuilder::comparison(const ConcreteNode& node) {
  Compare result;
  for (const ConcreteNode* child : node.children()) {
    if (child->field == "operators") {
      const auto op = compare_operators.find(child->kind);
      if (op == compare_operators.end()) refuse(*child, "invalid syntax", "Python 3 writes `!=`");
      result.ops.push_back(op->second);
    } else if (!result.left) {
      result.left = expression(*child);
    } else {
      result.comparators.push_back(expression(*child));
    }
  }
  return make(std::move(result), node.range());
}

// The grammar reads `await x ** 2` as `await (x ** 2)`; Python's await binds tighter.
ExprPtr TreeBuilder::await(const ConcreteNode& node) {
  ExprPtr operand = only_expression(node);
  auto* power = as<BinOp>(operand);
  if (!power || node.named_children()[0]->is("parenthesized_expression")) {
    return make(Await{std::move(operand)}, node.range());
  }
  const Range range = from_to(node.range(), power->left->range);
  power->left = make(Await{std::move(power->left)}, range);
  operand->range = node.range();
  return operand;
}

ExprPtr TreeBuilder::yield(const ConcreteNode& node) {
  const auto children = node.named_children();
  if (node.has_token("from")) return make(YieldFrom{only_expression(node)}, node.range());
  return make(Yield{children.empty() ? ExprPtr() : only_expression(node)}, node.range());
}

ExprPtr TreeBuilder::lambda(const ConcreteNode& node) {
  Parameters formals = parameters(node.child("parameters"));
  return make(Lambda{std::move(formals), expression(*node.child("body"))}, node.range());
}

ExprPtr TreeBuilder::conditional(const ConcreteNode& node) {
  const auto parts = node.named_children();  // body if test else orelse
  if (parts.size() != 3) refuse(node, "invalid syntax");
  IfExp result{.test = expression(*parts[1]), .body = expression(*parts[0]), .orelse = expression(*parts[2])};
  return make(std::move(result), node.range());
}

ExprPtr TreeBuilder::named_expression(const ConcreteNode& node) {
  ExprPtr target = expression(*node.child("name"));
  return make(NamedExpr{std::move(target), expression(*node.child("value"))}, node.range());
}

void TreeBuilder::arguments(const ConcreteNode& node, std::vector<ExprPtr>& args, std::vector<Keyword>& keywords) {
  if (node.is("generator_expression")) {
    args.push_back(expression(node));
    return;
  }
  for (const ConcreteNode* child = node.first_child(); child; child = node.sibling_after(*child)) {
    if (child->is("keyword_argument")) {
      std::string name = child->child("name")->identifier();
      keywords.push_back({std::move(name), expression(*child->child("value")), child->range()});
    } else if (child->is("dictionary_splat")) {
      keywords.push_back({"", only_expression(*child), child->range()});
    } else if (child->named) {
      args.push_back(expression(*child));
    }
  }
}

ExprPtr TreeBuilder::call(const ConcreteNode& node) {
  Call result{.func = expression(*node.child("function")), .args = {}, .keywords = {}};
  arguments(*node.child("arguments"), result.args, result.keywords);
  return make(std::move(result), node.range());
}

ExprPtr TreeBuilder::attribute(const ConcreteNode& node) {
  ExprPtr value = expression(*node.child("object"));
  return make(Attribute{std::move(value), node.child("attribute")->identifier()}, node.range());
}

ExprPtr TreeBuilder::subscript(const ConcreteNode& node) {
  ExprPtr value = expression(*node.child("value"));
  const auto indices = node.all("subscript");
  // `a[*b]` is a tuple of one, comma or not.
  ExprPtr index = expression_or_tuple(node, indices);
  if (is<Starred>(*index)) {
    const Range range = index->range;
    index = make(Tuple{list_of<ExprPtr>(std::move(index))}, range);
  }
  return make(Subscript{std::move(value), std::move(index)}, node.range());
}

ExprPtr TreeBuilder::slice(const ConcreteNode& node) {
  Slice result;
  ExprPtr* const parts[] = {&result.lower, &result.upper, &result.step};
  int at = 0;
  for (const ConcreteNode* child : node.children()) {
    if (child->named) *parts[at] = expression(*child);
    else if (++at > 2) refuse(*child, "invalid syntax");
  }
  return make(std::move(result), node.range());
}

ExprPtr TreeBuilder::starred(const ConcreteNode& node) { return make(Starred{only_expression(node)}, node.range()); }

ExprPtr TreeBuilder::parenthesized(const ConcreteNode& node) {
  ExprPtr inner = only_expression(node);
  if (is<Starred>(*inner)) refuse(node, "cannot use starred expression here");
  return inner;
}

ExprPtr TreeBuilder::dictionary(const ConcreteNode& node) {
  Dict result;
  for (const ConcreteNode* child = node.first_child(); child; child = node.sibling_after(*child)) {
    if (child->is("dictionary_splat")) {
      result.items.push_back({ExprPtr(), only_expression(*child)});
    } else if (child->is("pair")) {
      ExprPtr key = expression(*child->child("key"));
      result.items.push_back({std::move(key), expression(*child->child("value"))});
    } else if (child->named) {
      refuse(*child, "invalid syntax");
    }
  }
  return make(std::move(result), node.range());
}

std::vector<Comprehension> TreeBuilder::comprehension_clauses(const ConcreteNode& node) {
  std::vector<Comprehension> result;
  for (const ConcreteNode* child : node.children()) {
    if (child->is("for_in_clause")) {
      const auto iterated = child->all("right");
      ExprPtr target = expression(*child->child("left"));
      result.push_back({std::move(target), expression(*iterated[0]), {}, child->has_token("async")});
      if (iterated.size() > 1) refuse(*iterated[1], "invalid syntax", "put the tuple in parentheses");
    } else if (child->is("if_clause")) {
      result.back().ifs.push_back(only_expression(*child));
    }
  }
  return result;
}

ExprPtr TreeBuilder::comprehension(const ConcreteNode& node) {
  const ConcreteNode& body = *node.child("body");
  auto generators = comprehension_clauses(node);
  if (node.is("dictionary_comprehension")) {
    ExprPtr key = expression(*body.child("key"));
    ExprPtr value = expression(*body.child("value"));
    return make(DictComp{std::move(key), std::move(value), std::move(generators)}, node.range());
  }
  ExprPtr elt = expression(body);
  if (node.is("list_comprehension")) return make(ListComp{std::move(elt), std::move(generators)}, node.range());
  if (node.is("set_comprehension")) return make(SetComp{std::move(elt), std::move(generators)}, node.range());
  return make(GeneratorExp{std::move(elt), std::move(generators)}, node.range());
}

ExprPtr TreeBuilder::number(const ConcreteNode& node) {
  const std::string_view text = node.text();
  if (text.back() == 'l' || text.back() == 'L') refuse(node, "invalid decimal literal", "Python 3 has no `L` suffix");
  return make(Number{std::string(text)}, node.range());
}

ExprPtr TreeBuilder::dotted_name(const ConcreteNode& node) {
  ExprPtr result;
  for (const ConcreteNode* child : node.named_children()) {
    if (!result) {
      result = make(Name{child->identifier()}, child->range());
      continue;
    }
    const Range range = from_to(result->range, child->range());
    result = make(Attribute{std::move(result), child->identifier()}, range);
  }
  return result;
}

}  // namespace lantern::syntax
