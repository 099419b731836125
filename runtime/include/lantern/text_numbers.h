// Numbers that are written in texts.
#pragma once

#include <string_view>

#include "lantern/letters.h"

namespace lantern {

/// Python's int(text, base). Fails with ValueError, and with OverflowError beyond 64 bits.
int64_t parse_int(std::string_view text, int64_t base, const char* location = "");

/// Python's float(text). Fails with ValueError.
double parse_float(std::string_view text, const char* location = "");

/// Whether Python's int(text, base) and float(text) give a number, one beyond 64 bits too.
bool is_int(std::string_view text, int64_t base, const char* location = "");
bool is_float(std::string_view text, const char* location = "");

}  // namespace lantern

#include LANTERN_DEFINITIONS("lantern/definitions/text_numbers.h")
