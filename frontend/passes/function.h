#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "frontend/analysis/names.h"
#include "frontend/build.h"
#include "frontend/syntax.h"
#include "frontend/walk.h"

/// What every pass works on: one function of the user's, and the names and places around it.
namespace lantern::passes {

using analysis::NameSet;
using analysis::QualifiedName;

/// Why a function stays plain Python; not an error: it runs as before, and a staged value in it is reported there.
struct Refusal {
  std::string code;
  std::string reason;  // "it is a generator"
  syntax::Range range;
};

/// What one file says of names.
struct FileNames {
  NameSet used;   // every identifier: ours avoid them
  NameSet bound;  // those that are assigned, imported or defined somewhere: a builtin among them is not to be trusted
};

FileNames file_names(const syntax::Module& module);

/// What a function is for, that a pass has made of an expression of the user's.
enum class Role {
  user,           // one that the user wrote
  operand,        // what an operand or a `case` does: called where it stands, on the variables of the function around it
  comprehension,  // the loops of a comprehension: its second parameter takes the elements
  elements,       // gives a generator, to code that is not converted
  generator,      // the user's generator where something is staged: its first parameter takes the elements
};

struct Function {
  syntax::FunctionDef& def;
  const FileNames& file;
  std::string operators;   // the name of the operators' module, `ag__`
  std::string class_name;  // of the innermost class around it; may be ""
  Role role = Role::user;
  /// Whether what goes through a generator has a state of its own, which the generator's loops and branches carry.
  bool hands_elements_on() const { return role == Role::comprehension || role == Role::generator; }
  analysis::Bindings bindings = {};

  // What later passes need of statements that earlier ones rewrite.
  std::map<const syntax::Stmt*, std::string> loop_targets = {};           // `for`: its target as the user spelled it
  std::map<const syntax::Stmt*, std::string> break_flags = {};            // `for`: the loop stops where this is true
  std::map<const syntax::Stmt*, std::vector<QualifiedName>> places = {};  // attributes stored to in it

  std::map<std::string, Role> made = {};  // functions that passes made of the user's expressions: converted like the user's
  NameSet ours = {};                      // variables that passes made: they carry no user's name

  /// A variable of this function that nobody else has: `break_`, the next time `break_1`.
  std::string variable(const std::string& base);
  /// A name for a function or a parameter that is used where it is made, so that each place may have the same.
  std::string local_name(const std::string& base) const;

  /// The parameter that takes elements, of the loops of a comprehension and of a generator.
  const std::string& into() const;

  /// `ag__.NAME(ARGUMENTS…, (line, column))`
  syntax::ExprPtr operation(const std::string& name, std::vector<syntax::ExprPtr> arguments, const syntax::Range& at) const;
  /// The same without the place.
  syntax::ExprPtr placeless(const std::string& name, std::vector<syntax::ExprPtr> arguments, const syntax::Range& at) const;
  /// `(line, column)`
  syntax::ExprPtr place(const syntax::Range& at) const;
  /// `ag__.stored_global('NAME', place)`, or `ag__.stored_nonlocal('NAME', lambda: NAME, place)`, behind a store to a variable that
  /// is declared global or nonlocal; else nothing.
  syntax::Block note_of_store(const std::string& name, const syntax::Range& at) const;
  /// Whether `callee` is `ag__.…`.
  bool is_operator(const syntax::Expr& callee) const;
  /// Whether an expression is `PLAIN if ag__.plain() else STAGED`.
  bool is_plain_choice(const syntax::Expr& expr) const;
};

/// Whether an index can be written as a value (below).
bool has_index_value(const Function& function, const syntax::Expr& index);

/// An index as a value: `slice(a, b, None)` for `a:b`, also inside a tuple. None where the file has a `slice` of its own.
std::optional<syntax::ExprPtr> index_value(const Function& function, syntax::ExprPtr& index);

/// `global` and `nonlocal` for what an expression binds by `:=`, in the function that it is moved to.
syntax::Block declarations_of(const Function& function, const std::vector<std::string>& bound);

/// `lambda: body`
syntax::ExprPtr thunk(syntax::ExprPtr body);

/// Whether an expression may stand in a lambda of ours: one that binds a name by `:=` would bind the lambda's.
bool may_be_delayed(const syntax::Expr& expr);

/// Whether evaluating it neither does nor depends on anything: a number, a string, None.
bool is_constant(const syntax::Expr& expr);

/// Applies `visit` to every expression that the function's own code evaluates, innermost first: not to targets,
/// annotations and nested functions' or classes' bodies, but to lambdas' and comprehensions' insides. What a plain choice keeps
/// for plain Python stays as it is, unless it makes a lambda, which staged code may call.
void rewrite_loads(Function& function, const std::function<void(syntax::ExprPtr&)>& visit);
/// The same for the expressions under one.
void rewrite_loads(const Function& function, syntax::ExprPtr& expr, const std::function<void(syntax::ExprPtr&)>& visit);
/// The outermost expressions that a statement itself evaluates.
void for_each_load(syntax::Stmt& stmt, const std::function<void(syntax::ExprPtr&)>& visit);

/// Replaces each statement of the function's own code by what `rewrite` makes of it, inner ones first.
/// A block that would end up empty gets a `pass`.
void rewrite_statements(Function& function, const std::function<syntax::Block(syntax::StmtPtr)>& rewrite);

/// Whether a statement is a class or a function of the user's, which is converted on its own, and not one that a pass made.
bool is_users_definition(const Function& function, const syntax::Stmt& stmt);

/// Inserts statements behind the docstring and the `global` and `nonlocal` declarations.
void prepend(syntax::Block& body, syntax::Block statements);

}  // namespace lantern::passes
