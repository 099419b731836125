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
#include <fstream>
#include <optional>
#include <sstream>
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

/// A program that runs, without a shell, its output in a file: nothing of a user's path is ever parsed.
class Running {
 public:
  Running(const std::vector<std::string>& command, std::string log) : log_(std::move(log)) {
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
  /// Until it has ended: once.
  Ran result() const {
    int status = 0;
    while (waitpid(child_, &status, 0) < 0 && errno == EINTR) {
    }
    const Ran ran{WIFEXITED(status) ? WEXITSTATUS(status) : 128, read_file(log_)};
    std::error_code ignored;
    fs::remove(log_, ignored);
    return ran;
  }

 private:
  std::string log_;
  pid_t child_ = 0;
};

std::string first_lines(const std::string& text, int count) {
  std::size_t at = 0;
  for (int i = 0; i < count && at != std::string::npos; ++i) at = text.find('\n', at + (i > 0));
  return at == std::string::npos ? text : text.substr(0, at);
}

}  // namespace

namespace {

// The file that a command's name stands for; the name, where there is none.
fs::path program_file(const std::string& name) {
  std::error_code failed;
  if (name.find('/') != std::string::npos) return name;
  std::istringstream folders(from_environment("PATH", ""));
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

// What decides the code that a header compiles to, as text: the machine, the compiler, its flags, and which headers they are.
std::string identity_of(const std::string& compiler, const std::vector<std::string>& flags, const std::string& runtime) {
  std::string identity = machine() + compiler + stamp_of(program_file(compiler));
  for (const auto& flag : flags) identity += '\0' + flag;
  std::vector<fs::path> headers;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(runtime) / "lantern")) {
    if (entry.is_regular_file()) headers.push_back(entry.path());
  }
  std::sort(headers.begin(), headers.end());
  for (const auto& header : headers) identity += header.string() + stamp_of(header);  // another runtime, another object
  return identity;
}

/// What all programs have in common, compiled: a precompiled header to -include, and the object of the functions that it declares.
/// There is no file of the header's name, but of what is precompiled: HEADER.gch.
struct Prepared {
  std::string header;
  std::string precompiled() const { return header + ".gch"; }
  std::string object() const { return header + ".o"; }
  bool is_there() const { return fs::exists(precompiled()) && fs::exists(object()); }
  void forget() const {
    std::error_code ignored;
    fs::remove(precompiled(), ignored);
    fs::remove(object(), ignored);
  }
};

constexpr std::size_t kept_prepared = 8;

// Precompiled headers are large, and of every compiler, set of flags and runtime that there was: those that were used last stay.
void forget_old_prepared() {
  std::error_code failed;
  std::vector<std::pair<fs::file_time_type, fs::path>> headers;
  for (const auto& entry : fs::directory_iterator(cache_folder(), failed)) {
    if (entry.path().extension() == ".gch") headers.emplace_back(entry.last_write_time(failed), entry.path());
  }
  std::sort(headers.rbegin(), headers.rend());
  for (std::size_t i = kept_prepared; i < headers.size(); ++i) Prepared{headers[i].second.replace_extension().string()}.forget();
}

// Made on first use, both at once; of two processes that race, one's files stay. Empty if that fails: a program is then compiled
// with all that it needs, and says why, if it fails, too.
std::optional<Prepared> prepared_runtime(const std::string& compiler, const std::vector<std::string>& flags, const std::string& runtime, const std::string& identity) {
  const Prepared prepared{(fs::path(cache_folder()) / fmt::format("runtime-{}.h", fingerprint(identity))).string()};
  std::error_code failed;
  if (prepared.is_there()) {
    fs::last_write_time(prepared.precompiled(), fs::file_time_type::clock::now(), failed);
    return prepared;
  }
  fs::create_directories(cache_folder(), failed);
  const auto source = fs::path(runtime) / "lantern/precompiled";
  const std::string temporary = fmt::format("{}.{}", prepared.header, getpid()), header = temporary + ".gch", object = temporary + ".o";
  const auto start = [&](const std::vector<std::string>& more) {
    std::vector<std::string> command = {compiler};
    command.insert(command.end(), flags.begin(), flags.end());
    command.insert(command.end(), more.begin(), more.end());
    return Running(command, command.back() + ".log");
  };
  const std::string declarations = (source / "declarations.h").string();
  const auto functions = start({"-c", (source / "functions.cpp").string(), "-o", object});
  // The templates that the header's own functions need are made once, too: clang then takes half the time; g++ does not know it.
  const bool has_header = start({"-fpch-instantiate-templates", "-x", "c++-header", declarations, "-o", header}).result().status == 0 ||
                          start({"-x", "c++-header", declarations, "-o", header}).result().status == 0;
  const bool has_object = functions.result().status == 0;
  if (has_header && has_object) {
    fs::rename(object, prepared.object(), failed);
    fs::rename(header, prepared.precompiled(), failed);
  }
  for (const auto& path : {header, object}) fs::remove(path, failed);
  forget_old_prepared();
  if (!prepared.is_there()) return std::nullopt;
  return prepared;
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
  const auto compile = [&](const std::vector<std::string>& first, const std::vector<std::string>& objects) {
    std::vector<std::string> command = {compiler, "-shared"};
    const auto add = [&](const std::vector<std::string>& words) { command.insert(command.end(), words.begin(), words.end()); };
    add(first);
    add(flags);
    for (const auto& users : folders) add({"-iquote", users});
    add({"-I" + folder.string(), unit});
    add(objects);
    add({"-o", temporary});
    add(module.libraries);
    return Running(command, temporary + ".log").result();
  };
  std::error_code ignored;
  Ran ran{1, ""};
  if (const auto prepared = prepared_runtime(compiler, flags, runtime, environment)) {
    ran = compile({"-include", prepared->header}, {prepared->object()});
    if (ran.status != 0) {
      // What was prepared serves no longer once the compiler or the system's headers are others; or the program is wrong.
      ran = compile({}, {});
      if (ran.status == 0) prepared->forget();
    }
  } else {
    ran = compile({}, {});
  }
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
