#pragma once

#include <set>
#include <utility>

#include "lantern/lowered.h"
#include "lantern/operators.h"

namespace lantern {

/// What an elementwise value does for each of its elements.
struct ElementWork {
  static constexpr std::size_t most_loops = 13;  // that ever do it for themselves

  int operations = 0;
  std::set<std::pair<const ir::Variable*, bool>> arrays = {};  // that it reads; true: the variable's adjoint

  void add(const ElementWork& other);
  /// Whether it is as well computed by each of so many loops as by one that writes it down, for them to read it.
  bool is_as_well_repeated(std::size_t loops) const;
};

/// Whether an operation on elements takes no longer than to write one to memory, and gives no condition: what that decides stays decided.
bool is_cheap(const Operator& op);

/// Whether an operation on floating elements, or a condition of such, goes by packets to a loop's end.
bool goes_by_packets(const Operator& op);

}  // namespace lantern
