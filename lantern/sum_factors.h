#pragma once

#include <vector>

#include "lantern/ir.h"

namespace lantern {

/// A step towards a factor, which begins as 1: negated; times or divided by an operand, or by its length; or divided by how many turns
/// a loop has, the one that made the list that there is the mean of.
struct Scaling {
  enum class Kind { negate, multiply, divide, divide_by_turns } kind;
  ir::Operand by = {};
  bool by_length = false;
  const ir::For* loop = nullptr;
  const ir::Binding* at = nullptr;  // where it is from

  bool operator==(const Scaling& other) const { return at == other.at && loop == other.loop; }
};
using Factor = std::vector<Scaling>;

/// The step by an operand in one of those blocks. The length of a list is known as early as the list is: then it is by that.
Scaling step_by(const std::vector<const ir::Block*>& blocks, Scaling::Kind kind, const ir::Operand& by);

/// A factor after a step, computed by what is added to `made`.
ir::Operand after_step(ir::Program& program, const ir::Operand& factor, const Scaling& step, std::vector<ir::Binding>& made, const Location& at);

}  // namespace lantern
