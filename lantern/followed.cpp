#include "lantern/followed.h"

#include <algorithm>
#include <iterator>

#include "lantern/assignments.h"
#include "lantern/changed_arrays.h"
#include "lantern/leaving.h"
#include "lantern/operators.h"
#include "lantern/shared_places.h"
#include "lantern/walk.h"

namespace lantern::lowered {

namespace {

bool is_named(const Apply& apply, std::initializer_list<std::string_view> names) { return std::find(names.begin(), names.end(), apply.op->name) != names.end(); }

/// The operation that changes its first operand where that is, instead of giving a new one; empty: none does.
std::string_view in_place(const Apply& apply) {
  static const std::map<std::string_view, std::string_view> names = {{"with-item", "set-item"}, {"with-slice", "set-slice"}, {"write", "write-to"},     {"append", "append-to"},
                                                                     {"pop", "pop-from"},       {"remove", "remove-from"}, {"insert", "insert-into"}, {"with-slot", "put-slot"}};
  const auto found = names.find(apply.op->name);
  return found == names.end() ? std::string_view() : found->second;
}

ExprPtr applied(std::string_view name, std::vector<ExprPtr> operands, const Type& type, const Location& location, bool unchecked = false) {
  std::vector<Type> types;
  for (const auto& operand : operands) types.push_back(operand->type);
  return make(Apply{.op = select_operator(name, types), .operands = std::move(operands), .unchecked = unchecked}, type, location);
}

/// The whole number that an expression is; null if it is another.
const std::int64_t* number_of(const ExprPtr& e) {
  const auto* constant = std::get_if<Constant>(&e->node);
  return constant ? std::get_if<std::int64_t>(&constant->value) : nullptr;
}

/// The operation that a statement gives the result of a name; null: it does something else.
const Apply* operation_of(const Statement& s) {
  const auto* let = std::get_if<Let>(&s.node);
  return let ? std::get_if<Apply>(&let->value->node) : nullptr;
}

/// Whether two places of a list are the same variable, or number.
bool same_place(const ExprPtr& a, const ExprPtr& b) {
  if (const auto* variable = variable_of(a)) return variable == variable_of(b);
  return number_of(a) && number_of(b) && *number_of(a) == *number_of(b);
}

}  // namespace

bool has_places(const Type& type) { return is(type, TypeKind::list) || (is_numeric(type) && rank(type) > 0); }
bool has_rows(const Type& type) { return is(type, TypeKind::list) && has_places(resolve(type)->elements[0]); }

bool makes_its_own(const ExprPtr& e) {
  const auto* apply = std::get_if<Apply>(&e->node);
  if (!apply) return false;
  if (is(e->type, TypeKind::list)) return makes_places_of_its_own(*apply->op);
  return makes_elements_of_its_own(*apply->op);
}

namespace {

/// Whether an operation reads the element that another one takes out of the same list.
bool reads_what_is_taken(const Apply& read, const Apply& taken) {
  if (read.op->name != "index" || !variable_of(read.operands[0]) || variable_of(read.operands[0]) != variable_of(taken.operands[0])) return false;
  if (taken.op->name == "remove") return same_place(taken.operands[1], read.operands[1]);
  const auto* last = number_of(read.operands[1]);
  return taken.op->name == "pop" && last && *last == -1;
}

/// Where that is, behind the statement that takes it; the list's size: nowhere. A list of tuples is several lists: they get shorter one behind the
/// other, and then the elements are read.
std::size_t read_of_what_is_taken(const Statements& list, std::size_t shorter) {
  const Apply* taken = operation_of(list[shorter]);
  if (!taken || !is_named(*taken, {"pop", "remove"})) return list.size();
  for (std::size_t i = shorter + 1; i < list.size(); ++i) {
    const Apply* next = operation_of(list[i]);
    if (!next || !is_named(*next, {"pop", "remove", "index"})) return list.size();
    if (std::get<Let>(list[i].node).variables.size() == 1 && reads_what_is_taken(*next, *taken)) return i;
  }
  return list.size();
}

}  // namespace

void take_elements_first(Statements& list) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::size_t at = read_of_what_is_taken(list, i);
    if (at == list.size()) continue;
    const auto begin = list.begin(), element = begin + static_cast<std::ptrdiff_t>(at);
    auto& read = std::get<Let>(element->node);
    if (mentions_of(read.variables[0], list, at + 1, list.size()).none()) {
      list.erase(element);
      continue;
    }
    const auto& shorter = std::get<Let>(list[i].node);
    read.value = applied("popped", std::get<Apply>(shorter.value->node).operands, read.value->type, shorter.value->location);
    std::rotate(begin + static_cast<std::ptrdiff_t>(i), element, element + 1);
    ++i;
  }
  for (auto& s : list) for_each_list(s, take_elements_first);
}

