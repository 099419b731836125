// The rules of operators that work element by element.
#include <fmt/format.h>

#include "lantern/operands.h"
#include "lantern/type_rules.h"

namespace lantern::rules {

Type arithmetic(const Application& call) {
  const Type a = need_numeric(call.operands[0]), b = need_numeric(call.operands[1]);
  return numeric_result(a, b, counted(promote(a, b), is_array(a) || is_array(b)));
}

Type combination(const Application& call) {
  const Type a = need_numeric(call.operands[0]), b = need_numeric(call.operands[1]);
  return numeric_result(a, b, is_array(a) || is_array(b) ? promote(a, b) : counted(promote(a, b)));
}

Type true_division(const Application& call) {
  const Type a = need_numeric(call.operands[0]), b = need_numeric(call.operands[1]);
  const DType dtype = promote(a, b);
  return numeric_result(a, b, is_floating(dtype) ? dtype : DType::f64);
}

namespace {

// NumPy computes with arrays of bool alone in types of eight and sixteen bits.
void need_no_bools(const Type& type) {
  if (is_array(type) && type->dtype == DType::boolean) mismatch("needs numbers, not arrays of bool", "cast them to i64 to count, or to f32 or f64");
}

}  // namespace

Type power(const Application& call) {
  const Type a = need_numeric(call.operands[0]), b = need_numeric(call.operands[1]);
  const auto is_bools = [](const Type& type) { return is_array(type) && type->dtype == DType::boolean; };
  const auto is_one_bool = [&](const Type& type) { return is_bools(type) && rank(type) == 0; };
  const auto is_integer = [](const Type& type) { return !is_array(type) && type->dtype == DType::i64; };
  const bool of_one = (is_one_bool(a) && is_integer(b)) || (is_integer(a) && is_one_bool(b));
  // A number beside an array of bools does not count; beside one bool, it does.
  if (!of_one && !is_floating(promote(a, b)) && (!is_array(a) || is_bools(a)) && (!is_array(b) || is_bools(b))) {
    need_no_bools(a);
    need_no_bools(b);
  }
  return arithmetic(call);
}

Type larger(const Application& call) {
  const Type a = need_numeric(call.operands[0]), b = need_numeric(call.operands[1]);
  return numeric_result(a, b, promote(a, b));
}

Type negation(const Application& call) {
  const Type a = need_numeric(call.operands[0]);
  return with_dtype(a, counted(a->dtype, is_array(a)));
}

Type magnitude(const Application& call) {
  const Type a = need_numeric(call.operands[0]);
  return is_array(a) ? a : scalar(counted(a->dtype));
}

Type real_function(const Application& call) {
  const Type a = need_numeric(call.operands[0]);
  if (a->dtype == DType::boolean) mismatch(fmt::format("needs numbers, not {}", to_string(a)), "cast it to f32 or f64");
  return with_dtype(a, is_floating(a->dtype) ? a->dtype : DType::f64);
}

Type real_function_of_two(const Application& call) {
  for (const auto& operand : call.operands) need_no_bools(need_numeric(operand));
  return true_division(call);
}

Type clip(const Application& call) {
  const Type a = need_numeric(call.operands[0]), lo = need_numeric(call.operands[1]), hi = need_numeric(call.operands[2]);
  const Type bounded = numeric_result(a, lo, counted(promote(a, lo)));
  return numeric_result(bounded, hi, counted(promote(bounded, hi)));
}

Type comparison(const Application& call) {
  if (is(call.operands[0], TypeKind::string) && is(call.operands[1], TypeKind::string)) return scalar(DType::boolean);
  const Type a = need_numeric(call.operands[0]), b = need_numeric(call.operands[1]);
  return numeric_result(a, b, DType::boolean);
}

Type logic(const Application& call) {
  Type result = need_numeric(call.operands[0]);
  for (const auto& operand : call.operands) {
    const Type type = need_numeric(operand);
    if (type->dtype != DType::boolean) mismatch(fmt::format("needs bool, not {}", to_string(type)));
    result = numeric_result(result, type, DType::boolean);
  }
  return result;
}

Type bitwise(const Application& call) {
  const Type a = need_integral(call.operands[0]), b = need_integral(call.operands[1]);
  return numeric_result(a, b, promote(a, b));
}

Type bit_not(const Application& call) {
  const Type a = need_integral(call.operands[0]);
  return a->kind == TypeKind::tensor ? a : scalar(counted(a->dtype));  // ~True is -2, of an array of bools it is `not`
}

Type shift(const Application& call) {
  const Type a = need_integral(call.operands[0]), b = need_integral(call.operands[1]);
  return numeric_result(a, b, counted(promote(a, b), is_array(a) || is_array(b)));
}

Type where(const Application& call) {
  const Type condition = need_numeric(call.operands[0]);
  if (condition->dtype != DType::boolean) mismatch(fmt::format("needs bool as its condition, not {}", to_string(condition)));
  const Type a = need_numeric(call.operands[1]), b = need_numeric(call.operands[2]);
  const DType dtype = promote(a, b);
  return numeric_result(condition, numeric_result(a, b, dtype), dtype);
}

Type cast(const Application& call) { return with_dtype(need_numeric(call.operands[0]), *call.attributes.dtype); }

Type item(const Application& call) {
  const Type a = need_numeric(call.operands[0]);
  if (!a->dims.empty()) mismatch(fmt::format("needs a single value, not {}", to_string(a)));
  const DType dtype = a->dtype;
  return scalar(is_floating(dtype) ? DType::f64 : dtype == DType::boolean ? dtype : DType::i64);
}

Type mask_of_second(const Application& call) { return with_dtype(need_numeric(call.operands[1]), DType::boolean); }

Type like_first(const Application& call) { return need_numeric(call.operands[0]); }

Type like_second(const Application& call) {
  const Type value = need_numeric(call.operands[0]), shape = need_numeric(call.operands[1]);
  return with_dtype(shape, shape->kind == TypeKind::scalar && value->kind == TypeKind::scalar ? value->dtype : shape->dtype);
}

Type brought_to_second(const Application& call) {
  const Type value = need_numeric(call.operands[0]), shape = need_numeric(call.operands[1]);
  const std::vector<Dim> both = broadcast(value, shape);
  bool fits = both.size() == shape->dims.size();
  for (std::size_t i = 0; fits && i < both.size(); ++i) fits = conform(both[i], shape->dims[i]);
  if (!fits) mismatch(fmt::format("cannot broadcast {} to the shape of {}", to_string(value), to_string(shape)));
  return like_second(call);
}

Type dtype_of_second(const Application& call) {
  return with_dtype(need_numeric(call.operands[0]), need_numeric(call.operands[1])->dtype);
}

Type identity(const Application& call) { return resolve(call.operands[0]); }

}  // namespace lantern::rules
