// Arrays in IDX files, MNIST's format, gzipped or not: two zero bytes, a type, a rank, as many big-endian 32-bit sizes,
// the elements. Link with zlib (-lz).
#pragma once

#include <string>
#include <string_view>

#include <zlib.h>

#include "lantern/number_file.h"

namespace lantern {

namespace detail {

/// A file that is read from front to back and unpacked on the way, if it is gzipped.
class GzipFile {
 public:
  explicit GzipFile(const std::string& path) : path_(path) {
    InputFile plain(path);
    unsigned char magic[2] = {};
    const bool packed = plain.read(magic, 2) == 2 && magic[0] == 0x1f && magic[1] == 0x8b;
    constexpr int64_t most_deflate_packs = 1032;
    most_ = plain.size() * (packed ? most_deflate_packs : 1);
    file_ = gzopen(path.c_str(), "rb");
    if (!file_) throw_file_error(path, "open it");
  }
  ~GzipFile() { gzclose(file_); }
  GzipFile(const GzipFile&) = delete;
  GzipFile& operator=(const GzipFile&) = delete;

  /// More bytes than this it cannot hold.
  int64_t most() const { return most_; }
  /// Up to `count` bytes; fewer at the end.
  size_t read(void* to, size_t count) {
    const int got = gzread(file_, to, static_cast<unsigned>(count));
    if (got >= 0) return static_cast<size_t>(got);
    int error = 0;
    gzerror(file_, &error);
    if (error == Z_ERRNO) throw_file_error(path_, "read it");
    refuse_data(path_, "its compressed data is damaged");
  }
  /// Where everything has been read: checks that the compressed data is complete.
  void finish() {
    int error = 0;
    gzerror(file_, &error);
    if (error != Z_OK) refuse_data(path_, "its compressed data is damaged");
  }

 private:
  std::string path_;
  int64_t most_;
  gzFile file_;
};

inline NumberType idx_type(const std::string& place, unsigned char code) {
  switch (code) {
    case 0x08: return {'u', 1, true};
    case 0x09: return {'i', 1, true};
    case 0x0B: return {'i', 2, true};
    case 0x0C: return {'i', 4, true};
    case 0x0D: return {'f', 4, true};
    case 0x0E: return {'f', 8, true};
    default: refuse_data(place, "its elements are of a type, " + std::to_string(code) + ", that IDX does not have");
  }
}

}  // namespace detail

/// The array in an IDX file. `expected`: its dimensions, −1 for any size. Fails with DataError or FileNotFoundError.
template <class T, size_t Rank>
auto read_idx(std::string_view path, const int64_t (&expected)[Rank]) {
  constexpr int rank = static_cast<int>(Rank);
  return detail::at_border([&] {
    const std::string place(path);
    detail::GzipFile file(place);
    unsigned char start[4];
    const size_t got = file.read(start, sizeof start);
    if (got < sizeof start || start[0] != 0 || start[1] != 0) detail::refuse_data(place, "it is not an IDX file");
    const detail::NumberType type = detail::idx_type(place, start[2]);
    std::vector<int64_t> dims(start[3]);
    for (int64_t& dim : dims) {
      unsigned char bytes[4];
      if (file.read(bytes, sizeof bytes) != sizeof bytes) detail::refuse_data(place, "it ends inside its header");
      dim = static_cast<int64_t>(bytes[0]) << 24 | bytes[1] << 16 | bytes[2] << 8 | bytes[3];
    }
    const Shape<rank> shape = detail::expected_shape<rank>(place, dims, detail::shape_from(expected));
    return detail::read_elements<T, rank>(file, place, type, shape, file.most(), false);
  });
}

}  // namespace lantern
