// Files as the readers see them: a whole file as bytes, a new file that appears complete or not at all.
// These throw (`throw_file_error`) and are called inside `guarded` sections, where frames may own things.
#pragma once

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include <unistd.h>

#include "lantern/stack.h"

namespace lantern::detail {

/// Raised inside a reader; becomes a `fail` at the reader's border, where nothing is owned any more.
struct FileError {
  const ErrorKind* kind;
  std::string location, message;
};

[[noreturn]] inline void throw_file_error(const std::string& path, const char* action) {
  const int reason = errno;
  const bool missing = reason == ENOENT;
  throw FileError{missing ? &errors::file_not_found : &errors::file, path,
                  missing ? "no such file" : std::string("cannot ") + action + ": " + std::strerror(reason)};
}

/// Runs a reader or writer; what it throws becomes a `fail` behind its last destructor.
template <class F>
auto at_border(F&& work) -> decltype(work()) {
  PendingError& error = thread_error;
  try {
    return guarded(work);
  } catch (const FileError& thrown) {
    error.row = thrown.kind;
    std::snprintf(error.kind, sizeof error.kind, "%s", thrown.kind->kind);
    std::snprintf(error.location, sizeof error.location, "%s", thrown.location.c_str());
    std::snprintf(error.message, sizeof error.message, "%s", thrown.message.c_str());
  }
  deliver(error);
}

/// A file that is read from front to back.
class InputFile {
 public:
  explicit InputFile(const std::string& path) : path_(path), file_(std::fopen(path.c_str(), "rb")) {
    if (!file_) throw_file_error(path, "open it");
  }
  ~InputFile() { std::fclose(file_); }
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  /// Up to `count` bytes; fewer at the end.
  size_t read(void* to, size_t count) {
    const size_t got = std::fread(to, 1, count, file_);
    if (got < count && std::ferror(file_)) throw_file_error(path_, "read it");
    return got;
  }
  int64_t size() {
    const long at = std::ftell(file_);
    if (at < 0 || std::fseek(file_, 0, SEEK_END) != 0) throw_file_error(path_, "find its size");
    const long end = std::ftell(file_);
    if (end < 0 || std::fseek(file_, at, SEEK_SET) != 0) throw_file_error(path_, "find its size");
    return end;
  }
  void seek(int64_t offset) {
    if (std::fseek(file_, static_cast<long>(offset), SEEK_SET) != 0) throw_file_error(path_, "read it");
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  std::FILE* file_;
};

/// A file written beside its place and moved there by `commit`; without that, nothing is left behind.
class OutputFile {
 public:
  explicit OutputFile(const std::string& path)
      : path_(path), temporary_(path + ".tmp" + std::to_string(getpid())), file_(std::fopen(temporary_.c_str(), "wb")) {
    if (!file_) throw_file_error(path, "write it");
  }
  ~OutputFile() {
    if (file_) std::fclose(file_);
    if (!temporary_.empty()) std::remove(temporary_.c_str());
  }
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(const void* from, size_t count) {
    if (count > 0 && std::fwrite(from, 1, count, file_) != count) throw_file_error(path_, "write it");
  }
  void commit() {
    const bool complete = std::fflush(file_) == 0 && fsync(fileno(file_)) == 0;
    if (std::fclose(std::exchange(file_, nullptr)) != 0 || !complete) throw_file_error(path_, "write it");
    if (std::rename(temporary_.c_str(), path_.c_str()) != 0) throw_file_error(path_, "write it");
    temporary_.clear();
  }

 private:
  std::string path_, temporary_;
  std::FILE* file_;
};

}  // namespace lantern::detail
