#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "lantern/ir.h"
#include "lantern/lowered.h"
#include "lantern/passes.h"
#include "support/location.h"

namespace lantern {

/// A program as text, and what it is called.
struct Source {
  std::string_view sexpr;
  FileName file;
  std::string name;         // the program's, in C++
  std::string source_name;  // the file that the user wrote
};

/// A program at the end of the middle of the compiler. `lowered` points into `ir`.
struct Compiled {
  std::unique_ptr<ir::Program> ir;
  lowered::Program lowered;
};

/// Text to checked IR: read, check, and the passes up to activity. Throws Failure.
std::unique_ptr<ir::Program> to_ir(const Source& source, Passes& passes);

/// Text to the lowered program: the above, then activity and lowering.
Compiled compile(const Source& source, Passes& passes);
/// The same of what `to_ir` gave.
Compiled compile(std::unique_ptr<ir::Program> program, Passes& passes);

}  // namespace lantern