Followed::Followed(const ir::Variable* state, const Calls& calls, Depth depth) : state_(state), calls_(calls), is_list_(is(state->type, TypeKind::list)), rows_too_(depth == Depth::rows), met_{state} {}

bool Followed::run(Statement& loop) {
  Names names{{state_}, {}};
  if (auto* repeated = std::get_if<While>(&loop.node)) walk(repeated->test, &repeated->condition, repeated->body, names);
  else walk_for(std::get<For>(loop.node), names);
  return succeeds_ && names.current.contains(state_);
}

bool Followed::pays() const {
  return changes_items() || std::any_of(changes_.begin(), changes_.end(), [](const Statement* s) { return !operation_of(*s); });
}

bool Followed::changes_items() const {
  const auto costs = [](const Apply& change) { return change.op->name != "append"; };
  if (rows_too_) return std::any_of(stores_.begin(), stores_.end(), [&](const auto& store) { return costs(store.second.change); });
  return std::any_of(changes_.begin(), changes_.end(), [&](const Statement* s) { return operation_of(*s) && costs(*operation_of(*s)); });
}

bool Followed::saves_names(Statement& loop) const {
  return std::any_of(changes_.begin(), changes_.end(), [&](const Statement* s) {
    const auto* let = std::get_if<Let>(&s->node);
    return let && let->variables.size() == 1 && mentions_of(let->variables[0], loop).reads > 1;
  });
}

void Followed::rewrite(Statement& loop) const {
  for_each_expr(loop, [&](ExprPtr& e) { e = substitute(e, values()); });
  for_each_list(loop, [&](Statements& list) { rewrite(list); });
}

Values Followed::values() const {
  Values values;
  for (const auto* variable : met_) {
    if (!views_.contains(variable)) values[variable] = reading(const_cast<ir::Variable*>(state_));
  }
  return values;
}

/// The operands of a change, which go into rows that are changed where they are.
std::vector<ExprPtr> Followed::put_in(const Apply& change) const {
  std::vector<ExprPtr> operands = change.operands;
  for (std::size_t i = 1; rows_too_ && !change.op->by_parts && i < operands.size(); ++i) {
    if (has_places(operands[i]->type)) operands[i] = applied(has_rows(operands[i]->type) ? "deep-copied" : "copied", {operands[i]}, operands[i]->type, operands[i]->location);
  }
  return operands;
}

/// What a store becomes: the row is changed, or what the change makes of it is put in its place.
ExprPtr Followed::stored(const Apply& store, const Type& type, const Location& location, const ChangedRow& changed) const {
  if (changed.inner) return stored(changed.change, changed.row->type, changed.location, *changed.inner);
  const Type row = changed.row->type;
  if (is_named(changed.change, {"write", "with-item"})) return applied(in_place(changed.change), put_in(changed.change), row, changed.location, changed.change.unchecked);
  Apply change = changed.change;
  change.operands = put_in(change);
  if (is_named(change, {"with-slot"})) change.op = operators_named("with-slot-there")[0];
  return applied("write-to", {store.operands[0], store.operands[1], make(std::move(change), row, changed.location)}, type, location, store.unchecked);
}

