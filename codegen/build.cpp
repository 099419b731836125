#include "codegen/build.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <vector>

#include "codegen/user_headers.h"
#include "support/diagnostic.h"
#include "support/file.h"

extern char** environ;

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

// FNV-1a over 128 bits' worth of two seeds: names a cache entry, guards nothing.
std::string fingerprint(const std::string& text) {
  std::string name;
  for (const std::uint64_t seed : {0xcbf29ce484222325ULL, 0x9ae16a3b2f90404fULL}) {
    std::uint64_t hash = seed;
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
    name += fmt::format("{:016x}", hash);
  }
  return name;
}

struct Ran {
  int status;
  std::string output;
};

// Runs a program without a shell, its output in a file: nothing of a user's path is ever parsed.
Ran run(const std::vector<std::string>& command, const std::string& log) {
  std::vector<char*> arguments;
  for (const auto& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, 1, 2);
  pid_t child = 0;
  const int error = posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) {
    throw Failure({.code = "LT0601", .location = {}, .message = fmt::format("cannot start the C++ compiler '{}': {}", command[0], std::strerror(error)),
                   .hint = "install g++ or clang++, or name one in LANTERN_CXX", .outcome = Outcome::environment});
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128, read_file(log)};
}

std::string first_lines(const std::string& text, int count) {
  std::size_t at = 0;
  for (int i = 0; i < count && at != std::string::npos; ++i) at = text.find('\n', at + (i > 0));
  return at == std::string::npos ? text : text.substr(0, at);
}

}  // namespace

namespace {

// What decides the code that a header compiles to, as text: the compiler, its flags, and which headers they are.
std::string identity_of(const std::string& compiler, const std::vector<std::string>& flags, const std::string& runtime) {
  std::string identity = compiler;
  for (const auto& flag : flags) identity += '\0' + flag;
  for (const auto& entry : fs::directory_iterator(fs::path(runtime) / "lantern")) {  // another runtime, another object
    identity += fmt::format("{} {} ", entry.file_size(), entry.last_write_time().time_since_epoch().count());
  }
  return identity;
}

constexpr std::size_t precompiled_headers = 8;

// Precompiled headers are large, and of every compiler, set of flags and runtime that there was: those that were used last stay.
void forget_old_headers() {
  std::error_code failed;
  std::vector<std::pair<fs::file_time_type, fs::path>> headers;
  for (const auto& entry : fs::directory_iterator(cache_folder(), failed)) {
    if (entry.path().extension() == ".gch") headers.emplace_back(entry.last_write_time(failed), entry.path());
  }
  std::sort(headers.rbegin(), headers.rend());
  for (std::size_t i = precompiled_headers; i < headers.size(); ++i) fs::remove(headers[i].second, failed);
}

// The runtime's header to -include, precompiled on first use: reading Eigen is most of the time that a small program takes to
// compile. There is no file of that name, but of what is precompiled: HEADER.gch. Empty if it cannot be built; the program
// says why, if it fails, too.
std::string precompiled_runtime(const std::string& compiler, const std::vector<std::string>& flags, const std::string& runtime,
                                const std::string& identity) {
  const std::string header = (fs::path(cache_folder()) / fmt::format("runtime-{}.h", fingerprint(identity))).string();
  std::error_code failed;
  if (fs::exists(header + ".gch")) {
    fs::last_write_time(header + ".gch", fs::file_time_type::clock::now(), failed);
    return header;
  }
  const std::string temporary = fmt::format("{}.{}", header, getpid()), log = temporary + ".log";
  std::vector<std::string> command = {compiler};
  command.insert(command.end(), flags.begin(), flags.end());
  command.insert(command.end(), {"-x", "c++-header", (fs::path(runtime) / "lantern/runtime.h").string(), "-o", temporary});
  // The templates that the header's own functions need are made once, too: clang then takes half the time; g++ does not know it.
  auto with_templates = command;
  with_templates.push_back("-fpch-instantiate-templates");
  if (run(with_templates, log).status == 0 || run(command, log).status == 0) fs::rename(temporary, header + ".gch", failed);
  for (const auto& path : {temporary, log}) fs::remove(path, failed);
  forget_old_headers();
  return fs::exists(header + ".gch") ? header : "";
}

}  // namespace

std::string build_shared_object(const Module& module, const std::vector<std::string>& folders) {
  const std::string compiler = from_environment("LANTERN_CXX", "c++");
  const std::string runtime = from_environment("LANTERN_RUNTIME", LANTERN_RUNTIME_FOLDER);
  if (!fs::exists(fs::path(runtime) / "lantern/runtime.h")) {
    throw Failure({.code = "LT0603", .location = {}, .message = fmt::format("the runtime's headers are not in '{}'", runtime),
                   .hint = "set LANTERN_RUNTIME to the folder that holds lantern/runtime.h", .outcome = Outcome::environment});
  }
  std::vector<std::string> flags = {"-std=c++17", "-O3", "-march=native", "-fno-math-errno", "-fPIC", "-w",
                                    "-fvisibility=hidden", "-I" + runtime, "-isystem", LANTERN_EIGEN_FOLDER};
  const std::string extra = from_environment("LANTERN_CXXFLAGS", "");
  for (std::size_t at = 0; at < extra.size();) {
    const auto end = std::min(extra.find(' ', at), extra.size());
    if (end > at) flags.push_back(extra.substr(at, end - at));
    at = end + 1;
  }
  const std::string environment = identity_of(compiler, flags, runtime);
  const std::string identity = module.header + '\0' + module.source + '\0' + module.abi + '\0' + environment + text_of_headers(module.headers, folders);
  const fs::path folder = fs::path(cache_folder()) / fingerprint(identity);
  const fs::path object = folder / (module.name + ".so");
  if (fs::exists(object)) return object.string();

  write_file((folder / (module.name + ".h")).string(), module.header);
  const std::string unit = (folder / fmt::format("{}.{}.cpp", module.name, getpid())).string();
  const std::string temporary = (folder / fmt::format("{}.{}.so", module.name, getpid())).string();
  write_file(unit, module.source + "\n" + module.abi);
  std::vector<std::string> command = {compiler, "-shared"};
  command.insert(command.end(), flags.begin(), flags.end());
  for (const auto& users : folders) command.insert(command.end(), {"-iquote", users});
  command.insert(command.end(), {"-I" + folder.string(), unit, "-o", temporary});
  command.insert(command.end(), module.libraries.begin(), module.libraries.end());
  auto precompiled = command;
  const std::string header = precompiled_runtime(compiler, flags, runtime, environment);
  if (!header.empty()) precompiled.insert(precompiled.begin() + 1, {"-include", header});
  const std::string log = temporary + ".log";
  Ran ran = run(precompiled, log);
  std::error_code ignored;
  if (ran.status != 0 && !header.empty()) {
    // What was precompiled serves no longer once the compiler or the system's headers are others; or the program is wrong.
    ran = run(command, log);
    if (ran.status == 0) fs::remove(header + ".gch", ignored);
  }
  fs::remove(log, ignored);
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
