#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

#include "lantern/operators.h"
#include "lantern/types.h"

/// The typed, direct-style IR.
///
///   program  = structure* global* function* export*
///   function = NAME (formal*) block
///   block    = binding* results            ; or it raises, and has no results
///   binding  = variable* = node            ; a tuple is so many variables: there are none at run time
///   node     = operate | call | if | while | for | each | field | is-none | make | copy | value-and-grad | add-gradient
///            | jvp | update | initialize | print | assert | raise
///   operand  = variable | literal
///
/// Names are unique within a function; every variable is bound once. Evaluation is in order of the bindings.
namespace lantern::ir {

struct Function;

enum class Storage { local, parameter, state };

struct Variable {
  std::string name;  // the user's, made unique within its function
  Type type;
  Location location = {};
  Storage storage = Storage::local;
};

struct NoneLiteral {
  bool operator==(const NoneLiteral&) const = default;
};
using Literal = std::variant<NoneLiteral, bool, std::int64_t, double, std::string>;

struct Operand {
  Variable* variable = nullptr;  // null: a literal
  Literal literal = {};
  Type type;
  /// The variable is optional, and known to be present here (narrowed by a test of none?).
  bool present = false;
};

inline Operand read(Variable* variable) { return {.variable = variable, .type = variable->type}; }

struct Block;

/// derived: part of a derivative, whose primal has been checked. unchecked: C++'s own operator does the same (integer_ranges.h).
struct Operate { const Operator* op; std::vector<Operand> operands; Attributes attributes; bool derived = false, unchecked = false; };
struct Call { Function* callee; std::vector<Operand> operands; };
struct If { Operand condition; std::unique_ptr<Block> then, otherwise; };
struct While { std::vector<Variable*> state; std::vector<Operand> initial; std::unique_ptr<Block> test, body; };
struct Range { Operand start, stop, step; };
struct For {
  Variable* element;
  std::variant<Range, Operand> sequence;
  std::vector<Variable*> state;
  std::vector<Operand> initial;
  std::unique_ptr<Block> test, body;
};
/// A turn for each number below `turns`; none depends on another. Its results are lists of what they give.
struct Each { Variable* turn; Operand turns; std::unique_ptr<Block> body; };
struct Field { Operand object; std::string name; };
struct IsNone { Operand object; };
struct Make { std::string structure; std::vector<Operand> fields; };
struct Copy { Operand value; };  // gives a literal or another variable a name and type of its own
/// wrt: globals, or callee's formals. in_parts: the callee is no more than called, and takes the gradient itself, by `AddGradient`s.
struct ValueAndGrad { Function* callee; std::vector<Variable*> wrt; std::vector<Operand> operands; bool in_parts = false; };
/// Calls the callee, and adds the gradient of its result number `of`, times `adjoint`, to what the ValueAndGrad around it gives.
struct AddGradient { Function* callee; std::vector<Operand> operands; std::size_t of; Operand adjoint; };
/// Gives the callee's results and, for each that can have one, its tangent. A tangent that is the literal none: the argument is a constant.
struct Jvp { Function* callee; std::vector<Operand> operands, tangents; };
struct Update { std::vector<Variable*> targets; std::vector<Operand> values; };
struct Initialize { Variable* target; std::vector<Operand> dims; };
struct Print { std::vector<Operand> operands; bool is_line = true; };
struct Assert { Operand condition; std::string message; };
struct Raise { std::string kind, message; std::vector<Operand> operands; };

/// Its special members are functions of ir.cpp: implicit ones were compiled in each library anew.
struct Node : std::variant<Operate, Call, If, While, For, Each, Field, IsNone, Make, Copy, ValueAndGrad, AddGradient, Jvp, Update, Initialize,
                           Print, Assert, Raise> {
  using variant::variant;
  Node(Node&&) noexcept;
  Node& operator=(Node&&) noexcept;
  ~Node();
};

struct Binding {
  std::vector<Variable*> results;
  Node node;
  Location location;
  /// Of so many bindings from this one on, the calls do not depend on each other, and may be made side by side (batching.h): each
  /// with what stands before it and only it reads.
  std::size_t at_once = 1;
};

struct Block {
  std::vector<Binding> bindings;
  std::vector<Operand> results;
  bool raises = false;  // control never reaches its end
};

/// A derivative of a function's own, in the place of the one that its body has. `forward` takes the function's arguments and
/// gives its results and, behind them, whatever `backward` needs; that takes those and the adjoint of each floating result,
/// and gives one for each floating formal.
struct OwnDerivative {
  Function* forward = nullptr;
  Function* backward = nullptr;
  bool exact = false;  // the body has the same derivative
  explicit operator bool() const { return backward != nullptr; }
};

/// Lists that are one of tuples together: each is as long as the others. Or the lists are that are so deep within them.
struct Columns {
  std::vector<Variable*> lists;
  int depth = 0;
};

struct Function {
  std::string name;
  Location location = {};
  std::vector<Variable*> formals = {};
  Block body = {};
  std::vector<Type> results = {};  // a tuple's elements; one for anything else
  Type result_type = nullptr;      // as the language sees it
  OwnDerivative derivative = {};
  std::vector<Columns> columns = {};  // of formals, and of what has a name in the body; of formals, those within them, too
};

struct Structure {
  std::string name;
  std::vector<std::pair<std::string, Type>> fields;
  std::string about = {};                           // what the user says of it,
  std::map<std::string, std::string> comments = {};  // and of its fields
  Type field(const std::string& name) const;  // null: there is none
};

/// How a parameter or state starts.
struct Initializer {
  std::string kind;              // fill, uniform, normal; values: each element, row by row
  std::vector<Literal> numbers;  // whole ones and others
  double number(std::size_t i) const { return std::holds_alternative<double>(numbers[i]) ? std::get<double>(numbers[i]) : static_cast<double>(std::get<std::int64_t>(numbers[i])); }
};

struct Global { Variable* variable; Initializer initializer; };

/// A matrix without memory of its own: parameters are its blocks, `columns` of them in each row. `variable` is read, and added to, as a parameter is.
struct BlockMatrix { Variable* variable; std::vector<Variable*> blocks; std::size_t columns; };

struct ExportedFormal { std::string name; std::optional<Literal> default_value; std::string doc; };

struct Export { Function* function; std::string name, doc; std::vector<ExportedFormal> formals; };  // name: what its callers know it by

struct Program {
  std::string name;         // of the module: becomes the C++ namespace
  std::string source_name;  // the file it came from, as its user knows it
  std::deque<Structure> structures;
  std::vector<Global> globals;
  std::vector<BlockMatrix> block_matrices;
  std::deque<Function> functions;  // in source order
  std::vector<Export> exports;
  /// Nothing was exported by name: the last function is what the program is for, in its differentiable form.
  Function* differentiable_entry = nullptr;
  std::deque<Variable> variables;
  /// What the user says of a line of a file, in lines of text; of a function's first, what it is for.
  std::map<std::pair<std::string, int>, std::string> comments;

