// How parts of gradients are chosen, and added up.
#pragma once

#include "lantern/gradient_parts.h"

namespace lantern::detail {

LANTERN_INLINE void GradientParts::use(int number) {
  this_part = number;
  touched_gradients = number == 0 ? nullptr : &touched_[number - 1];
}

LANTERN_INLINE void GradientParts::add(int number, bool stays) {
  use(0);
  for (const PartOfGradient& one : touched_[number - 1]) one.add(one.gradient, number, stays);
  touched_[number - 1].clear();
}

LANTERN_INLINE void GradientParts::forget() {
  for (auto& gradients : touched_) gradients.clear();
}

}  // namespace lantern::detail
