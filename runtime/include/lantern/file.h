// Files as the readers see them: a whole file as bytes, a new file that appears complete or not at all.
// These throw (`throw_file_error`) and are called inside `guarded` sections, where frames may own things.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>
#include <utility>

#include "lantern/definitions.h"
#include "lantern/stack.h"

namespace lantern::detail {

/// Raised inside a reader; becomes a `fail` at the reader's border, where nothing is owned any more.
struct FileError {
  const ErrorKind* kind;
  std::string location, message;
};

[[noreturn]] void throw_file_error(const std::string& path, const char* action);

void note(const FileError& thrown);

struct KeptForHost {
  ~KeptForHost() { keep_for_host(); }
};

/// Runs a reader or writer; what it throws becomes a `fail` behind its last destructor.
template <class F>
auto at_border(F&& work) -> decltype(work()) {
  [[maybe_unused]] const KeptForHost kept;
  try {
    return guarded(work);
  } catch (const FileError& thrown) {
    note(thrown);
  }
  deliver(thread_error);
}

/// A file that is read from front to back.
class InputFile {
 public:
  explicit InputFile(const std::string& path);
  ~InputFile() { std::fclose(file_); }
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  /// Up to `count` bytes; fewer at the end.
  size_t read(void* to, size_t count);
  int64_t size();
  void seek(int64_t offset);
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  std::FILE* file_;
};

/// A file written beside its place and moved there by `commit`; without that, nothing is left behind, and what processes that were
/// killed have left is removed. A link stays one, and is followed; what is no file (a device, a pipe) is written to as it is.
class OutputFile {
 public:
  explicit OutputFile(const std::string& path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(const void* from, size_t count);
  void commit();

 private:
  std::string path_, place_, temporary_;  // what was asked for; where it leads; what is written to, if that is another
  std::FILE* file_;
};

}  // namespace lantern::detail

#include LANTERN_DEFINITIONS("lantern/definitions/file.h")