void Followed::rewrite(Statements& list) const {
  const Values values = this->values();
  for (auto& s : list) {
    if (auto* assign = std::get_if<Assign>(&s.node)) {
      for (const auto& [variable, value] : values) take_out(*assign, variable);
    }
    if (auto* save = std::get_if<Save>(&s.node); save && values.contains(save->variable)) save->variable = const_cast<ir::Variable*>(state_);
    if (auto* let = std::get_if<Let>(&s.node); let && changes_.contains(&s) && operation_of(s)) {
      const auto store = stores_.find(&s);
      const Apply& change = std::get<Apply>(let->value->node);
      const ExprPtr changed = store == stores_.end() ? applied(in_place(change), put_in(change), let->value->type, let->value->location, change.unchecked)
                                                     : stored(change, let->value->type, let->value->location, store->second);
      s.node = Assign{{const_cast<ir::Variable*>(state_)}, {substitute(changed, values)}};
      continue;
    }
    auto *let = std::get_if<Let>(&s.node);
    auto* call = std::get_if<CallThen>(&s.node);
    const auto name_state = [&](ir::Variable*& variable) { variable = values.contains(variable) ? const_cast<ir::Variable*>(state_) : variable; };
    if (let && changes_.contains(&s)) std::for_each(let->variables.begin(), let->variables.end(), name_state);
    for (std::size_t i = 0; call && i < call->parameters.size(); ++i) name_state(call->parameters[i].variable);
    if (auto* join = std::get_if<Join>(&s.node)) std::erase_if(join->parameters, [&](const Parameter& parameter) { return values.contains(parameter.variable); });
    if (auto* resume = std::get_if<Resume>(&s.node); resume && joins_.contains(resume->target)) {
      const std::size_t place = joins_.at(resume->target).place;
      if (place < resume->arguments.size()) resume->arguments.erase(resume->arguments.begin() + static_cast<std::ptrdiff_t>(place));
    }
    for_each_expr(s, [&](ExprPtr& e) { e = substitute(e, values); });
    for_each_list(s, [&](Statements& nested) { rewrite(nested); });
  }
  std::erase_if(list, [&](const Statement& s) {
    const auto* let = std::get_if<Let>(&s.node);
    const auto* declare = std::get_if<Declare>(&s.node);
    return (let && let->variables.size() == 1 && !std::holds_alternative<DirectCall>(let->value->node) && (values.contains(let->variables[0]) || changed_rows_.contains(let->variables[0]))) ||
           (declare && values.contains(declare->variable));
  });
  remove_empty(list);
}

bool Followed::is_met(const ExprPtr& e) const {
  const auto* read = std::get_if<Read>(&e->node);
  bool any = read && (met_.contains(read->variable) || changed_rows_.contains(read->variable));
  for_each_operand(*e, [&](const ExprPtr& operand) { any = any || is_met(operand); });
  return any;
}

/// Whether what an expression reads of the state is up to date, and no function of the program's is given it that could give it back.
bool Followed::is_readable(const ExprPtr& e, const Names& names) const {
  if (!is_met(e)) return true;
  const auto are_readable = [&](const std::vector<ExprPtr>& operands) {
    return std::all_of(operands.begin(), operands.end(), [&](const ExprPtr& operand) { return is_readable(operand, names); });
  };
  if (const auto* read = std::get_if<Read>(&e->node)) return names.current.contains(read->variable) || names.views.contains(read->variable);
  if (const auto* call = std::get_if<DirectCall>(&e->node)) return !gives_back(*call->callee, call->operands) && are_readable(call->operands);
  const auto* apply = std::get_if<Apply>(&e->node);
  if (!apply || apply->op->effect) return false;
  if (!is_list_ && is_of_shape(*apply->op) && std::holds_alternative<Read>(apply->operands[0]->node)) return true;  // that of what was there before is the same
  return are_readable(apply->operands);
}

