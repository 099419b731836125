// In `a + b[0]` of (tensor i32 ?) and (tensor i64 ?) NumPy adds numbers of 64 bits, and in `a + n` of (tensor i32 ?) and i64 of 32.
#include "codegen/numpy_dtypes.h"

#include <algorithm>

#include "lantern/operators.h"

namespace lantern {

using namespace lowered;

std::optional<DType> numpys_dtype(const Apply& apply, const Type& result) {
  if (!apply.op->elementwise || apply.operands.size() < 2) return {};
  bool array = false;
  for (const auto& operand : apply.operands) {
    const Type type = resolve(operand->type);
    if (!is_numeric(type) || rank(type) != 0) return {};
    array = array || type->kind == TypeKind::tensor;
  }
  if (!array) return {};
  if (result->dtype != DType::boolean) return result->dtype;
  const DType promoted = promote(apply.operands[0]->type, apply.operands[1]->type);
  const auto is_long = [](const ExprPtr& operand) { return resolve(operand->type)->dtype == DType::i64; };
  const bool compares_longs = promoted == DType::i32 && std::any_of(apply.operands.begin(), apply.operands.end(), is_long);
  return compares_longs ? DType::i64 : promoted;
}

std::optional<DType> widened_dtype(const Apply& apply) {
  if (!apply.op->elementwise) return {};
  Type of_arrays, of_all;
  for (std::size_t i = apply.op->name == "where" ? 1 : 0; i < apply.operands.size(); ++i) {
    const Type type = resolve(apply.operands[i]->type);
    if (type->kind != TypeKind::tensor) continue;
    const auto with = [&](const Type& before) { return tensor(before ? promote(before, tensor(type->dtype, {})) : type->dtype, {}); };
    of_all = with(of_all);
    if (rank(type) > 0) of_arrays = with(of_arrays);
  }
  if (!of_arrays || of_arrays->dtype == DType::boolean || of_arrays->dtype == of_all->dtype) return {};
  return of_all->dtype;
}

bool may_exceed_i32(const ExprPtr& number) {
  const auto n = integer_value(number);
  return is_scalar(number->type, DType::i64) && !(n && *n >= INT32_MIN && *n <= INT32_MAX);
}

}  // namespace lantern
