// Before:  std::tuple<int64_t, List<bool>> visit(        After:  int64_t visit(List<List<int64_t>> g, int64_t i,
//              List<List<int64_t>> g, int64_t i,                               List<bool>& seen) {
//              List<bool> seen) {                                if (index(seen, i)) return 0;
//            if (index(seen, i)) return {0, seen};               set_item(seen, i, true);
//            List<bool> seen_1 = write(seen, i, true);           int64_t n = 1;
//            int64_t n = 1;                                      for (const int64_t j : index(g, i)) {
//            for (const int64_t j : index(g, i)) {                 const int64_t x = visit(g, j, seen);
//              const auto [x, seen_2] = visit(g, j, seen_1);       n = n + x;
//              n = n + x;                                        }
//              seen_1 = seen_2;                                  return n;
//            }                                                 }
//            return {n, seen_1};
//          }
// Which formals are changed is assumed of all, and taken back where a function does something else with its own (followed.h), until nothing
// is taken back.
#include "lantern/calls_in_place.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <set>

#include "lantern/assignments.h"
#include "lantern/followed.h"
#include "lantern/walk.h"
#include "support/diagnostic.h"

namespace lantern::lowered {

namespace {

const DirectCall* call_of(const ExprPtr& e) { return std::get_if<DirectCall>(&e->node); }

void for_each_statement(Statements& list, const std::function<void(Statements&, std::size_t)>& visit) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    visit(list, i);
    for_each_list(list[i], [&](Statements& nested) { for_each_statement(nested, visit); });
  }
}

using Key = std::pair<const ir::Function*, Form>;

Key key_of(const Function& function) { return {function.source, function.form}; }

/// What somebody calls otherwise.
std::set<Key> called_otherwise(Program& program) {
  std::set<Key> called;
  for (const auto& exported : program.source->exports) called.emplace(exported.function, Form::direct);
  for (const Form form : {Form::direct, Form::cps}) called.emplace(program.source->differentiable_entry, form);
  const std::function<void(const ExprPtr&)> visit = [&](const ExprPtr& e) {
    if (const auto* call = call_of(e)) called.emplace(call->callee, Form::direct);
    for_each_operand(*e, visit);
  };
  for (auto& function : program.functions) {
    for_each_statement(function.body, [&](Statements& list, std::size_t at) {
      for (const Form form : {Form::direct, Form::cps}) {
        if (const auto* gradient = std::get_if<Gradient>(&list[at].node)) called.emplace(gradient->callee, form);
      }
      const bool takes_results = std::holds_alternative<Let>(list[at].node) || std::holds_alternative<Return>(list[at].node);
      for_each_expr(list[at], [&](const ExprPtr& e) {
        if (takes_results && call_of(e)) for_each_operand(*e, visit);
        else visit(e);
      });
    });
  }
  return called;
}

/// What may be so: each formal without an adjoint that one result alone can be.
void assume_changed(Program& program, Calls& calls) {
  const auto others = called_otherwise(program);
  for (const auto& function : program.functions) {
    if ((function.form != Form::direct && function.form != Form::cps) || others.contains(key_of(function))) continue;
    const auto& shared = calls.shared.at(function.source);
    for (std::size_t i = 0; i < function.formals.size(); ++i) {
      const auto& [formal, active, changed] = function.formals[i];
      const auto is_of_formal = [&](const auto& pair) { return pair.first == i; };
      if (active || !has_places(formal->type) || std::ranges::count_if(shared, is_of_formal) != 1) continue;
      const std::size_t j = std::ranges::find_if(shared, is_of_formal)->second;
      const bool carries = function.form == Form::cps && function.active_results[j];
      if (!carries && same_type(formal->type, function.returned[j])) calls.changed[key_of(function)][i] = {j, has_rows(formal->type) ? Depth::rows : Depth::elements};
    }
  }
}

