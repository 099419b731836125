// Parts of gradients: what several threads add to them meanwhile, each to its own, until it is added to the whole in an order that does
// not depend on the timing.
#pragma once

#include <vector>

#include "lantern/definitions.h"

namespace lantern::detail {

inline constexpr int most_threads = 32, most_parts = 2 * most_threads;

/// Where this thread adds to gradients: 0, to them; else, to that part of each (gradient.h).
inline thread_local int this_part = 0;

/// A gradient that has something in a part, and how to add that to the whole. `stays`: what is recorded stays in the part (crew.h).
struct PartOfGradient {
  void* gradient;
  void (*add)(void* gradient, int part, bool stays);
};
/// Those of the part that this thread adds to.
inline thread_local std::vector<PartOfGradient>* touched_gradients = nullptr;

class GradientParts {
 public:
  /// From here on this thread adds to that part; 0: to the whole.
  void use(int number);
  /// Adds a part to the whole. No other thread may do so, or use that part.
  void add(int number, bool stays);
  void forget();

 private:
  std::vector<PartOfGradient> touched_[most_parts];
};

}  // namespace lantern::detail

#include LANTERN_DEFINITIONS("lantern/definitions/gradient_parts.h")
