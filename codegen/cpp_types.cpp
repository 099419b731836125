#include "codegen/cpp_types.h"

#include <algorithm>
#include <set>
#include <string_view>

namespace lantern {

using namespace lowered;

namespace {

/// A local variable or its adjoint, a field, an element, the larger or smaller of two numbers, what a function returns: of C++'s own types, if it is a number.
bool is_declared(const ExprPtr& e) {
  const auto* read = std::get_if<Read>(&e->node);
  const auto* apply = std::get_if<Apply>(&e->node);
  return (read && read->variable->storage == ir::Storage::local) || (apply && (apply->op->name == "index" || apply->op->name == "larger" || apply->op->name == "smaller")) || std::holds_alternative<AdjointOf>(e->node) ||
         std::holds_alternative<FieldOf>(e->node) || std::holds_alternative<DirectCall>(e->node);
}

/// Functions of the runtime that give int64_t, whatever they are given, and sums and products that C++ computes of such.
bool gives_int64(const lowered::Expr& e, const Apply& apply) {
  static const std::set<std::string_view> checked = {"+", "-", "*", "neg", "abs"};
  const std::string_view name = apply.op->name;
  if (resolve(e.type)->dtype != DType::i64) return false;
  if (name == "length" || name == "argmax" || name == "argmin") return true;
  if (!is(e.type, TypeKind::scalar) || !checked.contains(name)) return false;
  return !(apply.in_reverse || apply.unchecked) || (name != "abs" && std::ranges::any_of(apply.operands, [](const ExprPtr& o) { return has_own_type(o, DType::i64); }));
}

}  // namespace

bool is_of_cpp(const ExprPtr& e, DType dtype) {
  if (!is_numeric(e->type) || rank(e->type) != 0 || resolve(e->type)->dtype != dtype || !is_floating(e->type)) return false;
  static const std::set<std::string_view> arithmetic = {"+", "-", "*", "/"};
  const auto* apply = std::get_if<Apply>(&e->node);
  const bool computed = apply && arithmetic.contains(apply->op->name);
  return computed ? is_of_cpp(apply->operands[0], dtype) && is_of_cpp(apply->operands[1], dtype) : is_declared(e);
}

bool has_own_type(const ExprPtr& e, DType dtype) {
  if (!is_one_number(e->type) || resolve(e->type)->dtype != dtype) return false;
  const auto* apply = std::get_if<Apply>(&e->node);
  return is_of_cpp(e, dtype) || (is_declared(e) && dtype == DType::i64) || (apply && (apply->op->name == "index" || gives_int64(*e, *apply)));
}

bool follows(const ExprPtr& operand, DType wanted) {
  const DType own = resolve(operand->type)->dtype;
  const bool is_exact = own == DType::boolean || own == DType::f32 || wanted == DType::i64 || (own == DType::i32 && wanted == DType::f64);
  return wanted != DType::boolean && own < wanted && (is_exact || std::holds_alternative<Constant>(operand->node));
}

}  // namespace lantern
