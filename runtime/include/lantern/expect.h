// What generated code takes to be so, and does not look at. Compiled with LANTERN_EXPECT, or for a sanitizer, it looks, and ends the program.
#pragma once

#include <cstdint>

#include "lantern/sanitizers.h"

#if defined(LANTERN_EXPECT) || defined(LANTERN_ASAN) || defined(LANTERN_TSAN)
#include <cstdio>
#include <cstdlib>
#endif

namespace lantern::detail {

/// `i` is a place of what has `size`.
inline void expect_within([[maybe_unused]] int64_t i, [[maybe_unused]] int64_t size) {
#if defined(LANTERN_EXPECT) || defined(LANTERN_ASAN) || defined(LANTERN_TSAN)
  if (i >= 0 && i < size) return;
  std::fprintf(stderr, "lantern: place %lld of %lld was taken to be there\n", static_cast<long long>(i), static_cast<long long>(size));
  std::abort();
#endif
}

}  // namespace lantern::detail
