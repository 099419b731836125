//     def walk(tree):
//         if tree is not None:
//             yield from walk(tree.left)
//             yield tree.value
// becomes, where something is staged (the generator itself stays as it is for Python),
//     def walk(into__, /, tree):
//         if tree is not None:
//             ag__.yield_from(into__, walk(tree.left), (3, 13))
//             if ag__.stopped(into__): return
//             ag__.take(into__, tree.value, (4, 13))
//             if ag__.stopped(into__): return
//
// so that whoever goes through it, `into__`, gets an element where Python's generator would stop for it, and may want no more. A loop that
// only hands on what it gets, `for x in walk(tree.left): yield x`, is a `yield from`. What is returned goes to nobody.
#include <algorithm>

#include "frontend/passes/passes.h"

namespace lantern::passes {

using namespace syntax;

namespace {

bool yields(const Expr& expr) {
  if (is<Lambda>(expr)) return false;
  bool found = is<Yield>(expr) || is<YieldFrom>(expr);
  for_each_child(expr, [&](const Expr& child) { found = found || yields(child); });
  return found;
}

int count_of(const Expr& expr, const std::string& id) {
  auto* read = as<Name>(expr);
  int count = read && read->id == id;
  for_each_child(expr, [&](const Expr& child) { count += count_of(child, id); });
  return count;
}

int count_of(const Block& block, const std::string& id) {
  int count = 0;
  for (const StmtPtr& stmt : block) {
    const Stmt& each = *stmt;
    for_each_expression(each, [&](const Expr& expr) { count += count_of(expr, id); });
    for_each_block(each, [&](const Block& nested) { count += count_of(nested, id); });
  }
  return count;
}

// The variable of a loop that yields what it gets and does nothing else; "" of any other.
std::string handed_on(const Stmt& stmt) {
  auto* loop = as<For>(stmt);
  auto* target = loop ? as<Name>(loop->target) : nullptr;
  if (!target || loop->is_async || !loop->orelse.empty() || loop->body.size() != 1) return "";
  auto* body = as<ExprStmt>(*loop->body[0]);
  auto* yielded = body ? as<Yield>(body->value) : nullptr;
  auto* value = yielded && yielded->value ? as<Name>(yielded->value) : nullptr;
  return value && value->id == target->id ? target->id : "";
}

void count_handed_on(const Block& block, std::map<std::string, int>& counts) {
  for (const StmtPtr& stmt : block) {
    const Stmt& each = *stmt;
    if (const std::string id = handed_on(each); !id.empty()) ++counts[id];
    if (is<FunctionDef>(each) || is<ClassDef>(each)) continue;
    for_each_block(each, [&](const Block& nested) { count_handed_on(nested, counts); });
  }
}

void hand_on(Block& block, const NameSet& variables) {
  for (StmtPtr& stmt : block) {
    if (is<FunctionDef>(*stmt) || is<ClassDef>(*stmt)) continue;
    if (!variables.count(handed_on(*stmt))) {
      for_each_block(*stmt, [&](Block& nested) { hand_on(nested, variables); });
      continue;
    }
    const Range at = stmt->range;
    const Range place = as<For>(*stmt)->iter->range;
    ExprPtr value = make(YieldFrom{std::move(as<For>(*stmt)->iter)}, place);
    stmt = make(ExprStmt{std::move(value)}, at);
  }
}

}  // namespace

bool contains_yield(const Stmt& stmt) {
  bool found = false;
  for_each_expression(stmt, [&](const Expr& expr) { found = found || yields(expr); });
  if (is<FunctionDef>(stmt) || is<ClassDef>(stmt)) return found;
  for_each_block(stmt, [&](const Block& nested) {
    for (const StmtPtr& each : nested) found = found || contains_yield(*each);
  });
  return found;
}

bool is_generator(const FunctionDef& def) {
  return !def.is_async && std::any_of(def.body.begin(), def.body.end(), [](const StmtPtr& each) { return contains_yield(*each); });
}

void lower_yields(Function& function) {
  if (function.role != Role::generator) return;
  Block& body = function.def.body;
  std::map<std::string, int> counts;
  count_handed_on(body, counts);
  NameSet variables;      // that nothing but such loops knows
  const std::vector<std::string> formals = analysis::parameter_names(function.def.parameters);
  for (const auto& [id, count] : counts) {
    const bool is_formal = std::find(formals.begin(), formals.end(), id) != formals.end();
    if (!is_formal && !function.bindings.is_declared(id) && count_of(body, id) == 2 * count) variables.insert(id);
  }
  hand_on(body, variables);
  const std::string into = function.into();
  rewrite_statements(function, [&](StmtPtr stmt) {
    const Range at = stmt->range;
    if (auto* left = as<Return>(*stmt); left && left->value) {
      Block result;
      if (!is_constant(*left->value)) result.push_back(expr_stmt(std::move(left->value)));
      result.push_back(return_());
      inherit(result, at);
      return result;
    }
    auto* node = as<ExprStmt>(*stmt);
    auto* yielded = node ? as<Yield>(node->value) : nullptr;
    auto* from = node ? as<YieldFrom>(node->value) : nullptr;
    if (!yielded && !from) return list_of<StmtPtr>(std::move(stmt));
    ExprPtr value = from ? std::move(from->value) : yielded->value ? std::move(yielded->value) : none();
    const Range place = value->range.known() ? value->range : at;
    Block result = list_of<StmtPtr>(
        expr_stmt(function.operation(from ? "yield_from" : "take", list_of<ExprPtr>(name(into), std::move(value)), place)),
        if_(function.placeless("stopped", list_of<ExprPtr>(name(into)), place), list_of<StmtPtr>(return_())));
    inherit(result, at);
    return result;
  });
}

}  // namespace lantern::passes
