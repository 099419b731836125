#pragma once

#include <map>
#include <optional>
#include <set>

#include "lantern/ir.h"

namespace lantern {

/// `row[…] = item`: of an array itself, or of the list where the item stands, which the other places lead to. Without places a list gets longer or
/// shorter, by the operation itself.
struct ItemWrite {
  ir::Operand row;
  std::vector<ir::Operand> places = {};  // from the whole on
  ir::Operand item = {};
};

/// An array, or a list, that the turns of a loop, and of loops within it, change item by item: each version is made of the one before, and that is not
/// looked at any more. All are one array, which is written where it is, and so is its adjoint. Of a list of lists the rows are changed where they are, too.
struct ChangedArray {
  ir::Variable* variable = nullptr;              // of the loop's state: what all go by
  std::set<const ir::Variable*> versions = {};   // itself, and what stands for it; rows on their way back to where they were read
  std::map<const ir::Binding*, ItemWrite> writes = {};
  std::set<const ir::Binding*> around = {};      // what they stand within
  ir::Variable* history = nullptr;               // the items as they were, where the reverse sweep reads them; else null
  bool has_happened = false;                     // a reverse sweep is built: what was written going forward is written once more
};

/// Whether what is put in a list has memory of its own: an array or a list, or places that were not there before.
bool has_memory(const ItemWrite& write);
bool has_memory_in_items(const ChangedArray& array);

/// The array that a loop's state number i is; none if versions of it are needed side by side, or it changes otherwise.
std::optional<ChangedArray> changed_array(const ir::Node& loop, std::size_t i);

/// Whether an operation's result, an array, has elements of its own; whether it looks at the shape of its first operand alone.
bool makes_elements_of_its_own(const Operator& op);
bool is_of_shape(const Operator& op);

}  // namespace lantern
