// `[x, y]`: list_of<double>(x, y); and texts.
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

// `f"{a}: {b}"`: join_texts(a, ": ", b).
void FunctionWriter::joined(const Apply& apply, std::vector<cpp::Expr>& operands) {
  for (const auto& operand : apply.operands) {
    const auto* part = std::get_if<Apply>(&operand->node);
    if (part && part->op->name == "join-strings") joined(*part, operands);
    else operands.push_back(expr(part && part->op->name == "string" ? part->operands[0] : operand));
  }
}

}  // namespace lantern
