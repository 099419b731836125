#pragma once

#include <optional>
#include <set>

#include "lantern/ir.h"

namespace lantern {

/// An array that the turns of a loop, and of loops within it, change item by item: each version is made of the one before, and that is not looked at
/// any more. All are one array, which is written where it is, and so is its adjoint.
struct ChangedArray {
  ir::Variable* variable = nullptr;              // of the loop's state: what all go by
  std::set<const ir::Variable*> versions = {};   // itself, and what stands for it
  std::set<const ir::Binding*> writes = {};      // its with-items
  std::set<const ir::Binding*> around = {};      // what they stand within
  ir::Variable* history = nullptr;               // the items as they were, where the reverse sweep reads them; else null
  bool has_happened = false;                     // a reverse sweep is built: what was written going forward is written once more
};

/// The array that a loop's state number i is; none if versions of it are needed side by side, or it changes otherwise.
std::optional<ChangedArray> changed_array(const ir::Node& loop, std::size_t i);

/// Whether an operation's result, an array, has elements of its own; whether it looks at the shape of its first operand alone.
bool makes_elements_of_its_own(const Operator& op);
bool is_of_shape(const Operator& op);

}  // namespace lantern
