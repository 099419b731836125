#pragma once

#include <map>
#include <string>

namespace lantern {

/// The file's bytes. Throws Failure LT0801 (environment), naming the path and the system's reason.
std::string read_file(const std::string& path);

/// Writes a temporary file beside `path`, then renames it: `path` is written whole or not at all; what it links to, where it is a
/// link. What is no file (a device, a pipe) is written to as it is. Makes missing folders. Throws Failure LT0802.
void write_file(const std::string& path, const std::string& bytes);
/// The same of several, by their paths: where one cannot be written, none is.
void write_files(const std::map<std::string, std::string>& files);

}  // namespace lantern
