#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>

/// Ends the process, as a fuzzer's bug, if something does not hold of an input.
inline void must(bool holds, const std::string& what) {
  if (holds) return;
  std::fprintf(stderr, "must hold: %s\n", what.c_str());
  std::abort();
}
