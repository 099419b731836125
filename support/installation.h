#pragma once

#include <string>

/// Where Lantern's own parts lie, seen from the file that holds this code: the command, liblantern.so, or a test.
///
///   PREFIX/bin/lantern   PREFIX/lib/liblantern.so   PREFIX/include/lantern/runtime.h   PREFIX/lib/cmake/Lantern
///   PREFIX/share/lantern/python/lantern   PREFIX/share/doc/lantern/LICENSE
///
/// A build tree has the same layout, by links into the source tree. In a Python wheel the package is itself the prefix.
/// Each function throws Failure LT0804 (environment) where its part is missing, or LT0603 where $LANTERN_RUNTIME lacks it.
namespace lantern::installation {

std::string prefix();          // the nearest folder above this code's file that has the runtime's headers
std::string headers();         // $LANTERN_RUNTIME, else the prefix's: the folder that holds lantern/runtime.h
std::string python_package();  // the package's own folder
std::string shared_library();  // liblantern.so
std::string licence();         // the text's file
std::string prepared();        // what was compiled ahead; the folder need not be there

}  // namespace lantern::installation
