#pragma once

#include <set>

#include "frontend/passes/function.h"

namespace lantern::passes {

/// The `and`s and `or`s of a function's own code that stand for conditions: tests of `if`, `while`, `assert` and `a if c else b`,
/// and what stands in such a test behind `not`, `and` or `or`. Python asks the truth of each operand once, and nobody gets its value.
class Conditions {
 public:
  explicit Conditions(Function& function);

  bool has(const syntax::Expr& expr) const { return found_.count(&expr) > 0; }

 private:
  void in(syntax::Block& block);
  void inside(const syntax::Expr& expr);
  void condition(const syntax::Expr& expr);

  std::set<const syntax::Expr*> found_;
};

}  // namespace lantern::passes
