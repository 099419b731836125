#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "lantern/ir.h"

namespace lantern {

/// Appends the operations of a derivative to a block, and names what they give.
class DerivedOperations {
 public:
  explicit DerivedOperations(ir::Program& program) : program_(program) {}

  ir::Block* block = nullptr;
  Location location = {};

  /// The operator's value; what needs no operation (a shape or dtype that is there already, arithmetic of literals) is
  /// given without one.
  ir::Operand operate(std::string_view name, std::vector<ir::Operand> operands);
  /// The operation of that row, whose result is known to be of that type.
  ir::Operand operate(const ir::Operate& operation, const Type& type);
  /// The tangent of what does not vary.
  ir::Operand zero(const ir::Operand& primal);

  /// A variable of the function under way, under a name that no other has.
  ir::Variable* variable(const std::string& name, Type type);
  /// Keeps a name of the function's own variables from all others.
  void reserve(const std::string& name) { ++taken_[name]; }
  /// A name for the tangent of what has that name; the user's keep theirs.
  std::string tangent_name(const std::string& primal) { return unique(ir::is_made_up(primal) ? ir::temporary : primal + "_dot"); }

 private:
  std::string unique(const std::string& name);

  ir::Program& program_;
  std::map<std::string, int> taken_;
};

/// Whether the table says how a tangent of that operand goes through.
bool has_pushforward(const Operator& op, std::size_t operand);

/// The tangent of an operation's result y. `tangents`: of each operand that varies, of which one at least does and each
/// has a rule; `operation` has the primal operands.
ir::Operand push_forward(const ir::Operate& operation, const ir::Operand& y, const std::vector<std::optional<ir::Operand>>& tangents,
                         DerivedOperations& emit);

}  // namespace lantern
