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

#include "lantern/assignments.h"
#include "lantern/branch_exits.h"
#include "lantern/dead_variables.h"
#include "lantern/early_assignments.h"
#include "lantern/leaving.h"
#include "lantern/loop_exits.h"
#include "lantern/loop_flags.h"
#include "lantern/mentions.h"
#include "lantern/walk.h"

namespace lantern {

using namespace lowered;

namespace {

class Exits {
 public:
  Exits(Statements& body, bool copies) : body_(body), flags_(body), copies_(copies) {}

  bool run() {
    visit(body_, true);
    return any_;
  }

 private:
  /// of_function: what returns there returns from the function, and is not within a lambda.
  void visit(Statements& list, bool of_function) {
    remove_empty(list);
    declare_in_front(list);
    for (std::size_t i = 0; i < list.size();) {
      Statement& s = list[i];
      const bool blocks = std::holds_alternative<If>(s.node) || std::holds_alternative<While>(s.node) || std::holds_alternative<For>(s.node);
      for_each_list_with_condition(s, [&](Statements& nested) { visit(nested, of_function && blocks); });
      if (merge_branches(list, i, flags_, copies_) || thread_flag(list, i, of_function, flags_, copies_) || leave_loop(list, i) || set_where_left(list, i, flags_) || (of_function && leave_function(list, i, flags_))) {
        any_ = true;
        remove_empty(list);
        i = i > 0 ? i - 1 : 0;
      } else {
        ++i;
      }
    }
    while (of_function && (forward(list) || (copies_ && return_in_branch(list)))) {
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

  /// `result = x; return result;` is `return x;`: what is assigned in front of a return has no other reader.
  static bool forward(Statements& list) {
    if (list.size() < 2 || std::holds_alternative<Break>(list.back().node) || !leaves(list.back())) return false;
    std::size_t at = list.size() - 1;
    while (at > 0 && std::holds_alternative<ResetArena>(list[at - 1].node)) --at;
    auto* assign = at > 0 ? assignment(list[at - 1]) : nullptr;
    if (!assign || change_in_place(*assign)) return false;
    const auto is_for_nothing = [&](const ExprPtr& value) {
      const ir::Variable* variable = assign->variables[static_cast<std::size_t>(&value - assign->values.data())];
      return is_one_number(variable->type) && variable->storage == ir::Storage::local && mentions_of(variable, list.back()).none() && can_be_left_out(value);
    };
    if (std::ranges::all_of(assign->values, is_for_nothing)) {  // nobody is there to read it
      list.erase(list.begin() + static_cast<std::ptrdiff_t>(at - 1));
      return true;
    }
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
  const Flags flags_;
  const bool copies_;
  bool any_ = false;
};

}  // namespace

bool structure_exits(Statements& function_body, bool copies) { return Exits(function_body, copies).run(); }

}  // namespace lantern
