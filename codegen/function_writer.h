#pragma once

#include <map>
#include <optional>
#include <set>

#include "codegen/cpp.h"
#include "codegen/naming.h"
#include "codegen/spelling.h"
#include "codegen/tables.h"
#include "codegen/uses.h"
#include "lantern/lowered.h"
#include "lantern/origins.h"

namespace lantern {

/// What the functions of one program need to know of each other.
struct ProgramNames {
  ProgramNames(const lowered::Program& program, const spelling::NamesInUse& in_use);

  std::string function(const ir::Function* function, lowered::Form form) const;
  std::string exported(const ir::Function* function) const;    // what the header calls it
  std::vector<std::string> formals(const ir::Function* function) const;           // of one that the header declares, where it is defined
  std::vector<std::string> declared_formals(const ir::Function* function) const;  // and in the header, where they hide nothing
  std::string global(const ir::Variable* global) const;  // of its own among the parameters, or the states; of a matrix of blocks, the function that gives it
  /// What it is in a group of the model's arrays: model.parameters.w, or w_to_v(model.parameters).
  std::string in_group(const std::string& group, const ir::Variable* global) const;
  bool uses_model(const ir::Function* function, lowered::Form form) const;
  bool has(const ir::Function* function, lowered::Form form) const { return use_model_.contains({function, form}); }

  const lowered::Program& program;
  const spelling::NamesInUse* in_use;
  std::map<const ir::Function*, std::string> functions;
  std::map<std::pair<const ir::Function*, lowered::Form>, std::string> sweeps;  // of those that have two of their own
  std::set<std::string> structures;            // what types are called in signatures, which no formal hides
  std::set<std::string> called;                // of functions and structures; functions do not call entries
  std::set<const ir::Function*> recursive;
  std::map<const lowered::Function*, Uses> uses;
  Tables* tables = nullptr;                    // of what is defined
  std::vector<Origin>* origins = nullptr;      // what the marks in the text stand for (marks.h); null: it gets none

 private:
  std::map<std::pair<const ir::Function*, lowered::Form>, bool> use_model_;
  std::map<const ir::Function*, std::string> exported_;
  std::map<const ir::Variable*, std::string> globals_;
  std::set<const ir::Variable*> block_matrices_;
};

/// One form of one function as C++.
class FunctionWriter {
 public:
  FunctionWriter(const ProgramNames& names, const lowered::Function& function) : names_(names), function_(function), uses_(names.uses.at(&function)) {
    if (uses_.marks) spellings_.insert(mark_), mark_names_.insert(mark_);
    if (function.form == lowered::Form::cps) continuations_.push_back("k");
    reverse_ = function.form == lowered::Form::reverse;
  }

  /// Without the semicolon of a declaration. of_definition: what its body does not read has no name.
  std::string signature(bool of_definition = false);
  std::string definition();  // with a comment that says where it comes from
  const std::map<const ir::Variable*, std::string>& spelled() const { return spelled_; }

 private:
  // expressions.cpp
  cpp::Expr expr(const lowered::ExprPtr& e);
  cpp::Expr expr_as(const lowered::ExprPtr& e, const Type& wanted);  // a structure or an optional as the other
  cpp::Expr apply(const lowered::Expr& e, const lowered::Apply& apply);
  cpp::Expr field(const lowered::Expr& e, const lowered::FieldOf& field);
  cpp::Expr present(const cpp::Expr& link, const Location& location, const lowered::ExprPtr& e);  // what it links to, which may be missing
  std::string field_of(const Type& object, const std::string& field) const;  // of a structure or an optional: its member
  cpp::Expr pointer_to(const lowered::ExprPtr& e);  // of a structure or an optional
  cpp::Expr constant(const ir::Literal& literal, const Type& type);
  cpp::Expr adjoint(const ir::Variable* variable);
  std::string arguments(const ir::Function* callee, lowered::Form form, const std::vector<lowered::Argument>& arguments);

  // statements.cpp
  void statements(const lowered::Statements& list, bool last, bool in_scope_of_its_own = true);
  void comments_on(const lowered::Statement& statement);
  void statement(const lowered::Statement& statement, bool last);
  void let(const lowered::Let& n);
  void branch(const lowered::If& n, bool last, bool chained = false);
  void returns(const lowered::Return& n, bool last);
  void turn(const lowered::Statements& body);
  void loop_body(const lowered::Statements& test, const lowered::ExprPtr& condition, const lowered::Statements& body);
  void for_loop(const lowered::For& n, const Location& location);
  void while_loop(const lowered::While& n);
  std::string next_mark();  // of the arena: what the statements behind it reset it to, under a name that hides none
  void mark_arena();
  void assign(const lowered::Assign& n);
  void assign_adjoints(const lowered::AssignAdjoints& n);
  void change(const lowered::Change& n, const Location& location);
  void clear(const lowered::ClearItem& n);
  std::string places(const std::vector<lowered::ExprPtr>& places);
  struct Next { std::string target, value, combined; };  // combined: the statement where it is a shorter one, as `target += x`
  Next next(const ir::Variable* target, const lowered::ExprPtr& value);
  std::string combined(const std::string& target, const lowered::ExprPtr& value, const std::string& text);  // "": there is no shorter one
  void assign_all(std::vector<Next> all, bool tangled);
  void assign_kept(const lowered::Assign& n);
  std::string kept(const std::vector<std::string>& targets, const std::vector<lowered::ExprPtr>& values);
  std::string name(const ir::Variable* variable);
  std::string mark(std::vector<Location> places);  // what is written behind it comes from there; "" where nobody asks
  std::string unique(const std::string& base);  // a name that nothing in the function has
  std::string beside(const std::string& name, const char* suffix);
  std::string declared(const ir::Variable* variable, bool used);

