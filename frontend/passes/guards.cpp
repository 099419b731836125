//     try:
//         y = 1 / x
//     except (KeyError, ZeroDivisionError):
//         y = 0
//     try: …
//     except kinds_of(x): …
//     with open(path) as file:
//         …
// becomes
//     try:
//         with ag__.guarded(lambda: (KeyError, ZeroDivisionError), (1, 1)):
//             y = 1 / x
//     except (KeyError, ZeroDivisionError):
//         ag__.caught()
//         y = 0
//     try:
//         with ag__.guarded(lambda: (ag__.BaseException,), (5, 1)): …
//     except ag__.kinds(lambda: kinds_of(x)): …
//     with ag__.managed(open(path), (7, 6)) as file:
//         …
//
// so that the stager knows what would handle a failure when the program runs. What a handler catches it asks for as often as it likes, and
// where Python does, for exceptions of its own, too: what is more than names is only evaluated where an exception of the user's passes. A `finally` handles every exception, and
// guards the handlers and the `else` too. `except*` stays plain. Runs last: no analysis sees these statements.
#include <algorithm>

#include "frontend/passes/passes.h"

namespace lantern::passes {

using namespace syntax;

namespace {

class Guarding {
 public:
  explicit Guarding(const Function& function) : function_(function) {}

  void convert(Block& block) {
    for (StmtPtr& stmt : block) {
      if (is_users_definition(function_, *stmt)) continue;
      for_each_block(*stmt, [&](Block& nested) { convert(nested); });
      const Range at{stmt->range.line, stmt->range.column, stmt->range.line, stmt->range.column};
      if (auto* node = as<Try>(*stmt)) convert(*node, at);
      if (auto* node = as<With>(*stmt); node && !node->is_async) convert(*node);
      inherit(stmt, at);
    }
  }

 private:
  void convert(Try& node, const Range& at) {
    if (node.is_star) return;
    std::vector<ExprPtr> caught;
    for (ExceptHandler& handler : node.handlers) {
      const bool is_known = handler.type && is_of_names(*handler.type);
      caught.push_back(is_known ? clone(handler.type) : name_of("BaseException"));
      if (!handler.type || is_known || !may_be_delayed(*handler.type)) continue;
      const Range place = handler.type->range;
      handler.type = function_.placeless("kinds", list_of<ExprPtr>(thunk(std::move(handler.type))), place);
    }
    for (ExceptHandler& handler : node.handlers) {
      handler.body.insert(handler.body.begin(), expr_stmt(function_.placeless("caught", {}, at)));
    }
    if (!node.handlers.empty()) guard(node.body, thunk(tuple(std::move(caught))), at);
    if (node.finalbody.empty()) return;
    guard(node.body, none(), at);
    for (ExceptHandler& handler : node.handlers) guard(handler.body, none(), at);
    if (!node.orelse.empty()) guard(node.orelse, none(), at);
  }

  void convert(With& node) {
    for (WithItem& item : node.items) {
      const Range at = item.context_expr->range;
      item.context_expr = function_.operation("managed", list_of<ExprPtr>(std::move(item.context_expr)), at);
    }
  }

  // `KeyError`, `module.Error`, `(KeyError, module.Error)`
  bool is_of_names(const Expr& expr) const {
    if (auto* read = as<Call>(expr)) {
      return function_.is_operator(*read->func) && as<Attribute>(read->func)->attr == "getattr_" && is_of_names(*read->args[0]);
    }
    auto* elements = as<Tuple>(expr);
    if (!elements) return is<Name>(expr);
    return std::all_of(elements->elts.begin(), elements->elts.end(), [&](const ExprPtr& each) { return is_of_names(*each); });
  }

  // `with ag__.guarded(CAUGHT, PLACE): BODY`
  void guard(Block& body, ExprPtr caught, const Range& at) {
    ExprPtr guarded = function_.operation("guarded", list_of<ExprPtr>(std::move(caught)), at);
    std::vector<WithItem> items;
    items.push_back(WithItem{std::move(guarded), {}});
    body = list_of<StmtPtr>(make(With{std::move(items), std::move(body)}));
  }

  // A built-in, whatever the file calls so.
  ExprPtr name_of(const std::string& builtin) const { return attribute(name(function_.operators), builtin); }

  const Function& function_;
};

}  // namespace

void convert_guards(Function& function) { Guarding(function).convert(function.def.body); }

}  // namespace lantern::passes
