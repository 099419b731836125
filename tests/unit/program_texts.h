// A program as the text of a stage, for tests of lantern/.
#pragma once

#include <memory>
#include <string>

#include "lantern/ir.h"
#include "lantern/pipeline.h"
#include "support/diagnostic.h"

namespace lantern {

inline Source source_of(const std::string& program) {
  return {program, std::make_shared<const std::string>("<test>"), "program", "program.sexpr"};
}

inline std::unique_ptr<ir::Program> ir_of(const std::string& program) {
  Passes passes;
  return to_ir(source_of(program), passes);
}

inline std::string lowered_text(const std::string& program) {
  Passes passes;
  return lowered::print(compile(source_of(program), passes).lowered);
}

/// "LT0405 the branches of …" of the first diagnostic; "" if the program is fine.
inline std::string error_of(const std::string& program) {
  try {
    lowered_text(program);
    return "";
  } catch (const Failure& failure) {
    return failure.diagnostics.at(0).code + " " + failure.diagnostics[0].message;
  }
}

inline std::size_t occurrences(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++count;
  return count;
}

}  // namespace lantern
