//     rows[i], rows[1:n]
// becomes
//     ag__.getitem(rows, i, (1, 1)), ag__.getitem(rows, slice(1, n, None), (1, 10))
//
// Where the file has a `slice` of its own, a subscript with slices stays as it is.
#include "frontend/passes/passes.h"

namespace lantern::passes {

using namespace syntax;

namespace {

bool has_slice(const Expr& index) {
  if (is<Slice>(index)) return true;
  auto* tuple = as<Tuple>(index);
  if (!tuple) return false;
  for (const ExprPtr& element : tuple->elts) {
    if (is<Slice>(*element)) return true;
  }
  return false;
}

ExprPtr or_none(ExprPtr bound) { return bound ? std::move(bound) : none(); }

ExprPtr as_value(ExprPtr index) {
  auto* slice = as<Slice>(index);
  if (!slice) return index;
  const Range at = index->range;
  ExprPtr result = call(name("slice"), list_of<ExprPtr>(or_none(std::move(slice->lower)), or_none(std::move(slice->upper)),
                                                        or_none(std::move(slice->step))));
  inherit(result, at);
  return result;
}

}  // namespace

bool has_index_value(const Function& function, const Expr& index) {
  return !has_slice(index) || !function.file.bound.count("slice");
}

std::optional<ExprPtr> index_value(const Function& function, ExprPtr& index) {
  if (!has_index_value(function, *index)) return std::nullopt;
  if (auto* tuple = as<Tuple>(index)) {
    for (ExprPtr& element : tuple->elts) element = as_value(std::move(element));
  }
  return as_value(std::move(index));
}

void convert_subscripts(Function& function) {
  rewrite_loads(function, [&](ExprPtr& expr) {
    auto* item = as<Subscript>(expr);
    if (!item) return;
    const Range at = expr->range;
    std::optional<ExprPtr> index = index_value(function, item->slice);
    if (!index) return;
    expr = function.operation("getitem", list_of<ExprPtr>(std::move(item->value), std::move(*index)), at);
  });
}

}  // namespace lantern::passes
