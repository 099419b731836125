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
// And:     int64_t gcd(int64_t a) {           After:  int64_t gcd(int64_t a) {
//            int64_t a_1 = a;                           while (a > 1) {
//            while (a_1 > 1) {
#include "lantern/coalesced_variables.h"

#include <algorithm>
#include <map>
#include <functional>
#include <optional>

#include "lantern/assignments.h"
#include "lantern/early_assignments.h"
#include "lantern/leaving.h"
#include "lantern/mentions.h"
#include "lantern/walk.h"

namespace lantern {

using namespace lowered;

namespace {

/// A reference, or a pointer.
bool is_link(const Type& type) { return is(type, TypeKind::structure) || is(type, TypeKind::optional); }

/// Where the list, before `end`, makes a variable of the other one's name and type.
std::optional<std::size_t> let_of(const ir::Variable* variable, const ir::Variable* other, const Statements& list, std::size_t end) {
  if (!same_type(variable->type, other->type) || !ir::have_one_name(variable->name, other->name)) return std::nullopt;
  for (std::size_t i = 0; i < end; ++i) {
    const auto* let = std::get_if<Let>(&list[i].node);
    if (let && let->variables.size() == 1 && let->variables[0] == variable && !let->owns && !is_table(let->value)) return i;
  }
  return std::nullopt;
}

/// One list of statements.
class Coalescing {
 public:
  /// formals: of the function whose whole body the list is.
  Coalescing(Statements& list, const std::vector<Parameter>& formals) : list_(list), formals_(formals) {}

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
      if (!std::holds_alternative<Declare>(list_[at].node)) continue;
      if (give_name_to_source(at)) --at;
      else give_name_of_source(at);
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
    if ((assign.kept && !is_one_number(target->type)) || !read || read->variable == target || target->storage != ir::Storage::local || !same_type(read->variable->type, target->type)) return false;
    ir::Variable* variable = read->variable;
    const auto declared = declaration_of(variable, at);
    if (!declared) return assign_next(at, assign, i, variable, target);
    const auto& initial = std::get<Declare>(list_[*declared].node).initial;
    const auto* begins_with = initial ? std::get_if<Read>(&initial->node) : nullptr;
    if (initial && !(begins_with && begins_with->variable == target)) return false;
    // The other values of the assignment are read before it; with the target gone from it, behind.
    for (std::size_t j = 0; j < assign.values.size(); ++j) {
      if (!mentions_of(target, assign.values[j]).none() || (j != i && !mentions_of(variable, assign.values[j]).none())) return false;
    }
    if (!mentions_of(variable, list_, at + 1, list_.size()).none() || mentions_of(variable, list_, *declared + 1, at).others) return false;
    if (may_break(*declared + 1, at)) return false;
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
      if (mentions_of(variable, list_[begin]).reads > 0) return false;
    } else if (!is_read_before(target, variable, begin, at)) {
      return false;
    }
    for (std::size_t k = begin; k < at; ++k) rename(list_[k], variable, target);
    gone_.push_back(variable);
    return true;
  }

  /// `const int64_t m_2 = m_1 + 1; …; m_1 = m_2;`, where nothing reads m_1 in between: `m_1 = m_1 + 1; …`.
  bool assign_next(std::size_t at, const Assign& assign, std::size_t i, ir::Variable* variable, ir::Variable* target) {
    const bool is_list = is(variable->type, TypeKind::list) && same_type(variable->type, target->type);
    const auto made = let_of(variable, is_list && ir::is_made_up(variable->name) ? variable : target, list_, at);
    if (!made || (!is_numeric(variable->type) && !is_list) || may_break(*made + 1, at) || !mentions_of(target, list_, *made + 1, at).none()) return false;
    for (std::size_t j = 0; j < assign.values.size(); ++j) {
      if (j != i && !mentions_of(target, assign.values[j]).none()) return false;
    }
    if (mentions_of(variable, list_, *made + 1, list_.size()).others || !mentions_of(target, list_, at + 1, list_.size()).unchanged()) return false;
    auto& let = list_[*made];
    let.node = Assign{{target}, {std::get<Let>(let.node).value}};
    for (std::size_t k = *made + 1; k < list_.size(); ++k) rename(list_[k], variable, target);
    return true;
  }

