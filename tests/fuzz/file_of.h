#pragma once

#include <cstdint>
#include <fstream>
#include <string>

#include <unistd.h>

/// Writes an input where the readers look for it: in a file. Each process has one, and nothing else writes there.
inline std::string file_of(const std::uint8_t* data, std::size_t size) {
  static const std::string path = "/dev/shm/lantern_fuzzed_" + std::to_string(getpid());
  std::ofstream(path, std::ios::binary) << std::string_view(reinterpret_cast<const char*>(data), size);
  return path;
}
