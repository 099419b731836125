// Before:  bool done{};                         After:  if (x < 0) {
//          int64_t result{};                              return -1;
//          if (x < 0) {                                 }
//            result = -1;                               for (int64_t i = 0; i < n; ++i) {
//            done = true;                                 if (i * i > x) {
//          } else {                                         return i;
//            done = false;                                }
//          }                                            }
//          if (done) {
//            return result;
//          }
//          bool found = false;
//          for (int64_t i = 0; i < n; ++i) {
//            if (found) break;
//            const bool c = i * i > x;
//            if (c) {
//              result = i;
//            }
//            found = c;
//          }
//          if (found) {
//            return result;
//          }
// Python's returns and breaks have become flags, which loops and branches hand on (frontend/passes). C++ has its own.
#include "lantern/structured_exits.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <set>

#include "lantern/conditions.h"
#include "lantern/mentions.h"
#include "lantern/walk.h"

namespace lantern {

using namespace lowered;

namespace {

ir::Variable* variable_of(const ExprPtr& e) {
  const auto* read = std::get_if<Read>(&e->node);
  return read && read->variable->storage == ir::Storage::local ? read->variable : nullptr;
}

bool is_atom(const ExprPtr& e) { return std::holds_alternative<Constant>(e->node) || variable_of(e); }
bool are_atoms(const Assign& assign) { return std::all_of(assign.values.begin(), assign.values.end(), is_atom); }

bool leaves_by(const Statement& s) {
  return std::holds_alternative<Return>(s.node) || std::holds_alternative<Raise>(s.node) || std::holds_alternative<Break>(s.node);
}

Assign* assignment(Statement& s) {
  auto* assign = std::get_if<Assign>(&s.node);
  return assign && !assign->kept ? assign : nullptr;
}

/// The value that is assigned to a variable; null if none is.
ExprPtr value_for(const Assign& assign, const ir::Variable* variable) {
  const auto found = std::find(assign.variables.begin(), assign.variables.end(), variable);
  return found == assign.variables.end() ? nullptr : assign.values[static_cast<std::size_t>(found - assign.variables.begin())];
}

void take_out(Assign& assign, const ir::Variable* variable) {
  for (std::size_t i = assign.variables.size(); i-- > 0;) {
    if (assign.variables[i] != variable) continue;
    assign.variables.erase(assign.variables.begin() + static_cast<std::ptrdiff_t>(i));
    assign.values.erase(assign.values.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

void append(Statements& to, Statements from) { std::move(from.begin(), from.end(), std::back_inserter(to)); }

/// The flag that a condition reads, and whether it is negated.
struct Flag {
  ir::Variable* variable = nullptr;
  bool negated = false;
};

Flag flag_of(const ExprPtr& e) {
  if (ir::Variable* variable = variable_of(e)) return {variable, false};
  const auto* apply = applied(e, "not");
  if (!apply || !is_condition(apply->operands[0]->type)) return {};
  Flag inner = flag_of(apply->operands[0]);
  inner.negated = !inner.negated;
  return inner;
}

class Exits {
 public:
  explicit Exits(Statements& body) : body_(body) {}

  bool run() {
    survey(body_);
    visit(body_, true);
    return any_;
  }

 private:
  void survey(Statements& list) {
    for (auto& s : list) {
      if (const auto* let = std::get_if<Let>(&s.node); let && let->variables.size() == 1) values_[let->variables[0]] = let->value;
      if (const auto* declare = std::get_if<Declare>(&s.node)) declared_.insert(declare->variable);
      for_each_list(s, [&](Statements& nested) { survey(nested); });
    }
  }

  /// of_function: what returns there returns from the function, and is not within a lambda.
  void visit(Statements& list, bool of_function) {
    remove_empty(list);
    declare_in_front(list);
    for (std::size_t i = 0; i < list.size();) {
      Statement& s = list[i];
      const bool blocks = std::holds_alternative<If>(s.node) || std::holds_alternative<While>(s.node) || std::holds_alternative<For>(s.node);
      for_each_list(s, [&](Statements& nested) { visit(nested, of_function && blocks); });
      if (merge_branches(list, i) || thread_flag(list, i, of_function) || leave_loop(list, i, of_function) || (of_function && leave_function(list, i))) {
        any_ = true;
        remove_empty(list);
        i = i > 0 ? i - 1 : 0;
      } else {
        ++i;
      }
    }
    while (of_function && forward(list)) {
      any_ = true;
      remove_empty(list);
    }
  }

  /// What is declared behind a branch, without a value, is declared in front of it: branches stand side by side then.
  static void declare_in_front(Statements& list) {
    for (std::size_t i = 1; i < list.size(); ++i) {
      const auto* declare = std::get_if<Declare>(&list[i].node);
      if (!declare || declare->initial) continue;
      for (std::size_t j = i; j > 0 && std::holds_alternative<If>(list[j - 1].node); --j) std::swap(list[j - 1], list[j]);
    }
  }

  /// A condition as a variable that never changes; `const bool b = !a` is a.
  Flag constant_flag(const ExprPtr& e) const {
    Flag flag = flag_of(e);
    while (flag.variable) {
      const auto value = values_.find(flag.variable);
      if (value == values_.end()) break;
      const Flag inner = flag_of(value->second);
      if (!inner.variable || declared_.contains(inner.variable)) break;
      flag = {inner.variable, flag.negated != inner.negated};
    }
    return flag.variable && !declared_.contains(flag.variable) ? flag : Flag{};
  }

  /// Two branches by one condition, side by side, are one.
  bool merge_branches(Statements& list, std::size_t i) {
    auto* first = std::get_if<If>(&list[i].node);
    if (!first || i + 1 >= list.size()) return false;
    const bool is_constant = constant_flag(first->condition).variable;
    const Flag flag = is_constant ? constant_flag(first->condition) : flag_of(first->condition);
    if (!flag.variable || (!is_constant && !mentions_of(flag.variable, list[i]).unchanged())) return false;
    std::size_t next = i + 1;
    if (auto* between = assignment(list[next]); between && next + 1 < list.size() && can_go_before(*between, list[i])) ++next;
    auto* second = std::get_if<If>(&list[next].node);
    if (!second) return false;
    const Flag other = is_constant ? constant_flag(second->condition) : flag_of(second->condition);
    if (other.variable != flag.variable || holds_mark(*first) || holds_mark(*second)) return false;
    if (other.negated != flag.negated) std::swap(second->then, second->otherwise);
    list[next].location = list[i].location;
    If both = std::move(*first);
    if (!always_leaves(both.then)) append(both.then, std::move(second->then));
    if (!always_leaves(both.otherwise)) append(both.otherwise, std::move(second->otherwise));
    list[next].node = std::move(both);
    if (next > i + 1) std::swap(list[i].node, list[i + 1].node);
    list.erase(list.begin() + static_cast<std::ptrdiff_t>(next > i + 1 ? i + 1 : i));
    return true;
  }

  static bool holds_mark(const If& branch) {
    const auto is_mark = [](const Statement& s) { return std::holds_alternative<MarkArena>(s.node); };
    return std::any_of(branch.then.begin(), branch.then.end(), is_mark) || std::any_of(branch.otherwise.begin(), branch.otherwise.end(), is_mark);
  }

  /// Whether an assignment does the same in front of the statement that it is behind.
  static bool can_go_before(const Assign& assign, Statement& s) {
    if (!are_atoms(assign) || breaks_in(s) > 0) return false;
    for (std::size_t i = 0; i < assign.variables.size(); ++i) {
      if (!mentions_of(assign.variables[i], s).none()) return false;
      const ir::Variable* read = variable_of(assign.values[i]);
      if (read && !mentions_of(read, s).unchanged()) return false;
    }
    return true;
  }

  /// `if (…) { …; done = true; } else { …; done = false; } if (done) { return x; }`: the return goes where done becomes true.
  bool thread_flag(Statements& list, std::size_t i, bool of_function) {
    auto* setting = std::get_if<If>(&list[i].node);
    if (!setting || setting->otherwise.empty()) return false;
    std::size_t behind = i + 1;
    if (const auto* assign = behind < list.size() ? assignment(list[behind]) : nullptr; assign && can_go_before(*assign, list[i])) ++behind;
    std::size_t at = behind;
    while (at < list.size() && std::holds_alternative<ResetArena>(list[at].node)) ++at;
    auto* deciding = at < list.size() ? std::get_if<If>(&list[at].node) : nullptr;
    if (!deciding) return false;
    const Flag flag = flag_of(deciding->condition);
    if (!flag.variable || !declared_.contains(flag.variable) || !is_condition(flag.variable->type)) return false;
    Statements& leaving = flag.negated ? deciding->otherwise : deciding->then;
    if (!can_be_copied(leaving) || (!of_function && !std::holds_alternative<Break>(leaving.back().node))) return false;
    const auto declared = declaration_of(flag.variable, list, i);
    if (!declared || std::get<Declare>(list[*declared].node).initial) return false;
    for (std::size_t j = *declared + 1; j < list.size(); ++j) {
      const auto mentions = mentions_of(flag.variable, list[j]);
      if (mentions.others || (j < i && !mentions.none()) || (j > i && mentions.assignments > 0)) return false;
    }
    if (mentions_of(flag.variable, list[i]).reads > 0 || !can_be_threaded(*setting, flag.variable)) return false;
    Statements left = std::move(leaving), staying = std::move(flag.negated ? deciding->then : deciding->otherwise);
    const Statements between(list.begin() + static_cast<std::ptrdiff_t>(behind), list.begin() + static_cast<std::ptrdiff_t>(at));
    const ExprPtr yes = lowered::make(Constant{true}, scalar(DType::boolean)), no = lowered::make(Constant{false}, scalar(DType::boolean));
    for (auto& s : left) substitute(s, {{flag.variable, yes}});
    thread(setting->then, flag.variable, between, left);
    thread(setting->otherwise, flag.variable, between, left);
    list.erase(list.begin() + static_cast<std::ptrdiff_t>(at));
    list.insert(list.begin() + static_cast<std::ptrdiff_t>(at), std::make_move_iterator(staying.begin()), std::make_move_iterator(staying.end()));
    for (std::size_t j = at; j < list.size(); ++j) substitute(list[j], {{flag.variable, no}});
    if (behind > i + 1) std::swap(list[i], list[i + 1]);
    return true;
  }

  /// Whether each way through the branch leaves, or ends by giving the flag a value.
  static bool can_be_threaded(If& branch, const ir::Variable* flag) {
    for (Statements* way : {&branch.then, &branch.otherwise}) {
      if (way->empty()) return false;
      if (always_leaves(*way)) continue;
      if (mentions_of(flag, *way, 0, way->size() - 1).assignments > 0) return false;
      if (auto* inner = std::get_if<If>(&way->back().node)) {
        if (inner->otherwise.empty() || !can_be_threaded(*inner, flag)) return false;
        continue;
      }
      const auto* assign = assignment(way->back());
      const ExprPtr value = assign ? value_for(*assign, flag) : nullptr;
      if (!value || (!truth(value) && !(is_atom(value) && are_atoms(*assign)))) return false;
      if (std::count(assign->variables.begin(), assign->variables.end(), variable_of(value)) > 0) return false;
    }
    return true;
  }

  static void thread(Statements& way, const ir::Variable* flag, const Statements& between, const Statements& leaving) {
    if (always_leaves(way)) return;
    if (auto* inner = std::get_if<If>(&way.back().node)) {
      thread(inner->then, flag, between, leaving);
      thread(inner->otherwise, flag, between, leaving);
      return;
    }
    auto& assign = std::get<Assign>(way.back().node);
    const ExprPtr value = value_for(assign, flag);
    take_out(assign, flag);
    Statements exit = between;
    if (truth(value)) {
      if (*truth(value)) {
        append(exit, leaving);
        append(way, std::move(exit));
      }
      return;
    }
    // What the exit reads is not assigned yet.
    Statements before = {way.back()};
    append(before, std::move(exit));
    append(before, leaving);
    const Location location = leaving.back().location;
    way.insert(way.end() - 1, Statement{If{value, std::move(before), {}}, location});
  }

  static std::optional<std::size_t> declaration_of(const ir::Variable* variable, const Statements& list, std::size_t end) {
    for (std::size_t i = 0; i < end; ++i) {
      const auto* declare = std::get_if<Declare>(&list[i].node);
      if (declare && declare->variable == variable) return i;
    }
    return std::nullopt;
  }

  /// What a loop goes on by besides its flag; null: by nothing else. Nothing if it has no flag in front.
  struct LoopFlag { ir::Variable* variable; ExprPtr rest; };
  static std::optional<LoopFlag> loop_flag(const ExprPtr& e) {
    if (!e) return std::nullopt;
    const Flag flag = flag_of(e);
    if (flag.variable && flag.negated) return LoopFlag{flag.variable, nullptr};
    const auto* both = applied(e, "and");
    if (!both || !is_condition(both->operands[0]->type) || !is_condition(both->operands[1]->type)) return std::nullopt;
    const Flag first = flag_of(both->operands[0]);
    return first.variable && first.negated ? std::optional(LoopFlag{first.variable, both->operands[1]}) : std::nullopt;
  }

  /// `while (!done) { …; done = c; }` is `while (true) { …; if (c) break; }`.
  bool leave_loop(Statements& list, std::size_t i, bool of_function) {
    auto* while_loop = std::get_if<While>(&list[i].node);
    auto* for_loop = std::get_if<For>(&list[i].node);
    if (!while_loop && !for_loop) return false;
    Statements& test = while_loop ? while_loop->test : for_loop->test;
    Statements& body = while_loop ? while_loop->body : for_loop->body;
    ExprPtr& goes_on = while_loop ? while_loop->condition : for_loop->condition;
    const auto flag = loop_flag(goes_on);
    if (!flag || !test.empty() || body.empty()) return false;
    if (for_loop && flag->rest) return false;
    const auto declared = declaration_of(flag->variable, list, i);
    if (!declared || !begins_false(list, *declared, i, flag->variable)) return false;
    if (flag->rest && !mentions_of(flag->variable, flag->rest).none()) return false;
    auto* last = last_assignment(body);
    const ExprPtr value = last ? value_for(*last, flag->variable) : nullptr;
    if (!value || mentions_of(flag->variable, body).others || mentions_of(flag->variable, body).reads > 0 || mentions_of(flag->variable, body).assignments != 1) return false;
    if (!variable_of(value) || std::count(last->variables.begin(), last->variables.end(), variable_of(value)) > 0) return false;
    if (mentions_of(flag->variable, list, i + 1, list.size()).none()) take_out(*last, flag->variable);
    body.push_back({If{value, {Statement{Break{}, list[i].location}}, {}}, list[i].location});
    goes_on = flag->rest ? flag->rest : while_loop ? lowered::make(Constant{true}, scalar(DType::boolean)) : nullptr;
    remove_empty(body);
    if (of_function) leave_function(list, i);
    return true;
  }

  /// Whether the variable is false at a statement: declared so, and not changed since.
  static bool begins_false(Statements& list, std::size_t declared, std::size_t end, const ir::Variable* variable) {
    const auto& initial = std::get<Declare>(list[declared].node).initial;
    const auto value = initial ? truth(initial) : std::nullopt;
    const auto mentions = mentions_of(variable, list, declared + 1, end);
    return value && !*value && mentions.assignments == 0 && !mentions.others;
  }

  /// The assignment that a turn ends with, in front of resets of the arena.
  static Assign* last_assignment(Statements& body) {
    std::size_t i = body.size();
    while (i > 0 && std::holds_alternative<ResetArena>(body[i - 1].node)) --i;
    return i > 0 ? std::get_if<Assign>(&body[i - 1].node) : nullptr;
  }

  static void remove_empty(Statements& list) {
    for (auto& s : list) {
      const auto* assign = std::get_if<Assign>(&s.node);
      if (assign && assign->variables.empty() && assign->kept) s.node = ResetArena{};
    }
    std::erase_if(list, [](const Statement& s) {
      const auto* assign = std::get_if<Assign>(&s.node);
      return assign && assign->variables.empty();
    });
    const auto leaving = std::find_if(list.begin(), list.end(), [](const Statement& s) {
      const auto* branch = std::get_if<If>(&s.node);
      return leaves_by(s) || (branch && always_leaves(branch->then) && always_leaves(branch->otherwise));
    });
    if (leaving != list.end()) list.erase(leaving + 1, list.end());
  }

  /// `… done = c; if (c) break; } if (done) { return x; }` is `… if (c) { return x; } }`. Behind a loop that only breaks leave, what
  /// returns goes there, too.
  bool leave_function(Statements& list, std::size_t i) {
    auto* while_loop = std::get_if<While>(&list[i].node);
    auto* for_loop = std::get_if<For>(&list[i].node);
    if ((!while_loop && !for_loop) || i + 1 >= list.size()) return false;
    Statements& body = while_loop ? while_loop->body : for_loop->body;
    if (breaks_of(body) == 0) return false;
    if (while_loop && truth(while_loop->condition) == std::optional(true) && while_loop->test.empty() && i + 2 == list.size() &&
        std::holds_alternative<Return>(list[i + 1].node)) {
      replace_breaks(body, {std::move(list[i + 1])});
      list.pop_back();
      return true;
    }
    auto* deciding = std::get_if<If>(&list[i + 1].node);
    if (!deciding) return false;
    const Flag flag = flag_of(deciding->condition);
    if (!flag.variable || !is_condition(flag.variable->type)) return false;
    Statements& leaving = flag.negated ? deciding->otherwise : deciding->then;
    if (!can_be_copied(leaving) || std::holds_alternative<Break>(leaving.back().node)) return false;
    const auto declared = declaration_of(flag.variable, list, i);
    if (!declared || !begins_false(list, *declared, i, flag.variable)) return false;
    const auto within = mentions_of(flag.variable, list[i]), behind = mentions_of(flag.variable, list, i + 1, list.size());
    if (within.others || !behind.unchanged()) return false;
    const ExprPtr no = lowered::make(Constant{false}, scalar(DType::boolean)), yes = lowered::make(Constant{true}, scalar(DType::boolean));
    const auto end = follow(body, flag.variable, {no, {}});
    if (!end || (end->value && end->truth() != std::optional(false))) return false;
    Statements left = std::move(leaving), staying = std::move(flag.negated ? deciding->then : deciding->otherwise);
    for (auto& s : left) substitute(s, {{flag.variable, yes}});
    replace_breaks(body, left);
    forget(body, flag.variable);
    list.erase(list.begin() + static_cast<std::ptrdiff_t>(i + 1));
    list.insert(list.begin() + static_cast<std::ptrdiff_t>(i + 1), std::make_move_iterator(staying.begin()), std::make_move_iterator(staying.end()));
    for (std::size_t j = i; j < list.size(); ++j) substitute(list[j], {{flag.variable, no}});
    return true;
  }

  /// A flag's value on one way through a turn, and the conditions that are known there. No value: the way has been left.
  struct Way {
    ExprPtr value;
    std::map<const ir::Variable*, bool> known;

    std::optional<bool> truth() const {
      if (const auto constant = lantern::truth(value)) return constant;
      const auto found = known.find(variable_of(value));
      return found == known.end() ? std::nullopt : std::optional(found->second);
    }
  };

  /// The way behind the statements; nothing if that is not known, a break is taken without the flag, or it is read when it is set.
  std::optional<Way> follow(Statements& list, const ir::Variable* flag, Way way) const {
    for (auto& s : list) {
      bool reads = false;
      for_each_expr(s, [&](const ExprPtr& e) { reads = reads || mentions_of(flag, e).reads > 0; });
      if (reads && way.truth() != std::optional(false)) return std::nullopt;
      if (const auto* assign = std::get_if<Assign>(&s.node)) {
        if (const ExprPtr value = value_for(*assign, flag)) way.value = value;
      } else if (auto* branch = std::get_if<If>(&s.node)) {
        const Flag condition = constant_flag(branch->condition);
        Way then = way, otherwise = way;
        if (condition.variable) then.known[condition.variable] = !condition.negated, otherwise.known[condition.variable] = condition.negated;
        const auto one = follow(branch->then, flag, std::move(then)), other = follow(branch->otherwise, flag, std::move(otherwise));
        if (!one || !other) return std::nullopt;
        if (one->value && other->value) {
          if (one->value != other->value && (!one->truth() || one->truth() != other->truth())) return std::nullopt;
          if (one->value != other->value) way.value = lowered::make(Constant{*one->truth()}, scalar(DType::boolean));
          else way.value = one->value;
        } else {
          way = one->value ? *one : *other;
        }
        if (!way.value) return way;
      } else if (std::holds_alternative<Break>(s.node)) {
        if (way.truth() != std::optional(true)) return std::nullopt;
        way.value = nullptr;
        return way;
      } else if (leaves_by(s)) {
        way.value = nullptr;
        return way;
      } else if (const auto mentions = mentions_of(flag, s); !mentions.unchanged() || (mentions.reads > 0 && way.truth() != std::optional(false))) {
        return std::nullopt;
      }
    }
    return way;
  }

  /// Whether statements that leave may stand in several places.
  static bool can_be_copied(const Statements& list) {
    if (list.empty() || list.size() > 2 || !leaves_by(list.back())) return false;
    return list.size() == 1 || std::holds_alternative<Assign>(list[0].node);
  }

  static void replace_breaks(Statements& body, const Statements& by) {
    for (std::size_t i = 0; i < body.size(); ++i) {
      if (auto* branch = std::get_if<If>(&body[i].node)) replace_breaks(branch->then, by), replace_breaks(branch->otherwise, by);
      if (!std::holds_alternative<Break>(body[i].node)) continue;
      body.erase(body.begin() + static_cast<std::ptrdiff_t>(i), body.end());
      body.insert(body.end(), by.begin(), by.end());
      return;
    }
  }

  /// Leaves out what is assigned to a flag that nobody reads.
  static void forget(Statements& list, const ir::Variable* flag) {
    for (auto& s : list) {
      if (auto* assign = std::get_if<Assign>(&s.node)) take_out(*assign, flag);
      if (auto* branch = std::get_if<If>(&s.node)) forget(branch->then, flag), forget(branch->otherwise, flag);
    }
    remove_empty(list);
  }

  static int breaks_of(const Statements& body) {
    return std::accumulate(body.begin(), body.end(), 0, [](int breaks, const Statement& s) { return breaks + breaks_in(s); });
  }

  /// `result = x; return result;` is `return x;`: what is assigned in front of a return has no other reader.
  static bool forward(Statements& list) {
    if (list.size() < 2 || std::holds_alternative<Break>(list.back().node) || !leaves_by(list.back())) return false;
    std::size_t at = list.size() - 1;
    while (at > 0 && std::holds_alternative<ResetArena>(list[at - 1].node)) --at;
    auto* assign = at > 0 ? assignment(list[at - 1]) : nullptr;
    if (!assign) return false;
    Values values;
    int computed = 0;
    for (std::size_t i = 0; i < assign->variables.size(); ++i) {
      if (!same_type(assign->variables[i]->type, assign->values[i]->type)) return false;
      values[assign->variables[i]] = assign->values[i];
      if (is_atom(assign->values[i])) continue;
      ++computed;
      if (mentions_of(assign->variables[i], list.back()).reads != 1) return false;
    }
    bool reads_alone = true;
    for_each_expr(list.back(), [&](const ExprPtr& e) { reads_alone = reads_alone && is_atom(e); });
    if (computed > 0 && (computed > 1 || !reads_alone || at + 1 < list.size())) return false;
    substitute(list.back(), values);
    list.erase(list.begin() + static_cast<std::ptrdiff_t>(at - 1));
    return true;
  }

  Statements& body_;
  std::map<const ir::Variable*, ExprPtr> values_;    // of what never changes
  std::set<const ir::Variable*> declared_;           // what may change
  bool any_ = false;
};

}  // namespace

bool structure_exits(Statements& function_body) { return Exits(function_body).run(); }

}  // namespace lantern