  Structure* structure(const std::string& name);
  const Structure* structure(const std::string& name) const;
  Variable* add_variable(Variable variable) { return &variables.emplace_back(std::move(variable)); }
  /// A function without a body, under that name or, where it is taken, one like it.
  Function* add_function(const std::string& name, const Location& location);
};

/// Of a variable that passes make, until it is spelled; no name of a user's has such a character.
inline constexpr const char* temporary = "x%";
/// Whether a variable's name is none of the user's: x12, x%, x%_3. x_1 is the user's x.
bool is_made_up(const std::string& name);
/// total, of total and of total_1.
std::string without_number(const std::string& name);
/// Whether two names are one of the user's, numbered or not: total, total_1.
bool have_one_name(const std::string& a, const std::string& b);

/// Whether an operand is that whole number; whether a block, as of a loop that goes on, gives true and does nothing.
bool is_integer(const Operand& operand, std::int64_t value);
bool is_true(const Block& block);

/// Calls `visit` with each variable that a block binds, those of nested blocks too.
void for_each_variable(const Block& block, const std::function<void(Variable*)>& visit);

/// The names of a function's variables.
std::set<std::string> names_in(const Function& function);

/// Calls `visit` with each block nested directly in the node.
template <class Visit>
void for_each_block(const Node& node, Visit visit) {
  if (const auto* branch = std::get_if<If>(&node)) {
    visit(*branch->then);
    visit(*branch->otherwise);
  } else if (const auto* loop = std::get_if<While>(&node)) {
    visit(*loop->test);
    visit(*loop->body);
  } else if (const auto* loop = std::get_if<For>(&node)) {
    visit(*loop->test);
    visit(*loop->body);
  } else if (const auto* each = std::get_if<Each>(&node)) {
    visit(*each->body);
  }
}

/// Calls `visit` with each operand in a block, those of nested blocks too; it may change them.
void for_each_operand(Block& block, const std::function<void(Operand&)>& visit);

/// Whether a value of that type holds floating numbers, which can carry adjoints: itself, or in its elements or fields.
bool holds_floats(const Program& program, const Type& type);

/// Whether adjoints of such values are referred to, and not passed back: structures, which others may link to, and lists of them.
/// Such an adjoint is made where its value is, and shares what the value shares.
bool has_adjoint_by_reference(const Type& type);

/// The functions that a node may run, nested blocks aside: the callee and, in its place, those of its own derivative.
std::vector<Function*> callees_of(const Node& node);

/// Whether `holds` of a block of a function, or of a function that it may run: each is asked about once, until one holds.
bool any_block(const Function& function, const std::function<bool(const Block&)>& holds);

/// Whether a run of the block may do more than give its results, callees and nested blocks aside.
bool does_more(const Block& block);

/// Does a run of the function take a gradient? Does the block itself, nested ones and callees aside?
bool takes_gradient(const Function& function);
bool takes_gradient(const Block& block);

/// The operands a node reads itself, nested blocks aside.
std::vector<const Operand*> operands_of(const Node& node);

/// The IR as text, for people.
std::string print(const Program& program);

}  // namespace lantern::ir
