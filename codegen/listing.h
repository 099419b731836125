#pragma once

#include <string>
#include <vector>

#include "codegen/module.h"

namespace lantern {

/// The C++ that people read (`--emit cpp`), and where it comes from.
struct Listing {
  std::string text;
  std::vector<Origin> lines;  // of each line; one that only closes comes from no place
  NamesOfForms names;
};

Listing write_listing(const lowered::Program& program);

}  // namespace lantern
