#include "cli/installation.h"

#include <fmt/format.h>

#include <filesystem>
#include <initializer_list>

#include "support/diagnostic.h"

namespace lantern::cli {

namespace {

namespace fs = std::filesystem;

// The first of `folders` that holds `part`.
fs::path find(const fs::path& part, std::initializer_list<fs::path> folders) {
  std::error_code error;
  for (const auto& folder : folders) {
    if (fs::exists(folder / part, error)) return fs::canonical(folder, error);
  }
  throw Failure({.code = "LT0804",
                 .location = {},
                 .message = fmt::format("this installation of Lantern is not whole: '{}' is missing beside the command",
                                        part.string()),
                 .hint = "build or install Lantern again",
                 .outcome = Outcome::environment});
}

fs::path own_folder() {
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error).parent_path();
}

}  // namespace

std::string python_package_folder() {
  const auto bin = own_folder();
  return find("lantern/__init__.py", {bin / "../../python", bin / "../share/lantern/python", LANTERN_SOURCE_FOLDER "/python"}).string();
}

std::string shared_library() {
  return (find("liblantern.so", {own_folder() / "../lib", own_folder() / "../lib" / LANTERN_LIBRARY_ARCHITECTURE}) / "liblantern.so").string();
}

}  // namespace lantern::cli
