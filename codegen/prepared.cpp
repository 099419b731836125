#include "codegen/prepared.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "codegen/running.h"

namespace lantern {

namespace {

namespace fs = std::filesystem;

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

// A part is made of a file in the runtime's folder `precompiled`, and is called as the header, with an ending of its own.
struct Made {
  Prepared::Part part;
  const char* source;
  const char* ending;
};
constexpr Made all_parts[] = {{Prepared::declarations, "declarations.h", ".gch"},
                              {Prepared::functions, "functions.cpp", ".o"},
                              {Prepared::functions_f32, "functions_f32.cpp", ".f32.o"},
                              {Prepared::functions_f64, "functions_f64.cpp", ".f64.o"}};

void remove_all_parts(const std::string& header) {
  std::error_code ignored;
  for (const auto& made : all_parts) fs::remove(header + made.ending, ignored);
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
  for (std::size_t i = kept_prepared; i < headers.size(); ++i) remove_all_parts(headers[i].second.replace_extension().string());
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

Prepared::Prepared(const Toolchain& toolchain, const std::string& identity, const std::string& built, const std::string& folder) : toolchain_(toolchain) {
  const std::string name = fmt::format("runtime-{}.h", fingerprint(identity));
  shipped_ = (fs::path(built) / name).string();
  own_ = (fs::path(folder) / name).string();
}

std::string Prepared::file(Part part) const {
  const std::string shipped = shipped_ + all_parts[part].ending;
  std::error_code hidden;  // what cannot be looked at is not there
  return fs::exists(shipped, hidden) ? shipped : own_ + all_parts[part].ending;
}

bool Prepared::has(Part part) const {
  std::error_code hidden;
  return fs::exists(file(part), hidden);
}

std::string Prepared::header() const { return fs::path(file(declarations)).replace_extension().string(); }

std::vector<std::string> Prepared::objects() const {
  std::vector<std::string> files;
  for (const Part part : {functions, functions_f32, functions_f64}) {
    if (has(part)) files.push_back(file(part));
  }
  return files;
}

void Prepared::forget() const {
  remove_all_parts(shipped_);
  remove_all_parts(own_);
}

bool Prepared::make(const std::vector<Part>& parts) {
  std::error_code failed;
  std::vector<Made> missing;
  for (const Part part : parts) {
    if (!has(part)) missing.push_back(all_parts[part]);
  }
  if (missing.empty()) {
    fs::last_write_time(own_ + all_parts[declarations].ending, fs::file_time_type::clock::now(), failed);
    return true;
  }
  const fs::path folder = fs::path(own_).parent_path(), sources = fs::path(toolchain_.runtime) / "lantern/precompiled";
  fs::create_directories(folder, failed);
  if (isatty(STDERR_FILENO)) std::fputs("lantern: compiling the runtime for this compiler and processor, once; it takes some 20 seconds\n", stderr);
  const std::string temporary = fmt::format("{}.{}", own_, gettid());
  const auto start = [&](const Made& made, const std::vector<std::string>& how) {
    std::vector<std::string> command = {toolchain_.compiler};
    command.insert(command.end(), toolchain_.flags.begin(), toolchain_.flags.end());
    command.insert(command.end(), how.begin(), how.end());
    command.insert(command.end(), {(sources / made.source).string(), "-o", temporary + made.ending});
    return Running(command, command.back() + ".log");
  };
  // What all programs include is there already where a part is made by itself: two seconds less. The other functions are what that header leaves out.
  const bool by_itself = has(declarations) && missing.size() == 1 && missing[0].part != functions;
  std::vector<Running> running;
  for (const auto& made : missing) {
    // The templates that the header's own functions need are made once, too: clang then takes half the time; g++ does not know it.
    if (made.part == declarations) running.push_back(start(made, {"-fpch-instantiate-templates", "-x", "c++-header"}));
    else if (by_itself) running.push_back(start(made, {"-c", "-include", header()}));
    else running.push_back(start(made, {"-c"}));
  }
  bool all_made = true;
  for (std::size_t i = 0; i < missing.size(); ++i) {
    bool made = running[i].result().status == 0;
    if (!made && missing[i].part == declarations) made = start(missing[i], {"-x", "c++-header"}).result().status == 0;
    if (!made && by_itself) made = start(missing[i], {"-c"}).result().status == 0;
    all_made = all_made && made;
  }
  if (all_made) {
    for (const auto& made : missing) fs::rename(temporary + made.ending, own_ + made.ending, failed);
  }
  remove_all_parts(temporary);
  forget_old_prepared(folder);
  return std::all_of(parts.begin(), parts.end(), [this](Part part) { return has(part); });
}

}  // namespace lantern
