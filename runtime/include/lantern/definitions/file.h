// Files: opened, read, written.
#pragma once

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <functional>
#include <string>
#include <thread>

#include "lantern/file.h"

namespace lantern::detail {

LANTERN_INLINE void throw_file_error(const std::string& path, const char* action) {
  const int reason = errno;
  const bool missing = reason == ENOENT;
  throw FileError{missing ? &errors::file_not_found : &errors::file, path,
                  missing ? "no such file" : std::string("cannot ") + action + ": " + std::strerror(reason)};
}

LANTERN_INLINE void note(const FileError& thrown) {
  PendingError& error = thread_error;
  error.row = thrown.kind;
  std::snprintf(error.kind, sizeof error.kind, "%s", thrown.kind->kind);
  std::snprintf(error.location, sizeof error.location, "%s", thrown.location.c_str());
  std::snprintf(error.message, sizeof error.message, "%s", thrown.message.c_str());
}

LANTERN_INLINE InputFile::InputFile(const std::string& path) : path_(path), file_(std::fopen(path.c_str(), "rb")) {
  if (!file_) throw_file_error(path, "open it");
}

LANTERN_INLINE size_t InputFile::read(void* to, size_t count) {
  const size_t got = std::fread(to, 1, count, file_);
  if (got < count && std::ferror(file_)) throw_file_error(path_, "read it");
  return got;
}

LANTERN_INLINE int64_t InputFile::size() {
  const long at = std::ftell(file_);
  if (at < 0 || std::fseek(file_, 0, SEEK_END) != 0) throw_file_error(path_, "find its size");
  const long end = std::ftell(file_);
  if (end < 0 || std::fseek(file_, at, SEEK_SET) != 0) throw_file_error(path_, "find its size");
  return end;
}

LANTERN_INLINE void InputFile::seek(int64_t offset) {
  if (std::fseek(file_, static_cast<long>(offset), SEEK_SET) != 0) throw_file_error(path_, "read it");
}

LANTERN_INLINE OutputFile::OutputFile(const std::string& path)
    : path_(path), temporary_(path + ".tmp" + std::to_string(getpid()) + "-" + std::to_string(std::hash<std::thread::id>{}(std::this_thread::get_id()))), file_(std::fopen(temporary_.c_str(), "wb")) {
  if (!file_) throw_file_error(path, "write it");
}

LANTERN_INLINE OutputFile::~OutputFile() {
  if (file_) std::fclose(file_);
  if (!temporary_.empty()) std::remove(temporary_.c_str());
}

LANTERN_INLINE void OutputFile::write(const void* from, size_t count) {
  if (count > 0 && std::fwrite(from, 1, count, file_) != count) throw_file_error(path_, "write it");
}

LANTERN_INLINE void OutputFile::commit() {
  const bool complete = std::fflush(file_) == 0 && fsync(fileno(file_)) == 0;
  if (std::fclose(std::exchange(file_, nullptr)) != 0 || !complete) throw_file_error(path_, "write it");
  if (std::rename(temporary_.c_str(), path_.c_str()) != 0) throw_file_error(path_, "write it");
  temporary_.clear();
}

}  // namespace lantern::detail
