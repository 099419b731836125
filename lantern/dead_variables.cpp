// Before:  int64_t place = 0;                  After:  for (const auto& tree : trees) {
//          for (const auto& tree : trees) {              total = total + tree.label;
//            total = total + tree.label;               }
//            place = place + 1;
//          }
// And:     double total = 0.0;                After:  check_divisor(n);
//          for (const double x : xs) {
//            total = total + x;
//          }
//          total / n;
// What a statement reads for any other purpose is alive, and so is what a variable that is alive is computed from.
#include "lantern/dead_variables.h"

#include <algorithm>
#include <functional>
#include <unordered_map>
#include <unordered_set>

#include "lantern/expression_effects.h"
#include "lantern/mentions.h"
#include "lantern/walk.h"

namespace lantern {

using namespace lowered;

namespace {

// A sum of integers can fail by its size alone, which is a bound of ours and not of Python's.
bool is_sum_of_integers(const ExprPtr& e) {
  if (std::holds_alternative<Read>(e->node) || std::holds_alternative<Constant>(e->node)) return true;
  const auto* apply = std::get_if<Apply>(&e->node);
  return apply && (apply->op->name == "+" || apply->op->name == "-") && is_numeric(e->type) && !is_floating(e->type) && rank(e->type) == 0 &&
         std::all_of(apply->operands.begin(), apply->operands.end(), is_sum_of_integers);
}

/// Whether it is a loop that does nothing in any turn, and that nothing can stop.
bool turns_for_nothing(const Statement& statement) {
  const auto* loop = std::get_if<For>(&statement.node);
  if (!loop || !loop->body.empty() || !loop->test.empty() || loop->condition || loop->marks) return false;
  const auto step = loop->range.empty() ? std::nullopt : integer_value(loop->range[2]);
  return loop->range.empty() ? can_be_left_out(loop->sequence) : step && *step != 0 && std::all_of(loop->range.begin(), loop->range.end(), can_be_left_out);
}

class DeadVariables {
 public:
  explicit DeadVariables(Statements& statements) : again_(statements) {
    find(statements);
    for (const auto& [variable, values] : values_) {
      if (!declared_.contains(variable)) live(variable);  // a formal, which the caller reads
    }
    while (!pending_.empty()) {
      const ir::Variable* variable = pending_.back();
      pending_.pop_back();
      for (const auto& value : values_[variable]) live(value);
    }
  }

  /// Whether a branch or a loop went with what it gave, so that its condition may be for nothing now.
  bool remove(Statements& statements) const {
    bool a_branch_went = false;
    for (auto& statement : statements) {
      for_each_list(statement, [&](Statements& nested) { a_branch_went = remove(nested) || a_branch_went; });
      auto* assign = std::get_if<Assign>(&statement.node);
      if (!assign) continue;
      for (std::size_t i = assign->variables.size(); i-- > 0;) {
        if (!is_dead(assign->variables[i])) continue;
        assign->variables.erase(assign->variables.begin() + static_cast<std::ptrdiff_t>(i));
        assign->values.erase(assign->values.begin() + static_cast<std::ptrdiff_t>(i));
      }
      if (assign->variables.empty() && assign->kept) statement.node = ResetArena{};
    }
    remove_unread_again(statements);
    std::erase_if(statements, [&](const Statement& statement) {
      if (const auto* let = std::get_if<Let>(&statement.node)) {
        return std::all_of(let->variables.begin(), let->variables.end(), [&](const ir::Variable* v) { return is_dead(v); });
      }
      if (const auto* declare = std::get_if<Declare>(&statement.node)) return is_dead(declare->variable);
      if (const auto* assign = std::get_if<Assign>(&statement.node)) return assign->variables.empty();
      const auto* branch = std::get_if<If>(&statement.node);
      const bool goes = (branch && branch->then.empty() && branch->otherwise.empty() && can_be_left_out(branch->condition)) || turns_for_nothing(statement);
      a_branch_went = a_branch_went || goes;
      return goes;
    });
    return a_branch_went;
  }

