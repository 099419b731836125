#pragma once

#include <string>

/// Where our own parts lie, seen from the running command: in a build tree, or in an installed prefix.
namespace lantern::cli {

std::string python_package_folder();  // the folder that holds the package `lantern`. Throws Failure LT0804
std::string shared_library();         // liblantern.so. Throws Failure LT0804

}  // namespace lantern::cli
