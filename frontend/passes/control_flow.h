#pragma once

#include "frontend/passes/state.h"

/// The shared shape of `if`, `while`, `for` and `try` after conversion: functions for the branches and for the state, then
/// one operator call. if.cpp, while.cpp, for.cpp and try.cpp fill it in.
namespace lantern::passes {

class Shape {
 public:
  Shape(Function& function, const StatementState& state, const syntax::Range& at);

  /// `name = ag__.Undefined('name')` for the variables that need a value, `get_state__` and `set_state__`.
  syntax::Block prologue() const;
  /// `def NAME(PARAMETERS): nonlocal …; BODY`, for a branch.
  syntax::StmtPtr branch(const std::string& name, std::vector<std::string> parameters, const Branch& branch,
                         syntax::Block body) const;
  /// `ag__.NAME(ARGUMENTS…, place)` as a statement; in the loops of a comprehension, `into__.NAME(…)`.
  syntax::StmtPtr operation(const std::string& name, std::vector<syntax::ExprPtr> arguments) const;
  syntax::StmtPtr operation(const std::string& name, std::vector<syntax::ExprPtr> arguments, bool hands_elements_on) const;

  syntax::ExprPtr get_state() const;  // the functions' names
  syntax::ExprPtr set_state() const;
  syntax::ExprPtr names() const;  // ('h', 'c')

 private:
  void declare(const NameSet& written, syntax::Block& body) const;
  syntax::ExprPtr state_function(const std::string& base) const;  // `ag__.nothing` where there is no state

  Function& function_;
  const StatementState& state_;
  syntax::Range at_;
};

/// `NAME = ag__.Undefined('NAME')`, for each.
syntax::Block undefined(const Function& function, const std::vector<std::string>& names, const syntax::Range& at);

syntax::Block convert_if(Function& function, const StatementState& state, syntax::If& node, const syntax::Range& at);
syntax::Block convert_while(Function& function, const StatementState& state, syntax::While& node, const syntax::Range& at);
/// The statement itself is taken.
syntax::Block convert_try(Function& function, const StatementState& state, syntax::StmtPtr stmt, const syntax::Range& at);
/// `target` is the text of the loop's target, `break_flag` the variable that ends it ("": none).
syntax::Block convert_for(Function& function, const StatementState& state, syntax::For& node, const syntax::Range& at,
                          const std::string& target, const std::string& break_flag);

}  // namespace lantern::passes
