#include "codegen/prepared.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "codegen/running.h"

namespace lantern {

namespace {

namespace fs = std::filesystem;

// The file that a command's name stands for; the name, where there is none.
fs::path program_file(const std::string& name) {
  std::error_code failed;
  if (name.find('/') != std::string::npos) return name;
  const char* path = std::getenv("PATH");
  std::istringstream folders(path ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (fs::exists(fs::path(folder) / name, failed)) return fs::path(folder) / name;
  }
  return name;
}

// What -march=native depends on.
std::string machine() {
  std::ifstream lines("/proc/cpuinfo");
  std::string text;
  for (std::string line; std::getline(lines, line) && !line.empty();) {
    for (const auto* what : {"model name", "flags", "Features", "CPU part"}) {
      if (line.compare(0, std::strlen(what), what) == 0) text += line;
    }
  }
  return text;
}

std::string stamp_of(const fs::path& file) {
  std::error_code failed;
  const auto size = fs::file_size(file, failed);
  const auto time = fs::last_write_time(file, failed);
  return failed ? "" : fmt::format("{} {} ", size, time.time_since_epoch().count());
}

constexpr std::size_t kept_prepared = 8;

// Precompiled headers are large, and of every compiler, set of flags and runtime that there was: those that were used last stay.
void forget_old_prepared(const std::string& folder) {
  std::error_code failed;
  std::vector<std::pair<fs::file_time_type, fs::path>> headers;
  for (const auto& entry : fs::directory_iterator(folder, failed)) {
    if (entry.path().extension() == ".gch") headers.emplace_back(entry.last_write_time(failed), entry.path());
  }
  std::sort(headers.rbegin(), headers.rend());
  for (std::size_t i = kept_prepared; i < headers.size(); ++i) Prepared{headers[i].second.replace_extension().string()}.forget();
}

}  // namespace

std::string fingerprint(const std::string& text) {
  std::string name;
  for (const std::uint64_t seed : {0xcbf29ce484222325ULL, 0x9ae16a3b2f90404fULL}) {
    std::uint64_t hash = seed;
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
    name += fmt::format("{:016x}", hash);
  }
  return name;
}

std::string identity_of(const Toolchain& toolchain) {
  std::string identity = machine() + toolchain.compiler + stamp_of(program_file(toolchain.compiler));
  for (const auto& flag : toolchain.flags) identity += '\0' + flag;
  std::vector<fs::path> headers;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(toolchain.runtime) / "lantern")) {
    if (entry.is_regular_file()) headers.push_back(entry.path());
  }
  std::sort(headers.begin(), headers.end());
  for (const auto& header : headers) identity += header.string() + stamp_of(header);  // another runtime, another object
  return identity;
}

bool Prepared::is_there() const {
  const auto files = objects();
  return fs::exists(precompiled()) && std::all_of(files.begin(), files.end(), [](const auto& file) { return fs::exists(file); });
}

void Prepared::forget() const {
  std::error_code ignored;
  fs::remove(precompiled(), ignored);
  for (const auto& object : objects()) fs::remove(object, ignored);
}

std::optional<Prepared> prepared_runtime(const Toolchain& toolchain, const std::string& identity, const std::string& built, const std::string& folder) {
  const std::string name = fmt::format("runtime-{}.h", fingerprint(identity));
  if (const Prepared shipped{(fs::path(built) / name).string()}; shipped.is_there()) return shipped;
  const Prepared prepared{(fs::path(folder) / name).string()};
  std::error_code failed;
  if (prepared.is_there()) {
    fs::last_write_time(prepared.precompiled(), fs::file_time_type::clock::now(), failed);
    return prepared;
  }
  fs::create_directories(folder, failed);
  if (isatty(STDERR_FILENO)) std::fputs("lantern: compiling the runtime for this compiler and processor, once; it takes some 20 seconds\n", stderr);
  const auto source = fs::path(toolchain.runtime) / "lantern/precompiled";
  const Prepared temporary{fmt::format("{}.{}", prepared.header, gettid())};
  const auto start = [&](const std::vector<std::string>& more) {
    std::vector<std::string> command = {toolchain.compiler};
    command.insert(command.end(), toolchain.flags.begin(), toolchain.flags.end());
    command.insert(command.end(), more.begin(), more.end());
    return Running(command, command.back() + ".log");
  };
  const auto objects = temporary.objects();
  const std::string header = temporary.precompiled(), declarations = (source / "declarations.h").string();
  const Running functions[] = {start({"-c", (source / "functions.cpp").string(), "-o", objects[0]}), start({"-c", (source / "functions_f64.cpp").string(), "-o", objects[1]})};
  // The templates that the header's own functions need are made once, too: clang then takes half the time; g++ does not know it.
  bool made = start({"-fpch-instantiate-templates", "-x", "c++-header", declarations, "-o", header}).result().status == 0 ||
              start({"-x", "c++-header", declarations, "-o", header}).result().status == 0;
  for (const auto& running : functions) made = running.result().status == 0 && made;
  if (made) {
    for (std::size_t i = 0; i < objects.size(); ++i) fs::rename(objects[i], prepared.objects()[i], failed);
    fs::rename(header, prepared.precompiled(), failed);
  }
  temporary.forget();
  forget_old_prepared(folder);
  if (!prepared.is_there()) return std::nullopt;
  return prepared;
}

}  // namespace lantern
