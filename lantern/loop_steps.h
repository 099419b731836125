#pragma once

#include <optional>
#include <unordered_map>

#include "lantern/difference_bounds.h"
#include "lantern/ir.h"

namespace lantern {

/// What a turn makes of an integer that a loop carries, or of the length of a list: it adds a constant of `added`, or begins with one of `anew`.
struct LoopStep {
  std::optional<Interval> added, anew;
};

class LoopSteps {
 public:
  /// Of the turns that `body` is.
  explicit LoopSteps(const ir::Block& body) : body_(body) {}

  /// From `state` to `next`; none: it is neither.
  std::optional<LoopStep> of(const ir::Operand& next, const ir::Variable* state);

 private:
  void enter(const ir::Block& block);
  std::optional<LoopStep> of(const ir::Operand& next);
  std::optional<LoopStep> of_operation(const ir::Operate& operate);
  std::optional<LoopStep> of_branch(const ir::Binding& binding, const ir::If& branch, const ir::Variable* result);

  const ir::Block& body_;
  const ir::Variable* state_ = nullptr;
  std::unordered_map<const ir::Variable*, const ir::Binding*> made_;
  std::unordered_map<const ir::Variable*, std::optional<LoopStep>> known_;  // of the state
};

}  // namespace lantern
