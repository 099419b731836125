#pragma once

#include <map>
#include <set>
#include <vector>

#include "lantern/ir.h"

namespace lantern {

/// Whether values of a type have tangents: floating numbers and arrays, and lists of them.
bool carries_tangent(const Type& type);

/// One of those that a gradient is with respect to that holds numbers and has no tangent, a structure; null: there is none.
const ir::Variable* without_tangent(const std::vector<ir::Variable*>& wrt);

/// What varies in a function: the values that depend, by a way that has a derivative, on chosen ones of its formals.
/// Unlike activity it is found for each choice of formals by itself, so that what a call leaves constant costs nothing.
class Varied {
 public:
  struct Found {
    std::set<const ir::Variable*> variables;
    std::vector<bool> results;
  };

  /// `mask`: for each formal whether it varies. Before: no jvp is left in the function and those that it calls.
  const Found& in(const ir::Function& function, const std::vector<bool>& mask);

 private:
  void forwards(const ir::Block& block, Found& found);
  void forwards(const ir::Binding& binding, Found& found);

  std::map<std::pair<const ir::Function*, std::vector<bool>>, Found> found_;
  bool changed_ = false, underway_ = false;
};

/// For each of the operands whether it varies, given what varies around a call.
std::vector<bool> mask_of(const std::vector<ir::Operand>& operands, const Varied::Found& found);

}  // namespace lantern
