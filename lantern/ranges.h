#pragma once

#include <functional>
#include <optional>
#include <unordered_map>
#include <vector>

#include "lantern/difference_bounds.h"
#include "lantern/ir.h"
#include "lantern/loop_steps.h"

/// What is known of the integers of a function, and of the lengths of its lists and arrays (integer_ranges.h).
namespace lantern::ranges {

constexpr std::int64_t least = Interval::least, largest = Interval::largest;

/// Of an operation's result in exact arithmetic. `fits`: it cannot overflow.
struct Exact {
  Interval interval;
  bool fits;
};
Exact exact(__int128 low, __int128 high);

bool is_integer(const Type& type);
const std::int64_t* literal(const ir::Operand& operand);  // null: it is none

/// What of a value is a number that bounds are kept of: its value, or how long its axes are that the type does not know.
std::vector<int> parts(const Type& type);
/// The parts of a list of lists that are how long all lists within it are, and all within these; unknown unless there is a term for it.
std::vector<int> inner_parts(const Type& type);
constexpr Term of_none{{nullptr, Symbol::of_none}, 0};  // how long all lists within an empty one are

/// A term and all that is known of it, where control is about to leave what made it known.
struct Known {
  Term term;
  Interval interval;
  std::vector<Term> above, below;
};

/// a <= b, of what a loop carries and what was there before, in all its turns.
struct Supposition {
  std::size_t state;
  int part;
  bool is_above;  // the bound, which is b then
  Term bound;
};

/// How much longer one of several lists is than another one.
struct Distance {
  std::size_t state, other;
  std::int64_t longer;
  friend bool operator==(const Distance&, const Distance&) = default;
};

/// At least how far behind one of several integers the end of one of several lists is: 1 and more, and the list has that place.
struct Room {
  std::size_t place, list;
  std::int64_t behind;
};

/// How long all lists within a list are that a loop carries, in all its turns.
struct Uniform {
  std::size_t state;
  int part;
  Term length;
};

/// What a loop carries.
struct Carried {
  struct Part {
    std::size_t state;
    int part;
    Term initial;
  };
  struct Stepping {
    std::size_t state;
    Interval always, in_turns;
  };
  std::vector<Part> counted;       // that one is added to in each turn
  std::vector<Stepping> stepping;  // an integer that steps by constants
  std::vector<Supposition> supposed;
  std::vector<Uniform> uniform;
  std::vector<Distance> distances;
};

/// What counts a loop's turns by ones: from `start` up to what is below `stop`.
struct Counter {
  Symbol symbol;
  Term start;
  std::optional<Term> stop;
};

class Ranges {
 public:
  /// are_columns: whether lists that are one of tuples together are as long as each other, whoever calls the function.
  Ranges(ir::Function& function, bool are_columns) {
    if (are_columns) find_columns(function);
    visit(function.body);
    for (bool* flag : proven_) *flag = true;
    for (const auto& [condition, truth] : decided_) *condition = {.variable = nullptr, .literal = truth, .type = scalar(DType::boolean)};
  }

 private:
  // integer_ranges.cpp
  void visit(ir::Block& block);
  void visit(ir::Binding& binding);
  /// A variable gets a value of its own.
  void enter(const ir::Variable* variable);
  Term term(const ir::Operand& operand, int part = Symbol::value) const;
  Term term(const ir::Variable* variable, int part = Symbol::value) const { return term(ir::read(const_cast<ir::Variable*>(variable)), part); }
  void define(const ir::Variable* variable, int part, const std::optional<Term>& as);
  void forget(const ir::Variable* variable, int part) { terms_.erase({variable, part}); }
  void same(const ir::Variable* result, const ir::Operand& as);
  void bound(const ir::Variable* variable, const Interval& interval);
  /// low <= variable <= high, of terms moved by constants; a constant that is no bound says nothing.
  void bound_by(const ir::Variable* variable, const Term& base, const Interval& moved);
  Known known(const ir::Operand& operand, int part) const;
  /// One of two.
  void join(const ir::Variable* result, int part, const Known& a, const Known& b);
  void branch(ir::Binding& binding, ir::If& n);
  // range_conditions.cpp
  /// What a condition says where it has this truth.
  void assume(const ir::Operand& condition, bool truth);
  /// a <= b is a < b where they are not equal.
  void differ(const Term& a, const Term& b);
  /// The term of what a condition compares; behind a loop that it has ended, of what the loop gives.
  Term met(const ir::Operand& operand) const;
  /// Whether a condition holds where it is asked; none: that is not known.
  std::optional<bool> truth_of(const ir::Operand& condition) const;

