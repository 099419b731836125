// Before:  double best_1{};                    After:  if (roots >= best) {
//          if (roots >= best) {                          best = roots;
//            best_1 = roots;                           }
//          } else {
//            best_1 = best;
//          }
//          best = best_1;
// And:     double sum_1 = sum;                 After:  for (const double x : row) {
//          for (const double x : row) {                  sum = sum + x;
//            sum_1 = sum_1 + x;                        }
//          }
//          sum = sum_1;
// And:     double y_2{};                       After:  double y{};
//          if (x < 0.0) {                              if (x < 0.0) {
//            const double y = -x;                        y = -x;
//            y_2 = y;                                  } else {
//          } else {                                      y = x;
//            const double y_1 = x;                     }
//            y_2 = y_1;
//          }
// And:     const double best = f(x);           After:  double best = f(x);
//          double best_1 = best;
#include "lantern/coalesced_variables.h"

#include <algorithm>
#include <map>
#include <optional>

#include "lantern/operators.h"
#include "lantern/walk.h"

namespace lantern {

using namespace lowered;

namespace {

/// How often statements read and assign a variable, and whether they do anything else with it.
struct Mentions {
  int reads = 0, assignments = 0;
  bool others = false;

  bool none() const { return reads == 0 && assignments == 0 && !others; }
};

void count(const ExprPtr& e, const ir::Variable* variable, Mentions& mentions) {
  if (const auto* read = std::get_if<Read>(&e->node)) mentions.reads += read->variable == variable;
  if (const auto* adjoint = std::get_if<AdjointOf>(&e->node)) mentions.others = mentions.others || adjoint->variable == variable;
  for_each_operand(*e, [&](const ExprPtr& operand) { count(operand, variable, mentions); });
}

void count(Statement& statement, const ir::Variable* variable, Mentions& mentions) {
  for_each_expr(statement, [&](const ExprPtr& e) { count(e, variable, mentions); });
  const auto other = [&](const ir::Variable* named) { mentions.others = mentions.others || named == variable; };
  if (const auto* n = std::get_if<Assign>(&statement.node)) mentions.assignments += static_cast<int>(std::count(n->variables.begin(), n->variables.end(), variable));
  if (const auto* n = std::get_if<DeclareAdjoint>(&statement.node)) other(n->variable);
  if (const auto* n = std::get_if<Save>(&statement.node)) other(n->variable);
  if (const auto* n = std::get_if<Restore>(&statement.node)) other(n->variable);
  if (const auto* n = std::get_if<Gradient>(&statement.node)) {
    for (const auto& argument : n->arguments) other(argument.adjoint);
  }
  for_each_list(statement, [&](Statements& nested) {
    for (auto& each : nested) count(each, variable, mentions);
  });
}

Mentions mentions_of(const ir::Variable* variable, Statements& list, std::size_t begin, std::size_t end) {
  Mentions mentions;
  for (std::size_t i = begin; i < end; ++i) count(list[i], variable, mentions);
  return mentions;
}

ExprPtr renamed(const ExprPtr& e, const ir::Variable* variable, ir::Variable* other) {
  if (const auto* read = std::get_if<Read>(&e->node)) {
    if (read->variable != variable) return e;
    Expr copy = *e;
    copy.node = Read{other};
    return std::make_shared<const Expr>(std::move(copy));
  }
  Expr copy = *e;
  bool changed = false;
  const auto rename = [&](ExprPtr& operand) {
    ExprPtr after = renamed(operand, variable, other);
    changed = changed || after != operand;
    operand = std::move(after);
  };
  if (auto* n = std::get_if<Apply>(&copy.node)) std::for_each(n->operands.begin(), n->operands.end(), rename);
  if (auto* n = std::get_if<FieldOf>(&copy.node)) rename(n->object);
  if (auto* n = std::get_if<NoneTest>(&copy.node)) rename(n->object);
  if (auto* n = std::get_if<Construct>(&copy.node)) std::for_each(n->fields.begin(), n->fields.end(), rename);
  if (auto* n = std::get_if<DirectCall>(&copy.node)) std::for_each(n->operands.begin(), n->operands.end(), rename);
  return changed ? std::make_shared<const Expr>(std::move(copy)) : e;
}

void rename(Statement& statement, const ir::Variable* variable, ir::Variable* other) {
  for_each_expr(statement, [&](ExprPtr& e) { e = renamed(e, variable, other); });
  if (auto* assign = std::get_if<Assign>(&statement.node)) std::replace(assign->variables.begin(), assign->variables.end(), const_cast<ir::Variable*>(variable), other);
  for_each_list(statement, [&](Statements& nested) {
    for (auto& each : nested) rename(each, variable, other);
  });
}

void take_out(Assign& assign, std::size_t i) {
  assign.variables.erase(assign.variables.begin() + static_cast<std::ptrdiff_t>(i));
  assign.values.erase(assign.values.begin() + static_cast<std::ptrdiff_t>(i));
}

/// One list of statements.
class Coalescing {
 public:
  explicit Coalescing(Statements& list) : list_(list) {}

