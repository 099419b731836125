#pragma once

#include <functional>
#include <map>
#include <set>

#include "lantern/lowered.h"

namespace lantern {

/// Builds one form of one function. Shared by the direct statements and the continuation-passing ones.
class FormBuilder {
 public:
  FormBuilder(ir::Program& program, const Activity& activity, lowered::Form form)
      : program_(program), activity_(activity), form_(form) {}

  lowered::Function build(ir::Function& function);

  std::vector<std::pair<ir::Function*, lowered::Form>> calls;  // what the form needs

 private:
  /// Where the results of a block go: to the function's continuation or a join point, with the adjoint of the active
  /// ones; or, in direct code, to variables or to the caller.
  struct Target {
    std::string continuation;
    std::vector<lowered::Parameter> parameters;
  };

  // direct_form.cpp
  void direct_block(const ir::Block& block, lowered::Statements& out);
  void direct_binding(const ir::Block& block, std::size_t index, lowered::Statements& out);
  void direct_returning(const ir::Block& block, lowered::Statements& out);
  void direct_assigning(const ir::Block& block, const std::vector<ir::Variable*>& targets, lowered::Statements& out);
  template <class Loop>
  void direct_loop(const ir::Binding& binding, const Loop& loop, lowered::Statements& out);
  void gradient(const ir::Block& block, std::size_t index, lowered::Statements& out);
  void update(const ir::Block& block, std::size_t index, lowered::Statements& out);
  bool fuse(const ir::Block& block, std::size_t index, lowered::Step& step);

  // cps_form.cpp
  void segment(const ir::Block& block, std::size_t from, const Target& target, lowered::Statements& out);
  lowered::Argument argument(const ir::Operand& operand, bool active, lowered::Statements& out,
                             std::vector<std::pair<ir::Variable*, ir::Variable*>>& gathered);

  lowered::ExprPtr sharing_adjoint(const ir::Binding& binding, const std::function<bool(const ir::Variable*)>& is_declared);

  lowered::ExprPtr expr(const ir::Operand& operand);
  std::vector<lowered::ExprPtr> exprs(const std::vector<ir::Operand>& operands);
  lowered::ExprPtr value_of(const ir::Binding& binding);  // of an operation without blocks
  ir::Variable* fresh(const std::string& name, Type type);

  ir::Program& program_;
  const Activity& activity_;
  lowered::Form form_;
  ir::Function* function_ = nullptr;
  std::map<const ir::Variable*, lowered::ExprPtr> inlined_;          // what stands for a variable that is never declared
  std::map<const ir::Variable*, ir::Variable*> deferred_gradients_;  // a value-and-grad's result → its parameter
  int joins_ = 0;
};

/// Leaves out what is computed and never used; writes a value that has no name of the user's where it is used.
void tidy(lowered::Function& function);

/// Does a run of the function take a gradient?
bool takes_gradient(const ir::Function& function);
bool takes_gradient(const ir::Node& node);

}  // namespace lantern
