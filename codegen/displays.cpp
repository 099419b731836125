// `[x, y]`: list_of<double>(x, y). `np.array([[1, 2], [3, 4]])`, where it is large: view_of(elements, {2, 2}).
#include <fmt/format.h>

#include "codegen/function_writer.h"
#include "codegen/spelling.h"

namespace lantern {

using namespace lowered;

/// Many are data, which C++ compilers are quicker with than with arguments.
cpp::Expr FunctionWriter::list_of(const Type& type, const std::vector<cpp::Expr>& elements) {
  constexpr std::size_t few = 8;
  const std::string made = fmt::format("list_of<{}>", spelling::value_type(type->elements[0]));
  if (elements.size() <= few || is(type->elements[0], TypeKind::structure)) return cpp::call(made, elements);
  std::vector<std::string> texts;
  for (const auto& element : elements) texts.push_back(element.text);
  return {fmt::format("{}({{{}}})", made, cpp::list(texts)), cpp::Binding::postfix};
}

/// `[x, y]`, which is appended to what is empty; nothing: the list is another one.
std::optional<std::vector<cpp::Expr>> FunctionWriter::elements_of(const Apply& append) {
  const auto* list = std::get_if<Apply>(&append.operands[0]->node);
  if (!list || (list->op->name != "empty" && list->op->name != "append")) return std::nullopt;
  auto elements = list->op->name == "empty" ? std::vector<cpp::Expr>{} : elements_of(*list);
  const ExprPtr& last = append.operands[1];
  if (elements) elements->push_back(is(last->type, TypeKind::structure) ? pointer_to(last) : expr(last));
  return elements;
}

namespace {

void add_numbers(const ExprPtr& e, std::vector<const Constant*>& numbers) {
  if (const auto* number = std::get_if<Constant>(&e->node)) return numbers.push_back(number);
  for (const ExprPtr& operand : std::get<Apply>(e->node).operands) add_numbers(operand, numbers);
}

std::vector<std::string> shape_of(const ExprPtr& e) {
  const auto& apply = std::get<Apply>(e->node);
  if (apply.op->name == "cast") return shape_of(apply.operands[0]);
  std::vector<std::string> shape = rank(e->type) == 1 ? std::vector<std::string>{} : shape_of(apply.operands[0]);
  shape.insert(shape.begin(), fmt::format("{}", apply.operands.size()));
  return shape;
}

}  // namespace

/// As data: C++ compilers fail on calls with a thousand arguments, and elements in braces would be copied to the stack.
cpp::Expr FunctionWriter::array_of_numbers(const std::string& name, const ExprPtr& e) {
  std::vector<const Constant*> numbers;
  add_numbers(e, numbers);
  std::vector<std::string> texts;
  for (const Constant* number : numbers) {
    const auto* real = std::get_if<double>(&number->value);
    const bool rounds = real && e->type->dtype == DType::f32;  // what is too large is infinite, as a cast makes it
    texts.push_back(constant(rounds ? ir::Literal(static_cast<double>(static_cast<float>(*real))) : number->value, scalar(e->type->dtype)).text);
  }
  const std::string elements = beside(name, "_elements");
  out_.line(fmt::format("static constexpr {} {}[] = {{{}}};", spelling::element_type(e->type), elements, cpp::list(texts)));
  return cpp::call("view_of", {{elements, cpp::Binding::primary}, {fmt::format("{{{}}}", cpp::list(shape_of(e))), cpp::Binding::primary}});
}

}  // namespace lantern
