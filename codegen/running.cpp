#include "codegen/running.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sstream>

#include "support/diagnostic.h"
#include "support/file.h"

extern char** environ;

namespace lantern {

Running::Running(const std::vector<std::string>& command, std::string log) : log_(std::move(log)) {
  std::vector<char*> arguments;
  for (const auto& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, log_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, 1, 2);
  const int error = posix_spawnp(&child_, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) {
    throw Failure({.code = "LT0601", .location = {}, .message = fmt::format("cannot start the C++ compiler '{}': {}", command[0], std::strerror(error)),
                   .hint = "install g++ or clang++, or name one in LANTERN_CXX", .outcome = Outcome::environment});
  }
}

Ran Running::result() const {
  int status = 0;
  while (waitpid(child_, &status, 0) < 0 && errno == EINTR) {
  }
  const Ran ran{WIFEXITED(status) ? WEXITSTATUS(status) : 128, read_file(log_)};
  std::error_code ignored;
  std::filesystem::remove(log_, ignored);
  return ran;
}

std::string program_file(const std::string& name) {
  std::error_code failed;
  if (name.find('/') != std::string::npos) return name;
  const char* path = std::getenv("PATH");
  std::istringstream folders(path ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    const auto file = std::filesystem::path(folder) / name;
    if (std::filesystem::exists(file, failed)) return file.string();
  }
  return name;
}

}  // namespace lantern
