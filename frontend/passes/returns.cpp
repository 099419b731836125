//     def size(tree):
//         if tree is None:
//             return 0
//         return 1 + size(tree.left)
// becomes
//     def size(tree):
//         retval_ = ag__.UndefinedReturnValue()
//         if tree is None:
//             retval_ = 0
//         else:
//             retval_ = 1 + size(tree.left)
//         return retval_
//
// In a loop, `return x` becomes `retval_ = x`, `do_return_ = True`, `break`, and what follows the loop is guarded by
// `if not do_return_`. A function that may end without a `return` gets a `return None`; one whose `return`s have no
// value gets no `retval_`. Where no `return` stands in an `if`, a loop or a `try`, nothing changes.
#include "frontend/analysis/cfg.h"
#include "frontend/passes/jumps.h"
#include "frontend/passes/passes.h"

namespace lantern::passes {

using namespace syntax;

namespace {

bool is_loop(const Stmt& stmt) { return is<For>(stmt) || is<While>(stmt); }

bool any_return(const Block& block, bool inside, const std::function<bool(const Return&, bool inside)>& wanted) {
  for (const StmtPtr& stmt : block) {
    if (auto* node = as<Return>(*stmt); node && wanted(*node, inside)) return true;
    if (is<FunctionDef>(*stmt) || is<ClassDef>(*stmt)) continue;
    bool found = false;
    const bool deeper = inside || is_loop(*stmt) || is<If>(*stmt) || is<Try>(*stmt);
    for_each_block(static_cast<const Stmt&>(*stmt), [&](const Block& nested) {
      found = found || any_return(nested, deeper, wanted);
    });
    if (found) return true;
  }
  return false;
}

bool has_value(const Return& node) {
  auto* constant = as<Constant>(node.value);
  return node.value && !(constant && constant->kind == ConstantKind::none);
}

// Turns each `return` in a loop into `…; break`, out of all loops around it. Returns whether there was one.
class LoopExits {
 public:
  LoopExits(Jump& jump) : jump_(jump) {}

  bool leave(Block& block, bool in_loop) {
    bool found = false;
    for (std::size_t i = 0; i < block.size(); ++i) {
      Stmt& stmt = *block[i];
      if (is<Return>(stmt) && in_loop) {
        const Range at = stmt.range;
        Block replaced = jump_.replace(std::move(block[i]));
        block.resize(i);
        for (StmtPtr& each : replaced) block.push_back(std::move(each));
        block.push_back(make(Break{}, at));
        return true;
      }
      if (is<FunctionDef>(stmt) || is<ClassDef>(stmt)) continue;
      if (!is_loop(stmt)) {
        for_each_block(stmt, [&](Block& nested) { found = leave(nested, in_loop) || found; });
        continue;
      }
      auto* loop = as<For>(stmt);
      const bool left = leave(loop ? loop->body : as<While>(stmt)->body, true);
      found = leave(loop ? loop->orelse : as<While>(stmt)->orelse, in_loop) || found;
      if (!left) continue;
      found = true;
      jump_.loops.insert(&stmt);
      if (!in_loop) continue;
      const Range at = stmt.range;
      StmtPtr exit = if_(name(jump_.flag), list_of<StmtPtr>(make(Break{})));
      inherit(exit, at);
      block.insert(block.begin() + i + 1, std::move(exit));
      ++i;
    }
    return found;
  }

 private:
  Jump& jump_;
};

}  // namespace

void lower_returns(Function& function) {
  Block& body = function.def.body;
  if (!any_return(body, false, [](const Return&, bool inside) { return inside; })) return;
  const bool valued = any_return(body, false, [](const Return& node, bool) { return has_value(node); });
  const Range end = body.back()->range;
  if (valued && analysis::completes(body)) body.push_back(make(Return{none()}, end));

  const std::string value = valued ? function.variable("retval_") : "";
  Jump jump{[](const Stmt& stmt) { return is<Return>(stmt); }, {}, function.variable("do_return_")};
  jump.replace = [&](StmtPtr stmt) {
    const Range at = stmt->range;
    Block result;
    if (valued) {
      ExprPtr returned = std::move(as<Return>(*stmt)->value);
      result.push_back(assign(name(value), returned ? std::move(returned) : none()));
      inherit(result.back(), at);
    }
    result.push_back(set_flag(jump.flag, true, at));
    return result;
  };
  jump.leaves_loops = true;
  cancel_where_caught(body, jump);
  const bool left_loops = LoopExits(jump).leave(body, false);
  const bool guarded = lower_jumps(body, jump);

  Block top;
  if (valued) top.push_back(assign(name(value), function.placeless("UndefinedReturnValue", {}, body[0]->range)));
  if (guarded || left_loops) top.push_back(set_flag(jump.flag, false, body[0]->range));
  inherit(top, body[0]->range);
  if (!guarded && !left_loops) remove_flag(function, jump.flag);
  prepend(body, std::move(top));
  if (valued) body.push_back(return_(name(value)));
  inherit(body, end);
}

}  // namespace lantern::passes
