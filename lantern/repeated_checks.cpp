// Before:  const Vector<double> x = index(sums, i, …);       After:  const Vector<double> x = index(sums, i, …);
//          static_cast<void>(index(sums, i, …));                     set_item(sums, i, x + y, …);
//          set_item(sums, i, x + y, …);
// And:     static_cast<void>(index(rows, i, …));             After:  const List<bool> row = index(rows, i, …);
//          const int64_t s = index(parent, r, …);                    const int64_t s = index(parent, r, …);
//          set_item(rows, i, write(index(rows, i, …), s, true));     set_item(rows, i, write(row, s, true));
// `rows[i][s] = x` reads rows[i] before s, as Python does, and what it becomes is made of it behind that.
#include "lantern/repeated_checks.h"

#include <algorithm>
#include <unordered_set>

#include "lantern/assignments.h"
#include "lantern/conditions.h"
#include "lantern/expression_effects.h"
#include "lantern/mentions.h"
#include "lantern/walk.h"

namespace lantern {

using namespace lowered;

namespace {

/// Whether an expression computes another one in any case.
bool computes(const ExprPtr& e, const ExprPtr& part) {
  if (are_equal(e, part)) return true;
  const auto* apply = std::get_if<Apply>(&e->node);
  const bool is_lazy = apply && (is_condition(e->type) || apply->op->name == "where");
  bool found = false, first = true;
  for_each_operand(*e, [&](const ExprPtr& operand) {
    found = found || ((first || !is_lazy) && computes(operand, part));
    first = false;
  });
  return found;
}

ExprPtr with_read(const ExprPtr& e, const ExprPtr& part, ir::Variable* variable) {
  if (are_equal(e, part)) return reading(variable);
  const auto* apply = std::get_if<Apply>(&e->node);
  if (!apply) return e;
  lowered::Expr copy = *e;
  for (auto& operand : std::get<Apply>(copy.node).operands) operand = with_read(operand, part, variable);
  return std::make_shared<const lowered::Expr>(std::move(copy));
}

void collect_reads(const ExprPtr& e, std::unordered_set<const ir::Variable*>& read) {
  if (const auto* n = std::get_if<Read>(&e->node)) read.insert(n->variable);
  for_each_operand(*e, [&](const ExprPtr& operand) { collect_reads(operand, read); });
}

void collect_uses(Statements& list, std::unordered_set<const ir::Variable*>& uses) {
  for (auto& s : list) {
    for_each_expr(s, [&](const ExprPtr& e) { collect_reads(e, uses); });
    if (const auto* adjoint = std::get_if<DeclareAdjoint>(&s.node)) uses.insert(adjoint->variable);
    for_each_saved(s, [&](const ir::Variable* variable) { uses.insert(variable); });
    for_each_list(s, [&](Statements& nested) { collect_uses(nested, uses); });
  }
}

class Sharing {
 public:
  explicit Sharing(Statements& body) { collect_uses(body, uses_); }

  void visit(Statements& list) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      for_each_list(list[i], [&](Statements& nested) { visit(nested); });
      const auto* let = std::get_if<Let>(&list[i].node);
      if (!let || let->variables.size() != 1 || uses_.contains(let->variables[0]) || !ir::is_made_up(let->variables[0]->name)) continue;
      const ExprPtr value = let->value;
      if (!applied(value, "index") || has_effect(value)) continue;
      if (is_checked_before(list, i, value) || is_checked_next(list, i, value)) list.erase(list.begin() + static_cast<std::ptrdiff_t>(i--));
      else read_once(list, i, value, let->variables[0]);
    }
  }

 private:
  /// Whether a statement leaves what the value reads as it is, and what it has computed where it is.
  static bool keeps(Statement& s, const ExprPtr& value) {
    std::unordered_set<const ir::Variable*> read;
    collect_reads(value, read);
    const bool unchanged = std::all_of(read.begin(), read.end(), [&](const ir::Variable* v) { return v->storage == ir::Storage::local && mentions_of(v, s).unchanged(); });
    const auto* assign = std::get_if<Assign>(&s.node);
    return unchanged && !std::holds_alternative<ResetArena>(s.node) && !(assign && assign->kept);
  }

  static bool reads(Statement& s, const ExprPtr& value) {
    bool found = false;
    if (std::holds_alternative<Let>(s.node) || std::holds_alternative<Assign>(s.node) || std::holds_alternative<Do>(s.node)) {
      for_each_expr(s, [&](const ExprPtr& e) { found = found || computes(e, value); });
    }
    return found;
  }

  static bool is_checked_before(Statements& list, std::size_t i, const ExprPtr& value) {
    while (i-- > 0) {
      if (!keeps(list[i], value)) return false;
      if (reads(list[i], value)) return true;
    }
    return false;
  }

  /// Of an array: `a[i] = x` is next, which has the same check, and x fails by its shape at most.
  static bool is_checked_next(Statements& list, std::size_t i, const ExprPtr& value) {
    const auto* assign = i + 1 < list.size() ? assignment(list[i + 1]) : nullptr;
    const auto* change = assign ? change_in_place(*assign) : nullptr;
    const auto& operands = std::get<Apply>(value->node).operands;
    return change && change->op->name == "set-item" && change->operands.size() == 3 && operands.size() == 2 && are_equal(change->operands[0], operands[0]) &&
           are_equal(change->operands[1], operands[1]) && !failures(change->operands[2]).other;
  }

  void read_once(Statements& list, std::size_t i, const ExprPtr& value, ir::Variable* variable) {
    for (std::size_t next = i + 1; next < list.size(); ++next) {
      if (reads(list[next], value)) {
        for_each_expr(list[next], [&](ExprPtr& e) { e = with_read(e, value, variable); });
        uses_.insert(variable);
        return;
      }
      if (!keeps(list[next], value)) return;
    }
  }

  std::unordered_set<const ir::Variable*> uses_;
};

}  // namespace

void share_checks(Statements& statements) { Sharing(statements).visit(statements); }

}  // namespace lantern
