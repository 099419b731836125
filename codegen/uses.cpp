#include "codegen/uses.h"

#include <algorithm>
#include <map>
#include <vector>

#include "lantern/changed_arrays.h"
#include "lantern/walk.h"

namespace lantern {

using namespace lowered;

namespace {

/// Numbers and strings are values, of which nobody can change a part.
bool has_parts(const Type& type) { return !is_one_number(type) && !is(type, TypeKind::string); }

/// Whether an operation looks at its operands and leaves nothing of them in its result.
bool only_reads(const Expr& e, const Operator& op) {
  const bool changes = op.effect || op.in_place || op.accumulate_only || op.name == "extern";
  return !changes && (!has_parts(e.type) || makes_elements_of_its_own(op) || is_of_shape(op));
}
bool is_view(const Operator& op) { return op.cheap_view || op.name == "index" || op.name == "transpose"; }

/// The variable whose elements, or some of them, or what is in one, an expression is; null: it is something else.
const ir::Variable* part_of(const ExprPtr& e) {
  if (const auto* read = std::get_if<Read>(&e->node)) return read->variable;
  const auto* apply = std::get_if<Apply>(&e->node);
  return apply && is_view(*apply->op) ? part_of(apply->operands[0]) : nullptr;
}

/// Whether its nested statements are blocks of the same function, not lambdas.
bool has_blocks(const Statement& s) {
  return std::holds_alternative<If>(s.node) || std::holds_alternative<While>(s.node) || std::holds_alternative<For>(s.node) || std::holds_alternative<Backwards>(s.node);
}

/// What a statement calls with its first expressions; null: nothing.
const ir::Function* callee_of(const Statement& s) {
  if (const auto* n = std::get_if<Forward>(&s.node)) return n->callee;
  if (const auto* n = std::get_if<Reverse>(&s.node)) return n->callee;
  if (const auto* n = std::get_if<CallThen>(&s.node)) return n->callee;
  const auto* n = std::get_if<Gradient>(&s.node);
  return n ? n->callee : nullptr;
}

class Finder {
 public:
  explicit Finder(const std::set<const ir::Variable*>& handed_on_formals) : handed_on_formals_(handed_on_formals) {}

  Uses uses;

  void visit(Statements& list, int depth) {
    for (auto& statement : list) visit(statement, depth);
  }

  /// What is handed on by another name.
  void hand_on_wholes() {
    for (std::vector<const ir::Variable*> parts(uses.handed_on.begin(), uses.handed_on.end()); !parts.empty();) {
      const auto whole = wholes_.find(parts.back());
      parts.pop_back();
      if (whole != wholes_.end() && uses.handed_on.insert(whole->second).second) parts.push_back(whole->second);
    }
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
    const auto* let = std::get_if<Let>(&s.node);
    const ir::Variable* part = let && let->variables.size() == 1 ? let->variables[0] : loop && loop->sequence ? loop->element : nullptr;
    const ExprPtr* whole = !part ? nullptr : let ? &let->value : &loop->sequence;
    if (whole && part_of(*whole) && has_parts(part->type)) wholes_.emplace(part, part_of(*whole));
    const ir::Function* callee = callee_of(s);
    std::size_t place = 0;
    for_each_expr(s, [&](const ExprPtr& e) { visit(e, depth, whole && &e == whole ? !part_of(e) : hands_on(callee, place++)); });
    if (const auto* n = std::get_if<DeclareAdjoint>(&s.node); n && !n->value) read(n->variable, depth);  // zeros of its shape
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
    const auto* call = std::get_if<DirectCall>(&e->node);
    const bool on = !apply || !(only_reads(*e, *apply->op) || (is_view(*apply->op) && !is_handed_on));
    std::size_t place = 0;
    for_each_operand(*e, [&](const ExprPtr& operand) { visit(operand, depth, call ? hands_on(call->callee, place++) : on); });
  }

  /// Whether a callee hands on what it is given at that place; with no callee, somebody does.
  bool hands_on(const ir::Function* callee, std::size_t place) const {
    return !callee || place >= callee->formals.size() || handed_on_formals_.contains(callee->formals[place]);
  }

  void read(const ir::Variable* variable, int depth) {
    uses.read.insert(variable);
    const auto made = made_.find(variable);
    if (made != made_.end() && made->second < depth) uses.captured.insert(variable);
  }

  const std::set<const ir::Variable*>& handed_on_formals_;
  std::map<const ir::Variable*, int> made_;  // at which depth of lambdas
  std::map<const ir::Variable*, const ir::Variable*> wholes_;  // of what is a part of another variable
};

}  // namespace

bool goes_over_what_is_there(const For& loop) {
  const Expr* e = loop.sequence.get();
  while (const auto* field = e ? std::get_if<FieldOf>(&e->node) : nullptr) e = field->object.get();
  return !e || std::holds_alternative<Read>(e->node);
}

std::map<const Function*, Uses> uses_of(const Program& program) {
  std::map<const Function*, Uses> all;
  std::set<const ir::Variable*> handed_on_formals;
  for (bool is_known = false; !is_known;) {
    is_known = true;
    for (const Function& function : program.functions) {
      Finder finder(handed_on_formals);
      finder.visit(const_cast<Statements&>(function.body), 0);  // which is looked at only
      finder.hand_on_wholes();
      for (const Parameter& formal : function.formals) {
        if (finder.uses.handed_on.contains(formal.variable) && handed_on_formals.insert(formal.variable).second) is_known = false;
      }
      all[&function] = std::move(finder.uses);
    }
  }
  return all;
}

}  // namespace lantern
