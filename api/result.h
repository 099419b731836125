#pragma once

#include <functional>
#include <string>

#include "api/lantern.h"
#include "support/diagnostic.h"

struct lantern_result {
  lantern::Outcome outcome = lantern::Outcome::fine;
  std::string text;
  std::string diagnostics = "[]";
};

namespace lantern {

/// Runs one entry's work on a deep stack. Its text, or whatever it throws, becomes the result.
lantern_result* as_result(const std::function<std::string()>& work) noexcept;

}  // namespace lantern