/// As long as calls are rewritten `return f(x);` is `const auto [a, b] = f(x); return {a, b};`, and a continuation that is handed on as it
/// is a new one.
void name_results(Program& program, Statements& list, const Calls& calls) {
  const auto variable = [&](const Type& type) { return program.source->add_variable({.name = "x%", .type = type}); };
  for_each_statement(list, [&](Statements& nested, std::size_t at) {
    auto* then = std::get_if<CallThen>(&nested[at].node);
    if (then && !then->passed.empty() && calls.changed.contains({then->callee, Form::cps})) {
      const auto& active = program.activity.active_results.at(then->callee);
      Resume resume{std::exchange(then->passed, {}), {}};
      for (std::size_t j = 0; j < then->callee->results.size(); ++j) {
        ir::Variable* result = variable(then->callee->results[j]);
        then->parameters.push_back({result, active[j]});
        resume.arguments.push_back({reading(result), active[j] ? result : nullptr});
      }
      then->body.push_back({std::move(resume)});
    }
    auto* returned = std::get_if<Return>(&nested[at].node);
    const auto* call = returned && returned->values.size() == 1 ? call_of(returned->values[0]) : nullptr;
    if (!call || !calls.changed.contains({call->callee, Form::direct})) return;
    Let let{{}, returned->values[0]};
    returned->values.clear();
    for (const auto& type : call->callee->results) {
      let.variables.push_back(variable(type));
      returned->values.push_back(reading(let.variables.back()));
    }
    nested.insert(nested.begin() + static_cast<std::ptrdiff_t>(at), Statement{std::move(let), nested[at].location});
  });
}

/// And the other way round.
void return_results(Statements& list) {
  for (auto& s : list) {
    for_each_list(s, return_results);
    auto* call = std::get_if<CallThen>(&s.node);
    const auto* resume = call && call->body.size() == 1 ? std::get_if<Resume>(&call->body[0].node) : nullptr;
    if (!resume || !hands_on(*call, resume->target)) continue;
    call->passed = std::string(resume->target);
    call->parameters.clear();
    call->body.clear();
  }
  auto* let = list.size() < 2 ? nullptr : std::get_if<Let>(&list[list.size() - 2].node);
  auto* returned = list.empty() ? nullptr : std::get_if<Return>(&list.back().node);
  if (!let || !returned || !call_of(let->value) || let->variables.size() != returned->values.size()) return;
  for (std::size_t i = 0; i < let->variables.size(); ++i) {
    if (let->variables[i]->name != "x%" || variable_of(returned->values[i]) != let->variables[i]) return;
  }
  list.back() = Statement{Return{{ExprPtr(let->value)}}, list[list.size() - 2].location};
  list.erase(list.end() - 2);
}

/// The functions that change a formal themselves, other than by appending, which costs nothing; taken back: what cannot be so.
std::set<Key> check_changed(Program& program, Calls& calls) {
  std::set<Key> changing;
  for (bool fails = true; fails;) {
    fails = false;
    changing.clear();
    for (auto& function : program.functions) {
      const auto found = calls.changed.find(key_of(function));
      if (found == calls.changed.end()) continue;
      const auto assumed = found->second;
      for (const auto& [i, changed] : assumed) {
        Followed followed(function.formals[i].variable, calls, changed.depth);
        if (followed.run(function.body, changed.result)) {
          if (followed.changes_items()) changing.insert(key_of(function));
          continue;
        }
        fails = true;
        if (changed.depth == Depth::rows) found->second.at(i).depth = Depth::elements;
        else found->second.erase(i);
      }
      if (found->second.empty()) calls.changed.erase(found);
    }
  }
  return changing;
}

