#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>

#include "lantern/calls_in_place.h"
#include "lantern/lowered.h"
#include "lantern/mentions.h"

namespace lantern::lowered {

/// Whether a value of that type, an array or a list, can be changed where it is; and whether what is in its places can.
bool has_places(const Type& type);
bool has_rows(const Type& type);

/// Whether the value of an expression, an array or a list, has elements, or places, of its own.
bool makes_its_own(const ExprPtr& e);

/// Where an element is taken out of a list, `x = xs.pop()`, the element comes first, and the shorter list behind it: the list as it was is read no more.
void take_elements_first(Statements& list);

/// The variables of a loop, or of a function, that stand for the same array or list, its state. Each statement leaves some of them up to date; the others are read no more, and
/// what is computed from the elements is no view of them that is read later. A list has places for its elements: it is they that change, and what is read
/// from one stays as it is; unless that is a row which is changed, too. The state of a function is a formal; a call may change one of its own.
class Followed {
 public:
  Followed(const ir::Variable* state, const Calls& calls, Depth depth = Depth::elements);

  /// Whether all that the loop changes of it can be changed where it is.
  bool run(Statement& loop);
  /// The same of a function's body, which gives it back as that result.
  bool run(Statements& body, std::size_t result);
  /// Whether that saves copies: what is appended takes none. And aside from what calls do.
  bool pays() const;
  bool changes_items() const;
  /// Whether what a change gives is read by a name of its own, which it does not need then.
  bool saves_names(Statement& loop) const;
  /// Does it: one variable is left.
  void rewrite(Statement& loop) const;
  void rewrite(Statements& list) const;

 private:
  using Variables = std::set<const ir::Variable*>;

  /// What the names of the state stand for at some place.
  struct Names {
    Variables current;  // of its elements as they are
    Variables views;    // of some of them
    bool left = false;  // nothing comes by here: the function has returned
    friend bool operator==(const Names&, const Names&) = default;
  };
  static Names both(const Names& a, const Names& b);

  /// A join of the function's, which of its parameters is the state, and what it begins with, whoever resumes there.
  static constexpr std::size_t nowhere = static_cast<std::size_t>(-1);
  struct Joined {
    Join* join = nullptr;
    std::size_t place = nowhere;
    std::optional<Names> begins = {};
  };

  /// A row that was read, and the changed one, which is to be stored where it was.
  struct Row {
    ExprPtr place;
    const Statements* list;
    std::size_t at;
    const ir::Variable* of;  // the row that it was read from; null: the state
  };
  struct ChangedRow {
    const ir::Variable* row;
    Apply change;
    Location location;
    Variables current;  // of the list, before
    std::shared_ptr<const ChangedRow> inner = nullptr;  // a row of this one, which `change` stores
  };

  Values values() const;
  std::vector<ExprPtr> put_in(const Apply& change) const;
  ExprPtr stored(const Apply& store, const Type& type, const Location& location, const ChangedRow& changed) const;

  void fail() { succeeds_ = false; }
  bool is_met(const ExprPtr& e) const;
  bool is_readable(const ExprPtr& e, const Names& names) const;
  bool is_apart(const ExprPtr& e, const Names& names) const;
  const ir::Variable* current(const ExprPtr& e, const Names& names) const;
  const ir::Variable* view(const ExprPtr& e, const Names& names) const;
  bool is_change(const ExprPtr& e, const ir::Variable* changed, const Names& names) const;
  bool is_read_late(const CallThen& call) const;
  bool gives_back(const ir::Function& callee, const std::vector<ExprPtr>& operands) const;
  std::optional<std::size_t> result_changed(const ir::Function& callee, Form form, const std::vector<ExprPtr>& operands, const Names& names) const;
  const ChangedRow* is_store(Statements& list, std::size_t at, const Names& names) const;

  void walk(Statements& list, Names& names);
  void walk(Statements& list, std::size_t at, Names& names);
  void walk_let(Statements& list, std::size_t at, Names& names);
  void walk_for(For& loop, Names& names);
  void walk(Assign& assign, Names& names);
  void walk(const Return& returned, Names& names);
  void walk(const Resume& resume, Names& names);
  void walk_call(Statement& s, Names& names);
  void enter(Joined& joined, Names names);
  void walk(Statements& test, const ExprPtr* condition, Statements& body, Names& names);
  void change(const Statement& s, const ir::Variable* result, Names& names);
  void stay_apart(const ir::Variable* variable);
  void meet(const ir::Variable* variable, Variables& names);

  const ir::Variable* state_;
  const Calls& calls_;
  std::optional<std::size_t> result_;  // of the function that is followed
  const bool is_list_, rows_too_;
  Variables met_;                    // all that have stood for it, or for some of it
  Variables views_, inner_, apart_;  // what its views are called; what is declared within the loop; what has other elements
  std::map<std::string, Joined> joins_;
  std::map<const ir::Variable*, Row> rows_;
  std::map<const ir::Variable*, ChangedRow> changed_rows_;
  std::map<const Statement*, ChangedRow> stores_;
  std::set<const Statement*> changes_;
  std::size_t changed_ = 0;  // so many have been met, each as often as that
  bool succeeds_ = true;
};

}  // namespace lantern::lowered