/// Whether nothing of the state's that changes is left in the value of an expression.
bool Followed::is_apart(const ExprPtr& e, const Names& names) const {
  if (!is_met(e)) return true;
  if (!is_readable(e, names)) return false;
  const auto* apply = std::get_if<Apply>(&e->node);
  if (!apply) return std::holds_alternative<DirectCall>(e->node);
  if (!is_list_) return is_numeric(e->type) && (rank(e->type) == 0 || is_of_shape(*apply->op) || makes_its_own(e));
  if (apply->op->by_parts) return !is_met(apply->operands[0]) || is_one_number(e->type);  // keys are looked at
  if (!in_place(*apply).empty()) return false;
  if (rows_too_) return !has_places(e->type) || (makes_its_own(e) && !has_rows(e->type));
  return apply->op->name == "index" || !is(e->type, TypeKind::list) || makes_its_own(e);
}

const ir::Variable* Followed::current(const ExprPtr& e, const Names& names) const {
  const ir::Variable* variable = variable_of(e);
  return variable && names.current.contains(variable) ? variable : nullptr;
}

/// The row that an expression is, as it was read.
const ir::Variable* Followed::view(const ExprPtr& e, const Names& names) const {
  const ir::Variable* variable = variable_of(e);
  return variable && names.views.contains(variable) && rows_.contains(variable) ? variable : nullptr;
}

/// Whether an expression changes what that variable stands for. What it puts in is copied, if rows are changed where they are.
bool Followed::is_change(const ExprPtr& e, const ir::Variable* changed, const Names& names) const {
  const auto* apply = std::get_if<Apply>(&e->node);
  return apply && changed && !in_place(*apply).empty() && variable_of(apply->operands[0]) == changed &&
         std::all_of(apply->operands.begin() + 1, apply->operands.end(), [&](const ExprPtr& operand) { return is_readable(operand, names); });
}

/// The changed row that a statement stores where it was read, in the state or in another row; null: it is another statement.
const Followed::ChangedRow* Followed::is_store(Statements& list, std::size_t at, const Names& names) const {
  const auto& let = std::get<Let>(list[at].node);
  const auto* apply = std::get_if<Apply>(&let.value->node);
  if (!apply || apply->op->name != "write") return nullptr;
  const auto changed = changed_rows_.find(variable_of(apply->operands[2]));
  const ir::Variable* whole = variable_of(apply->operands[0]);
  if (changed == changed_rows_.end() || !whole || !is_readable(apply->operands[1], names)) return nullptr;
  const Row& row = rows_.at(changed->second.row);
  const bool is_of_whole = row.of ? row.of == whole : changed->second.current.contains(whole);
  if (!is_of_whole || row.list != &list || row.at >= at || !same_place(row.place, apply->operands[1])) return nullptr;
  const ir::Variable* place = variable_of(row.place);
  return !place || mentions_of(place, list, row.at, at).unchanged() ? &changed->second : nullptr;
}

void Followed::walk(Statements& list, Names& names) {
  for (std::size_t i = 0; i < list.size() && succeeds_; ++i) walk(list, i, names);
}

void Followed::walk(Statements& list, std::size_t at, Names& names) {
  Statement& s = list[at];
  if (std::holds_alternative<Let>(s.node)) return walk_let(list, at, names);
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
    names = both(names, otherwise);
    return;
  }
  if (result_) {
    if (const auto* returned = std::get_if<Return>(&s.node)) return walk(*returned, names);
    if (auto* join = std::get_if<Join>(&s.node)) return void(joins_[join->name].join = join);
    if (const auto* resume = std::get_if<Resume>(&s.node)) return walk(*resume, names);
  }
  if (std::holds_alternative<CallThen>(s.node)) return walk_call(s, names);
  if (auto* loop = std::get_if<While>(&s.node)) return walk(loop->test, &loop->condition, loop->body, names);
  if (auto* loop = std::get_if<For>(&s.node)) return walk_for(*loop, names);
  if (auto* save = std::get_if<Save>(&s.node)) return met_.contains(save->variable) && !save->outline ? fail() : void();
  if (std::holds_alternative<Raise>(s.node) || std::holds_alternative<Print>(s.node) || std::holds_alternative<Assert>(s.node) || std::holds_alternative<Do>(s.node)) {
    for_each_expr(s, [&](const ExprPtr& e) { return is_met(e) && !(is_one_number(e->type) && is_readable(e, names)) ? fail() : void(); });
    return;
  }
  for (const auto* variable : met_) {
    if (!mentions_of(variable, s).none()) return fail();
  }
}

