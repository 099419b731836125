// A function that cannot be converted without changing what it means is left alone, and this says why.
#include "frontend/analysis/cfg.h"
#include "frontend/passes/passes.h"

namespace lantern::passes {

using namespace syntax;

namespace {

// CPython reads at most 100 levels of indentation and 200 of parentheses; conversion adds to both.
constexpr int deepest_block = 60;
constexpr int deepest_expression = 90;
constexpr int most_statements = 20'000;

class Search {
 public:
  explicit Search(bool may_yield) : may_yield_(may_yield) {}

  std::optional<Refusal> found;

  void function(const FunctionDef& def, const Range& at) {
    if (def.is_async) return report("LT0150", "it is a coroutine", at);
    block(def.body, 0, false, false);
    if (statements_ > most_statements) report("LT0155", "it has more than 20,000 statements", at);
  }

 private:
  void report(const char* code, const std::string& reason, const Range& at) {
    if (!found) found = Refusal{code, reason, at};
  }

  // `jumps_out`: whether a `break` here would leave a `finally`.
  void block(const Block& statements, int depth, bool in_finally, bool jumps_out) {
    for (const StmtPtr& stmt : statements) {
      statement(*stmt, depth, in_finally, jumps_out);
      if (may_yield_ && contains_yield(*stmt)) ++depth;     // what follows stands in a branch
    }
  }

  void statement(const Stmt& stmt, int depth, bool in_finally, bool jumps_out) {
    ++statements_;
    if (depth > deepest_block) report("LT0154", "its statements nest too deep", stmt.range);
    const bool jump = is<Break>(stmt) || is<Continue>(stmt);
    if ((in_finally && is<Return>(stmt)) || (jumps_out && jump)) {
      report("LT0152", "a jump leaves a 'finally' block", stmt.range);
    }
    auto* alone = may_yield_ && !guarded_ ? as<ExprStmt>(stmt) : nullptr;
    const bool is_yield = alone && (is<Yield>(*alone->value) || is<YieldFrom>(*alone->value));
    for_each_expression(stmt, [&](const Expr& expr) {
      if (is_yield) for_each_child(expr, [&](const Expr& child) { expression(child, 1); });
      else expression(expr, 0);
    });
    if (auto* inner = as<FunctionDef>(stmt)) return nested_depth(inner->body, depth + 1);
    if (auto* inner = as<ClassDef>(stmt)) return nested_depth(inner->body, depth + 1);
    if (is<For>(stmt) && as<For>(stmt)->is_async) report("LT0150", "it is a coroutine", stmt.range);
    const bool guards = is<Try>(stmt) || is<With>(stmt);
    guarded_ += guards;
    nested(stmt, depth, in_finally, jumps_out);
    guarded_ -= guards;
  }

  void nested(const Stmt& stmt, int depth, bool in_finally, bool jumps_out) {
    if (auto* attempt = as<Try>(stmt)) {
      block(attempt->body, depth + 1, in_finally, jumps_out);
      for (const ExceptHandler& handler : attempt->handlers) block(handler.body, depth + 1, in_finally, jumps_out);
      block(attempt->orelse, depth + 1, in_finally, jumps_out);
      block(attempt->finalbody, depth + 1, true, true);
      return;
    }
    for (const Stmt* each = next_branch(stmt); each; each = next_branch(*each)) {
      ++statements_;
      for_each_expression(*each, [&](const Expr& expr) { expression(expr, 0); });
    }
    const bool loop = is<For>(stmt) || is<While>(stmt);
    for_each_nested(stmt, depth, [&](const Block& nested, int inner) { block(nested, inner, in_finally, jumps_out && !loop); });
  }

  // The blocks of a statement and how deep they stand: of an `if`, those behind each `elif`, too, as deep as its group makes them.
  template <class Visit>
  static void for_each_nested(const Stmt& stmt, int depth, const Visit& visit) {
    int position = 0;
    for (const Stmt* each = &stmt; each; each = next_branch(*each)) {
      const int inner = depth + 1 + position++ % static_cast<int>(most_cases);
      if (next_branch(*each)) visit(as<If>(*each)->body, inner);
      else for_each_block(*each, [&](const Block& nested) { visit(nested, inner); });
    }
  }

  // Nested functions answer for themselves, save for their depth, which adds up.
  void nested_depth(const Block& statements, int depth) {
    for (const StmtPtr& stmt : statements) {
      if (depth > deepest_block) return report("LT0154", "its statements nest too deep", stmt->range);
      for_each_nested(*stmt, depth, [&](const Block& nested, int inner) { nested_depth(nested, inner); });
    }
  }

  void expression(const Expr& expr, int depth) {
    if (depth > deepest_expression) return report("LT0154", "an expression in it nests too deep", expr.range);
    if (is<Yield>(expr) || is<YieldFrom>(expr)) {
      return report("LT0151", guarded_ ? "it is a generator that yields within a 'try' or 'with'" :
                              may_yield_ ? "it is a generator whose 'yield' has a value" : "it is a generator", expr.range);
    }
    if (is<Await>(expr)) return report("LT0150", "it is a coroutine", expr.range);
    if (auto* call = as<Call>(expr)) inspects_frame(*call, expr.range);
    if (auto* name = as<Name>(expr); name && name->id == "locals") {
      report("LT0153", "it uses 'locals'", expr.range);
    }
    const auto check = [&](const std::vector<Comprehension>& generators) {
      for (const Comprehension& generator : generators) {
        if (generator.is_async) report("LT0150", "it is a coroutine", expr.range);
      }
    };
    if (auto* comp = as<ListComp>(expr)) check(comp->generators);
    if (auto* comp = as<SetComp>(expr)) check(comp->generators);
    if (auto* comp = as<DictComp>(expr)) check(comp->generators);
    if (auto* comp = as<GeneratorExp>(expr)) check(comp->generators);
    for_each_child(expr, [&](const Expr& child) { expression(child, depth + 1); });
  }

  // Calls whose result depends on the calling function's variables or on its place on the stack.
  void inspects_frame(const Call& call, const Range& at) {
    std::string callee;
    if (auto* name = as<Name>(call.func)) callee = name->id;
    if (auto* attribute = as<Attribute>(call.func)) callee = attribute->attr;
    const bool plain = is<Name>(*call.func);
    const bool alone = call.args.empty() && call.keywords.empty();
    const bool own_names = call.args.size() < 2 && call.keywords.empty();
    if ((plain && (callee == "vars" || callee == "dir") && alone) ||
        (plain && (callee == "eval" || callee == "exec") && own_names) || callee == "_getframe" ||
        callee == "currentframe") {
      report("LT0153", "it looks at its own frame, by '" + callee + "'", at);
    }
  }

  bool may_yield_;      // where nothing is done with what a `yield` gives, and nothing around it sees errors of whoever goes on
  int guarded_ = 0;     // statements around that would
  int statements_ = 0;
};

}  // namespace

std::optional<Refusal> refusal(const Function& function) {
  Search search(function.role == Role::generator);
  const Range at = function.def.body.empty() ? Range{} : function.def.body[0]->range;
  search.function(function.def, at);
  return search.found;
}

}  // namespace lantern::passes
