#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace lantern {

struct Ran {
  int status;
  std::string output;
};

/// A C++ compiler that runs, without a shell, its output in a file: nothing of a user's path is ever parsed. Throws Failure LT0601 where there is none.
class Running {
 public:
  Running(const std::vector<std::string>& command, std::string log);
  /// Until it has ended: once.
  Ran result() const;

 private:
  std::string log_;
  pid_t child_ = 0;
};

/// The file that a command's name stands for; the name, where there is none.
std::string program_file(const std::string& name);

}  // namespace lantern
