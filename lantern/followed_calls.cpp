// The state of a function, a formal, through calls, returns and joins; and what calls do with the state of a loop.
#include <algorithm>
#include <iterator>

#include "lantern/followed.h"

namespace lantern::lowered {

bool Followed::run(Statements& body, std::size_t result) {
  Names names{{state_}, {}};
  result_ = result;
  walk(body, names);
  return succeeds_;
}

/// Whether something of the state's may be left in a call's results.
bool Followed::gives_back(const ir::Function& callee, const std::vector<ExprPtr>& operands) const {
  const auto found = calls_.shared.find(&callee);
  const bool of_rows = rows_too_ && std::ranges::any_of(operands, [&](const ExprPtr& operand) { return has_rows(operand->type) && is_met(operand); });
  if (found == calls_.shared.end() || of_rows) return !std::all_of(callee.results.begin(), callee.results.end(), is_one_number);
  return std::any_of(found->second.begin(), found->second.end(), [&](const auto& shared) { return is_met(operands[shared.first]); });
}

/// The result of a call that is the state, which the call changes where it is.
std::optional<std::size_t> Followed::result_changed(const ir::Function& callee, Form form, const std::vector<ExprPtr>& operands, const Names& names) const {
  const auto found = calls_.changed.find({&callee, form});
  if (found == calls_.changed.end()) return {};
  for (const auto& [i, changed] : found->second) {
    if (!current(operands[i], names)) continue;
    if (changed.depth != (rows_too_ ? Depth::rows : Depth::elements)) return {};
    for (std::size_t other = 0; other < operands.size(); ++other) {
      if (other != i && !is_apart(operands[other], names)) return {};
    }
    return changed.result;
  }
  return {};
}

/// One of a function's results is the state as it is now, and nothing of it is in the others.
void Followed::walk(const Return& returned, Names& names) {
  for (std::size_t i = 0; i < returned.values.size(); ++i) {
    if (i == *result_ ? !current(returned.values[i], names) : !is_apart(returned.values[i], names)) return fail();
  }
  if (*result_ >= returned.values.size()) fail();  // a call gives them all
  names = {{}, {}, true};
}

/// Whether the reverse sweep of a call reads what of the state it is given, as it is now.
bool Followed::is_read_late(const CallThen& call) const {
  const auto found = calls_.late.find(call.callee);
  return found != calls_.late.end() && std::ranges::any_of(found->second, [&](std::size_t i) { return is_met(call.arguments[i].value); });
}

/// The body of the continuation goes on from here. Behind it comes the reverse sweep, which knows nothing of the state.
void Followed::walk_call(Statement& s, Names& names) {
  auto& call = std::get<CallThen>(s.node);
  std::vector<ExprPtr> operands;
  for (const auto& argument : call.arguments) {
    operands.push_back(argument.value);
    if (argument.adjoint && met_.contains(argument.adjoint)) return fail();
  }
  if (const auto result = result_changed(*call.callee, Form::cps, operands, names)) {
    if (!call.passed.empty()) return fail();
    change(s, call.parameters[*result].variable, names);
  } else {
    const bool apart = std::all_of(operands.begin(), operands.end(), [&](const ExprPtr& operand) { return is_readable(operand, names); });
    if (!apart || gives_back(*call.callee, operands) || is_read_late(call)) return fail();
  }
  const auto passed = joins_.find(call.passed);
  if (passed != joins_.end()) {
    for (const auto& parameter : passed->second.join->parameters) stay_apart(parameter.variable);
    enter(passed->second, names);
  } else if (!call.passed.empty()) {
    fail();  // its results are the function's
  }
  walk(call.body, names);
  names = {};
}

/// Names that are what they are on both ways.
Followed::Names Followed::both(const Names& a, const Names& b) {
  if (a.left || b.left) return a.left ? b : a;
  const auto in_both = [](const Variables& one, const Variables& other) {
    Variables all;
    std::set_intersection(one.begin(), one.end(), other.begin(), other.end(), std::inserter(all, all.end()));
    return all;
  };
  return {in_both(a.current, b.current), in_both(a.views, b.views)};
}

/// The body of a join goes on from here, too.
void Followed::enter(Joined& joined, Names names) {
  if (joined.begins) names = both(*joined.begins, names);
  if (joined.begins == names || !succeeds_) return;
  joined.begins = names;
  walk(joined.join->body, names);
}

/// What a function's own continuation is given is as what a function returns; what a join is given may be the state each time.
void Followed::walk(const Resume& resume, Names& names) {
  const auto known = joins_.find(resume.target);
  Names entry = names;
  for (std::size_t i = 0; i < resume.arguments.size(); ++i) {
    const auto& [value, adjoint, as] = resume.arguments[i];
    if (adjoint && met_.contains(adjoint)) return fail();
    const bool is_state = current(value, names);
    if (!is_state && !is_apart(value, names)) return fail();
    if (known == joins_.end()) {
      if (is_state != (i == *result_)) return fail();
    } else if (!is_state) {
      stay_apart(known->second.join->parameters[i].variable);
    } else {
      if (known->second.place != nowhere && known->second.place != i) return fail();
      known->second.place = i;
      meet(known->second.join->parameters[i].variable, entry.current);
    }
  }
  names = {};
  if (known != joins_.end()) enter(known->second, entry);
}

}  // namespace lantern::lowered
