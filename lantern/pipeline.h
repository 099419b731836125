#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "lantern/ir.h"
#include "lantern/lowered.h"
#include "support/location.h"

namespace lantern {

/// A program at the end of the middle of the compiler. `lowered` points into `ir`.
struct Compiled {
  std::unique_ptr<ir::Program> ir;
  lowered::Program lowered;
};

/// Text to checked IR: read, check, and the passes up to activity. Throws Failure.
std::unique_ptr<ir::Program> to_ir(std::string_view sexpr, const FileName& file, const std::string& name, const std::string& source_name);

/// Text to the lowered program: the above, then activity and lowering.
Compiled compile(std::string_view sexpr, const FileName& file, const std::string& name, const std::string& source_name);

}  // namespace lantern
