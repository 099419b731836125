#pragma once

#include <map>
#include <set>

#include "lantern/ir.h"
#include "lantern/varied.h"
#include "support/diagnostic.h"

namespace lantern {

/// Forward mode: a jvp becomes the call of a function that computes tangents beside what varies.
/// Before: any program. After: no jvp is left; activity and all that follows see ordinary functions, so that the gradient
/// of a tangent, a Hessian-vector product, is a gradient like any other. Throws Failure LT0503 where what varies reaches
/// an operation by which no tangent goes, and LT0508 where a function takes the derivative of itself.
void forward_mode(ir::Program& program);

/// LT0508: the function takes a derivative of itself.
Failure endless(const ir::Function& function);

/// Makes derived functions, one for each function and choice of what varies among its formals.
class Tangents {
 public:
  explicit Tangents(ir::Program& program) : program_(program) {}

  /// Replaces the jvps in a function.
  void expand(ir::Function& function);

  struct Derived {
    ir::Function* function;        // formals: the function's, then a tangent for each that varies; results likewise
    std::vector<bool> results;     // which results vary
  };
  Derived derived(ir::Function& function, const std::vector<bool>& mask);

  /// The same arguments; the tangent of the only result alone.
  ir::Function* tangent_alone(ir::Function& function, const std::vector<bool>& mask);

 private:
  using Choice = std::pair<ir::Function*, std::vector<bool>>;

  void expand(ir::Block& block);
  void expand_reached(ir::Function& function);

  ir::Program& program_;
  Varied varied_;
  std::map<Choice, Derived> derived_;
  std::map<Choice, ir::Function*> alone_;
  std::set<const ir::Function*> expanded_, underway_;
};

}  // namespace lantern
