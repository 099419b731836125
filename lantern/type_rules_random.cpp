// The rules of random numbers: of the program's stream, and of keys, which are i64.
#include "lantern/operands.h"
#include "lantern/type_rules.h"

namespace lantern::rules {

namespace {

Type of_floats(const Application& call, std::size_t first_dim) {
  if (!is_floating(*call.attributes.dtype)) mismatch("draws f32 or f64");
  return tensor(*call.attributes.dtype, dims_from(call, first_dim));
}

}  // namespace

Type drawn(const Application& call) {
  const std::string hint = "draw around 0, or from 0 to 1, and then shift and scale the array that this gives by arrays";
  need_number(call.operands[0], "its first operand", hint);
  need_number(call.operands[1], "its second operand", hint);
  return of_floats(call, 2);
}

Type drawn_by_key(const Application& call) {
  need_index(call.operands[0], "its key");
  return of_floats(call, 1);
}

Type seeded(const Application& call) {
  need_index(call.operands[0], "its number");
  return tuple_of({});
}

Type derived_key(const Application& call) {
  need_index(call.operands[0], "its key");
  need_index(call.operands[1], "its number");
  return scalar(DType::i64);
}

Type derived_keys(const Application& call) {
  need_index(call.operands[0], "its key");
  return tensor(DType::i64, dims_from(call, 1));
}

}  // namespace lantern::rules