  // range_arithmetic.cpp
  void operate(ir::Binding& binding, ir::Operate& n);
  Interval range(const ir::Operand& operand) const { return bounds_.interval(term(operand)); }
  /// What an operation has given before, of the same values; none: it is the first.
  std::optional<Term> computed(const ir::Variable* result, const Operator& op, const Term& x, const Term& y);
  /// When a variable got the value that it has; 0: with the function.
  std::size_t since(const ir::Variable* variable) const;
  /// What the same search for a key has given before; null: it is the first.
  const ir::Variable* searched(const ir::Variable* result, const ir::Operate& n);
  void found(const ir::Variable* result, ir::Operate& n, const Exact& exact);
  void add(const ir::Variable* result, ir::Operate& n, const Interval& a, const Interval& b);
  void subtract(const ir::Variable* result, ir::Operate& n, const Interval& a, const Interval& b);
  const ir::Operate* operation(const ir::Operand& operand) const;
  /// Of x // 2, x.
  const ir::Operand* halved(const ir::Operand& operand) const;
  /// (x + y) // 2.
  void halve(const ir::Variable* result, const ir::Operand& whole);
  /// In the middle of x and y, or next to it, below.
  void between(const ir::Variable* result, const ir::Operand& x, const ir::Operand& y);
  void choose(const ir::Variable* result, const ir::Operate& n);

  // range_lengths.cpp
  /// How long what an operation gives is.
  void size(const ir::Variable* result, const ir::Operate& n);
  void find_places(ir::Operate& n);
  /// Of the lists among some values.
  std::vector<Distance> distances(const std::vector<ir::Operand>& values) const;
  void add(const Distance& distance, const std::vector<ir::Variable*>& lists);
  /// Which lists are as long as another one, being parts of tuples together: formals, and what is made side by side.
  void find_columns(const ir::Function& function);
  /// Of the integers and the lists among some values, where anything is known.
  std::vector<Room> rooms(const std::vector<ir::Operand>& values) const;
  /// How long all lists within a list are, if that is known; part 0: how long it is.
  std::optional<Term> inner(const ir::Operand& list, int part) const;
  static std::optional<Term> inner_of_both(const std::optional<Term>& a, const std::optional<Term>& b);

  // range_loops.cpp
  void iterate(ir::Binding& binding, ir::For& n);
  /// A loop, with what is known of what it carries in its turns and behind it. turns: at most. enter_turn: to know
  /// what is known in a turn.
  void carry(ir::Binding& binding, const std::vector<ir::Variable*>& state, const std::vector<ir::Operand>& initial, ir::Block& test, ir::Block& body,
             std::optional<std::int64_t> turns, const std::optional<Counter>& counter, const std::function<void()>& enter_turn);
  /// What is known of a state where the loop begins.
  void begin(Carried& carried, const Carried::Part& part, const ir::Variable* state, const std::optional<LoopStep>& step, std::optional<std::int64_t> turns,
             const std::optional<Counter>& counter);
  /// Whether a turn leaves what is supposed so; if not, less is.
  bool stay(std::vector<Supposition>& supposed, const ir::Block& body, bool moves) const;
  /// The same of the lists within lists. before: how many variables had been entered where the loop began.
  bool stay(std::vector<Uniform>& uniform, const ir::Block& body, std::size_t before) const;
  /// The same of how much longer lists are than others.
  bool stay(std::vector<Distance>& distances, const ir::Block& body) const;
  /// Behind a loop, of what counts its turns.
  void end(const Carried::Part& counted, const ir::Variable* result, const Counter& counter, bool to_the_end);

  static constexpr int most_attempts = 3;
  static constexpr std::size_t most_searches = 64;
  static constexpr std::size_t most_lists = 8;  // which are compared with each other
  static constexpr std::size_t most_visited = 100'000;  // bindings: behind so many nothing is supposed
  DifferenceBounds bounds_;
  std::unordered_map<Symbol, Term, SymbolHash> terms_;   // of variables that are others, moved by constants
  std::unordered_map<Symbol, Term, SymbolHash> at_end_;  // behind a loop: of what it carries
  std::unordered_map<const ir::Variable*, const ir::Variable*> first_columns_;  // of lists that are parts of tuples, the one in front of them
  std::unordered_map<const ir::Variable*, const ir::Binding*> made_;
  std::unordered_map<const ir::Variable*, std::size_t> entered_;  // when; not at all: with the function
  std::size_t entries_ = 0;
  struct Computed {
    Term result;
    std::size_t x, y;  // when the operands' variables were entered
  };
  std::unordered_map<const Operator*, std::vector<std::pair<std::pair<Term, Term>, Computed>>> computed_;
  struct Search {
    const Operator* op;
    std::vector<ir::Operand> operands;
    std::vector<std::size_t> since;
    const ir::Variable* result;
  };
  std::vector<Search> searches_;
  std::vector<bool*> proven_;  // of operations: that they need no check
  std::vector<std::pair<ir::Operand*, bool>> decided_;  // conditions of branches
  std::size_t visited_ = 0;    // bindings
};

/// Of a branch whose condition is a literal, only what is done then stays.
void leave_out_branches(ir::Block& block);

}  // namespace lantern::ranges
