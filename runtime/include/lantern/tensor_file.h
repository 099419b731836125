// The header of a safetensors file: just enough JSON (objects, strings, arrays of integers), every number bounded
// before it is believed.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "lantern/definitions.h"
#include "lantern/file.h"

namespace lantern::detail {

std::string json_string(std::string_view text);

struct TensorEntry {
  std::string type;
  std::vector<int64_t> shape;
  int64_t begin = 0, end = 0;
};

/// An open safetensors file whose header has been read and checked.
class TensorFile {
 public:
  explicit TensorFile(const std::string& path);

  const std::map<std::string, TensorEntry>& entries() const { return entries_; }
  const TensorEntry& entry(const std::string& name) const;
  bool has_vocabulary() const { return has_vocabulary_; }
  const std::string& vocabulary() const { return vocabulary_; }

  std::vector<char> read(const TensorEntry& entry);

  [[noreturn]] void malformed(const std::string& what) const;
  [[noreturn]] void mismatch(const std::string& what) const;

 private:
  void read_header(std::string_view text);

  void check(const std::string& name, const TensorEntry& entry, int64_t data_size) const;

  InputFile file_;
  int64_t data_begin_ = 0;
  std::map<std::string, TensorEntry> entries_;
  bool has_vocabulary_ = false;
  std::string vocabulary_;
};

}  // namespace lantern::detail

#include LANTERN_DEFINITIONS("lantern/definitions/tensor_file.h")