  void run() {
    for (std::size_t at = 0; at < list_.size(); ++at) {
      auto* assign = std::get_if<Assign>(&list_[at].node);
      if (!assign) continue;
      for (std::size_t i = assign->variables.size(); i-- > 0;) {
        if (coalesce(at, *assign, i)) take_out(*assign, i);
      }
      for (std::size_t i = assign->variables.size(); i-- > 0;) {
        const auto* same = std::get_if<Read>(&assign->values[i]->node);
        if (!assign->kept && same && same->variable == assign->variables[i]) take_out(*assign, i);
      }
    }
    for (std::size_t at = 0; at < list_.size(); ++at) {
      if (std::holds_alternative<Declare>(list_[at].node)) give_name_of_source(at);
    }
    std::erase_if(list_, [&](const Statement& statement) {
      const auto* assign = std::get_if<Assign>(&statement.node);
      const auto* declare = std::get_if<Declare>(&statement.node);
      return (assign && assign->variables.empty() && !assign->kept) || (declare && std::count(gone_.begin(), gone_.end(), declare->variable) > 0);
    });
  }

 private:
  /// Whether what is assigned at `at`, a variable to another, has become the other.
  bool coalesce(std::size_t at, const Assign& assign, std::size_t i) {
    ir::Variable* target = assign.variables[i];
    const auto* read = std::get_if<Read>(&assign.values[i]->node);
    if (assign.kept || !read || read->variable == target || target->storage != ir::Storage::local || !same_type(read->variable->type, target->type)) return false;
    ir::Variable* variable = read->variable;
    const auto declared = declaration_of(variable, at);
    if (!declared) return false;
    const auto& initial = std::get<Declare>(list_[*declared].node).initial;
    const auto* begins_with = initial ? std::get_if<Read>(&initial->node) : nullptr;
    if (initial && !(begins_with && begins_with->variable == target)) return false;
    // The other values of the assignment are read before it; with the target gone from it, behind.
    for (std::size_t j = 0; j < assign.values.size(); ++j) {
      Mentions of_target, of_variable;
      count(assign.values[j], target, of_target);
      count(assign.values[j], variable, of_variable);
      if (!of_target.none() || (j != i && !of_variable.none())) return false;
    }
    if (!mentions_of(variable, list_, at + 1, list_.size()).none() || mentions_of(variable, list_, *declared + 1, at).others) return false;
    std::size_t begin = *declared + 1;
    if (!initial) {  // until a branch gives it its value, the target has that of before
      const auto branch = only_branch(variable, begin, at);
      if (!branch) return false;
      begin = *branch;
      if (!mentions_of(target, list_, begin + 1, at).none()) return false;
      for (Statements* way : ways(list_[begin])) {
        if (way->empty()) continue;
        if (mentions_of(target, *way, 0, way->size()).assignments > 0 || mentions_of(target, *way, 0, way->size()).others) return false;
        if (mentions_of(variable, *way, 0, way->size() - 1).assignments > 0) return false;
      }
      Mentions of_variable;
      count(list_[begin], variable, of_variable);
      if (of_variable.reads > 0) return false;
    } else if (!mentions_of(target, list_, begin, at).none()) {
      return false;
    }
    for (std::size_t k = begin; k < at; ++k) rename(list_[k], variable, target);
    gone_.push_back(variable);
    return true;
  }

  /// A declared variable under the name of what it is made from, which was there for that.
  void give_name_of_source(std::size_t at) {
    const auto& declare = std::get<Declare>(list_[at].node);
    ir::Variable* variable = declare.variable;
    if (!is_numeric(variable->type) || std::count(gone_.begin(), gone_.end(), variable) > 0) return;
    if (mentions_of(variable, list_, at + 1, list_.size()).others) return;
    std::vector<ir::Variable*> sources;
    if (declare.initial) {
      const auto* read = std::get_if<Read>(&declare.initial->node);
      if (!read || !same_type(read->variable->type, variable->type) || !ir::have_one_name(read->variable->name, variable->name)) return;
      if (!mentions_of(read->variable, list_, at + 1, list_.size()).none()) return;
      const auto declared = declaration_of(read->variable, at);
      const auto made = let_of(read->variable, variable, list_, at);
      if (made && mentions_of(read->variable, list_, *made + 1, at).none()) {
        list_[*made].node = Declare{read->variable, std::get<Let>(list_[*made].node).value};
      } else if (!declared || mentions_of(read->variable, list_, *declared + 1, at).others) {
        return;
      }
      sources.push_back(read->variable);
      gone_.push_back(variable);
    } else {
      const auto branch = assigning_branch(variable, at + 1);
      if (!branch) return;
      for (Statements* way : ways(list_[*branch])) assign_where_made(*way, variable, sources);
    }
    const auto shortest = std::min_element(sources.begin(), sources.end(), [](const auto* a, const auto* b) { return a->name.size() < b->name.size(); });
    if (shortest == sources.end()) return;
    if (!declare.initial) std::get<Declare>(list_[at].node).variable = *shortest;
    for (std::size_t i = at + 1; i < list_.size(); ++i) rename(list_[i], variable, *shortest);
  }

