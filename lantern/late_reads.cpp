//   void g(Vector<double> a, Vector<double> w, Vector<double> w_adj, continuation<double> k) {
//     const double y = sum(a * w);
//     double y_adj = 0;
//     k(y, y_adj);                    // whoever called g goes on here, and may be about to change a
//     // reverse sweep
//     w_adj += y_adj * a;             // late
//   }
// Shapes do not change: what asks for one reads nothing. What may be a formal, a part of one, or hold one, is found for all variables of a function at once.
#include "lantern/late_reads.h"

#include <algorithm>
#include <vector>

#include "lantern/followed.h"
#include "lantern/turn_values.h"
#include "lantern/walk.h"

namespace lantern::lowered {

namespace {

using Formals = std::set<std::size_t>;

/// Whether a value may be, or hold, elements or places.
bool may_hold(const Type& type) { return !is_one_number(type) && !is(type, TypeKind::string); }

/// Whether a continuation is called in it, behind which the reverse sweep comes.
bool continues(Statement& s) {
  bool does = std::holds_alternative<CallThen>(s.node) || std::holds_alternative<Together>(s.node) || std::holds_alternative<Each>(s.node) || std::holds_alternative<Resume>(s.node);
  for_each_list(s, [&](Statements& nested) { does = does || std::ranges::any_of(nested, continues); });
  return does;
}

class InFunction {
 public:
  InFunction(Function& function, const LateReads& known) : function_(function), known_(known) {
    for (std::size_t i = 0; i < function.formals.size(); ++i) {
      if (may_hold(function.formals[i].variable->type)) of_[function.formals[i].variable] = {i};
    }
  }

  Formals run() {
    find_joins(function_.body);
    for (grew_ = true; grew_;) {
      grew_ = false;
      follow(function_.body);
    }
    find_late(function_.body, false);
    return late_;
  }

 private:
  Formals of(const ir::Variable* variable) const {
    const auto found = of_.find(variable);
    return found == of_.end() ? Formals{} : found->second;
  }
  Formals of(const Needs& mentions) const {
    Formals all;
    for (const auto* variable : mentions.values) all.merge(of(variable));
    return all;
  }
  Formals of(const ExprPtr& e) const {
    Needs mentions;
    mentions.add(e);
    return of(mentions);
  }
  void add(const ir::Variable* variable, const Formals& formals) {
    if (!may_hold(variable->type)) return;
    Formals& own = of_[variable];
    const std::size_t before = own.size();
    own.insert(formals.begin(), formals.end());
    grew_ = grew_ || own.size() > before;
  }

  void find_joins(Statements& list) {
    for (auto& s : list) {
      if (auto* join = std::get_if<Join>(&s.node)) joins_[join->name].push_back(join);
      for_each_list(s, [&](Statements& nested) { find_joins(nested); });
    }
  }

