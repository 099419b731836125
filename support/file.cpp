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
  const auto temporary = [](const std::string& path) { return fmt::format("{}.{}.tmp", path, gettid()); };
  const auto give_up = [&](const std::string& path, const std::string& why) {
    for (const auto& [written, bytes] : files) std::filesystem::remove(temporary(written), error);
    fail("LT0802", path, "write", why);
  };
  for (const auto& [path, bytes] : files) {
    const auto folder = std::filesystem::path(path).parent_path();
    if (!folder.empty()) std::filesystem::create_directories(folder, error);
    if (error) give_up(path, error.message());
    if (std::filesystem::is_directory(path, error)) give_up(path, "it is a folder");
    std::ofstream out(temporary(path), std::ios::binary | std::ios::trunc);
    out << bytes;
    out.flush();
    if (!out) give_up(path, std::strerror(errno));
  }
  for (const auto& [path, bytes] : files) {
    std::filesystem::rename(temporary(path), path, error);
    if (error) give_up(path, error.message());
  }
}

}  // namespace lantern