void Followed::walk_let(Statements& list, std::size_t at, Names& names) {
  auto& let = std::get<Let>(list[at].node);
  if (const auto* call = std::get_if<DirectCall>(&let.value->node)) {
    if (const auto result = result_changed(*call->callee, Form::direct, call->operands, names)) return change(list[at], let.variables[*result], names);
  }
  if (let.variables.size() != 1) return is_apart(let.value, names) ? void() : fail();
  ir::Variable* variable = let.variables[0];
  const auto* apply = std::get_if<Apply>(&let.value->node);
  const ExprPtr first = apply && !apply->operands.empty() ? apply->operands[0] : nullptr;
  if (first && is_change(let.value, current(first, names), names)) return change(list[at], variable, names);
  if (const ChangedRow* changed = first && rows_too_ ? is_store(list, at, names) : nullptr) {
    if (const ir::Variable* around = rows_.at(changed->row).of) {
      changed_rows_.insert_or_assign(variable, ChangedRow{around, *apply, let.value->location, changed->current, std::make_shared<const ChangedRow>(*changed)});
      return;
    }
    stores_.insert_or_assign(&list[at], *changed);
    return change(list[at], variable, names);
  }
  if (is_apart(let.value, names)) return;
  if (current(let.value, names)) return meet(variable, names.current);
  if (const ir::Variable* row = first && rows_too_ ? view(first, names) : nullptr; row && is_change(let.value, row, names)) {
    changed_rows_.insert_or_assign(variable, ChangedRow{row, *apply, let.value->location, names.current});
    names = {};
    return;
  }
  if (!is_readable(let.value, names) || (is_list_ ? !rows_too_ : !is_numeric(variable->type))) return fail();
  const bool is_row = apply && apply->op->name == "index" && (current(first, names) || view(first, names));
  if (is_row) rows_.insert_or_assign(variable, Row{apply->operands[1], &list, at, view(first, names)});
  views_.insert(variable);
  meet(variable, names.views);
}

/// The result alone is up to date.
void Followed::change(const Statement& s, const ir::Variable* result, Names& names) {
  changes_.insert(&s);
  ++changed_;
  names = {};
  meet(result, names.current);
}

void Followed::walk_for(For& loop, Names& names) {
  const bool apart = std::all_of(loop.range.begin(), loop.range.end(), [&](const ExprPtr& e) { return is_apart(e, names); });
  const bool goes_along = loop.sequence && is_met(loop.sequence);
  if (!apart || (goes_along && !(is_list_ && is_readable(loop.sequence, names) && !(rows_too_ && has_places(loop.element->type))))) return fail();
  const std::size_t changed = changed_;
  walk(loop.test, loop.condition ? &loop.condition : nullptr, loop.body, names);
  if (goes_along && changed_ != changed) fail();
}

void Followed::walk(Assign& assign, Names& names) {
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

void Followed::walk(Statements& test, const ExprPtr* condition, Statements& body, Names& names) {
  for (Names head = names; succeeds_;) {
    names = head;
    walk(test, names);
    if (condition && !is_apart(*condition, names)) return fail();
    Names end = names;
    walk(body, end);
    const Names again = both(head, end);
    if (again == head) return;
    head = again;
  }
}

/// The variable has elements of its own: it never stands for those of the state.
void Followed::stay_apart(const ir::Variable* variable) {
  apart_.insert(variable);
  if (met_.contains(variable)) fail();
}

void Followed::meet(const ir::Variable* variable, Variables& names) {
  met_.insert(variable);
  if (apart_.contains(variable)) fail();
  names.insert(variable);
}

}  // namespace lantern::lowered
