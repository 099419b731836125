// Before:  Vector<double> out = a;                       After:  Vector<double> out = copy(a);
//          for (int64_t i = 0; i < n; ++i) {                     for (int64_t i = 0; i < n; ++i) {
//            const auto mark = arena().mark();                     set_item(out, i, f(i));
//            const Vector<double> out_2 =                        }
//                with_item(out, i, f(i));
//            out = keep(mark, out_2);
//          }
// In the language arrays are values: `with-item` gives a new one. Here the variables of a loop are followed that stand for the same elements. Each
// statement leaves some of them up to date; the others are read no more, and what is computed from the elements is no view of them that is read later.
#include "lantern/writes_in_place.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "lantern/assignments.h"
#include "lantern/changed_arrays.h"
#include "lantern/leaving.h"
#include "lantern/mentions.h"
#include "lantern/operators.h"
#include "lantern/walk.h"

namespace lantern {

using namespace lowered;

namespace {

using Variables = std::set<const ir::Variable*>;

Variables both(const Variables& a, const Variables& b) {
  Variables all;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::inserter(all, all.end()));
  return all;
}

/// What the names of one array stand for at some place.
struct Names {
  Variables current;  // of its elements as they are
  Variables views;    // of some of them
  friend bool operator==(const Names&, const Names&) = default;
};

/// The variables that are the array which a loop begins with in one of them, its state.
class Followed {
 public:
  explicit Followed(const ir::Variable* state) : state_(state), met_{state} {}

  /// Whether all that the loop changes of it can be changed where it is.
  bool run(Statement& loop) {
    Names names{{state_}, {}};
    walk(loop, names);
    return succeeds_ && !writes_.empty() && names.current.contains(state_);
  }

  /// Does it: one variable is left.
  void rewrite(Statement& loop) const {
    for_each_expr(loop, [&](ExprPtr& e) { e = substitute(e, values()); });
    for_each_list(loop, [&](Statements& list) { rewrite(list); });
  }

 private:
  Values values() const {
    Values values;
    for (const auto* variable : met_) {
      if (!views_.contains(variable)) values[variable] = reading(const_cast<ir::Variable*>(state_));
    }
    return values;
  }

  void rewrite(Statements& list) const {
    const Values values = this->values();
    for (auto& s : list) {
      if (auto* assign = std::get_if<Assign>(&s.node)) {
        for (const auto& [variable, value] : values) take_out(*assign, variable);
      }
      if (auto* save = std::get_if<Save>(&s.node); save && values.contains(save->variable)) save->variable = const_cast<ir::Variable*>(state_);
      if (auto* let = std::get_if<Let>(&s.node); let && writes_.contains(&s)) {
        Apply write = std::get<Apply>(let->value->node);
        write.op = changing(write);
        ExprPtr changed = substitute(lowered::make(std::move(write), let->value->type, let->value->location), values);
        s.node = Assign{{const_cast<ir::Variable*>(state_)}, {std::move(changed)}};
        continue;
      }
      for_each_expr(s, [&](ExprPtr& e) { e = substitute(e, values); });
      for_each_list(s, [&](Statements& nested) { rewrite(nested); });
    }
    std::erase_if(list, [&](const Statement& s) {
      const auto* let = std::get_if<Let>(&s.node);
      const auto* declare = std::get_if<Declare>(&s.node);
      return (let && let->variables.size() == 1 && values.contains(let->variables[0])) || (declare && values.contains(declare->variable));
    });
    remove_empty(list);
  }

  static const Operator* changing(const Apply& write) {
    std::vector<Type> types;
    for (const auto& operand : write.operands) types.push_back(operand->type);
    return select_operator("set-item", types);
  }

  void fail() { succeeds_ = false; }

  bool is_met(const ExprPtr& e) const {
    const auto* read = std::get_if<Read>(&e->node);
    bool any = read && met_.contains(read->variable);
    for_each_operand(*e, [&](const ExprPtr& operand) { any = any || is_met(operand); });
    return any;
  }

