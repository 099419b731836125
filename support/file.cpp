#include "support/file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "support/diagnostic.h"

namespace lantern {

namespace {

[[noreturn]] void fail(const char* code, const std::string& path, const std::string& doing, const std::string& why) {
  throw Failure({.code = code,
                 .location = {},
                 .message = fmt::format("cannot {} '{}': {}", doing, path, why),
                 .outcome = Outcome::environment});
}

/// Where a path leads by symbolic links, whether or not there is a file.
std::string behind_links(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code none;
  fs::path at = path;
  for (int links = 0; links < 40 && fs::is_symlink(at, none); ++links) {
    const fs::path target = fs::read_symlink(at, none);
    if (none) break;
    at = at.parent_path() / target;  // which is target where that is absolute
  }
  return at.string();
}

/// A device, a pipe, a socket: a file in its place would be no such thing.
bool is_no_file(const std::string& path) {
  std::error_code none;
  const auto status = std::filesystem::status(path, none);
  return exists(status) && !is_regular_file(status) && !is_directory(status);
}

}  // namespace

std::string read_file(const std::string& path) {
  std::error_code unknown;  // why it cannot be asked is why it cannot be read
  if (std::filesystem::is_directory(path, unknown)) fail("LT0801", path, "read", "it is a folder");
  std::ifstream in(path, std::ios::binary);
  if (!in) fail("LT0801", path, "read", std::strerror(errno));
  std::ostringstream bytes;
  bytes << in.rdbuf();
  return bytes.str();
}

void write_file(const std::string& path, const std::string& bytes) { write_files({{path, bytes}}); }

void write_files(const std::map<std::string, std::string>& files) {
  std::error_code error;
  const auto temporary = [](const std::string& path) { return fmt::format("{}.{}.tmp", behind_links(path), gettid()); };
  const auto give_up = [&](const std::string& path, const std::string& why) {
    for (const auto& [written, bytes] : files) std::filesystem::remove(temporary(written), error);
    fail("LT0802", path, "write", why);
  };
  const auto write = [&](const std::string& path, const std::string& to, const std::string& bytes) {
    std::ofstream out(to, std::ios::binary | std::ios::trunc);
    out << bytes;
    out.flush();
    if (!out) give_up(path, std::strerror(errno));
  };
  for (const auto& [path, bytes] : files) {
    if (is_no_file(path)) continue;
    const auto folder = std::filesystem::path(path).parent_path();
    if (!folder.empty()) std::filesystem::create_directories(folder, error);
    if (error) give_up(path, error.message());
    if (std::filesystem::is_directory(path, error)) give_up(path, "it is a folder");
    write(path, temporary(path), bytes);
  }
  for (const auto& [path, bytes] : files) {
    if (is_no_file(path)) {
      write(path, path, bytes);
      continue;
    }
    std::filesystem::rename(temporary(path), behind_links(path), error);
    if (error) give_up(path, error.message());
  }
}

}  // namespace lantern