  /// Where the list, before `end`, makes a variable of the other one's name and type.
  static std::optional<std::size_t> let_of(const ir::Variable* variable, const ir::Variable* other, const Statements& list, std::size_t end) {
    if (!same_type(variable->type, other->type) || !ir::have_one_name(variable->name, other->name)) return std::nullopt;
    for (std::size_t i = 0; i < end; ++i) {
      const auto* let = std::get_if<Let>(&list[i].node);
      if (let && let->variables.size() == 1 && let->variables[0] == variable && !let->owns) return i;
    }
    return std::nullopt;
  }

  /// The one branch that gives the variable its value, and does not read it.
  std::optional<std::size_t> assigning_branch(const ir::Variable* variable, std::size_t begin) {
    std::optional<std::size_t> found;
    for (std::size_t i = begin; i < list_.size(); ++i) {
      const auto mentions = mentions_of(variable, list_, i, i + 1);
      if (mentions.assignments == 0) continue;
      if (found || mentions.reads > 0 || mentions.others || !std::holds_alternative<If>(list_[i].node)) return std::nullopt;
      found = i;
    }
    return found;
  }

  /// At the end of a way: `const double y_1 = x; y = y_1;` is `y = x`. sources: y_1 then.
  static void assign_where_made(Statements& way, ir::Variable* target, std::vector<ir::Variable*>& sources) {
    if (way.empty()) return;
    if (std::holds_alternative<If>(way.back().node)) {
      for (Statements* inner : ways(way.back())) assign_where_made(*inner, target, sources);
    }
    auto* assign = std::get_if<Assign>(&way.back().node);
    if (!assign || assign->kept) return;
    const auto place = std::find(assign->variables.begin(), assign->variables.end(), target);
    if (place == assign->variables.end()) return;
    const auto i = static_cast<std::size_t>(place - assign->variables.begin());
    const auto* read = std::get_if<Read>(&assign->values[i]->node);
    const auto made = read ? let_of(read->variable, target, way, way.size()) : std::nullopt;
    if (!made || mentions_of(read->variable, way, *made + 1, way.size()).others) return;
    ir::Variable* source = read->variable;
    take_out(*assign, i);
    if (assign->variables.empty()) way.pop_back();
    auto& let = way[*made];
    let.node = Assign{{target}, {std::get<Let>(let.node).value}};
    for (std::size_t k = *made + 1; k < way.size(); ++k) rename(way[k], source, target);
    sources.push_back(source);
  }

  std::optional<std::size_t> declaration_of(const ir::Variable* variable, std::size_t end) const {
    for (std::size_t i = 0; i < end; ++i) {
      const auto* declare = std::get_if<Declare>(&list_[i].node);
      if (declare && declare->variable == variable && std::count(gone_.begin(), gone_.end(), variable) == 0) return i;
    }
    return std::nullopt;
  }

  /// The one statement that mentions the variable, if that is a branch.
  std::optional<std::size_t> only_branch(const ir::Variable* variable, std::size_t begin, std::size_t end) {
    std::optional<std::size_t> found;
    for (std::size_t i = begin; i < end; ++i) {
      if (mentions_of(variable, list_, i, i + 1).none()) continue;
      if (found || !std::holds_alternative<If>(list_[i].node)) return std::nullopt;
      found = i;
    }
    return found;
  }

  static std::vector<Statements*> ways(Statement& statement) {
    auto& branch = std::get<If>(statement.node);
    return {&branch.then, &branch.otherwise};
  }

  Statements& list_;
  std::vector<const ir::Variable*> gone_;
};

}  // namespace

void coalesce_variables(Statements& statements) {
  Coalescing(statements).run();
  for (auto& statement : statements) {
    for_each_list(statement, [](Statements& nested) { coalesce_variables(nested); });
    auto* branch = std::get_if<If>(&statement.node);
    if (!branch || !branch->then.empty() || branch->otherwise.empty()) continue;
    const Operator* negation = select_operator("not", std::vector<Type>{branch->condition->type});
    branch->condition = lowered::make(Apply{negation, {branch->condition}}, scalar(DType::boolean), branch->condition->location);
    std::swap(branch->then, branch->otherwise);
  }
}

}  // namespace lantern
