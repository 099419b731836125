#pragma once

#include <map>

#include "lantern/lowered.h"

namespace lantern::lowered {

/// What is left of a step's values where the gradient is zero.
class ZeroGradient {
 public:
  /// The expression without what is zero there; null: all of it is. Of one expression it is one.
  const ExprPtr& of(const ExprPtr& e);

 private:
  ExprPtr left_of(const ExprPtr& e);

  std::map<const Expr*, ExprPtr> known_;
};

}  // namespace lantern::lowered
