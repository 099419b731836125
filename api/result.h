#pragma once

#include <functional>
#include <string>

#include "api/lantern.h"
#include "support/diagnostic.h"

struct lantern_result {
  lantern::Outcome outcome = lantern::Outcome::fine;
  std::string text;
  std::string log;
  std::string diagnostics = "[]";
};

namespace lantern {

/// Runs one entry's work on a deep stack. Its text, or whatever it throws, becomes the result; so does what it adds to the log.
lantern_result* as_result(const std::function<std::string(std::string& log)>& work) noexcept;

}  // namespace lantern
