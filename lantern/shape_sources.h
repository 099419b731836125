#pragma once

#include <map>

#include "lantern/lowered.h"

namespace lantern {

/// Whether C++ writes the last operand with shape_of, which evaluates nothing.
bool has_shape_of(const Operator& op);

/// What is computed element by element, and has the shape of what it is computed of.
class Shapes {
 public:
  /// most_parts: where no operand alone has the shape, the operation itself is asked for it, unevaluated, if it has no more parts.
  explicit Shapes(std::size_t most_parts) : most_parts_(most_parts) {}

  /// Whether the statement computes such a value.
  bool note(const lowered::Let& let);
  void forget(const ir::Variable* variable) { computed_.erase(variable); }

  /// The expression, in which what only gives its shape is what the shape comes from.
  lowered::ExprPtr asked_of_operands(const lowered::ExprPtr& e) const;

 private:
  lowered::ExprPtr source(const lowered::ExprPtr& e) const;

  std::size_t most_parts_;
  std::map<const ir::Variable*, lowered::ExprPtr> computed_;
};

/// An array that is computed element by element need not be kept for its shape.
///
///   const Matrix<float> x2 = x * x;                  const float y = sum(x * x);
///   const float y = sum(x2);                         x_adj = broadcast_to(y_adj, shape_of(x)) * …
///   x2_adj = broadcast_to(y_adj, shape_of(x2));
void ask_sources_for_shapes(lowered::Statements& body);

}  // namespace lantern