  /// Whether what an expression reads of the array is up to date, and no function of the program's is given it.
  bool is_readable(const ExprPtr& e, const Names& names) const {
    if (!is_met(e)) return true;
    if (const auto* read = std::get_if<Read>(&e->node)) return names.current.contains(read->variable) || names.views.contains(read->variable);
    const auto* apply = std::get_if<Apply>(&e->node);
    if (!apply || apply->op->effect) return false;
    if (is_of_shape(*apply->op) && std::holds_alternative<Read>(apply->operands[0]->node)) return true;  // that of what was there before is the same
    return std::all_of(apply->operands.begin(), apply->operands.end(), [&](const ExprPtr& operand) { return is_readable(operand, names); });
  }

  /// Whether nothing of the array is left in the value of an expression.
  bool is_apart(const ExprPtr& e, const Names& names) const {
    if (!is_met(e)) return true;
    const auto* apply = std::get_if<Apply>(&e->node);
    return apply && is_readable(e, names) && is_numeric(e->type) && (rank(e->type) == 0 || is_of_shape(*apply->op) || makes_elements_of_its_own(*apply->op));
  }

  const ir::Variable* current(const ExprPtr& e, const Names& names) const {
    const ir::Variable* variable = variable_of(e);
    return variable && names.current.contains(variable) ? variable : nullptr;
  }

  bool is_write(const ExprPtr& e, const Names& names) const {
    const auto* apply = std::get_if<Apply>(&e->node);
    return apply && apply->op->name == "with-item" && current(apply->operands[0], names) &&
           std::all_of(apply->operands.begin() + 1, apply->operands.end(), [&](const ExprPtr& operand) { return is_readable(operand, names); });
  }

  void walk(Statements& list, Names& names) {
    for (auto& s : list) {
      if (!succeeds_) return;
      walk(s, names);
    }
  }

  void walk(Statement& s, Names& names) {
    if (auto* let = std::get_if<Let>(&s.node)) return walk(s, *let, names);
    if (auto* declare = std::get_if<Declare>(&s.node)) {
      inner_.insert(declare->variable);
      if (!declare->initial) return;
      if (is_apart(declare->initial, names)) return stay_apart(declare->variable);
      return current(declare->initial, names) ? meet(declare->variable, names.current) : fail();
    }
    if (auto* assign = std::get_if<Assign>(&s.node)) return walk(*assign, names);
    if (auto* branch = std::get_if<If>(&s.node)) {
      if (!is_apart(branch->condition, names)) return fail();
      Names otherwise = names;
      walk(branch->then, names);
      walk(branch->otherwise, otherwise);
      names = {both(names.current, otherwise.current), both(names.views, otherwise.views)};
      return;
    }
    if (auto* loop = std::get_if<While>(&s.node)) return walk(loop->test, &loop->condition, loop->body, names);
    if (auto* loop = std::get_if<For>(&s.node)) {
      const bool apart = std::all_of(loop->range.begin(), loop->range.end(), [&](const ExprPtr& e) { return is_apart(e, names); });
      return apart && !(loop->sequence && is_met(loop->sequence)) ? walk(loop->test, loop->condition ? &loop->condition : nullptr, loop->body, names) : fail();
    }
    if (auto* save = std::get_if<Save>(&s.node)) return met_.contains(save->variable) && !save->outline ? fail() : void();
    if (std::holds_alternative<Raise>(s.node) || std::holds_alternative<Print>(s.node) || std::holds_alternative<Assert>(s.node) || std::holds_alternative<Do>(s.node)) {
      for_each_expr(s, [&](const ExprPtr& e) { return is_met(e) && !(rank(e->type) == 0 && is_readable(e, names)) ? fail() : void(); });
      return;
    }
    for (const auto* variable : met_) {
      if (!mentions_of(variable, s).none()) return fail();
    }
  }

  void walk(Statement& s, Let& let, Names& names) {
    if (let.variables.size() != 1) {
      if (is_met(let.value)) fail();
      return;
    }
    ir::Variable* variable = let.variables[0];
    if (is_write(let.value, names)) {
      writes_.insert(&s);
      names = {};
      return meet(variable, names.current);
    }
    if (is_apart(let.value, names)) return;
    if (current(let.value, names)) return meet(variable, names.current);
    if (!is_numeric(variable->type) || !is_readable(let.value, names)) return fail();
    views_.insert(variable);
    meet(variable, names.views);
  }