  /// Whether the target, whose value the variable begins with, is at most read until the variable has another: `m_1 = m; if (m < c) m_1 = m + 1;`.
  bool is_read_before(const ir::Variable* target, const ir::Variable* variable, std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) {
      const auto mentions = mentions_of(target, list_[k]);
      if (mentions.none()) continue;
      auto* branch = std::get_if<If>(&list_[k].node);
      if (!mentions.unchanged() || !branch || mentions_of(variable, list_, begin, k).assignments > 0) return false;
      for (Statements* way : ways(list_[k])) {
        std::size_t set = 0;
        while (set < way->size() && mentions_of(variable, (*way)[set]).assignments == 0) ++set;
        if (set == way->size()) continue;
        if (!std::holds_alternative<Assign>((*way)[set].node) || !mentions_of(target, *way, set + 1, way->size()).none()) return false;
      }
      if (!mentions_of(target, list_, k + 1, end).none()) return false;
    }
    return true;
  }

  /// Whether the loop around may be left between.
  bool may_break(std::size_t begin, std::size_t end) const {
    return std::any_of(list_.begin() + static_cast<std::ptrdiff_t>(begin), list_.begin() + static_cast<std::ptrdiff_t>(end),
                       [](const Statement& s) { return breaks_in(s) > 0; });
  }

  /// `List<double> best = x2;`, where x2 has been filled for that: x2 is called best. Whether the statement at `at` is gone.
  bool give_name_to_source(std::size_t at) {
    const auto& declare = std::get<Declare>(list_[at].node);
    const auto* read = declare.initial ? std::get_if<Read>(&declare.initial->node) : nullptr;
    if (!read || !ir::is_made_up(read->variable->name) || !same_type(read->variable->type, declare.variable->type) || is_link(declare.variable->type)) return false;
    ir::Variable *source = read->variable, *variable = declare.variable;
    const auto declared = declaration_of(source, at);
    if (!declared || mentions_of(source, list_, *declared + 1, at).others || !mentions_of(source, list_, at + 1, list_.size()).none()) return false;
    std::get<Declare>(list_[*declared].node).variable = variable;
    for (std::size_t i = *declared + 1; i < at; ++i) rename(list_[i], source, variable);
    list_.erase(list_.begin() + static_cast<std::ptrdiff_t>(at));
    return true;
  }

  /// A declared variable under the name of what it is made from, which was there for that.
  void give_name_of_source(std::size_t at) {
    const auto& declare = std::get<Declare>(list_[at].node);
    ir::Variable* variable = declare.variable;
    if (is_link(variable->type) || std::count(gone_.begin(), gone_.end(), variable) > 0) return;
    if (mentions_of(variable, list_, at + 1, list_.size()).others) return;
    std::vector<ir::Variable*> sources;
    if (declare.initial) {
      const auto* read = std::get_if<Read>(&declare.initial->node);
      if (!read || !same_type(read->variable->type, variable->type) || !ir::have_one_name(read->variable->name, variable->name)) return;
      const auto next = assigned_last(read->variable, variable, at + 1);
      if (!is_read_before(read->variable, variable, at + 1, next.value_or(list_.size()))) return;
      const auto declared = declaration_of(read->variable, at);
      const auto made = let_of(read->variable, variable, list_, at);
      if (made && mentions_of(read->variable, list_, *made + 1, at).none()) {
        list_[*made].node = Declare{read->variable, std::get<Let>(list_[*made].node).value};
      } else if (declared ? mentions_of(read->variable, list_, *declared + 1, at).others : !is_formal(read->variable) && !next) {
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

  /// Where the target has its next value, made of the variable, which nobody reads from there on: `text_2 = text; …; text = f(text_2)`.
  std::optional<std::size_t> assigned_last(const ir::Variable* target, const ir::Variable* variable, std::size_t begin) {
    std::size_t at = begin;
    while (at < list_.size() && mentions_of(target, list_[at]).assignments == 0) ++at;
    const auto* assign = at < list_.size() ? assignment(list_[at]) : nullptr;
    if (!assign || may_break(begin, at) || !mentions_of(variable, list_, at + 1, list_.size()).none()) return std::nullopt;
    const bool reads = std::ranges::any_of(assign->values, [&](const ExprPtr& value) { return !mentions_of(target, value).none(); });
    return reads || mentions_of(target, list_, at, list_.size()).others ? std::nullopt : std::optional(at);
  }

  /// Whether it is a formal that has no adjoint: C++ may change it as Python does.
  bool is_formal(const ir::Variable* variable) const {
    return std::any_of(formals_.begin(), formals_.end(), [&](const Parameter& formal) { return formal.variable == variable && !formal.active; });
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
    return std::count(gone_.begin(), gone_.end(), variable) == 0 ? lowered::declaration_of(variable, list_, end) : std::nullopt;
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
  const std::vector<Parameter>& formals_;
  std::vector<const ir::Variable*> gone_;
};

}  // namespace

/// `y{}; if (c) y = f(x); else y = x;`: `y = x; if (c) y = f(y);`, of one name, so that y may be x.
bool begin_as_before(Statements& list) {
  bool any = false;
  for (auto& statement : list) for_each_list_with_condition(statement, [&](Statements& nested) { any = begin_as_before(nested) || any; });
  for (std::size_t at = 1; at < list.size(); ++at) {
    auto* branch = std::get_if<If>(&list[at].node);
    if (!branch) continue;
    for (Statements* way : {&branch->then, &branch->otherwise}) {
      auto* assign = way->size() == 1 ? std::get_if<Assign>(&way->front().node) : nullptr;
      if (!assign || assign->kept) continue;
      const auto is_before = [&](std::size_t i) {
        const ir::Variable *variable = assign->variables[i], *source = lowered::variable_of(assign->values[i]);
        return source && source != variable && same_type(source->type, variable->type) && ir::have_one_name(source->name, variable->name) && mentions_of(source, list[at]).unchanged();
      };
      std::size_t before = 0;
      bool can_begin = true;
      for (std::size_t i = 0; i < assign->variables.size(); ++i) {
        const ir::Variable* variable = assign->variables[i];
        const auto declared = lowered::declaration_of(variable, list, at);
        const bool is_constant = std::holds_alternative<Constant>(assign->values[i]->node) && same_type(assign->values[i]->type, variable->type);
        before += is_before(i);
        can_begin = can_begin && (is_before(i) || is_constant) && declared && !is_link(variable->type) && !std::get<Declare>(list[*declared].node).initial &&
                    mentions_of(variable, list, *declared + 1, at).none() && mentions_of(variable, list[at]).assignments == 2;
      }
      if (!can_begin || before == 0) continue;
      any = true;
      const Assign begun = *assign;
      way->clear();
      const Location location = list[at].location;
      for (std::size_t i = 0; i < begun.variables.size(); ++i) {
        list.erase(list.begin() + static_cast<std::ptrdiff_t>(*lowered::declaration_of(begun.variables[i], list, at)));
        list.insert(list.begin() + static_cast<std::ptrdiff_t>(at) - 1, {Declare{begun.variables[i], begun.values[i]}, location});
      }
      break;
    }
  }
  return any;
}

void begin_as_sources(Statements& list) {
  for (auto& statement : list) for_each_list_with_condition(statement, begin_as_sources);
  for (std::size_t at = 0; at < list.size(); ++at) {
    const auto* declare = std::get_if<Declare>(&list[at].node);
    const auto* read = declare && declare->initial ? std::get_if<Read>(&declare->initial->node) : nullptr;
    if (!read || is_link(declare->variable->type)) continue;
    ir::Variable *source = read->variable, *variable = declare->variable;
    const bool is_unnamed = ir::is_made_up(source->name) && same_type(source->type, variable->type);
    const auto made = let_of(source, is_unnamed ? source : variable, list, at);
    if (!made || mentions_of(source, list, *made + 1, at).others || !mentions_of(source, list, at + 1, list.size()).none()) continue;
    if (!mentions_of(variable, list, *made + 1, at).none()) continue;
    list[*made].node = Declare{variable, ExprPtr(std::get<Let>(list[*made].node).value)};
    for (std::size_t i = *made + 1; i < at; ++i) rename(list[i], source, variable);
    list.erase(list.begin() + static_cast<std::ptrdiff_t>(at--));
  }
}

void coalesce_variables(Statements& statements, const std::vector<Parameter>& formals) {
  Coalescing(statements, formals).run();
  assign_early(statements);
  for (auto& statement : statements) {
    for_each_list_with_condition(statement, [](Statements& nested) { coalesce_variables(nested, {}); });
  }
}

}  // namespace lantern