/// Leaves those that change a list together: a function, what it calls, and what calls it.
void leave_changing(Program& program, Calls& calls, std::set<Key> changing) {
  for (bool more = true; more;) {
    more = false;
    for (auto& function : program.functions) {
      const Key key = key_of(function);
      if (!calls.changed.contains(key)) continue;
      for_each_statement(function.body, [&](Statements& list, std::size_t at) {
        const auto callee = called_by(list[at]);
        if (!callee || !calls.changed.contains(*callee) || changing.contains(*callee) == changing.contains(key)) return;
        changing.insert({*callee, key});
        more = true;
      });
    }
  }
  std::erase_if(calls.changed, [&](const auto& of) { return !changing.contains(of.first); });
}

/// `all`, without what stands where those results stood.
void leave_out(auto& all, const std::map<std::size_t, Changed>& changed) {
  std::set<std::size_t> results;
  for (const auto& [i, each] : changed) results.insert(each.result);
  for (auto j = results.rbegin(); j != results.rend(); ++j) all.erase(all.begin() + static_cast<std::ptrdiff_t>(*j));
}

void leave_out_results(Statement& s, const std::map<std::size_t, Changed>& changed) {
  std::vector<std::size_t> changes;
  for (const auto& [i, each] : changed) changes.push_back(i);
  if (auto* call = std::get_if<CallThen>(&s.node)) {
    leave_out(call->parameters, changed);
    call->changes = changes;
    return;
  }
  auto& let = std::get<Let>(s.node);
  DirectCall call = *call_of(let.value);
  call.changes = changes;
  std::vector<Type> types = call.callee->results;
  leave_out(types, changed);
  leave_out(let.variables, changed);
  const ExprPtr value = make(std::move(call), types.empty() ? tuple_of({}) : types[0], let.value->location);
  if (types.empty()) s.node = Do{value};
  else let.value = value;
}

}  // namespace

std::optional<std::pair<const ir::Function*, Form>> called_by(const Statement& s) {
  const auto* let = std::get_if<Let>(&s.node);
  if (const auto* call = let ? call_of(let->value) : nullptr) return Key(call->callee, Form::direct);
  if (const auto* call = std::get_if<CallThen>(&s.node)) return Key(call->callee, Form::cps);
  return {};
}

Calls change_formals(Program& program) {
  Calls calls{shared_places(*program.source)};
  assume_changed(program, calls);
  if (calls.changed.empty()) return calls;
  calls.late = late_reads(program);
  for (auto& function : program.functions) {
    name_results(program, function.body, calls);
    if (calls.changed.contains(key_of(function))) take_elements_first(function.body);
  }
  leave_changing(program, calls, check_changed(program, calls));
  for (auto& function : program.functions) {
    const auto found = calls.changed.find(key_of(function));
    if (found == calls.changed.end()) continue;
    for (const auto& [i, changed] : found->second) {
      Followed followed(function.formals[i].variable, calls, changed.depth);
      if (!followed.run(function.body, changed.result)) bug("write-in-place", "a formal is not changed in its place");
      followed.rewrite(function.body);
      function.formals[i].changed = true;
    }
  }
  return calls;
}

void leave_out_changed(Program& program, const Calls& calls) {
  if (calls.changed.empty()) return;
  for (auto& function : program.functions) {
    const auto own = calls.changed.find(key_of(function));
    const bool changes = own != calls.changed.end();
    if (changes) leave_out(function.returned, own->second);
    if (changes && function.form == Form::cps) leave_out(function.active_results, own->second);
    for_each_statement(function.body, [&](Statements& list, std::size_t at) {
      auto* returned = std::get_if<Return>(&list[at].node);
      auto* resume = std::get_if<Resume>(&list[at].node);
      if (returned && changes && function.form == Form::direct) leave_out(returned->values, own->second);
      if (resume && changes && resume->target == "k") leave_out(resume->arguments, own->second);
      const auto callee = called_by(list[at]);
      const auto found = callee ? calls.changed.find(*callee) : calls.changed.end();
      if (found != calls.changed.end()) leave_out_results(list[at], found->second);
    });
    return_results(function.body);
  }
}

}  // namespace lantern::lowered
