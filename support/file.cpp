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

void write_file(const std::string& path, const std::string& bytes) {
  const auto folder = std::filesystem::path(path).parent_path();
  std::error_code error;
  if (!folder.empty()) std::filesystem::create_directories(folder, error);
  if (error) fail("LT0802", path, "write", error.message());
  const std::string temporary = fmt::format("{}.{}.tmp", path, getpid());
  {
    std::ofstream out(temporary, std::ios::binary | std::ios::trunc);
    if (!out) fail("LT0802", path, "write", std::strerror(errno));
    out << bytes;
    out.flush();
    if (!out) {
      const std::string why = std::strerror(errno);
      std::filesystem::remove(temporary, error);
      fail("LT0802", path, "write", why);
    }
  }
  std::filesystem::rename(temporary, path, error);
  if (error) {
    const std::string why = error.message();
    std::filesystem::remove(temporary, error);
    fail("LT0802", path, "write", why);
  }
}

}  // namespace lantern
