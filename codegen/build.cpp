#include "codegen/build.h"

#include <elf.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <vector>

#include "codegen/prepared.h"
#include "codegen/running.h"
#include "codegen/user_headers.h"
#include "support/diagnostic.h"
#include "support/file.h"
#include "support/installation.h"

namespace lantern {

namespace {

namespace fs = std::filesystem;

std::string from_environment(const char* name, const std::string& otherwise) {
  const char* value = std::getenv(name);
  return value && *value ? value : otherwise;
}

std::string cache_folder() {
  const std::string home = from_environment("HOME", fs::temp_directory_path().string());
  return from_environment("LANTERN_CACHE", from_environment("XDG_CACHE_HOME", home + "/.cache") + "/lantern");
}

// That which the compiler of Lantern saw, unless this is another machine.
std::string eigen_folder() {
  std::vector<std::string> folders = {from_environment("LANTERN_EIGEN", LANTERN_EIGEN_FOLDER)};
  if (!std::getenv("LANTERN_EIGEN")) folders.insert(folders.end(), {"/usr/include/eigen3", "/usr/local/include/eigen3"});
  for (const auto& folder : folders) {
    if (fs::exists(fs::path(folder) / "Eigen/Core")) return folder;
  }
  throw Failure({.code = "LT0605", .location = {}, .message = fmt::format("Eigen, which compiled programs need, is not in '{}'", fmt::join(folders, "', '")),
                 .hint = "install it (Debian: apt-get install libeigen3-dev), or set LANTERN_EIGEN to the folder that holds Eigen/Core", .outcome = Outcome::environment});
}

std::string first_lines(const std::string& text, int count) {
  std::size_t at = 0;
  for (int i = 0; i < count && at != std::string::npos; ++i) at = text.find('\n', at + (i > 0));
  return at == std::string::npos ? text : text.substr(0, at);
}

/// Whether a shared object is there to its end, where linkers write the table of sections: a disk that was full, a lost power supply or a copy that was broken
/// off leaves the beginning of one, or zeros.
bool is_complete(const fs::path& object) {
  std::error_code ignored;
  const auto size = fs::file_size(object, ignored);
  Elf64_Ehdr header{};
  std::ifstream in(object, std::ios::binary);
  if (ignored || !in.read(reinterpret_cast<char*>(&header), sizeof header)) return false;
  return std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 && header.e_shoff > 0 && header.e_shoff <= size &&
         std::uint64_t{header.e_shnum} * header.e_shentsize <= size - header.e_shoff;
}

void write_to_cache(const fs::path& path, const std::string& bytes) {
  try {
    write_file(path.string(), bytes);
  } catch (Failure& failure) {
    failure.diagnostics[0].hint = "compiled programs are kept there: LANTERN_CACHE names another folder";
    throw;
  }
}

}  // namespace

std::string build_shared_object(const Module& module, const std::vector<std::string>& folders) {
  const std::string compiler = from_environment("LANTERN_CXX", "c++");
  const std::string runtime = installation::headers();
  // Python rounds each operation: a product and a sum are not to be one, which rounds once, and may take another branch behind that.
  // g++ would exchange neighbours, xs[j] and xs[j + 1], as one vector, which the next turn cannot read before it has gone to memory: less than half as fast.
  Toolchain toolchain{compiler, {"-std=c++17", "-O3", "-march=native", "-DLANTERN_PACKETS_AS_COMPILED", "-ffp-contract=off", "-fno-math-errno", "-fno-tree-slp-vectorize", "-fPIC", "-w",
                                    "-fvisibility=hidden", "-ffunction-sections", "-fdata-sections", "-I" + runtime, "-isystem", eigen_folder()}, runtime};
  const std::string extra = from_environment("LANTERN_CXXFLAGS", "");
  for (std::size_t at = 0; at < extra.size();) {
    const auto end = std::min(extra.find(' ', at), extra.size());
    if (end > at) toolchain.flags.push_back(extra.substr(at, end - at));
    at = end + 1;
  }
  const std::string environment = identity_of(toolchain);
  const std::string identity = module.header + '\0' + module.source + '\0' + module.abi + '\0' + environment + text_of_headers(module.headers, folders);
  const fs::path folder = fs::path(cache_folder()) / fingerprint(identity);
  const fs::path object = folder / (module.name + ".so");
  if (is_complete(object)) return object.string();

  write_to_cache(folder / (module.name + ".h"), module.header);
  const std::string unit = (folder / fmt::format("{}.{}.cpp", module.name, gettid())).string();
  const std::string temporary = (folder / fmt::format("{}.{}.so", module.name, gettid())).string();
  write_to_cache(unit, module.source + "\n" + module.abi);
  const std::string unit_object = temporary + ".o";
  using Words = std::vector<std::string>;
  const auto run = [&](std::initializer_list<Words> parts) {
    Words command = {compiler};
    for (const auto& part : parts) command.insert(command.end(), part.begin(), part.end());
    return Running(command, temporary + ".log").result();
  };
  Words sources;
  for (const auto& users : folders) sources.insert(sources.end(), {"-iquote", users});
  sources.push_back(unit);  // its header stands beside it
  // Of the runtime, what a program does not call is not in it: half of its code, of which every page counts that is beside one in use.
  const Words shared = {"-shared", "-Wl,--gc-sections"};
  // Most of a link is to read what the C++ library has: of it, mold takes a fifth of the time of ld, gold two. A compiler may not find what is there.
  const auto is_there = [](const char* linker) { const std::string program = fmt::format("ld.{}", linker); return program_file(program) != program; };
  const std::string quick = is_there("mold") ? "mold" : is_there("gold") ? "gold" : "";
  const auto link = [&](const Words& objects, const Words& how) {
    const auto by = [&](const Words& linker) { return run({shared, linker, toolchain.flags, how, {unit_object}, objects, {"-o", temporary}, module.libraries}); };
    const Ran linked = quick.empty() ? Ran{1, ""} : by({"-fuse-ld=" + quick});
    return linked.status == 0 ? linked : by({});
  };
  const std::string built = from_environment("LANTERN_PREPARED", installation::prepared());
  Prepared prepared(toolchain, environment, built, cache_folder());
  Ran ran{1, ""};
  const bool is_prepared = built != "none" && prepared.make({Prepared::declarations, Prepared::functions, Prepared::functions_f32});
  if (is_prepared) {
    ran = run({{"-c", "-include", prepared.header()}, toolchain.flags, sources, {"-o", unit_object}});
    if (ran.status == 0) {
      // Few programs have arrays of f64: what it has for them is made for the first that lacks it.
      const bool all = prepared.has(Prepared::functions_f64);
      ran = link(prepared.objects(), all ? Words{} : Words{"-Wl,--no-undefined"});
      if (ran.status != 0 && !all && prepared.make({Prepared::functions_f64})) ran = link(prepared.objects(), {});
    }
  }
  if (ran.status != 0) {
    ran = run({shared, toolchain.flags, sources, {"-o", temporary}, module.libraries});
    // What was prepared serves no longer once the compiler or the system's headers are others; or the program is wrong.
    if (ran.status == 0 && is_prepared) prepared.forget();
  }
  std::error_code ignored;
  fs::remove(unit_object, ignored);
  if (ran.status != 0) {
    fs::remove(temporary, ignored);
    throw Failure({.code = "LT0601", .location = {}, .message = fmt::format("the C++ compiler '{}' failed on the generated code (exit code {}):\n{}", compiler, ran.status, first_lines(ran.output, 20)),
                   .hint = fmt::format("the code is in {}", unit), .outcome = Outcome::environment});
  }
  fs::rename(unit, folder / (module.name + ".cpp"), ignored);
  fs::rename(temporary, object);
  return object.string();
}

}  // namespace lantern
