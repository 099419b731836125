// Before:  x0 = empty                After:  x2 = list(1, 2)
//          x1 = append(x0, 1)
//          x2 = append(x1, 2)
//
//          x0 = stack(1.5, 2)        After:  x3 = cast(stack(stack(1.5, 2), stack(3, 4)))
//          x1 = stack(3, 4)
//          x2 = stack(x0, x1)
//          x3 = cast(x2)
#include "lantern/displays.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "lantern/walk.h"

namespace lantern {

using namespace lowered;

namespace {

class Displays {
 public:
  explicit Displays(Statements& body) { count(body); }

  void join(Statements& list) {
    for (auto& statement : list) {
      for_each_list(statement, [&](Statements& nested) { join(nested); });
      auto* let = std::get_if<Let>(&statement.node);
      if (let && let->variables.size() == 1 && is(let->value->type, TypeKind::list)) join(*let);
      if (let && let->variables.size() == 1 && rank(let->value->type) > 0) join_numbers(*let);
    }
    for (auto& statement : list) {
      if (auto* let = std::get_if<Let>(&statement.node)) write(*let);
    }
    std::erase_if(list, [&](const Statement& statement) {
      const auto* let = std::get_if<Let>(&statement.node);
      return let && let->variables.size() == 1 && written_.contains(let->variables[0]);
    });
  }

 private:
  struct List { ExprPtr made_by; std::vector<ExprPtr> elements; };

  void count(Statements& list) {
    for (auto& statement : list) {
      for_each_expr(statement, [&](const ExprPtr& e) { count(e); });
      for_each_saved(statement, [&](const ir::Variable* variable) { reads_[variable] += 2; });
      for_each_list(statement, [&](Statements& nested) { count(nested); });
    }
  }
  void count(const ExprPtr& e) {
    if (const auto* read = std::get_if<Read>(&e->node)) ++reads_[read->variable];
    for_each_operand(*e, [&](const ExprPtr& operand) { count(operand); });
  }

  /// The variable that an operand reads, if it is read here alone and has no name of the user's.
  const ir::Variable* read_here(const ExprPtr& e) const {
    const auto* read = std::get_if<Read>(&e->node);
    return read && ir::is_made_up(read->variable->name) && reads_.at(read->variable) == 1 ? read->variable : nullptr;
  }

  void join(const Let& let) {
    const auto* apply = std::get_if<Apply>(&let.value->node);
    if (apply && apply->op->name == "empty") lists_.emplace(let.variables[0], List{let.value, {}});
    if (!apply || apply->op->name != "append") return;
    const ExprPtr& last = apply->operands[1];
    const auto front = lists_.find(read_here(apply->operands[0])), of_last = lists_.find(read_here(last));
    if (front == lists_.end() || (of_last == lists_.end() && !std::holds_alternative<Constant>(last->node))) return;
    List list{let.value, std::move(front->second.elements)};
    list.elements.push_back(of_last == lists_.end() ? last : value_of(of_last->second));
    written_.insert(front->first);
    if (of_last != lists_.end()) written_.insert(of_last->first);
    lists_.emplace(let.variables[0], std::move(list));
  }

  static ExprPtr value_of(const List& list) {
    static const Operator* const op = operators_named("list")[0];
    return list.elements.empty() ? list.made_by : make(Apply{op, list.elements, {}}, list.made_by->type, list.made_by->location);
  }
  /// A list that is in no other one.
  void write(Let& let) {
    const auto list = let.variables.size() == 1 && !written_.contains(let.variables[0]) ? lists_.find(let.variables[0]) : lists_.end();
    if (list != lists_.end()) let.value = value_of(list->second);
  }

  /// An array of constants, or of such arrays, or one as another dtype.
  void join_numbers(Let& let) {
    const auto* apply = std::get_if<Apply>(&let.value->node);
    if (!apply || (apply->op->name != "stack" && apply->op->name != "cast")) return;
    const auto is_constant = [](const ExprPtr& e) { return std::holds_alternative<Constant>(e->node); };
    if (!std::all_of(apply->operands.begin(), apply->operands.end(), is_constant)) {
      Expr joined = *let.value;
      for (ExprPtr& operand : std::get<Apply>(joined.node).operands) {
        const auto array = arrays_.find(read_here(operand));
        if (array == arrays_.end()) return;
        operand = array->second;
      }
      for (const ExprPtr& operand : apply->operands) written_.insert(std::get<Read>(operand->node).variable);
      let.value = std::make_shared<const Expr>(std::move(joined));
    }
    if (is_array_of_numbers(let.value)) arrays_.emplace(let.variables[0], let.value);
  }

  std::unordered_map<const ir::Variable*, int> reads_;
  std::unordered_map<const ir::Variable*, List> lists_;
  std::unordered_map<const ir::Variable*, ExprPtr> arrays_;
  std::unordered_set<const ir::Variable*> written_;
};

}  // namespace

void join_displays(Statements& body) { Displays(body).join(body); }

}  // namespace lantern
