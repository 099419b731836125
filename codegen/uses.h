#pragma once

#include <set>

#include "lantern/lowered.h"

namespace lantern {

/// How a function's variables are used by the statements behind them.
struct Uses {
  std::set<const ir::Variable*> read;
  std::set<const ir::Variable*> captured;  // read in a lambda within the one that they are made in
};

Uses uses_of(const lowered::Function& function);

}  // namespace lantern
