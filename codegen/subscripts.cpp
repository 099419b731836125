// `xs[i]` where xs certainly has that place; else index(xs, i, "model.py:3:9"), which looks.
#include <fmt/format.h>

#include "codegen/function_writer.h"
#include "codegen/spelling.h"

namespace lantern {

using namespace lowered;

namespace {

bool is_index(const Apply* item) { return item && item->op->name == "index" && item->operands.size() == 2 && is(item->operands[1]->type, TypeKind::scalar); }

/// What is set in an array without a call has the type of its elements in C++, too.
bool is_plain(const Type& type) {
  const DType dtype = resolve(type)->dtype;
  return is(type, TypeKind::list) || dtype == DType::f32 || dtype == DType::f64 || dtype == DType::i64;
}

}  // namespace

// `rows[i][j]`: index(rows, i, j, "…").
std::optional<cpp::Expr> FunctionWriter::item_of_row(const lowered::Expr& e, const Apply& apply) {
  const auto looks = [](const Apply* item) { return is_index(item) && !item->in_reverse && !item->unchecked; };
  const auto* row = looks(&apply) ? std::get_if<Apply>(&apply.operands[0]->node) : nullptr;
  const std::string place = spelling::place(e.location);
  if (!looks(row) || is(e.type, TypeKind::structure) || spelling::place(apply.operands[0]->location) != place) return {};
  return cpp::call("index", {expr(row->operands[0]), expr(row->operands[1]), expr(apply.operands[1]), {place, cpp::Binding::postfix}});
}

/// What has the place, where C++ can ask it for that: a list or an array that is there.
std::optional<cpp::Expr> FunctionWriter::subscripted(const ExprPtr& whole) {
  if (!is(whole->type, TypeKind::list) && !has_elements(whole->type)) return {};
  const auto* read = std::get_if<Read>(&whole->node);
  const auto* apply = std::get_if<Apply>(&whole->node);
  const bool is_there = read ? read->variable->storage == ir::Storage::local && !entries_.contains(read->variable) && !lazy_.contains(read->variable)
                             : is_index(apply) || std::holds_alternative<FieldOf>(whole->node);
  return is_there ? std::optional(expr(whole)) : std::nullopt;
}

std::optional<cpp::Expr> FunctionWriter::item(const Apply& apply) {
  const auto whole = apply.unchecked && is_index(&apply) ? subscripted(apply.operands[0]) : std::nullopt;
  return whole ? std::optional(cpp::subscript(*whole, expr(apply.operands[1]))) : std::nullopt;
}

// `xs[i] = x`.
std::optional<std::string> FunctionWriter::set_item(const Apply& change) {
  const ExprPtr& value = change.operands.back();
  const auto whole = change.unchecked && (change.op->name == "set-item" || change.op->name == "write-to") && is_plain(change.operands[0]->type) ? subscripted(change.operands[0]) : std::nullopt;
  if (!whole) return {};
  cpp::Expr item = *whole;
  for (std::size_t i = 1; i + 1 < change.operands.size(); ++i) item = cpp::subscript(item, expr(change.operands[i]));
  const bool link = is_structure(value->type) || is(value->type, TypeKind::optional);
  const std::string text = (link ? pointer_to(value) : expr(value)).text;
  const auto* apply = std::get_if<Apply>(&value->node);
  const bool goes_on = apply && !apply->operands.empty() && expr(apply->operands[0]).text == item.text;
  const std::string combined = goes_on ? this->combined(item.text, value, text) : "";
  return combined.empty() ? fmt::format("{} = {};", item.text, text) : combined + ";";
}

}  // namespace lantern