 private:
  void remove_unread_again(Statements& statements) const {
    for (std::size_t i = statements.size(); i-- > 0;) {
      const auto* let = std::get_if<Let>(&statements[i].node);
      if (let && can_be_left_out(let->value) && again_.is_unread(statements, i)) statements.erase(statements.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }

  bool is_dead(const ir::Variable* variable) const { return declared_.contains(variable) && !live_.contains(variable); }

  void live(const ir::Variable* variable) {
    if (live_.insert(variable).second) pending_.push_back(variable);
  }
  void live(const ExprPtr& e) {
    if (const auto* read = std::get_if<Read>(&e->node)) live(read->variable);
    for_each_operand(*e, [&](const ExprPtr& operand) { live(operand); });
  }

  void give(const ir::Variable* variable, const ExprPtr& value) {
    values_[variable].push_back(value);
    if (!can_be_left_out(value)) live(variable);
  }

  void find(Statements& statements) {
    for (auto& statement : statements) {
      for_each_list(statement, [&](Statements& nested) { find(nested); });
      if (auto* let = std::get_if<Let>(&statement.node)) {
        for (const auto* variable : let->variables) {
          declared_.insert(variable);
          give(variable, let->value);
        }
      } else if (auto* declare = std::get_if<Declare>(&statement.node)) {
        declared_.insert(declare->variable);
        if (declare->initial) give(declare->variable, declare->initial);
      } else if (auto* assign = std::get_if<Assign>(&statement.node)) {
        for (std::size_t i = 0; i < assign->variables.size(); ++i) give(assign->variables[i], assign->values[i]);
      } else {
        for_each_expr(statement, [&](const ExprPtr& e) { live(e); });
        const auto* adjoint = std::get_if<DeclareAdjoint>(&statement.node);
        if (adjoint && !(adjoint->value && is_numeric(adjoint->variable->type))) live(adjoint->variable);  // of its shape, and beside it
        for_each_saved(statement, [&](const ir::Variable* variable) { live(variable); });
        if (auto* restore = std::get_if<Restore>(&statement.node)) live(restore->variable);
      }
    }
  }

  std::unordered_set<const ir::Variable*> declared_, live_;
  std::unordered_map<const ir::Variable*, std::vector<ExprPtr>> values_;
  ValuesMadeAnew again_;
  std::vector<const ir::Variable*> pending_;
};

}  // namespace

bool can_be_left_out(const ExprPtr& e) { return !has_effect(e) && (!failures(e).any() || is_sum_of_integers(e)); }

ExprPtr checks_of(const ExprPtr& e) {
  const auto* apply = std::get_if<Apply>(&e->node);
  if (!apply || apply->op->name != "/" || !is_scalar(e->type, DType::f64) || !is_scalar(apply->operands[0]->type, DType::f64) || !can_be_left_out(apply->operands[0])) return e;
  Apply quotient = *apply;
  quotient.operands[0] = lowered::make(Constant{1.0}, quotient.operands[0]->type);
  return lowered::make(std::move(quotient), e->type, e->location);
}

ValuesMadeAnew::ValuesMadeAnew(Statements& statements) { look_at(statements); }

void ValuesMadeAnew::look_at(Statements& statements) {
  const std::function<void(const ExprPtr&)> note = [&](const ExprPtr& e) {
    if (const auto* read = std::get_if<Read>(&e->node)) in_heads_.insert(read->variable);
    for_each_operand(*e, note);
  };
  for (auto& statement : statements) {
    if (const auto* let = std::get_if<Let>(&statement.node); let && let->variables.size() == 1) ++times_[let->variables[0]];
    if (std::holds_alternative<While>(statement.node) || std::holds_alternative<For>(statement.node)) for_each_expr(statement, note);
    for_each_list(statement, [&](Statements& nested) { look_at(nested); });
  }
}

bool ValuesMadeAnew::is_unread(Statements& list, std::size_t at) const {
  const auto* let = std::get_if<Let>(&list[at].node);
  if (!let || let->variables.size() != 1) return false;
  const auto times = times_.find(let->variables[0]);
  if (times == times_.end() || times->second == 1 || in_heads_.contains(let->variables[0])) return false;
  return mentions_of(let->variables[0], list, at + 1, list.size()).none();
}

void remove_dead_variables(Statements& statements) {
  while (DeadVariables(statements).remove(statements)) {}
}

}  // namespace lantern
