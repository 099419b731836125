#pragma once

#include <map>
#include <set>

#include "lantern/inference.h"
#include "lantern/ir.h"
#include "sexpr/datum.h"
#include "support/diagnostic.h"

namespace lantern {

/// An expression's value: one operand, or one for each leaf of a tuple.
struct Value {
  Type type;
  std::vector<ir::Operand> parts;
  bool never = false;  // control does not get past it
};

/// A function's text, what its body may refer to, and how far it has been elaborated.
struct FunctionSource {
  const sexpr::Datum* define = nullptr;
  ir::Function* function = nullptr;
  std::vector<std::pair<std::string, Value>> formals = {};
  std::map<std::string, FunctionSource*> outer_functions = {};     // of a nested define
  std::vector<std::pair<std::string, Value>> captured = {};        // the outer values it closes over, its own copies
  std::vector<ir::Operand> captured_from = {};                     // the same, as the definer sees them
  std::map<std::string, Location> locations = {};                  // of the names in its text
  Type declared = nullptr;
  enum { untouched, underway, finished } progress = untouched;
};

/// A type as written. Fails where it speaks of a structure that the program does not declare.
Type read_known_type(ir::Program& program, const sexpr::Datum& datum);
/// "1 field", "2 fields"; "1 is", "2 are".
std::string counted(std::size_t count, const std::string& what);
std::string is_or_are(std::size_t count);
/// LT0505, of an optional that is none of a structure.
Failure refuse_missing(const Type& type, const Location& location);

/// The name that a datum is. Fails where it is none.
std::string name_in(const sexpr::Datum& datum);

/// The value of what has none: `(tuple)`.
Value unit();

/// Turns the expressions of one program into blocks of IR. See check.h for what holds before and after.
class Elaborator {
 public:
  Elaborator(ir::Program& program, Inference& inference) : program_(program), inference_(inference) {}

  void declare_global(const std::string& name, ir::Variable* variable);
  FunctionSource* declare_function(const sexpr::Datum& define);
  void elaborate(FunctionSource& source);

  FunctionSource* function_named(const std::string& name);

  std::vector<Diagnostic> diagnostics;

 private:
  struct Context;  // of the function under way

  Value expression(const sexpr::Datum& datum, ir::Block& block);
  Value tail(const sexpr::Datum* datum, ir::Block& block);
  Value sequence(std::span<const sexpr::Datum* const> elements, ir::Block& block);
  Value atom(const sexpr::Datum& datum, ir::Block& block);
  Value special(const sexpr::Datum& datum, ir::Block& block);
  Value undefined(const Type& type, ir::Block& block, std::set<std::string> within = {});  // within: structures, whose part it is
  Value branch(const sexpr::Datum& datum, ir::Block& block);
  Value while_loop(const sexpr::Datum& datum, ir::Block& block);
  Value for_loop(const sexpr::Datum& datum, ir::Block& block);
  Value getattr(const sexpr::Datum& datum, ir::Block& block);
  Value operation(const sexpr::Datum& datum, ir::Block& block);
  Value list(const sexpr::Datum& datum, ir::Block& block);
  void check_foreign_name(const std::vector<ir::Operand>& operands);
  Value operate(const std::string& name, std::vector<ir::Operand> operands, Attributes attributes, ir::Block& block);
  void check_tree(const ir::Structure& tree);
  Value columns_operation(const std::string& name, const std::vector<Value>& values, const Attributes& attributes, ir::Block& block);
  bool stands_there(const std::vector<ir::Operand>& write) const;
  void leave_out_reads(ir::Block& block, std::size_t begin, const std::vector<ir::Operand>& parts);
  Value call(const sexpr::Datum& datum, FunctionSource& callee, std::size_t first, ir::Block& block);
  Value differentiated_call(const sexpr::Datum& datum, FunctionSource& callee, std::span<const sexpr::Datum* const> arguments, ir::Block& block);
  Value value_and_grad(const sexpr::Datum& datum, ir::Block& block);
  Value jvp(const sexpr::Datum& datum, ir::Block& block);
  ir::Operand tangent_of(const ir::Operand& tangent, const ir::Operand& primal, const std::string& what, ir::Block& block);
  Value update(const sexpr::Datum& datum, ir::Block& block);
  Value initialize(const sexpr::Datum& datum, ir::Block& block);
  FunctionSource* nested_function(const sexpr::Datum& define);

  struct LoopState {
    std::vector<std::string> names;
    std::vector<Value> initial;
  };
  LoopState loop_state(const sexpr::Datum& datum, ir::Block& block);
  // Elaborates a loop's test and body until its state's types no longer change.
  Value loop(const Location& here, LoopState state, const sexpr::Datum& test, const sexpr::Datum& body,
             ir::Block& block, ir::Node node, const std::string& element_name, Type element_type, const Value* columns = nullptr);
  Value columns_loop(const Location& here, const sexpr::Datum& datum, const Value& list, ir::Block& block);

  Value bind(ir::Block& block, ir::Node node, std::vector<Type> types, Type type);
  void bind_name(const std::string& name, const Value& value);
  ir::Variable* fresh(const std::string& name, Type type);
  ir::Operand single(const sexpr::Datum& datum, ir::Block& block);
  Value operand_value(const sexpr::Datum& datum, ir::Block& block);
  ir::Operand only_part(const Value& value);
  ir::Operand truth(const sexpr::Datum& datum, ir::Block& block);
  std::vector<ir::Operand> coerce(const Value& value, const Type& to, ir::Block& block, const std::string& what);
  ir::Operand coerce_one(ir::Operand operand, const Type& to, ir::Block& block, const std::string& what);
  void narrow(const ir::Operand& condition, bool holds);
  const Value* lookup(const std::string& name) const;
  std::vector<std::string> names_of_values() const;     // that mean something here
  std::vector<std::string> names_of_functions() const;  // operators among them
  void need_size(const sexpr::Datum& datum, std::size_t least, std::size_t most, const std::string& form);
  ir::Variable* global(const sexpr::Datum& name);
  [[noreturn]] void fail(const std::string& code, const std::string& message, const std::string& hint = {});

  // Scopes: what each name means now, undone on leaving.
  struct Scope;

  ir::Program& program_;
  Inference& inference_;
  std::map<std::string, Value> globals_;
  std::map<std::string, FunctionSource*> functions_;
  std::deque<FunctionSource> sources_;
  std::set<std::string> function_names_;
  Context* context_ = nullptr;
};

}  // namespace lantern
