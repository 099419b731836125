#include "lantern/flags.h"

#include "lantern/assignments.h"
#include "lantern/conditions.h"
#include "lantern/walk.h"

namespace lantern {

using namespace lowered;

Flag flag_of(const ExprPtr& e) {
  if (ir::Variable* variable = variable_of(e)) return {variable, false};
  const auto* apply = applied(e, "not");
  if (!apply || !is_condition(apply->operands[0]->type)) return {};
  Flag inner = flag_of(apply->operands[0]);
  inner.negated = !inner.negated;
  return inner;
}

Flag Flags::constant(const ExprPtr& e) const {
  Flag flag = flag_of(e);
  while (flag.variable) {
    const auto value = values_.find(flag.variable);
    if (value == values_.end()) break;
    const Flag inner = flag_of(value->second);
    if (!inner.variable || may_change(inner.variable)) break;
    flag = {inner.variable, flag.negated != inner.negated};
  }
  return flag.variable && !may_change(flag.variable) ? flag : Flag{};
}

void Flags::survey(Statements& list) {
  for (auto& s : list) {
    if (const auto* let = std::get_if<Let>(&s.node); let && let->variables.size() == 1) values_[let->variables[0]] = let->value;
    if (const auto* declare = std::get_if<Declare>(&s.node)) declared_.insert(declare->variable);
    for_each_list(s, [&](Statements& nested) { survey(nested); });
  }
}

}  // namespace lantern
