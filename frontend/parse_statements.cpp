// Simple statements, imports and parameters.
#include <unordered_map>

#include "frontend/build.h"
#include "frontend/tree_builder.h"
#include "support/deep_stack.h"

namespace lantern::syntax {

TreeBuilder::Nesting::Nesting(TreeBuilder& builder, const ConcreteNode& node) : depth_(builder.depth_) {
  if (++depth_ > max_nesting) builder.refuse(node, "this is nested too deeply");
}

void TreeBuilder::refuse(const Range& range, std::string message, std::string hint) const {
  throw Failure(module_.diagnostic("LT0101", range, std::move(message), std::move(hint)));
}

void TreeBuilder::refuse(const ConcreteNode& node, std::string message, std::string hint) const {
  refuse(node.range(), std::move(message), std::move(hint));
}

TreeBuilder::TreeBuilder(const Module& module, const std::vector<std::uint32_t>& stars) : module_(module) {
  for (const std::uint32_t star : stars) {
    stars_[static_cast<std::uint32_t>(module.source.find_first_not_of(" \t\f\n", star + 1))] = star;
  }
}

Block TreeBuilder::module_body(const ConcreteNode& root) {
  Block result = block(root);
  if (!stars_.empty()) {
    const std::uint32_t star = stars_.begin()->second;
    refuse(root.tree->range(star, star + 1), "invalid syntax");
  }
  return result;
}

Block TreeBuilder::block(const ConcreteNode& node) {
  Block result;
  for (const ConcreteNode* child = node.first_child(); child; child = node.sibling_after(*child)) {
    if (child->named) result.push_back(statement(*child));
  }
  return result;
}

StmtPtr TreeBuilder::statement(const ConcreteNode& node) {
  using Method = StmtPtr (TreeBuilder::*)(const ConcreteNode&);
  static const std::unordered_map<std::string_view, Method> methods{
      {"expression_statement", &TreeBuilder::expression_statement},
      {"return_statement", &TreeBuilder::return_statement},
      {"delete_statement", &TreeBuilder::delete_statement},
      {"raise_statement", &TreeBuilder::raise_statement},
      {"assert_statement", &TreeBuilder::assert_statement},
      {"import_statement", &TreeBuilder::import_statement},
      {"import_from_statement", &TreeBuilder::import_from_statement},
      {"future_import_statement", &TreeBuilder::import_from_statement},
      {"if_statement", &TreeBuilder::if_statement},
      {"for_statement", &TreeBuilder::for_statement},
      {"while_statement", &TreeBuilder::while_statement},
      {"try_statement", &TreeBuilder::try_statement},
      {"with_statement", &TreeBuilder::with_statement},
      {"match_statement", &TreeBuilder::match_statement},
      {"decorated_definition", &TreeBuilder::decorated_definition}};
  const Nesting nesting(*this, node);
  if (const auto found = methods.find(node.kind); found != methods.end()) return (this->*found->second)(node);
  const Range range = node.range();
  if (node.is("function_definition") || node.is("class_definition")) return definition(node, {});
  if (node.is("pass_statement")) return make(Pass{}, range);
  if (node.is("break_statement")) return make(Break{}, range);
  if (node.is("continue_statement")) return make(Continue{}, range);
  if (node.is("global_statement")) return make(Global{identifiers(node)}, range);
  if (node.is("nonlocal_statement")) return make(Nonlocal{identifiers(node)}, range);
  if (node.is("exec_statement")) refuse(node, "missing parentheses in call to 'exec': write exec(…)");
  refuse(node, "invalid syntax");
}

std::vector<std::string> TreeBuilder::identifiers(const ConcreteNode& node) {
  std::vector<std::string> result;
  for (const ConcreteNode* child : node.named_children()) result.push_back(child->identifier());
  return result;
}

StmtPtr TreeBuilder::expression_statement(const ConcreteNode& node) {
  const auto children = node.named_children();
  if (children.empty()) refuse(node, "invalid syntax");
  if (children[0]->is("assignment")) return assignment(*children[0]);
  if (children[0]->is("augmented_assignment")) return augmented_assignment(*children[0]);
  return make(ExprStmt{expression_or_tuple(node, children)}, node.range());
}

// `a = b = c` nests to the right in the grammar.
StmtPtr TreeBuilder::assignment(const ConcreteNode& node) {
  const ConcreteNode& left = *node.child("left");
  const ConcreteNode* right = node.child("right");
  if (const ConcreteNode* type = node.child("type")) {
    const bool simple = left.is("identifier");
    ExprPtr target = expression(left);
    ExprPtr annotated = annotation(type);
    return make(AnnAssign{std::move(target), std::move(annotated), optional_expression(right), simple}, node.range());
  }
  std::vector<ExprPtr> targets;
  targets.push_back(expression(left));
  while (right->is("assignment") && !right->child("type")) {
    targets.push_back(expression(*right->child("left")));
    right = right->child("right");
  }
  return make(Assign{std::move(targets), expression(*right)}, node.range());
}

StmtPtr TreeBuilder::augmented_assignment(const ConcreteNode& node) {
  static const std::unordered_map<std::string_view, BinaryOperator> operators{
      {"+=", BinaryOperator::add},      {"-=", BinaryOperator::sub},      {"*=", BinaryOperator::mult},
      {"@=", BinaryOperator::mat_mult}, {"/=", BinaryOperator::div},      {"%=", BinaryOperator::mod},
      {"**=", BinaryOperator::pow},     {"<<=", BinaryOperator::l_shift}, {">>=", BinaryOperator::r_shift},
      {"|=", BinaryOperator::bit_or},   {"^=", BinaryOperator::bit_xor},  {"&=", BinaryOperator::bit_and},
      {"//=", BinaryOperator::floor_div}};
  ExprPtr target = expression(*node.child("left"));
  return make(AugAssign{std::move(target), operators.at(node.child("operator")->kind), expression(*node.child("right"))},
              node.range());
}

StmtPtr TreeBuilder::return_statement(const ConcreteNode& node) {
  const auto children = node.named_children();
  return make(Return{children.empty() ? ExprPtr() : expression(*children[0])}, node.range());
}

StmtPtr TreeBuilder::delete_statement(const ConcreteNode& node) {
  const auto children = node.named_children();
  if (children.size() != 1) refuse(node, "invalid syntax");
  if (children[0]->is("expression_list")) return make(Delete{expressions(*children[0])}, node.range());
  return make(Delete{list_of<ExprPtr>(expression(*children[0]))}, node.range());
}

StmtPtr TreeBuilder::raise_statement(const ConcreteNode& node) {
  Raise result;
  for (const ConcreteNode* child : node.named_children()) {
    if (child->is("expression_list")) refuse(*child, "invalid syntax", "Python 3 writes `raise E(value)`");
    (child->field == "cause" ? result.cause : result.exc) = expression(*child);
  }
  return make(std::move(result), node.range());
}

StmtPtr TreeBuilder::assert_statement(const ConcreteNode& node) {
  const auto children = node.named_children();
  if (children.empty() || children.size() > 2) refuse(node, "invalid syntax");
  ExprPtr test = expression(*children[0]);
  return make(Assert{std::move(test), children.size() == 2 ? expression(*children[1]) : ExprPtr()}, node.range());
}

namespace {

// A dotted name may be spread over lines or spaces: `import a . b`.
std::string dotted_text(const ConcreteNode& node) {
  std::string result;
  for (const ConcreteNode* part : node.named_children()) {
    if (!result.empty()) result += '.';
    result += part->identifier();
  }
  return result;
}

}  // namespace

std::vector<Alias> TreeBuilder::aliases(const ConcreteNode& node) {
  std::vector<Alias> result;
  for (const ConcreteNode* child : node.all("name")) {
    if (child->is("aliased_import")) {
      result.push_back({dotted_text(*child->child("name")), child->child("alias")->identifier(), child->range()});
    } else {
      result.push_back({dotted_text(*child), {}, child->range()});
    }
  }
  return result;
}

StmtPtr TreeBuilder::import_statement(const ConcreteNode& node) { return make(Import{aliases(node)}, node.range()); }

StmtPtr TreeBuilder::import_from_statement(const ConcreteNode& node) {
  ImportFrom result;
  if (node.is("future_import_statement")) result.module = "__future__";
  if (const ConcreteNode* module = node.child("module_name"); module && module->is("relative_import")) {
    for (const ConcreteNode* part : module->named_children()) {
      if (part->is("dotted_name")) result.module = dotted_text(*part);
      else result.level = static_cast<int>(part->children().size());
    }
  } else if (module) {
    result.module = dotted_text(*module);
  }
  result.names = aliases(node);
  for (const ConcreteNode* child : node.named_children()) {
    if (child->is("wildcard_import")) result.names.push_back({"*", {}, child->range()});
  }
  return make(std::move(result), node.range());
}

ExprPtr TreeBuilder::annotation(const ConcreteNode* node) { return node ? expression(*node) : ExprPtr(); }

Parameters TreeBuilder::parameters(const ConcreteNode* node) {
  Parameters result;
  if (!node) return result;
  bool keyword_only = false;
  for (const ConcreteNode* child : node->named_children()) {
    if (child->is("keyword_separator")) {
      keyword_only = true;
      continue;
    }
    if (child->is("positional_separator")) {
      if (keyword_only || !result.posonly.empty()) refuse(*child, "invalid syntax");
      result.posonly = std::move(result.args);
      result.args.clear();
      continue;
    }
    const bool wraps_name = child->is("typed_parameter");  // its first child is the name, perhaps starred
    const ConcreteNode* name = wraps_name ? child->first_child() : child->child("name");
    if (!name) name = child;
    const bool variadic = name->is("list_splat_pattern"), keywords = name->is("dictionary_splat_pattern");
    const ConcreteNode* identifier = variadic || keywords ? name->named_children()[0] : name;
    if (!identifier->is("identifier")) refuse(*child, "invalid syntax");
    Parameter parameter{identifier->identifier(), annotation(child->child("type")),
                        optional_expression(child->child("value")), child->range()};
    if (result.kwarg) refuse(*child, "arguments cannot follow var-keyword argument");
    if (keywords) {
      result.kwarg = std::move(parameter);
    } else if (variadic) {
      if (keyword_only) refuse(*child, "* argument may appear only once");
      result.vararg = std::move(parameter);
      keyword_only = true;
    } else {
      (keyword_only ? result.kwonly : result.args).push_back(std::move(parameter));
    }
  }
  return result;
}

}  // namespace lantern::syntax
