// Files: opened, read, written.
#pragma once

#include <dirent.h>
#include <sys/stat.h>
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

/// Where a path leads by symbolic links, whether or not there is a file.
LANTERN_INLINE std::string behind_links(std::string path) {
  for (int links = 0; links < 40; ++links) {
    char target[4096];
    const auto length = readlink(path.c_str(), target, sizeof target);
    if (length <= 0 || length == sizeof target) break;
    const std::string next(target, static_cast<size_t>(length));
    path = next[0] == '/' ? next : path.substr(0, path.rfind('/') + 1) + next;
  }
  return path;
}

/// Of `place.tmp12-34` those whose process, 12, is no more.
LANTERN_INLINE void remove_interrupted(const std::string& place) {
  const size_t slash = place.rfind('/') + 1;
  const std::string folder = place.substr(0, slash), begins = place.substr(slash) + ".tmp";
  DIR* listed = opendir(slash ? folder.c_str() : ".");
  if (!listed) return;
  while (const dirent* entry = readdir(listed)) {
    const std::string name = entry->d_name;
    if (name.compare(0, begins.size(), begins) != 0) continue;
    const std::string process = name.substr(begins.size(), name.find('-', begins.size()) - begins.size());
    if (process.empty() || process.find_first_not_of("0123456789") != std::string::npos) continue;
    if (access("/proc/self", F_OK) == 0 && access(("/proc/" + process).c_str(), F_OK) != 0) std::remove((folder + name).c_str());
  }
  closedir(listed);
}

LANTERN_INLINE OutputFile::OutputFile(const std::string& path) : path_(path), place_(behind_links(path)), file_(nullptr) {
  struct stat found;
  const bool is_file = stat(place_.c_str(), &found) != 0 || S_ISREG(found.st_mode) || S_ISDIR(found.st_mode);
  if (is_file) {
    remove_interrupted(place_);
    temporary_ = place_ + ".tmp" + std::to_string(getpid()) + "-" + std::to_string(std::hash<std::thread::id>{}(std::this_thread::get_id()));
  }
  file_ = std::fopen((is_file ? temporary_ : place_).c_str(), "wb");
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
  const bool complete = std::fflush(file_) == 0 && (temporary_.empty() || fsync(fileno(file_)) == 0);
  if (std::fclose(std::exchange(file_, nullptr)) != 0 || !complete) throw_file_error(path_, "write it");
  if (!temporary_.empty() && std::rename(temporary_.c_str(), place_.c_str()) != 0) throw_file_error(path_, "write it");
  temporary_.clear();
}

}  // namespace lantern::detail