  /// What the variables that a statement gives values to may have of the formals: anything of what it reads, or what stands in it.
  void follow(Statements& list) {
    for (auto& s : list) {
      for_each_list(s, [&](Statements& nested) { follow(nested); });
      if (const auto* save = std::get_if<Save>(&s.node)) add_saved(save->saved, of(save->variable));
      if (const auto* restore = std::get_if<Restore>(&s.node)) add(restore->variable, of(restore->saved));
      const auto* let = std::get_if<Let>(&s.node);
      if (let && let->variables.size() == 1 && makes_its_own(let->value) && !has_rows(let->value->type)) continue;
      const std::vector<const ir::Variable*> variables = given_by(s);
      if (variables.empty()) continue;
      Formals all;
      for_each_expr(s, [&](const ExprPtr& e) { all.merge(of(e)); });
      for_each_part(s, [&](Part& part) { all.merge(within(part.statements)); });
      if (all.empty()) continue;
      for (const auto* variable : variables) add(variable, all);
    }
  }
  void add_saved(const ir::Variable* saved, const Formals& formals) {
    const std::size_t before = of_[saved].size();
    of_[saved].insert(formals.begin(), formals.end());
    grew_ = grew_ || of_[saved].size() > before;
  }
  /// The parts whose results a statement takes.
  template <class Visit>
  static void for_each_part(Statement& s, const Visit& visit) {
    if (auto* n = std::get_if<Together>(&s.node)) std::ranges::for_each(n->parts, visit);
    if (auto* n = std::get_if<LetTogether>(&s.node)) std::ranges::for_each(n->parts, visit);
    if (auto* n = std::get_if<Each>(&s.node)) visit(n->each);
    if (auto* n = std::get_if<LetEach>(&s.node)) visit(n->each);
    if (auto* n = std::get_if<EachTurn>(&s.node)) visit(n->each);
  }
  Formals within(Statements& list) const {
    Needs mentions;
    mentions.add(list);
    return of(mentions);
  }
  std::vector<const ir::Variable*> given_by(const Statement& s) const {
    std::vector<const ir::Variable*> all;
    const auto add_all = [&](const auto& variables) { all.insert(all.end(), variables.begin(), variables.end()); };
    const auto add_parameters = [&](const std::vector<Parameter>& parameters) {
      for (const auto& parameter : parameters) all.push_back(parameter.variable);
    };
    if (const auto* n = std::get_if<Let>(&s.node)) add_all(n->variables);
    if (const auto* n = std::get_if<Declare>(&s.node)) all.push_back(n->variable);
    if (const auto* n = std::get_if<Assign>(&s.node)) add_all(n->variables);
    if (const auto* n = std::get_if<Forward>(&s.node)) add_all(n->results);
    if (const auto* n = std::get_if<For>(&s.node)) all.push_back(n->element);
    if (const auto* n = std::get_if<CallThen>(&s.node)) {
      add_parameters(n->parameters);
      add_joined(n->passed, all);
    }
    if (const auto* n = std::get_if<Together>(&s.node)) add_parameters(n->parameters);
    if (const auto* n = std::get_if<Each>(&s.node)) add_parameters(n->parameters);
    if (const auto* n = std::get_if<LetTogether>(&s.node)) add_all(n->variables);
    if (const auto* n = std::get_if<LetEach>(&s.node)) add_all(n->lists);
    if (const auto* n = std::get_if<EachTurn>(&s.node)) add_all(n->results);
    if (const auto* n = std::get_if<Resume>(&s.node)) add_joined(n->target, all);
    return all;
  }
  void add_joined(const std::string& name, std::vector<const ir::Variable*>& all) const {
    const auto found = joins_.find(name);
    if (found == joins_.end()) return;
    for (const auto* join : found->second) {
      for (const auto& parameter : join->parameters) all.push_back(parameter.variable);
    }
  }

  void find_late(Statements& list, bool late) {
    for (auto& s : list) {
      const bool is_call = std::holds_alternative<CallThen>(s.node);
      if (late && !is_call) {
        for_each_expr(s, [&](const ExprPtr& e) { late_.merge(of(e)); });
        for_each_saved(s, [&](const ir::Variable* variable) { late_.merge(of(variable)); });
      }
      if (is_call) find_handed(std::get<CallThen>(s.node), late);
      for_each_list(s, [&](Statements& nested) { find_late(nested, late); });
      late = late || continues(s);
    }
  }
  void find_handed(const CallThen& call, bool late) {
    const auto found = known_.find(call.callee);
    for (std::size_t i = 0; i < call.arguments.size(); ++i) {
      if (late || (found != known_.end() && found->second.contains(i))) late_.merge(of(call.arguments[i].value));
    }
  }

  Function& function_;
  const LateReads& known_;
  std::map<const ir::Variable*, Formals> of_;
  std::map<std::string, std::vector<const Join*>> joins_;
  Formals late_;
  bool grew_ = false;
};

}  // namespace

LateReads late_reads(Program& program) {
  LateReads all;
  for (bool grew = true; grew;) {
    grew = false;
    for (auto& function : program.functions) {
      if (function.form != Form::cps) continue;
      Formals late = InFunction(function, all).run();
      Formals& known = all[function.source];
      grew = grew || late.size() > known.size();
      known = std::move(late);
    }
  }
  return all;
}

}  // namespace lantern::lowered
