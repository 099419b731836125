#pragma once

#include <map>
#include <string>

namespace lantern {

/// Generated files made to need nothing but Eigen: the runtime's headers that they include are added in a folder `lantern`, with their licence.
/// What the headers define has a namespace, and macros, of their version and text, so that copies of several versions may be in one
/// program, and in one source file. `runtime`: the folder that holds lantern/runtime.h. Throws Failure LT0801.
std::map<std::string, std::string> stand_alone(std::map<std::string, std::string> files, const std::string& runtime, const std::string& licence);

}  // namespace lantern
