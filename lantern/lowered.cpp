#include "lantern/lowered.h"

#include <algorithm>

#include "lantern/operators.h"
#include "lantern/walk.h"

namespace lantern::lowered {

Expr::Node::Node(const Node&) = default;
Expr::Node::Node(Node&&) noexcept = default;
Expr::Node& Expr::Node::operator=(const Node&) = default;
Expr::Node& Expr::Node::operator=(Node&&) noexcept = default;
Expr::Node::~Node() = default;

Statement::Node::Node(const Node&) = default;
Statement::Node::Node(Node&&) noexcept = default;
Statement::Node& Statement::Node::operator=(const Node&) = default;
Statement::Node& Statement::Node::operator=(Node&&) noexcept = default;
Statement::Node::~Node() = default;

ExprPtr make(decltype(Expr::node) node, Type type, Location location) {
  return std::make_shared<const Expr>(Expr{std::move(node), std::move(type), std::move(location)});
}

std::string_view name_of(Form form) {
  constexpr std::string_view names[] = {"direct", "cps", "forward", "reverse"};
  return names[static_cast<std::size_t>(form)];
}

namespace {

/// Whether an operation writes its result to elements of its own, whatever its operands are.
bool makes_elements(const ExprPtr& e) {
  const auto* apply = std::get_if<Apply>(&e->node);
  return apply && (apply->op->elementwise || apply->op->name == "outer" || apply->op->name == "matmul");
}

}  // namespace

ExprPtr deferred(const ExprPtr& e) {
  const auto* apply = std::get_if<Apply>(&e->node);
  return apply && apply->op->name == "lazy" ? apply->operands[0] : nullptr;
}

ExprPtr made_lazy(const ExprPtr& e) {
  const auto* op = select_operator("lazy", std::vector<Type>{e->type});
  return make(Apply{op, {e}}, e->type, e->location);
}

ExprPtr unchecked(const ExprPtr& e, bool so) {
  if (!so || !std::holds_alternative<Apply>(e->node)) return e;
  Expr copy = *e;
  std::get<Apply>(copy.node).unchecked = true;
  return std::make_shared<const Expr>(std::move(copy));
}

bool may_be_view(const ExprPtr& e) {
  const auto* apply = std::get_if<Apply>(&e->node);
  if (!apply) return std::holds_alternative<AdjointOf>(e->node) || std::holds_alternative<Read>(e->node);
  const auto name = apply->op->name;
  // What it is given, where the shapes are equal; a sum over axes is new.
  const bool hands_on = name == "adjoint-of" || name == "tangent-of" || name == "stop-gradient" || (name == "sum-to" && rank(apply->operands[0]->type) == rank(e->type));
  const bool views = hands_on || apply->op->cheap_view || name == "index" || name == "reshape-like";
  return views && !makes_elements(apply->operands[0]);
}

bool is_array_of_numbers(const ExprPtr& e) {
  const auto* apply = std::get_if<Apply>(&e->node);
  if (!apply || rank(e->type) == 0) return false;
  const DType dtype = e->type->dtype;
  if (apply->op->name == "cast") return dtype == DType::f32 && apply->operands[0]->type->dtype == DType::f64 && is_array_of_numbers(apply->operands[0]);
  if (apply->op->name != "stack" || is(apply->operands[0]->type, TypeKind::list)) return false;
  return std::all_of(apply->operands.begin(), apply->operands.end(), [&](const ExprPtr& operand) {
    if (rank(e->type) == 1) return std::holds_alternative<Constant>(operand->node);
    return operand->type->dtype == dtype && is_array_of_numbers(operand);
  });
}

namespace {

constexpr std::size_t few_numbers = 64;   // are operands of `stack`; what is inlined has no more than twice as many
constexpr std::size_t few_elements = 16;  // of a list, and lists in it

bool is_list_of_constants(const ExprPtr& e) {
  const auto* apply = std::get_if<Apply>(&e->node);
  if (!apply || !is(e->type, TypeKind::list)) return false;
  const Type element = resolve(e->type)->elements[0];
  if (!is_one_number(element) && !is(element, TypeKind::string) && !is(element, TypeKind::list)) return false;
  return apply->op->name == "empty" || (apply->op->name == "list" && std::all_of(apply->operands.begin(), apply->operands.end(), [&](const ExprPtr& operand) {
                                          return std::holds_alternative<Constant>(operand->node) || is_list_of_constants(operand);
                                        }));
}

}  // namespace

bool is_table(const ExprPtr& e) { return (is_array_of_numbers(e) && size(e) > few_numbers) || (is_list_of_constants(e) && size(e) > few_elements); }

Form form_called(const Gradient& gradient, const Activity& activity) {
  const auto results = activity.active_results.find(gradient.callee);
  return results != activity.active_results.end() && results->second[0] ? Form::cps : Form::direct;
}

bool hands_on(const CallThen& call, const std::string& continuation) {
  const auto* resume = call.body.size() == 1 ? std::get_if<Resume>(&call.body[0].node) : nullptr;
  return resume && resume->target == continuation &&
         std::equal(resume->arguments.begin(), resume->arguments.end(), call.parameters.begin(), call.parameters.end(),
                    [](const Argument& argument, const Parameter& parameter) {
                      const auto* read = std::get_if<Read>(&argument.value->node);
                      return read && read->variable == parameter.variable && argument.adjoint == (parameter.active ? parameter.variable : nullptr) &&
                             (!argument.as || same_type(argument.as, parameter.variable->type));
                    });
}

}  // namespace lantern::lowered
