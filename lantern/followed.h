#pragma once

#include <map>
#include <set>

#include "lantern/lowered.h"
#include "lantern/mentions.h"

namespace lantern::lowered {

/// Whether a value of that type, an array or a list, can be changed where it is; and whether what is in its places can.
bool has_places(const Type& type);
bool has_rows(const Type& type);

/// Whether the value of an expression, an array or a list, has elements, or places, of its own.
bool makes_its_own(const ExprPtr& e);

/// Where a loop takes an element out of a list, `x = xs.pop()`, the element comes first, and the shorter list behind it: the list as it was is read no more.
void take_elements_first(Statement& loop);

/// What of a state is changed where it is: the elements of an array, the places of a list, or those of its rows, too, lists themselves.
enum class Depth { elements, rows };

/// The variables of a loop that stand for the same array or list, its state. Each statement leaves some of them up to date; the others are read no more, and
/// what is computed from the elements is no view of them that is read later. A list has places for its elements: it is they that change, and what is read
/// from one stays as it is; unless that is a row which is changed, too.
class Followed {
 public:
  explicit Followed(const ir::Variable* state, Depth depth = Depth::elements);

  /// Whether all that the loop changes of it can be changed where it is.
  bool run(Statement& loop);
  /// Whether that saves copies: what is appended takes none.
  bool pays() const;
  /// Does it: one variable is left.
  void rewrite(Statement& loop) const;

 private:
  using Variables = std::set<const ir::Variable*>;

  /// What the names of the state stand for at some place.
  struct Names {
    Variables current;  // of its elements as they are
    Variables views;    // of some of them
    friend bool operator==(const Names&, const Names&) = default;
  };
  static Variables both(const Variables& a, const Variables& b);

  /// A row that was read, and the changed one, which is to be stored where it was.
  struct Row {
    ExprPtr place;
    const Statements* list;
    std::size_t at;
  };
  struct ChangedRow {
    const ir::Variable* row;
    Apply change;
    Location location;
    Variables current;  // of the list, before
  };

  Values values() const;
  void rewrite(Statements& list) const;
  std::vector<ExprPtr> put_in(const Apply& change) const;
  ExprPtr stored(const Let& let, const ChangedRow& changed) const;

  void fail() { succeeds_ = false; }
  bool is_met(const ExprPtr& e) const;
  bool is_readable(const ExprPtr& e, const Names& names) const;
  bool is_apart(const ExprPtr& e, const Names& names) const;
  const ir::Variable* current(const ExprPtr& e, const Names& names) const;
  const ir::Variable* view(const ExprPtr& e, const Names& names) const;
  bool is_change(const ExprPtr& e, const ir::Variable* changed, const Names& names) const;
  const ChangedRow* is_store(Statements& list, std::size_t at, const Names& names) const;

  void walk(Statements& list, Names& names);
  void walk(Statements& list, std::size_t at, Names& names);
  void walk_let(Statements& list, std::size_t at, Names& names);
  void walk_for(For& loop, Names& names);
  void walk(Assign& assign, Names& names);
  void walk(Statements& test, const ExprPtr* condition, Statements& body, Names& names);
  void change(const Statement& s, const ir::Variable* result, Names& names);
  void stay_apart(const ir::Variable* variable);
  void meet(const ir::Variable* variable, Variables& names);

  const ir::Variable* state_;
  const bool is_list_, rows_too_;
  Variables met_;                    // all that have stood for it, or for some of it
  Variables views_, inner_, apart_;  // what its views are called; what is declared within the loop; what has other elements
  std::map<const ir::Variable*, Row> rows_;
  std::map<const ir::Variable*, ChangedRow> changed_rows_;
  std::map<const Statement*, ChangedRow> stores_;
  std::set<const Statement*> changes_;
  std::size_t changed_ = 0;  // so many have been met, each as often as that
  bool succeeds_ = true;
};

}  // namespace lantern::lowered
