// `[x, y]`: list_of<double>(x, y).
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

// `rows[i][j]`: index(rows, i, j, "…").
std::optional<cpp::Expr> FunctionWriter::item_of_row(const lowered::Expr& e, const Apply& apply) {
  const auto is_item = [](const Apply* item) {
    return item && item->op->name == "index" && !item->in_reverse && item->operands.size() == 2 && is(item->operands[1]->type, TypeKind::scalar);
  };
  const auto* row = is_item(&apply) ? std::get_if<Apply>(&apply.operands[0]->node) : nullptr;
  const std::string place = spelling::place(e.location);
  if (!is_item(row) || is(e.type, TypeKind::structure) || spelling::place(apply.operands[0]->location) != place) return {};
  return cpp::call("index", {expr(row->operands[0]), expr(row->operands[1]), expr(apply.operands[1]), {place, cpp::Binding::postfix}});
}

}  // namespace lantern
