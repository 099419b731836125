//     del x.a, rows[i], n
// becomes
//     ag__.delattr_(x, 'a', (1, 5));  ag__.delitem_(rows, i, (1, 10));  del n
#include "frontend/passes/passes.h"

namespace lantern::passes {

using namespace syntax;

namespace {

void flatten(ExprPtr target, std::vector<ExprPtr>& targets) {
  auto* tuple = as<Tuple>(target);
  auto* list = as<List>(target);
  if (!tuple && !list) return targets.push_back(std::move(target));
  for (ExprPtr& element : tuple ? tuple->elts : list->elts) flatten(std::move(element), targets);
}

StmtPtr deletion(const Function& function, ExprPtr target) {
  const Range at = target->range;
  if (auto* attribute = as<Attribute>(target)) {
    return expr_stmt(
        function.operation("delattr_", list_of<ExprPtr>(std::move(attribute->value), string(attribute->attr)), at));
  }
  if (auto* item = as<Subscript>(target)) {
    if (std::optional<ExprPtr> index = index_value(function, item->slice)) {
      return expr_stmt(
          function.operation("delitem_", list_of<ExprPtr>(std::move(item->value), std::move(*index)), at));
    }
  }
  return make(Delete{list_of<ExprPtr>(std::move(target))});
}

}  // namespace

void convert_deletions(Function& function) {
  rewrite_statements(function, [&](StmtPtr stmt) {
    auto* node = as<Delete>(*stmt);
    if (!node) return list_of<StmtPtr>(std::move(stmt));
    std::vector<ExprPtr> targets;
    for (ExprPtr& target : node->targets) flatten(std::move(target), targets);
    Block result;
    for (ExprPtr& target : targets) {
      result.push_back(deletion(function, std::move(target)));
      inherit(result.back(), stmt->range);
    }
    return result;
  });
}

}  // namespace lantern::passes
