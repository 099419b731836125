// In `c = a + b` of (tensor f32 ?) and (tensor f32 ?) the shapes are compared when the program runs; in `w @ x` of
// (tensor f32 3 n) and (tensor f32 n) they cannot differ.
#include "codegen/shape_checks.h"

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

// All axes but the first.
bool rows_alike(const Dims& a, const Dims& b, std::size_t from) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = from; i < a.size(); ++i) {
    if (!alike(a[i], b[i])) return false;
  }
  return true;
}

// Whether an operand decides a size that may turn out to be negative.
bool has_staged_size(const Apply& apply) {
  for (const ExprPtr& operand : apply.operands) {
    const Type type = resolve(operand->type);
    if (type->kind == TypeKind::scalar && type->dtype == DType::i64 && !std::holds_alternative<Constant>(operand->node)) return true;
  }
  return false;
}

bool is_unsure(const Apply& apply) {
  std::vector<Dims> shapes;
  for (const ExprPtr& operand : apply.operands) {
    const Type type = resolve(operand->type);
    if (type->kind == TypeKind::tensor && !type->dims.empty()) shapes.push_back(type->dims);
  }
  const auto name = apply.op->name;
  if (apply.in_reverse) return false;
  if (apply.op->leading == Leading::dtype && apply.op->operands.ends_with("*")) return has_staged_size(apply);
  if (shapes.empty()) return false;
  if (name == "matmul") {
    if (shapes.size() != 2) return false;
    const auto stack = [](const Dims& dims) { return Dims(dims.begin(), dims.end() - std::min<std::ptrdiff_t>(2, std::ssize(dims))); };
    return !alike(shapes[0].back(), shapes[1][shapes[1].size() == 1 ? 0 : shapes[1].size() - 2]) || !broadcast_surely(stack(shapes[0]), stack(shapes[1]));
  }
  if (name == "reshape") return true;
  const bool joins = name == "concat" || name == "stack";
  if (!joins && !apply.op->elementwise) return false;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    for (std::size_t j = i + 1; j < shapes.size(); ++j) {
      const bool sure = joins ? rows_alike(shapes[i], shapes[j], name == "concat") : broadcast_surely(shapes[i], shapes[j]);
      if (!sure) return true;
    }
  }
  return false;
}

const Location* first_in(const lowered::Expr& e) {
  const Location* found = nullptr;
  for_each_operand(e, [&](const ExprPtr& operand) { found = found ? found : first_in(*operand); });
  const auto* apply = std::get_if<Apply>(&e.node);
  return !found && apply && is_unsure(*apply) && e.location.known() ? &e.location : found;
}

}  // namespace

const Location* first_unsure_shape(const Statement& statement) {
  const Location* found = nullptr;
  for_each_expr(const_cast<Statement&>(statement),  // which it lets its visitors change, and this one does not
                [&](const ExprPtr& e) { found = found ? found : first_in(*e); });
  return found;
}

}  // namespace lantern
