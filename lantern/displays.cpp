// Before:  x0 = empty                After:  x2 = append(append(empty, 1), 2)
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

constexpr std::size_t most_elements = 4000;  // of a list, so that none is written that C++ compilers have trouble with

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
    std::erase_if(list, [&](const Statement& statement) {
      const auto* let = std::get_if<Let>(&statement.node);
      return let && let->variables.size() == 1 && written_.contains(let->variables[0]);
    });
  }

 private:
  struct Display { ExprPtr value; std::size_t length; };

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

  /// What an operand is a display of, that is read here alone and has no name of the user's; null: it is none.
  const Display* read_here(const ExprPtr& e) const {
    const auto* read = std::get_if<Read>(&e->node);
    const auto found = read ? displays_.find(read->variable) : displays_.end();
    return found != displays_.end() && ir::is_made_up(read->variable->name) && reads_.at(read->variable) == 1 ? &found->second : nullptr;
  }

  void join(Let& let) {
    const auto* apply = std::get_if<Apply>(&let.value->node);
    if (!apply || (apply->op->name != "empty" && apply->op->name != "append")) return;
    Display display{let.value, 1};
    if (apply->op->name == "append") {
      const ExprPtr &front = apply->operands[0], &last = apply->operands[1];
      const Display *of_front = read_here(front), *of_last = read_here(last);
      if (!of_front || !(of_last || std::holds_alternative<Constant>(last->node))) return;
      display.length = of_front->length + (of_last ? of_last->length : 1);
      if (display.length > most_elements) return;
      Expr joined = *let.value;
      auto& operands = std::get<Apply>(joined.node).operands;
      written_.insert(std::get<Read>(front->node).variable);
      if (of_last) written_.insert(std::get<Read>(last->node).variable);
      operands = {of_front->value, of_last ? of_last->value : last};
      let.value = display.value = std::make_shared<const Expr>(std::move(joined));
    }
    displays_.emplace(let.variables[0], std::move(display));
  }

  /// An array of constants, or of such arrays, or one as another dtype.
  void join_numbers(Let& let) {
    const auto* apply = std::get_if<Apply>(&let.value->node);
    if (!apply || (apply->op->name != "stack" && apply->op->name != "cast")) return;
    const auto is_constant = [](const ExprPtr& e) { return std::holds_alternative<Constant>(e->node); };
    if (!std::all_of(apply->operands.begin(), apply->operands.end(), is_constant)) {
      Expr joined = *let.value;
      for (ExprPtr& operand : std::get<Apply>(joined.node).operands) {
        const Display* display = read_here(operand);
        if (!display || !is_array_of_numbers(display->value)) return;
        operand = display->value;
      }
      for (const ExprPtr& operand : apply->operands) written_.insert(std::get<Read>(operand->node).variable);
      let.value = std::make_shared<const Expr>(std::move(joined));
    }
    if (is_array_of_numbers(let.value)) displays_.emplace(let.variables[0], Display{let.value, 0});
  }

  std::unordered_map<const ir::Variable*, int> reads_;
  std::unordered_map<const ir::Variable*, Display> displays_;
  std::unordered_set<const ir::Variable*> written_;
};

}  // namespace

void join_displays(Statements& body) { Displays(body).join(body); }

}  // namespace lantern
