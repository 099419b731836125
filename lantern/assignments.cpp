#include "lantern/assignments.h"

#include <algorithm>
#include <functional>

#include "lantern/mentions.h"
#include "lantern/operators.h"
#include "lantern/walk.h"

namespace lantern::lowered {

ir::Variable* variable_of(const ExprPtr& e) {
  const auto* read = std::get_if<Read>(&e->node);
  return read && read->variable->storage == ir::Storage::local ? read->variable : nullptr;
}

const Apply* change_in_place(const Assign& assign) {
  const auto* apply = assign.values.size() == 1 ? std::get_if<Apply>(&assign.values[0]->node) : nullptr;
  return apply && apply->op->in_place ? apply : nullptr;
}

bool is_atom(const ExprPtr& e) { return std::holds_alternative<Constant>(e->node) || variable_of(e); }
bool are_atoms(const Assign& assign) { return std::all_of(assign.values.begin(), assign.values.end(), is_atom); }

Assign* assignment(Statement& s) {
  auto* assign = std::get_if<Assign>(&s.node);
  return assign && !assign->kept ? assign : nullptr;
}

ExprPtr value_for(const Assign& assign, const ir::Variable* variable) {
  const auto found = std::find(assign.variables.begin(), assign.variables.end(), variable);
  return found == assign.variables.end() ? nullptr : assign.values[static_cast<std::size_t>(found - assign.variables.begin())];
}

void take_out(Assign& assign, std::size_t i) {
  assign.variables.erase(assign.variables.begin() + static_cast<std::ptrdiff_t>(i));
  assign.values.erase(assign.values.begin() + static_cast<std::ptrdiff_t>(i));
}

void take_out(Assign& assign, const ir::Variable* variable) {
  for (std::size_t i = assign.variables.size(); i-- > 0;) {
    if (assign.variables[i] == variable) take_out(assign, i);
  }
}

void rename(Statement& statement, const ir::Variable* variable, ir::Variable* other) {
  substitute(statement, {{variable, lowered::reading(other)}});
  const std::function<void(Statement&)> assign = [&](Statement& s) {
    if (auto* n = std::get_if<Assign>(&s.node)) std::replace(n->variables.begin(), n->variables.end(), const_cast<ir::Variable*>(variable), other);
    for_each_list(s, [&](Statements& nested) { std::for_each(nested.begin(), nested.end(), assign); });
  };
  assign(statement);
}

std::optional<std::size_t> declaration_of(const ir::Variable* variable, const Statements& list, std::size_t end) {
  for (std::size_t i = 0; i < end; ++i) {
    const auto* declare = std::get_if<Declare>(&list[i].node);
    if (declare && declare->variable == variable) return i;
  }
  return std::nullopt;
}

}  // namespace lantern::lowered
