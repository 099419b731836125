// Before:  const double x1 = static_cast<double>(error);    After:  const double y = rate * error;
//          const double y = rate * x1;
// A cast to what a number is already, of the same kind: Python's numbers and NumPy's have other errors.
// And:     const int64_t x2 = i - 1;                        After:  x_adj[i - 1] += xs[i - 1] * y_adj;
//          x_adj[x2] += xs[x2] * y_adj;
#include "lantern/copied_numbers.h"

#include <set>

#include "lantern/mentions.h"
#include "lantern/walk.h"

namespace lantern {

using namespace lowered;

namespace {

class CopiedNumbers {
 public:
  explicit CopiedNumbers(Statements& body) : body_(body) { find_changing(body); }

  void run() {
    find(body_);
    if (values_.empty()) return;
    for (auto& statement : body_) substitute(statement, values_);
  }

 private:
  void find_changing(Statements& list) {
    for (auto& statement : list) {
      if (const auto* n = std::get_if<Declare>(&statement.node)) changing_.insert(n->variable);
      if (const auto* n = std::get_if<Assign>(&statement.node)) changing_.insert(n->variables.begin(), n->variables.end());
      if (const auto* n = std::get_if<Restore>(&statement.node)) changing_.insert(n->variable);
      for_each_list(statement, [&](Statements& nested) { find_changing(nested); });
    }
  }

  void find(Statements& list) {
    for (auto& statement : list) {
      for_each_list(statement, [&](Statements& nested) { find(nested); });
      const auto* let = std::get_if<Let>(&statement.node);
      if (!let || let->variables.size() != 1 || !is_one_number(let->variables[0]->type) || !ir::is_made_up(let->variables[0]->name)) continue;
      ir::Variable* copy = let->variables[0];
      const ExprPtr number = copied(let->value);
      if (!number || !is_same(number->type, copy->type) || mentions_of(copy, body_).others) continue;
      lowered::Expr value = *number;
      value.type = copy->type, value.location = let->value->location;
      values_[copy] = std::make_shared<const lowered::Expr>(std::move(value));
    }
  }

  /// Whether nothing tells the two apart: Python's numbers fail where NumPy's wrap, or are infinite.
  static bool is_same(const Type& a, const Type& b) { return resolve(a)->dtype == resolve(b)->dtype && resolve(a)->kind == resolve(b)->kind; }

  /// The variable that an expression is the number of, if that stays as it is, or a place next to it.
  ExprPtr copied(const ExprPtr& e) const {
    if (const auto* read = std::get_if<Read>(&e->node)) {
      const bool stays = read->variable->storage == ir::Storage::local && is_one_number(read->variable->type) && !changing_.contains(read->variable);
      const auto before = values_.find(read->variable);
      if (before != values_.end()) return before->second;
      return stays ? e : nullptr;
    }
    const auto* apply = std::get_if<Apply>(&e->node);
    const std::string_view name = apply ? std::string_view(apply->op->name) : "";
    if (apply && apply->unchecked && (name == "+" || name == "-") && integer_value(apply->operands[1])) {
      const ExprPtr from = copied(apply->operands[0]);
      return from && std::holds_alternative<Read>(from->node) && from == apply->operands[0] ? e : nullptr;
    }
    if (name != "cast" && name != "item" && name != "stop-gradient") return nullptr;
    const ExprPtr& operand = apply->operands[0];
    const bool same = is_one_number(operand->type) && resolve(operand->type)->dtype == resolve(e->type)->dtype;
    return same ? copied(operand) : nullptr;
  }

  Statements& body_;
  std::set<const ir::Variable*> changing_;
  Values values_;
};

}  // namespace

void leave_out_copied_numbers(Statements& body) { CopiedNumbers(body).run(); }

}  // namespace lantern
