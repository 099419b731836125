// t_adj = y_adj * x     what is added first declares an adjoint,
// x_adj += y_adj * t    one that is there is added to.
#include "lantern/reverse_sweep.h"

#include <algorithm>

#include "lantern/walk.h"

namespace lantern {

using namespace lowered;

namespace {

/// Whether a statement changes an adjoint that the value reads.
bool changes_adjoint_in(Statement& statement, const ExprPtr& value) {
  const auto* add = std::get_if<Accumulate>(&statement.node);
  const auto* clear = std::get_if<ClearItem>(&statement.node);
  const auto* assign = std::get_if<AssignAdjoints>(&statement.node);
  bool does = (add && reads_adjoint(value, add->variable)) || (clear && reads_adjoint(value, clear->variable)) ||
              (assign && std::any_of(assign->variables.begin(), assign->variables.end(), [&](const ir::Variable* v) { return reads_adjoint(value, v); }));
  for_each_list(statement, [&](Statements& nested) { does = does || std::any_of(nested.begin(), nested.end(), [&](Statement& s) { return changes_adjoint_in(s, value); }); });
  return does;
}

bool restores(Statement& statement) {
  bool does = std::holds_alternative<Backwards>(statement.node);
  for_each_list(statement, [&](Statements& nested) { does = does || std::any_of(nested.begin(), nested.end(), restores); });
  return does;
}

}  // namespace

bool touches_part_only(const ExprPtr& value) {
  const auto* apply = std::get_if<Apply>(&value->node);
  return apply && apply->op->accumulate_only;
}

void ReverseSweep::add(ir::Variable* variable, ExprPtr value, const Location& location) {
  const auto first = first_.find(variable);
  if (is_declared(variable) || first != first_.end()) {
    if (first != first_.end()) std::get<DeclareAdjoint>(statements[first->second].node).constant = false;
    if (!local_.contains(variable) && variable->storage == ir::Storage::local) added_outside.insert(variable);
    statements.push_back({Accumulate{variable, std::move(value)}, location});
    return;
  }
  const bool partial = touches_part_only(value);
  first_[variable] = statements.size();
  statements.push_back({DeclareAdjoint{variable, partial ? zeros(variable) : value, !partial}, location});
  if (partial) statements.push_back({Accumulate{variable, std::move(value)}, location});
}

void ReverseSweep::add_to_field(ir::Variable* structure, ExprPtr value, const std::string& field, const Location& location) {
  statements.push_back({Accumulate{structure, std::move(value), field}, location});
}

void ReverseSweep::require(ir::Variable* variable) {
  const auto first = first_.find(variable);
  if (first != first_.end()) {
    std::get<DeclareAdjoint>(statements[first->second].node).constant = false;
  } else if (!local_.contains(variable)) {
    added_outside.insert(variable);
  } else if (!declared_.contains(variable)) {
    first_[variable] = statements.size();
    statements.push_back({DeclareAdjoint{variable, zeros(variable), false}});
  }
}

ExprPtr ReverseSweep::zeros(const ir::Variable* variable) const {
  const auto found = zeros_.find(variable);
  return found == zeros_.end() ? nullptr : found->second;
}

ExprPtr ReverseSweep::take_out(const ir::Variable* variable) {
  const auto found = first_.find(variable);
  if (found == first_.end()) return nullptr;
  const std::size_t at = found->second;
  const auto& declared = std::get<DeclareAdjoint>(statements[at].node);
  if (!declared.constant) return nullptr;
  // A loop that runs backwards restores states, which the value may read.
  const bool restored = std::any_of(statements.begin() + static_cast<std::ptrdiff_t>(at), statements.end(), restores);
  if (restored) return nullptr;
  ExprPtr value = declared.value;
  const bool reads_what_changes = std::any_of(statements.begin() + static_cast<std::ptrdiff_t>(at) + 1, statements.end(), [&](Statement& s) { return changes_adjoint_in(s, value); });
  if (reads_what_changes) return nullptr;
  statements.erase(statements.begin() + static_cast<std::ptrdiff_t>(at));
  first_.erase(found);
  for (auto& [other, place] : first_) place -= place > at;
  return value;
}

ExprPtr ReverseSweep::take_out_number(const ir::Variable* variable) {
  const auto found = first_.find(variable);
  const auto* declared = found == first_.end() ? nullptr : &std::get<DeclareAdjoint>(statements[found->second].node);
  return declared && declared->value && std::holds_alternative<Constant>(declared->value->node) ? take_out(variable) : nullptr;
}

}  // namespace lantern
