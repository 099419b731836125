#pragma once

#include "lantern/activity.h"
#include "lantern/ir.h"

/// The lowered program: what the C++ says, before it is C++.
///
///   function  = NAME form (formal adjoint? | formal &)* statement*    ; &: it is changed where the caller has it, and no result
///   form      = direct                     ; returns its results
///             | cps                        ; passes them on to its continuation k, each active one with its adjoint
///             | forward                    ; returns them, and leaves on its tape what its reverse form takes from there
///             | reverse                    ; takes the adjoints of its active results, and adds to those of its active formals
///   statement = let | declare | assign | adjoint | accumulate | assign-adjoints | in-one-loop | if | while | for | backwards
///             | saved | save | restore | tape | push | pop | forward | reverse | change | clear-item | call-then | together | each | join | resume | let-together | let-each | each-turn
///             | return | break | do | print | assert | raise | gradient | step | initialize | mark | reset
///   expr      = literal | read | adjoint | apply | field | none? | make | call | gradient
///
/// After a call-then, a together, an each, a resume or a join's if comes the reverse sweep of what stands before it, in the same list.
namespace lantern::lowered {

struct Expr;
using ExprPtr = std::shared_ptr<const Expr>;

struct Constant { ir::Literal value; };
struct Read { ir::Variable* variable; };
struct AdjointOf { ir::Variable* variable; };
struct Apply {
  const Operator* op;
  std::vector<ExprPtr> operands;
  Attributes attributes = {};
  bool in_reverse = false;  // part of a derivative: the primal has been checked already
  bool unchecked = false;   // C++'s own operator does the same: it cannot overflow, the places are there, nothing is negative or zero that must not be
};
struct FieldOf { ExprPtr object; std::string name; };
struct NoneTest { ExprPtr object; };
struct Construct { std::string structure; std::vector<ExprPtr> fields; };
struct DirectCall { ir::Function* callee; std::vector<ExprPtr> operands; std::vector<std::size_t> changes = {}; };  // changes: which operands, variables
struct GradientOf { ir::Variable* parameter; };

/// The special members of `Node`, here and below, are functions of lowered.cpp.
struct Expr {
  struct Node : std::variant<Constant, Read, AdjointOf, Apply, FieldOf, NoneTest, Construct, DirectCall, GradientOf> {
    using variant::variant;
    Node(const Node&);
    Node(Node&&) noexcept;
    Node& operator=(const Node&);
    Node& operator=(Node&&) noexcept;
    ~Node();
  };
  Node node;
  Type type;
  Location location = {};
  bool present = false;  // an optional that is known to be there
};

struct Statement;
using Statements = std::vector<Statement>;

/// A value with the adjoint that goes with it; none: it carries none, or its receiver takes none. `as`: what its receiver takes.
struct Argument { ExprPtr value; ir::Variable* adjoint = nullptr; Type as = nullptr; };
struct Parameter { ir::Variable* variable; bool active, changed = false; };  // changed: where the caller has it

struct Let { std::vector<ir::Variable*> variables; ExprPtr value; bool owns = false, unread = false; };  // owns: no view of what may change
struct Declare { ir::Variable* variable; ExprPtr initial = nullptr; bool unread = false; };  // mutable; null: of no value yet
struct Assign { std::vector<ir::Variable*> variables; std::vector<ExprPtr> values; bool kept = false; };  // all at once; kept: and the arena reset, but for these
struct DeclareAdjoint { ir::Variable* variable; ExprPtr value; bool constant; };  // null: zero
struct Accumulate { ir::Variable* variable; ExprPtr value; std::string field = {}; };  // variable's adjoint, or a field of it, += value
struct AssignAdjoints { std::vector<ir::Variable*> variables; std::vector<ExprPtr> values; bool kept = false; };  // all at once
struct DeclareSaved { ir::Variable* saved; };                 // values that go in by `save` and come out by `restore`, the last one first
struct Save { ir::Variable* saved; ir::Variable* variable; bool outline = false; };  // outline: of an array its shape alone
struct Restore { ir::Variable* saved; ir::Variable* variable; bool declares = false; };
/// Several results of one loop over the elements of arrays of one shape. `values` and results are computed of elements: of the variables that stand for those of the
/// operands, arrays or numbers, and of values before. A result is an array, the variable's or its adjoint, or a number: the sum or the mean of such elements.
struct InOneLoop {
  enum class Total { none, sum, mean };
  struct Result { ir::Variable* variable; bool is_adjoint; ExprPtr value; Total total = Total::none; };
  std::vector<std::pair<ExprPtr, ir::Variable*>> operands;
  std::vector<std::pair<ir::Variable*, ExprPtr>> values;
  std::vector<Result> results;
};
/// The tape of a recursion: the last that goes on by `push` comes off first by `pop`. Both are given the same variables.
struct DeclareTape { ir::Variable* tape; };
struct Push { ir::Variable* tape; std::vector<ir::Variable*> variables; };
struct Pop { ir::Variable* tape; std::vector<ir::Variable*> variables; };
/// results = callee(operands…), in its forward form.
struct Forward { ir::Function* callee; std::vector<ir::Variable*> results; std::vector<ExprPtr> operands; ir::Variable* tape; };
/// callee(arguments…, adjoints of its active results…), in its reverse form.
struct Reverse { ir::Function* callee; std::vector<Argument> arguments; std::vector<ExprPtr> adjoints; ir::Variable* tape; };
/// The items that an array had before a loop changed them, in the order of the changes, for the way back: `note` takes one down in front of its change, `undo`
/// and `redo` go by one, `begin` marks a place, and `undo_to_begin` goes back to the last that was marked.
struct Change {
  enum class Act { declare, begin, note, redo, undo, undo_to_begin };
  Act act;
  ir::Variable* history;
  ExprPtr array = nullptr;           // note
  std::vector<ExprPtr> places = {};
};
/// Of the variable's adjoint the item is zero, in the form of `like`: null: of what it was.
struct ClearItem { ir::Variable* variable; std::vector<ExprPtr> places; ExprPtr like = nullptr; bool unchecked = false; };
struct If { ExprPtr condition; Statements then, otherwise; };
/// marks: the arena is marked in front of the loop, and what a turn leaves behind the mark is gone after it (Assign::kept, reset).
struct While { Statements test; ExprPtr condition; Statements body; bool marks = false; };
struct For {
  ir::Variable* element;
  std::vector<ExprPtr> range;  // start, stop, step; or
  ExprPtr sequence;
  Statements test;
  ExprPtr condition;
  Statements body;
  bool marks = false;
};
struct Backwards { ir::Variable* turn; ExprPtr start, stop; Statements body; };  // turn: stop - 1 … start
/// callee(arguments…, continuation): a lambda, [parameters…] { body }, or one that has a name, `passed`.
struct CallThen { ir::Function* callee; std::vector<Argument> arguments; std::vector<Parameter> parameters; Statements body; std::string passed = {}; std::vector<std::size_t> changes = {}; };
/// What has a continuation of its own, k, and gives it results: of these types, with the adjoint of the active ones.
/// waits: in direct style, too, it has one, and takes a gradient behind that.
struct Part { std::vector<std::pair<Type, bool>> results; Statements statements; bool waits = false; };
/// together(parts…, continuation): none depends on another; the continuation takes the results of all.
struct Together { std::vector<Part> parts; std::vector<Parameter> parameters; Statements body; };
/// each(turns, part, continuation): the part for every number below `turns`; the continuation takes lists of the results.
/// on_one_thread: turns add to adjoints that are not theirs.
struct Each { ir::Variable* turn; ExprPtr turns; Part each; std::vector<Parameter> parameters; Statements body; bool on_one_thread = false; };
/// variables = together(parts…), in direct style: each part returns its results.
struct LetTogether { std::vector<ir::Variable*> variables; std::vector<Part> parts; };
/// lists = each(turns, part), in direct style.
struct LetEach { std::vector<ir::Variable*> lists; ir::Variable* turn; ExprPtr turns; Part each; bool on_one_thread; };
/// each(turns, part, then), in direct style: behind the turns, `then` with the results of each, in order. With a mark it forgets what is
/// in the arena behind that (Assign::kept, reset).
struct EachTurn {
  ir::Variable* turn;
  ExprPtr turns;
  Part each;
  ir::Variable* number;  // of the turn, in `then`
  std::vector<ir::Variable*> results;
  bool marks;
  Statements then;
  bool on_one_thread;
};
struct Join { std::string name; std::vector<Parameter> parameters; Statements body; };
struct Resume { std::string target; std::vector<Argument> arguments; };
struct Return { std::vector<ExprPtr> values; };
struct Do { ExprPtr value; bool discards = false; };  // discards: a value that nobody reads
struct Print { std::vector<ExprPtr> values; bool is_line = true; };
struct Assert { ExprPtr condition; std::string message; };
struct Raise { std::string kind, message; std::vector<ExprPtr> values; };
/// value = callee(arguments…), and the gradients of it: of parameters in the model, of arguments in their adjoints.
struct Gradient { ir::Function* callee; ir::Variable* value; std::vector<Argument> arguments; std::vector<ir::Variable*> parameters; };
/// What a step of Adam, of (value, mean, square), does to an entry whose gradient is zero: mean *= beta1; square *= beta2; value -= size mean / (factor √square + epsilon).
struct AtRest { ExprPtr beta1, beta2, epsilon, size, factor; };
/// An elementwise update of parameters and states of one shape, by one parameter's gradient or by none.
struct Step {
  std::vector<ir::Variable*> targets;
  std::vector<ExprPtr> values;        // over targets, gradients and numbers
  ir::Variable* gradient = nullptr;   // the parameter
  ExprPtr unless = nullptr;           // where this holds, every target stays as it is
  bool rows_only = false;             // where the gradient is zero, every target stays as it is
  std::optional<AtRest> at_rest = {}; // rows without a gradient have this when they are read
};
/// at_beginning: no step can have been put off yet.
struct Store { ir::Variable* target; ExprPtr value; bool at_beginning = false; };
struct Initialize { ir::Variable* target; std::vector<ExprPtr> dims; bool at_beginning = false; };
struct Break {};  // out of the loop around, a `for` or `while`
struct MarkArena {};
struct ResetArena {};
/// Where a reverse sweep begins, and, where it does not last to the end of its list, where it has ended.
enum class Sweep { none, begins, ends };
struct Comment { std::string text; Sweep sweep = Sweep::none; };

struct Statement {
  struct Node : std::variant<Let, Declare, Assign, DeclareAdjoint, Accumulate, AssignAdjoints, InOneLoop, DeclareSaved, Save, Restore, DeclareTape, Push, Pop, Forward, Reverse, Change, ClearItem, If, While, For, Backwards, CallThen, Together, Each, LetTogether, LetEach, EachTurn, Join, Resume, Return, Do, Print,
               Assert, Raise, Gradient, Step, Store, Initialize, Break, MarkArena, ResetArena, Comment> {
    using variant::variant;
    Node(const Node&);
    Node(Node&&) noexcept;
    Node& operator=(const Node&);
    Node& operator=(Node&&) noexcept;
    ~Node();
  };
  Node node;
  Location location = {};
};

enum class Form { direct, cps, forward, reverse };
std::string_view name_of(Form form);

struct Function {
  ir::Function* source;
  Form form;
  std::vector<Parameter> formals = {};
  std::vector<Type> returned = {};          // of its results those that are no formals, changed
  std::vector<bool> active_results = {};    // cps: of those
  std::vector<ir::Variable*> results = {};  // reverse: the active ones, whose adjoints it takes
  ir::Variable* tape = nullptr;             // forward, reverse
  Statements body = {};
  bool uses_model = false;                  // reads or writes parameters, states or gradients, or calls what does
};

struct Program {
  ir::Program* source;
  Activity activity;
  std::vector<Function> functions;                // in source order, a function's direct form first
  std::vector<ir::Variable*> gradients;           // the parameters that a gradient is taken of
  std::set<const ir::Function*> without_memory = {};                 // whose direct forms take none of the arena's (taken_memory.h)
  std::map<const ir::Variable*, const ir::Variable*> deferred = {};  // a table whose steps are put off for rows, and its states → the table
};

ExprPtr make(decltype(Expr::node) node, Type type, Location location = {});
inline ExprPtr reading(ir::Variable* variable) { return make(Read{variable}, variable->type); }
inline ExprPtr adjoint_of(ir::Variable* variable) { return make(AdjointOf{variable}, variable->type); }
inline ExprPtr integer(std::int64_t value) { return make(Constant{value}, scalar(DType::i64)); }

/// The whole number that an expression is known to be.
inline std::optional<std::int64_t> integer_value(const ExprPtr& e) {
  const auto* constant = std::get_if<Constant>(&e->node);
  const auto* value = constant ? std::get_if<std::int64_t>(&constant->value) : nullptr;
  return value ? std::optional(*value) : std::nullopt;
}

/// The form of the callee that a gradient calls: the direct one where the value depends on nothing that a gradient is asked for, or the
/// callee takes the gradient itself.
Form form_called(const Gradient& gradient, const Activity& activity);

/// Whether the continuation of a call does no more than hand what it is given to another.
bool hands_on(const CallThen& call, const std::string& continuation);

/// What a lazy value computes wherever it is read; null: it is none. And such a value.
ExprPtr deferred(const ExprPtr& e);
ExprPtr made_lazy(const ExprPtr& e);
/// An operation of the same operands that needs no check (Apply::unchecked), if it is one and `so`.
ExprPtr unchecked(const ExprPtr& e, bool so = true);
/// Whether an array may be a view of another one's elements, that is none of its own.
bool may_be_view(const ExprPtr& e);
/// Whether it is an array whose elements are all constants: `stack` of them, of such rows, or that of f64 as f32.
bool is_array_of_numbers(const ExprPtr& e);
/// Whether it is such an array, or a list of constants or of such lists, that is large enough to stand in C++ as data, which costs nothing when it runs.
bool is_table(const ExprPtr& e);

/// The program as text, for people (`--emit cps`).
std::string print(const Program& program);

}  // namespace lantern::lowered
