//     if x > 0 and (y := f(x)) > 1: …
// becomes
//     def operand_():
//         nonlocal y
//         value__ = True if x > 0 else False
//         if value__: value__ = True if (y := f(x)) > 1 else False
//         return value__
//     if operand_(): …
//
// An operand that may not be evaluated (of `and`, `or`, a conditional, a chained comparison) becomes a lambda of ours, in which
// `:=` would bind the lambda's own variable: what binds so is written out as statements. In comprehensions and lambdas, whose
// variables such a function could not see, it stays plain Python. A condition's operands are asked for their truth, the others
// for their value.
#include "frontend/passes/conditions.h"
#include "frontend/passes/passes.h"

namespace lantern::passes {

using namespace syntax;

namespace {

bool binds_behind_the_first(const std::vector<ExprPtr>& operands) {
  for (std::size_t i = 1; i < operands.size(); ++i) {
    if (!may_be_delayed(*operands[i])) return true;
  }
  return false;
}

bool binds_when_delayed(const Expr& expr) {
  if (auto* logical = as<BoolOp>(expr)) return binds_behind_the_first(logical->values);
  if (auto* chain = as<Compare>(expr)) return binds_behind_the_first(chain->comparators);
  auto* choice = as<IfExp>(expr);
  return choice && !(may_be_delayed(*choice->body) && may_be_delayed(*choice->orelse));
}

class Operands {
 public:
  Operands(Function& function, const Conditions& conditions, Block& definitions)
      : function_(function),
        conditions_(conditions),
        definitions_(definitions),
        value_(function.local_name("value__")),
        left_(function.local_name("left__")),
        right_(function.local_name("right__")) {}

  void expression(ExprPtr& expr) {
    if (is<Lambda>(*expr) || is<ListComp>(*expr) || is<SetComp>(*expr) || is<DictComp>(*expr) || is<GeneratorExp>(*expr)) return;
    if (binds_when_delayed(*expr)) return define(expr);
    for_each_child(*expr, [&](ExprPtr& child) { expression(child); });
  }

 private:
  void define(ExprPtr& expr) {
    const Range at = expr->range;
    const std::string id = function_.variable("operand_");
    Block body = declarations_of(function_, analysis::walrus_names(*expr));
    if (auto* logical = as<BoolOp>(expr)) write_out(*logical, conditions_.has(*expr), body);
    else if (auto* choice = as<IfExp>(expr)) write_out(*choice, body);
    else write_out(*as<Compare>(expr), body);
    body.push_back(return_(name(value_)));
    definitions_.push_back(function_def(id, {}, std::move(body)));
    inherit(definitions_.back(), at);
    function_.made[id] = Role::operand;
    expr = call(name(id));
    inherit(expr, at);
  }

  StmtPtr set(const std::string& variable, ExprPtr value) const { return assign(name(variable), std::move(value)); }

  void write_out(BoolOp& node, bool is_condition, Block& body) const {
    const auto asked = [&](ExprPtr& operand) {
      return is_condition ? make(IfExp{std::move(operand), boolean(true), boolean(false)}) : std::move(operand);
    };
    body.push_back(set(value_, asked(node.values[0])));
    for (std::size_t i = 1; i < node.values.size(); ++i) {
      ExprPtr test = node.op == BoolOperator::and_ ? name(value_) : not_(name(value_));
      body.push_back(if_(std::move(test), list_of<StmtPtr>(set(value_, asked(node.values[i])))));
    }
  }

  void write_out(IfExp& node, Block& body) const {
    body.push_back(if_(std::move(node.test), list_of<StmtPtr>(set(value_, std::move(node.body))),
                       list_of<StmtPtr>(set(value_, std::move(node.orelse)))));
  }

  // Each operand is evaluated once, and none behind the first comparison that fails.
  void write_out(Compare& node, Block& body) const {
    Block rest;
    for (std::size_t i = node.ops.size(); i-- > 0;) {
      Block link;
      link.push_back(set(left_, i == 0 ? std::move(node.left) : name(right_)));
      link.push_back(set(right_, std::move(node.comparators[i])));
      link.push_back(set(value_, make(Compare{name(left_), {node.ops[i]}, list_of<ExprPtr>(name(right_))})));
      if (!rest.empty()) link.push_back(if_(name(value_), std::move(rest)));
      rest = std::move(link);
    }
    for (StmtPtr& stmt : rest) body.push_back(std::move(stmt));
  }

  Function& function_;
  const Conditions& conditions_;
  Block& definitions_;
  std::string value_, left_, right_;
};

}  // namespace

void name_delayed_operands(Function& function) {
  const Conditions conditions(function);
  rewrite_statements(function, [&](StmtPtr stmt) {
    Block result;
    if (!is<FunctionDef>(*stmt) && !is<ClassDef>(*stmt) && !is<Match>(*stmt)) {
      Operands operands(function, conditions, result);
      for_each_load(*stmt, [&](ExprPtr& expr) { operands.expression(expr); });
    }
    result.push_back(std::move(stmt));
    return result;
  });
}

}  // namespace lantern::passes