  // tables.cpp
  cpp::Expr table(const ir::Variable* variable, const lowered::ExprPtr& e);
  std::string lists(const std::string& wanted, const std::vector<lowered::ExprPtr>& lists, const Type& type);

  // derivatives.cpp
  void accumulate(const lowered::Accumulate& n);
  void gradient(const lowered::Gradient& n);
  std::string tape(const ir::Variable* tape);
  void push(const lowered::Push& n);
  void pop(const lowered::Pop& n);
  std::string sweep(const ir::Function* callee, lowered::Form form, const std::vector<lowered::Argument>& arguments, const std::vector<lowered::ExprPtr>& adjoints,
                    const ir::Variable* tape);
  void forward(const lowered::Forward& n);
  void reverse(const lowered::Reverse& n);

  // loops.cpp
  void in_one_loop(const lowered::InOneLoop& n);

  // functions.cpp
  std::string body();
  void choose_names();
  std::string within(const lowered::Statements& body);  // what is in its braces
  std::string part(const ir::Variable* turn, const std::string& type, const lowered::Statements& body);  // what has a continuation of its own, of that type
  std::string target(const std::string& continuation) const;
  std::string returning(const ir::Variable* turn, const lowered::Part& part);  // in direct style; turn: the formal, or null
  void let_all(const std::vector<ir::Variable*>& variables, const std::string& value);
  std::string turn_of(const ir::Variable* turn, const lowered::Part& p);
  static std::string each_of(const lowered::Part& p, bool on_one_thread);
  void each_turn(const lowered::EachTurn& n);
  std::string named_turn(const std::string& turn);
  static std::string continuation(const std::vector<std::pair<Type, bool>>& results);
  std::string lambda(const std::vector<lowered::Parameter>& parameters, const lowered::Statements& body);

  // steps.cpp
  struct StepText { std::string call, function, arguments; };
  std::size_t steps(const lowered::Statements& list, std::size_t begin);  // where the steps that begin there end
  StepText step(const lowered::Step& n);
  std::string array(const ir::Variable* global, bool may_lag = true);  // a parameter or a state, as it is when all steps have been taken; they may lag
  std::optional<cpp::Expr> row_with_steps(const lowered::Expr& e, const lowered::Apply& apply);
  void raise(const lowered::Raise& n, const std::string& place);
  bool raises_at_once(const lowered::If& n, const std::string& condition);  // in one line, which is written then

  // displays.cpp
  static cpp::Expr list_of(const Type& type, const std::vector<cpp::Expr>& elements);
  std::optional<std::vector<cpp::Expr>> elements_of(const lowered::Apply& append);
  void joined(const lowered::Apply& apply, std::vector<cpp::Expr>& operands);

  // subscripts.cpp
  std::optional<cpp::Expr> item_of_row(const lowered::Expr& e, const lowered::Apply& apply);
  std::optional<cpp::Expr> subscripted(const lowered::ExprPtr& whole);
  std::optional<cpp::Expr> item(const lowered::Apply& apply);  // none: it is looked for
  std::optional<cpp::Expr> at_place(const cpp::Expr& whole, const lowered::ExprPtr& place);
  std::optional<std::string> set_item(const lowered::Apply& change, const Location& location);
  bool reads_item(lowered::ExprPtr read, const lowered::Apply& change, const std::string& place);
  std::optional<std::string> updated_item(const lowered::Apply& change, const Location& location);
  std::optional<std::string> add_to_item(const lowered::Accumulate& n);

  const ProgramNames& names_;
  const lowered::Function& function_;
  const Uses& uses_;
  bool is_draft_ = false;                               // written to see where names are mentioned
  Naming naming_;
  cpp::Writer out_;
  std::set<int> commented_;                             // lines of the user's file whose comments stand here already
  std::set<const ir::Variable*> read_, adjoints_read_;  // filled while bodies are written
  std::map<const ir::Variable*, lowered::ExprPtr> made_up_;  // what the names that are no user's stand for
  std::set<const ir::Variable*> pointers_;              // structures that are held by pointer
  std::set<const ir::Variable*> lazy_, lazy_adjoints_;  // what is computed where it is read
  std::map<const ir::Variable*, std::string> spelled_;
  std::set<std::string> spellings_;                     // of its own
  std::map<const ir::Variable*, std::string> entries_;  // within a step: what stands for a target or a number
  std::string step_suffix_;                             // of literals within a step
  std::string mark_ = "mark";                           // of the arena
  std::set<std::string> mark_names_;                    // that are no variable's
  std::vector<std::pair<std::string, const ir::Variable*>> tables_in_scope_;  // what looks at a table, and its variable
  std::map<const ir::Variable*, const ir::Variable*> same_tables_;            // a variable → the one that looks at its table, too
  std::vector<std::string> marks_in_scope_, continuations_;  // of those in scope, the innermost last
  const lowered::If* skips_ = nullptr;                  // what ends the turn of the loop around
  bool model_read_ = false;
  bool reverse_ = false;                                // what is written belongs to the reverse sweep
  const std::vector<Type>* returned_ = nullptr;         // what a Return gives; null: results go to a continuation
};

}  // namespace lantern
