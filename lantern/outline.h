#pragma once

#include <cstddef>
#include <set>
#include <string>

#include "lantern/ir.h"

namespace lantern {

/// Calls `visit` with each operand of a binding, those of nested blocks too; it may change them.
template <class Visit>
void for_operands(const ir::Binding& binding, Visit visit) {
  for (const auto* operand : ir::operands_of(binding.node)) visit(const_cast<ir::Operand&>(*operand));
  ir::for_each_block(binding.node, [&](const ir::Block& nested) { ir::for_each_operand(const_cast<ir::Block&>(nested), visit); });
}

/// What a binding binds, in nested blocks too.
std::set<const ir::Variable*> variables_in(const ir::Binding& binding);

/// The bindings of a block from `begin` on, before `end`, become a function, and a call of it. Its formals are the local variables that they
/// read, its results `value` and what else of theirs is read behind them. What stands for `value` now.
ir::Variable* outline(ir::Program& program, ir::Block& block, std::size_t begin, std::size_t end, ir::Variable* value, const std::string& name, const Location& at);

}  // namespace lantern
