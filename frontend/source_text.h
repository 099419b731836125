#pragma once

#include <string>
#include <string_view>

#include "support/location.h"

namespace lantern::syntax {

/// The bytes of a Python file as UTF-8 with `\n` line ends, no BOM: what the parser reads. Throws Failure LT0101
/// for an unknown encoding, for bytes that are not of the declared one (with their line and column), and for a
/// null character.
std::string decode(std::string_view bytes, const FileName& file);

/// The same for text known to be UTF-8: cookies are ignored.
std::string decode_utf8(std::string_view bytes, const FileName& file);

}  // namespace lantern::syntax
