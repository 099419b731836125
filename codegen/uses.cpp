#include "codegen/uses.h"

#include <algorithm>
#include <map>

#include "lantern/walk.h"

namespace lantern {

using namespace lowered;

namespace {

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
    for_each_expr(s, [&](const ExprPtr& e) { visit(e, depth); });
    if (const auto* n = std::get_if<DeclareAdjoint>(&s.node)) read(n->variable, depth);  // zeros of its shape
    for_each_saved(s, [&](const ir::Variable* variable) { read(variable, depth); });
    for_each_list(s, [&](Statements& nested) { visit(nested, depth + (has_blocks(s) ? 0 : 1)); });
  }

  void visit(const ExprPtr& e, int depth) {
    if (const auto* n = std::get_if<Read>(&e->node)) read(n->variable, depth);
    for_each_operand(*e, [&](const ExprPtr& operand) { visit(operand, depth); });
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
