#pragma once

#include <string>

#include "codegen/function_writer.h"

namespace lantern {

/// The C ABI of a shared object, over the program's header: each entry, what it is bound to, and its manifest.
/// space: the namespace of the program's code. calls_host: it calls functions of Python's.
std::string write_c_abi(const ProgramNames& names, const std::string& space, bool calls_host);

/// JSON: the entries' names and types, the structures, the parameters and states.
std::string write_manifest(const ir::Program& program);

}  // namespace lantern
