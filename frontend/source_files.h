#pragma once

#include <list>
#include <mutex>
#include <string>
#include <string_view>

#include "frontend/convert.h"

namespace lantern {

/// The files whose functions were asked for last, as they were read: who stages a file asks for its functions one by one.
/// May be used by several threads at once.
class SourceFiles {
 public:
  /// Throws Failure LT0101 for a syntax error.
  SourceFile read(std::string_view source, const std::string& filename);

 private:
  struct Kept {
    std::string filename, source;
    SourceFile file;
  };

  std::mutex mutex_;
  std::list<Kept> kept_;  // the last one used first
};

}  // namespace lantern
