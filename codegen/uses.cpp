#include "codegen/uses.h"

#include <algorithm>
#include <map>

#include "lantern/changed_arrays.h"
#include "lantern/walk.h"

namespace lantern {

using namespace lowered;

namespace {

/// Whether an operation looks at its operands and leaves nothing of them in its result.
bool only_reads(const Expr& e, const Operator& op) {
  const bool changes = op.effect || op.in_place || op.accumulate_only || op.name == "extern";
  return !changes && (is_one_number(e.type) || makes_elements_of_its_own(op) || is_of_shape(op));
}
bool is_view(const Operator& op) { return op.cheap_view || op.name == "index" || op.name == "transpose"; }

/// Whether its nested statements are blocks of the same function, not lambdas.
bool has_blocks(const Statement& s) {
  return std::holds_alternative<If>(s.node) || std::holds_alternative<While>(s.node) || std::holds_alternative<For>(s.node) || std::holds_alternative<Backwards>(s.node);
}

class Finder {
 public:
  Uses uses;

  void visit(Statements& list, int depth) {
    for (auto& statement : list) visit(statement, depth);
  }

 private:
  void visit(Statement& s, int depth) {
    const auto* loop = std::get_if<For>(&s.node);
    const auto* each = std::get_if<EachTurn>(&s.node);
    uses.marks = uses.marks || std::holds_alternative<MarkArena>(s.node) || (each && each->marks) || (loop && loop->marks && !goes_over_what_is_there(*loop));
    const auto make = [&](const ir::Variable* variable) { made_.emplace(variable, depth); };
    if (const auto* n = std::get_if<Let>(&s.node)) std::for_each(n->variables.begin(), n->variables.end(), make);
    if (const auto* n = std::get_if<Forward>(&s.node)) std::for_each(n->results.begin(), n->results.end(), make);
    if (const auto* n = std::get_if<Pop>(&s.node)) std::for_each(n->variables.begin(), n->variables.end(), make);
    if (const auto* n = std::get_if<LetTogether>(&s.node)) std::for_each(n->variables.begin(), n->variables.end(), make);
    if (const auto* n = std::get_if<LetEach>(&s.node)) std::for_each(n->lists.begin(), n->lists.end(), make);
    for_each_expr(s, [&](const ExprPtr& e) { visit(e, depth, true); });
    if (const auto* n = std::get_if<DeclareAdjoint>(&s.node)) read(n->variable, depth);  // zeros of its shape
    for_each_saved(s, [&](const ir::Variable* variable) {
      read(variable, depth);
      uses.handed_on.insert(variable);
    });
    for_each_list(s, [&](Statements& nested) { visit(nested, depth + (has_blocks(s) ? 0 : 1)); });
  }

  /// is_handed_on: what it gives is, to whatever it stands in.
  void visit(const ExprPtr& e, int depth, bool is_handed_on) {
    if (const auto* n = std::get_if<Read>(&e->node)) {
      read(n->variable, depth);
      if (is_handed_on) uses.handed_on.insert(n->variable);
    }
    const auto* apply = std::get_if<Apply>(&e->node);
    const bool on = !apply || !(only_reads(*e, *apply->op) || (is_view(*apply->op) && !is_handed_on));
    for_each_operand(*e, [&](const ExprPtr& operand) { visit(operand, depth, on); });
  }

  void read(const ir::Variable* variable, int depth) {
    uses.read.insert(variable);
    const auto made = made_.find(variable);
    if (made != made_.end() && made->second < depth) uses.captured.insert(variable);
  }

  std::map<const ir::Variable*, int> made_;  // at which depth of lambdas
};

}  // namespace

bool goes_over_what_is_there(const For& loop) {
  const Expr* e = loop.sequence.get();
  while (const auto* field = e ? std::get_if<FieldOf>(&e->node) : nullptr) e = field->object.get();
  return !e || std::holds_alternative<Read>(e->node);
}

Uses uses_of(const Function& function) {
  Finder finder;
  finder.visit(const_cast<Statements&>(function.body), 0);  // which is looked at only
  return finder.uses;
}

}  // namespace lantern
