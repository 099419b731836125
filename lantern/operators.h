#pragma once

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "lantern/types.h"

/// The one table of operators. The checker, the differentiator, the emitter, the eager mode of the Python
/// package, the documentation and the tests read its rows; no derivative rule stands anywhere else.
namespace lantern {

/// What stands in an operator's call besides its operands: `(cast DTYPE a)`, `(sum a :axis 0)`, …
enum class Leading { nothing, dtype, structure, type, text };

struct Attributes {
  std::optional<DType> dtype = {};
  std::string name = {};  // a structure
  std::string text = {};  // a format specification
  Type type = nullptr;

  friend bool operator==(const Attributes&, const Attributes&) = default;
};

/// A call to be typed. `literals` holds the operands that are integer literals: they decide dimensions.
struct Application {
  std::span<const Type> operands;
  std::span<const std::optional<std::int64_t>> literals;
  const Attributes& attributes;
};

/// The result's type. Throws TypeMismatch, whose message speaks of the operands' types.
using TypeRule = Type (*)(const Application&);

struct TypeMismatch {
  std::string message;
  std::string hint = {};
};

struct Pullback {
  std::string_view operand;     // whose adjoint this adds to; "*": of each of a variadic tail
  std::string_view expression;  // over the operands' names, y and y_adj; `none`: only the operand's shape or dtype
                                // matters; for a variadic tail also `each` (the operand), `before` (the lengths before it, summed) and `position`
};

struct Pushforward {
  std::string_view operand;     // by whose tangent this adds to y's
  std::string_view expression;  // over the operands' names, y, and the operand's tangent: of `a` it is a_dot
};

/// How a derivative through the operator is to be taken.
enum class Smoothness {
  pullback,  // by its rules; an operand without one cannot be differentiated through
  flat,      // its derivative is zero wherever it exists: comparisons, argmax, shapes, stop-gradient
};

/// Whether an operation can end in an error as the program runs. Overflow aside: Python's integers have none, so that no
/// program waits for it.
enum class Fails {
  shapes,    // where dimensions are not known to fit; so can every elementwise operation
  numbers,   // of numbers, for some of them; arrays follow IEEE
  possible,  // where not all that decides it is known: dimensions and integers
  outside,   // by what is no part of the program: files, functions of the host's
  never,
};

enum class Spelling { call, infix, prefix };

/// A list that is part of a row: a vector would make code of the table, which takes long to compile, and runs whenever the compiler starts.
template <class T, std::size_t most>
class Few {
 public:
  constexpr Few() = default;
  constexpr Few(std::initializer_list<T> items) {
    for (const T& item : items) items_[size_++] = item;
  }
  constexpr const T* begin() const { return items_; }
  constexpr const T* end() const { return items_ + size_; }
  constexpr std::size_t size() const { return size_; }

 private:
  T items_[most] = {};
  std::size_t size_ = 0;
};

/// One row.
struct Operator {
  std::string_view name;
  std::string_view operands;  // their names, space-separated; a last "*" takes any number more
  TypeRule rule;
  std::string_view cpp;  // function or symbol in the runtime
  Fails fails = Fails::never;
  std::string_view raises = "ValueError";  // Python's exceptions that it may fail with, space-separated
  Spelling spelling = Spelling::call;
  Few<Pullback, 4> pullbacks = {};
  /// Where the result and an operand share elements, so may their adjoints: the adjoint of the result as an expression over
  /// the operands and, behind `_adj`, their adjoints, which are zeros of their own where an operand is a number or an array; "*": this
  /// operation of the operands' adjoints.
  std::string_view shared_adjoint = {};
  Smoothness smoothness = Smoothness::pullback;
  std::string_view ranks = {};  // "21": this row is for operands of ranks 2 and 1, "+1": of more than 2, and 1, "l" for a list; empty: for all
  Leading leading = Leading::nothing;
  bool elementwise = false;
  bool by_parts = false;  // a tuple is so many operands, and so is a list of tuples
  /// How a tangent goes through. Where an operator is elementwise or its Jacobian symmetric, as its adjoint goes back. Else
  /// `linear` has the groups of operands that it is linear in, those of a group taken together: the operator itself, of the
  /// group's tangents and the other operands. For other operands, a rule.
  bool symmetric = false;
  Few<std::string_view, 3> linear = {};
  Few<Pushforward, 3> pushforwards = {};
  bool effect = false;           // keeps its place in program order, and is kept though its value is unused
  bool draws = false;            // moves the program's stream of random numbers on, says where it has come to, or may do so
  bool accumulate_only = false;  // its value can only be added to an adjoint: it touches a part of it
  bool internal = false;         // occurs in pullbacks only; not part of the language
  bool costly = false;           // its value, of arrays, is worth the memory that it takes: a loop's reverse sweep reads it back, and does not compute it anew
  bool cheap_view = false;       // its result is a view of its operand: no work, no memory
  std::string_view stands_for = {};  // an expression over its operands, of the language's operators, as which it is written; it is differentiated by its own rules
  bool in_place = false;         // it changes its first operand, which nobody else has: a statement of its own
};

std::span<const Operator> operators();

/// The rows of that name. Empty if there is none.
std::span<const Operator* const> operators_named(std::string_view name);

/// The row of that name for operands of these types; null if no row takes so many of these ranks.
const Operator* select_operator(std::string_view name, std::span<const Type> operands);

/// Whether it repeats its first operand, a number or fewer elements, to the shape of its last.
inline bool is_stretching(const Operator& op) { return op.name == "like" || op.name == "spread"; }

/// How an operation with a result of that type can fail as the program runs: by shapes that do not fit, or in another way.
struct Failures {
  bool shapes = false, other = false;
  bool any() const { return shapes || other; }
  Failures operator|(const Failures& more) const { return {shapes || more.shapes, other || more.other}; }
};
Failures failures_of(const Operator&, const Application&, const Type& result);

/// Throws TypeMismatch if none of an operator's rows takes so many operands.
void check_operand_count(std::span<const Operator* const> rows, std::size_t count);

/// NumPy's and Python's promotion of two numeric types (docs/language.md, "Types and promotion").
DType promote(const Type& a, const Type& b);

/// The table as text, a row a line: `(operator NAME (operands a b) (ranks 2 1)? (fails WHEN EXCEPTION…)? (elementwise)? (flat)? (effect)? (internal)?
/// (symmetric)? (linear a)… (pushforward a EXPR)… (pullback a EXPR)…)`.
std::string describe_operators();

}  // namespace lantern
