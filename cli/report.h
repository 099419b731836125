#pragma once

#include <string>
#include <string_view>

#include "support/diagnostic.h"

namespace lantern::cli {

enum class DiagnosticsFormat { text, json };

/// Shows a failure on standard error; coloured text on a terminal, or one JSON array. Returns the exit code.
int report(const Failure& failure, DiagnosticsFormat format);

/// Writes to standard output. Throws Failure LT0802 if that fails.
void print(std::string_view text);

/// Exit code 2: what the command line asks for does not exist or does not fit together.
[[noreturn]] void wrong_usage(std::string message, std::string hint = {});

}  // namespace lantern::cli
