#include "support/installation.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <link.h>

#include <cstdlib>
#include <filesystem>
#include <initializer_list>

#include "support/diagnostic.h"

namespace lantern::installation {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void missing(const char* part, const char* where, const fs::path& place) {
  throw Failure({.code = "LT0804",
                 .location = {},
                 .message = fmt::format("this installation of Lantern is not whole: there is no '{}' {} '{}'", part, where, place.string()),
                 .hint = "build or install Lantern again",
                 .outcome = Outcome::environment});
}

// The program that runs, or the shared library that this code is part of.
fs::path own_file() {
  static const char anchor = 0;
  Dl_info info{};
  link_map* object = nullptr;
  std::error_code error;
  const bool found = dladdr1(&anchor, &info, reinterpret_cast<void**>(&object), RTLD_DL_LINKMAP) != 0;
  // The dynamic linker has no name for the program itself.
  const fs::path file = found && object->l_name[0] ? fs::path(object->l_name) : fs::read_symlink("/proc/self/exe", error);
  return fs::canonical(file, error);
}

// The first of these places in the prefix that is there.
std::string find(std::initializer_list<const char*> places) {
  const fs::path folder = prefix();
  std::error_code error;
  for (const auto* place : places) {
    if (fs::exists(folder / place, error)) return fs::canonical(folder / place, error).string();
  }
  missing(*places.begin(), "in", folder);
}

}  // namespace

std::string prefix() {
  const fs::path own = own_file();
  std::error_code error;
  for (fs::path folder = own.parent_path(); folder != folder.root_path(); folder = folder.parent_path()) {
    if (fs::exists(folder / "include/lantern/runtime.h", error)) return folder.string();
  }
  missing("include/lantern/runtime.h", "in any folder above", own);
}

std::string headers() {
  if (const char* named = std::getenv("LANTERN_RUNTIME"); named && *named) {
    std::error_code error;
    if (fs::exists(fs::path(named) / "lantern/runtime.h", error)) return named;
    throw Failure({.code = "LT0603", .location = {}, .message = fmt::format("the runtime's headers are not in '{}'", named),
                   .hint = "set LANTERN_RUNTIME to the folder that holds lantern/runtime.h", .outcome = Outcome::environment});
  }
  return fs::path(find({"include/lantern/runtime.h"})).parent_path().parent_path().string();
}

std::string python_package() { return fs::path(find({"share/lantern/python/lantern/__init__.py", "__init__.py"})).parent_path().string(); }

std::string shared_library() { return find({"lib/liblantern.so", LANTERN_LIBRARY_FOLDER "/liblantern.so"}); }

std::string licence() { return find({"share/doc/lantern/LICENSE"}); }

std::string prepared() { return prefix() + "/lib/lantern/prepared"; }

}  // namespace lantern::installation