  void walk(Assign& assign, Names& names) {
    Names after = names;
    for (std::size_t i = 0; i < assign.variables.size(); ++i) {
      ir::Variable* variable = assign.variables[i];
      const bool own = variable == state_ || inner_.contains(variable);
      if (current(assign.values[i], names)) {
        if (!own) return fail();
        meet(variable, after.current);
      } else {
        if (!is_apart(assign.values[i], names)) return fail();
        stay_apart(variable);
      }
    }
    names = after;
  }

  void walk(Statements& test, const ExprPtr* condition, Statements& body, Names& names) {
    for (Names head = names; succeeds_;) {
      names = head;
      walk(test, names);
      if (condition && !is_apart(*condition, names)) return fail();
      Names end = names;
      walk(body, end);
      const Names again{both(head.current, end.current), both(head.views, end.views)};
      if (again == head) return;
      head = again;
    }
  }

  /// The variable has elements of its own: it never stands for those of the array.
  void stay_apart(const ir::Variable* variable) {
    apart_.insert(variable);
    if (met_.contains(variable)) fail();
  }
  void meet(const ir::Variable* variable, Variables& names) {
    met_.insert(variable);
    if (apart_.contains(variable)) fail();
    names.insert(variable);
  }

  const ir::Variable* state_;
  Variables met_;                         // all that have stood for it, or for some of it
  Variables views_, inner_, apart_;       // what its views are called; what is declared within the loop; what has other elements
  std::set<const Statement*> writes_;
  bool succeeds_ = true;
};

/// Whether the elements that a variable begins with are nobody's but its own.
bool begins_alone(Statements& list, std::size_t declared) {
  const ExprPtr& initial = std::get<Declare>(list[declared].node).initial;
  if (const auto* apply = std::get_if<Apply>(&initial->node)) return makes_elements_of_its_own(*apply->op);
  const ir::Variable* source = variable_of(initial);
  if (!source) return false;
  for (std::size_t i = 0; i < declared; ++i) {
    const auto* let = std::get_if<Let>(&list[i].node);
    if (!let || let->variables.size() != 1 || let->variables[0] != source) continue;
    const auto* apply = std::get_if<Apply>(&let->value->node);
    return apply && makes_elements_of_its_own(*apply->op) && mentions_of(source, list, i + 1, declared).none() && mentions_of(source, list, declared + 1, list.size()).none();
  }
  return false;
}

/// `Vector<double> a = copy(b)`, where b is nobody's else.
void leave_out_copy(Statements& list, std::size_t declared) {
  auto* declare = std::get_if<Declare>(&list[declared].node);
  const auto* apply = declare && declare->initial ? std::get_if<Apply>(&declare->initial->node) : nullptr;
  if (!apply || apply->op->name != "copied") return;
  const ExprPtr copy = declare->initial;
  declare->initial = apply->operands[0];
  if (!begins_alone(list, declared)) declare->initial = copy;
}

/// Whether evaluating an expression takes memory of the arena.
bool takes_memory(const ExprPtr& e) {
  const auto* apply = std::get_if<Apply>(&e->node);
  bool takes = (is_numeric(e->type) ? rank(e->type) > 0 && apply && !apply->op->cheap_view && apply->op->name != "index" : !std::holds_alternative<Read>(e->node)) ||
               std::holds_alternative<DirectCall>(e->node);
  for_each_operand(*e, [&](const ExprPtr& operand) { takes = takes || takes_memory(operand); });
  return takes;
}
bool are_numbers(const Assign& assign) {
  return std::all_of(assign.variables.begin(), assign.variables.end(), [](const ir::Variable* v) { return is_numeric(v->type) && rank(v->type) == 0; });
}
/// Or has it moved to a mark, which may be that of what stands around it.
bool takes_memory(Statement& s) {
  const auto* assign = std::get_if<Assign>(&s.node);
  if (assign && assign->kept && !are_numbers(*assign)) return true;
  if (auto* branch = std::get_if<If>(&s.node)) {
    const auto resets = [](const Statement& each) { return std::holds_alternative<ResetArena>(each.node); };
    if (std::any_of(branch->then.begin(), branch->then.end(), resets) || std::any_of(branch->otherwise.begin(), branch->otherwise.end(), resets)) return true;
  }
  const auto* change = assign && assign->values.size() == 1 ? std::get_if<Apply>(&assign->values[0]->node) : nullptr;
  if (change && change->op->name == "set-item") return std::any_of(change->operands.begin(), change->operands.end(), [](const ExprPtr& operand) { return takes_memory(operand); });
  bool takes = !(std::holds_alternative<Let>(s.node) || std::holds_alternative<Declare>(s.node) || std::holds_alternative<If>(s.node) || std::holds_alternative<While>(s.node) ||
                 std::holds_alternative<Change>(s.node) || std::holds_alternative<For>(s.node) || std::holds_alternative<MarkArena>(s.node) || std::holds_alternative<ResetArena>(s.node) || assign);
  for_each_expr(s, [&](const ExprPtr& e) { takes = takes || takes_memory(e); });
  for_each_list(s, [&](Statements& nested) { takes = takes || std::any_of(nested.begin(), nested.end(), [](Statement& each) { return takes_memory(each); }); });
  return takes;
}

/// `s = keep(mark, x)` of a number is `s = x`, and the mark goes where nothing takes memory.
void reset_behind_numbers(Statement& loop) {
  const bool takes = takes_memory(loop);
  if (auto* n = std::get_if<For>(&loop.node); n && !takes) n->marks = false;
  if (auto* n = std::get_if<While>(&loop.node); n && !takes) n->marks = false;
  for_each_list(loop, [&](Statements& list) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      reset_behind_numbers(list[i]);
      auto* assign = std::get_if<Assign>(&list[i].node);
      if (!assign || !assign->kept || !are_numbers(*assign)) continue;
      assign->kept = false;
      const Location location = list[i++].location;
      list.insert(list.begin() + static_cast<std::ptrdiff_t>(i), Statement{ResetArena{}, location});
    }
    if (!takes) std::erase_if(list, [](const Statement& s) { return std::holds_alternative<MarkArena>(s.node) || std::holds_alternative<ResetArena>(s.node); });
  });
}

