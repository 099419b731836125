#include "frontend/syntax_error.h"

#include <fmt/format.h>

namespace lantern::syntax {

Diagnostic explain_syntax_error(const Module& module, const ConcreteNode& error) {
  if (!error.is("ERROR")) {  // a token that the grammar had to invent
    return module.diagnostic("LT0101", error.range(), fmt::format("invalid syntax: expected '{}'", error.kind));
  }
  return module.diagnostic("LT0101", error.range(), "invalid syntax");
}

}  // namespace lantern::syntax
