#pragma once

#include <map>
#include <set>

#include "lantern/lowered.h"

namespace lantern {

/// How a function's variables are used by the statements behind them.
struct Uses {
  std::set<const ir::Variable*> read;
  std::set<const ir::Variable*> captured;  // read in a lambda within the one that they are made in
  std::set<const ir::Variable*> handed_on;  // arrays and lists that are not only computed with: another name, a list or a function may come to hold them
  bool marks = false;                      // of the arena, not in front of a loop
};

/// Whether what a loop goes over lies elsewhere than in the arena behind a mark in front of the loop.
bool goes_over_what_is_there(const lowered::For& loop);

/// Of each function. Recursions are taken to hand nothing on that they are seen to hand on nowhere.
std::map<const lowered::Function*, Uses> uses_of(const lowered::Program& program);

}  // namespace lantern