bool sets_items(Statement& s) {
  const auto* assign = std::get_if<Assign>(&s.node);
  const auto* change = assign && assign->values.size() == 1 ? std::get_if<Apply>(&assign->values[0]->node) : nullptr;
  bool sets = change && change->op->name == "set-item";
  for_each_list(s, [&](Statements& nested) { sets = sets || std::any_of(nested.begin(), nested.end(), [](Statement& each) { return sets_items(each); }); });
  return sets;
}

void write_in_place(Statements& list, std::size_t at) {
  if (sets_items(list[at])) reset_behind_numbers(list[at]);  // a loop that goes backwards, too
  for (std::size_t d = 0; d < at; ++d) {
    auto* declare = std::get_if<Declare>(&list[d].node);
    if (!declare || !declare->initial || !is(declare->variable->type, TypeKind::tensor) || rank(declare->variable->type) == 0) continue;
    const ir::Variable* state = declare->variable;
    if (mentions_of(state, list[at]).assignments == 0 || !mentions_of(state, list, d + 1, at).none()) continue;
    Followed followed(state);
    if (!followed.run(list[at])) continue;
    if (!begins_alone(list, d)) {
      const Type type = declare->initial->type;
      declare->initial = lowered::make(Apply{select_operator("copied", std::vector<Type>{type}), {declare->initial}}, type, declare->initial->location);
    }
    followed.rewrite(list[at]);
    reset_behind_numbers(list[at]);
  }
}

}  // namespace

void write_in_place(Statements& list) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    leave_out_copy(list, i);
    if (std::holds_alternative<For>(list[i].node) || std::holds_alternative<While>(list[i].node)) write_in_place(list, i);
    for_each_list(list[i], [](Statements& nested) { write_in_place(nested); });
  }
}

}  // namespace lantern
