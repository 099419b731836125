// In `c = a + b` of (tensor f32 ?) and (tensor f32 ?) the shapes are compared when the program runs; in `w @ x` of
// (tensor f32 3 n) and (tensor f32 n) they cannot differ.
#include "codegen/shape_checks.h"

#include "codegen/numpy_dtypes.h"
#include "lantern/operators.h"
#include "lantern/walk.h"

namespace lantern {

using namespace lowered;

namespace {

using Dims = std::vector<Dim>;

bool is_one(const Dim& dim) { return dim.known() && dim.size == 1; }
bool alike(const Dim& a, const Dim& b) { return a == b && (a.known() || !a.name.empty()); }

bool broadcast_surely(const Dims& a, const Dims& b) {
  for (std::size_t i = 1; i <= std::min(a.size(), b.size()); ++i) {
    const Dim &x = a[a.size() - i], &y = b[b.size() - i];
    if (!alike(x, y) && !is_one(x) && !is_one(y)) return false;
  }
  return true;
}

// All axes but one; none is left out where there is no such axis.
bool alike_but(const Dims& a, const Dims& b, std::int64_t axis) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (static_cast<std::int64_t>(i) != axis && !alike(a[i], b[i])) return false;
  }
  return true;
}

template <class Sure>
bool each_pair(const std::vector<Dims>& shapes, const Sure& sure) {
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    for (std::size_t j = i + 1; j < shapes.size(); ++j) {
      if (!sure(shapes[i], shapes[j])) return false;
    }
  }
  return true;
}

// Whether a number of elements cannot be negative.
bool is_count(const ExprPtr& e) {
  const auto* apply = std::get_if<Apply>(&e->node);
  if (apply) return apply->op->name == "length" || apply->op->name == "shape" || apply->op->name == "size" || apply->op->name == "range-length";
  const auto n = integer_value(e);
  return n && *n >= 0;
}

// Whether what is reduced, all or an axis, has an element.
bool has_elements(const Apply& apply, const Dims& dims) {
  const auto is_sure = [](const Dim& dim) { return dim.known() && dim.size > 0; };
  const auto axis = apply.operands.size() > 1 ? integer_value(apply.operands[1]) : std::nullopt;
  if (!axis) return std::all_of(dims.begin(), dims.end(), is_sure);
  const std::int64_t along = *axis < 0 ? *axis + std::ssize(dims) : *axis;
  return along >= 0 && along < std::ssize(dims) && is_sure(dims[static_cast<std::size_t>(along)]);
}

// Whether an operand decides a size that may turn out to be negative.
bool has_staged_size(const Apply& apply) {
  for (const ExprPtr& operand : apply.operands) {
    const Type type = resolve(operand->type);
    if (type->kind == TypeKind::scalar && type->dtype == DType::i64 && !std::holds_alternative<Constant>(operand->node)) return true;
  }
  return false;
}

// Whether a number stands beside an array of 32 bits, in which it may not fit.
bool meets_i32(const Apply& apply) {
  const auto is_of_i32 = [](const ExprPtr& operand) { return is(operand->type, TypeKind::tensor) && resolve(operand->type)->dtype == DType::i32; };
  return std::any_of(apply.operands.begin(), apply.operands.end(), is_of_i32) && std::any_of(apply.operands.begin(), apply.operands.end(), may_exceed_i32);
}

bool is_unsure(const Apply& apply, const Type& type) {
  std::vector<Dims> shapes;
  for (const ExprPtr& operand : apply.operands) {
    const Type type = resolve(operand->type);
    if (type->kind == TypeKind::tensor && !type->dims.empty()) shapes.push_back(type->dims);
  }
  const auto name = apply.op->name;
  if (apply.in_reverse) return false;
  if (apply.op->leading == Leading::dtype && apply.op->operands.ends_with("*")) return rank(type) > 0 && has_staged_size(apply);
  if (name == "arange" || name == "permutation") return !is_count(apply.operands[0]);
  if (name == "repeat" || name == "split-key") return !is_count(apply.operands[1]);
  if (name == "concat" || name == "stack" || name == "concat-along") {
    if (shapes.empty()) return !apply.operands.empty() && is(apply.operands[0]->type, TypeKind::list);
    std::int64_t axis = name == "stack" ? -1 : 0;
    if (name == "concat-along") axis = integer_value(apply.operands[0]).value_or(0);
    if (name == "concat-along" && axis < 0) axis += std::ssize(shapes[0]);
    return !each_pair(shapes, [&](const Dims& a, const Dims& b) { return alike_but(a, b, axis); });
  }
  if (shapes.empty()) return false;
  if (name == "matmul") {
    if (shapes.size() != 2) return false;
    const auto stack = [](const Dims& dims) { return Dims(dims.begin(), dims.end() - std::min<std::ptrdiff_t>(2, std::ssize(dims))); };
    return !alike(shapes[0].back(), shapes[1][shapes[1].size() == 1 ? 0 : shapes[1].size() - 2]) || !broadcast_surely(stack(shapes[0]), stack(shapes[1]));
  }
  if (name == "reshape") return true;
  if (name == "max" || name == "min" || name == "argmax" || name == "argmin") return !has_elements(apply, shapes[0]);
  if (name == "patches") return !shapes[0][1].known() || !shapes[0][2].known();
  if (name == "cross_entropy") return shapes.size() == 2 && !alike(shapes[0][0], shapes[1][0]);
  if (name == "scatter" || name == "scatter-add") return !alike(shapes[1][0], shapes[2][0]) || !alike_but(shapes[0], shapes[2], 0);
  if (!apply.op->elementwise) return false;
  const bool whole = !is_floating(resolve(apply.operands[0]->type)) && !is_floating(resolve(apply.operands.back()->type));
  if (name == "**" && whole && !is_count(apply.operands[1])) return true;
  if (meets_i32(apply)) return true;
  return !each_pair(shapes, broadcast_surely);
}

const Location* first_in(const lowered::Expr& e) {
  const Location* found = nullptr;
  for_each_operand(e, [&](const ExprPtr& operand) { found = found ? found : first_in(*operand); });
  const auto* apply = std::get_if<Apply>(&e.node);
  return !found && apply && is_unsure(*apply, e.type) && e.location.known() ? &e.location : found;
}

}  // namespace

const Location* first_unsure_shape(const Statement& statement) {
  const Location* found = nullptr;
  for_each_expr(const_cast<Statement&>(statement),  // which it lets its visitors change, and this one does not
                [&](const ExprPtr& e) { found = found ? found : first_in(*e); });
  return found;
}

}  // namespace lantern
