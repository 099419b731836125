#pragma once

#include <string>

#include "lantern/pipeline.h"
#include "support/diagnostic.h"

namespace lantern {

/// Writes the program that shows a bug of ours into the folder for temporary files, and says in the diagnostic where it is
/// and what to run. A folder that cannot be written to leaves the diagnostic as it is.
void add_reproducer(Failure& failure, const Source& source, const std::string& emit);

}  // namespace lantern
