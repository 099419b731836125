#pragma once

#include <functional>
#include <set>

#include "lantern/ir.h"

namespace lantern {

/// Of which functions `ir::any_block` holds, found for all of a program at once: in time linear in its length.
class ReachingFunctions {
 public:
  using Holds = std::function<bool(const ir::Block&)>;

  ReachingFunctions(const ir::Program& program, Holds holds);
  /// Of one that the program has got since, too.
  bool contains(const ir::Function& function) const;

 private:
  Holds holds_;
  std::set<const ir::Function*> known_, reaching_;
};

/// The functions a run of which may call them again.
std::set<const ir::Function*> recursive_functions(const ir::Program& program);

}  // namespace lantern
