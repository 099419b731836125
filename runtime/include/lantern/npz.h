// Arrays in .npz files, as numpy.savez and numpy.savez_compressed write them: zip archives of .npy files. Link with zlib (-lz).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <zlib.h>

#include "lantern/npy.h"

namespace lantern {

namespace detail {

/// One file of an archive, read from front to back and unpacked on the way.
class ZipMember {
 public:
  struct Entry {
    std::string name;
    uint32_t flags = 0, method = 0, crc = 0;
    int64_t packed = 0, unpacked = 0, offset = 0;
  };

  ZipMember(InputFile& file, const Entry& entry, std::string place) : file_(file), entry_(entry), place_(std::move(place)), left_(entry.packed) {
    if ((entry.flags & 1) != 0 || (entry.method != 0 && entry.method != 8)) refuse_data(place_, "it is packed in a way that cannot be read");
    if (entry.method == 8 && inflateInit2(&stream_, -MAX_WBITS) != Z_OK) throw std::bad_alloc();
  }
  ~ZipMember() {
    if (entry_.method == 8) inflateEnd(&stream_);
  }
  ZipMember(const ZipMember&) = delete;
  ZipMember& operator=(const ZipMember&) = delete;

  int64_t most() const { return entry_.method == 0 ? entry_.packed : entry_.packed * 1032; }

  size_t read(void* to, size_t count) {
    const size_t got = entry_.method == 0 ? packed(to, count) : inflated(to, count);
    crc_ = static_cast<uint32_t>(crc32(crc_, static_cast<const Bytef*>(to), static_cast<uInt>(got)));
    total_ += static_cast<int64_t>(got);
    return got;
  }
  void finish() {
    if (crc_ != entry_.crc || total_ != entry_.unpacked) damaged();
  }

 private:
  [[noreturn]] void damaged() const { refuse_data(place_, "its data is damaged"); }

  size_t packed(void* to, size_t count) {
    const size_t wanted = static_cast<size_t>(std::min<int64_t>(static_cast<int64_t>(count), left_));
    const size_t got = file_.read(to, wanted);
    if (got < wanted) damaged();
    left_ -= static_cast<int64_t>(got);
    return got;
  }
  size_t inflated(void* to, size_t count) {
    stream_.next_out = static_cast<Bytef*>(to);
    stream_.avail_out = static_cast<uInt>(count);
    while (stream_.avail_out > 0 && !ended_) {
      if (stream_.avail_in == 0) {
        stream_.next_in = buffer_;
        stream_.avail_in = static_cast<uInt>(packed(buffer_, sizeof buffer_));
      }
      const int result = inflate(&stream_, Z_NO_FLUSH);
      ended_ = result == Z_STREAM_END;
      if (result != Z_OK && result != Z_STREAM_END) damaged();
    }
    return count - stream_.avail_out;
  }

  InputFile& file_;
  Entry entry_;
  std::string place_;
  int64_t left_, total_ = 0;
  uint32_t crc_ = 0;
  z_stream stream_{};
  bool ended_ = false;
  unsigned char buffer_[1 << 14];
};

/// The directory of a zip archive, which stands at its end.
class ZipFile {
 public:
  explicit ZipFile(const std::string& path) : file_(path) {
    const int64_t size = file_.size(), tail = std::min<int64_t>(size, 22 + 65535);
    const std::string end = bytes(size - tail, tail);
    const size_t at = end.rfind("PK\5\6");
    if (at == std::string::npos || end.size() - at < 22) malformed();
    int64_t count = number(end, at + 10, 2), length = number(end, at + 12, 4), offset = number(end, at + 16, 4);
    if (offset == 0xFFFFFFFF || count == 0xFFFF) malformed();  // of more than 4 GB, or 65,535 arrays
    if (offset + length > size) malformed();
    const std::string directory = bytes(offset, length);
    size_t place = 0;
    for (int64_t i = 0; i < count; ++i) {
      if (place + 46 > directory.size() || directory.compare(place, 4, "PK\1\2") != 0) malformed();
      ZipMember::Entry entry;
      entry.flags = static_cast<uint32_t>(number(directory, place + 8, 2));
      entry.method = static_cast<uint32_t>(number(directory, place + 10, 2));
      entry.crc = static_cast<uint32_t>(number(directory, place + 16, 4));
      entry.packed = number(directory, place + 20, 4);
      entry.unpacked = number(directory, place + 24, 4);
      entry.offset = number(directory, place + 42, 4);
      const size_t name = static_cast<size_t>(number(directory, place + 28, 2));
      const size_t more = static_cast<size_t>(number(directory, place + 30, 2) + number(directory, place + 32, 2));
      if (place + 46 + name + more > directory.size() || entry.packed == 0xFFFFFFFF || entry.unpacked == 0xFFFFFFFF) malformed();
      entry.name = directory.substr(place + 46, name);
      entries_.push_back(entry);
      place += 46 + name + more;
    }
  }

  /// The member `name`, where its data begins; errors about it name `place`.
  std::unique_ptr<ZipMember> open(const std::string& name, const std::string& place) {
    for (const auto& entry : entries_) {
      if (entry.name != name) continue;
      const int64_t size = file_.size();
      if (entry.offset + 30 > size) malformed();
      const std::string local = bytes(entry.offset, 30);
      const int64_t begin = entry.offset + 30 + number(local, 26, 2) + number(local, 28, 2);
      if (local.compare(0, 4, "PK\3\4") != 0 || begin + entry.packed > size) malformed();
      file_.seek(begin);
      return std::make_unique<ZipMember>(file_, entry, place);
    }
    return nullptr;
  }
  const std::vector<ZipMember::Entry>& entries() const { return entries_; }

 private:
  [[noreturn]] void malformed() const { refuse_data(file_.path(), "it is not an npz file"); }
  std::string bytes(int64_t begin, int64_t count) {
    std::string text(static_cast<size_t>(count), '\0');
    file_.seek(begin);
    if (file_.read(text.data(), text.size()) != text.size()) malformed();
    return text;
  }
  static int64_t number(const std::string& text, size_t at, size_t count) {
    int64_t value = 0;
    for (size_t i = count; i-- > 0;) value = value << 8 | static_cast<unsigned char>(text[at + i]);
    return value;
  }

  InputFile file_;
  std::vector<ZipMember::Entry> entries_;
};

}  // namespace detail

/// The array `name` in an .npz file. `expected`: its dimensions, −1 for any size. Fails with DataError or FileNotFoundError.
template <class T, size_t Rank>
auto read_npz(std::string_view path, std::string_view name, const int64_t (&expected)[Rank]) {
  return detail::at_border([&] {
    detail::ZipFile archive{std::string(path)};
    const std::string place = std::string(path) + ": " + std::string(name);
    const auto member = archive.open(std::string(name) + ".npy", place);
    if (!member) detail::refuse_data(std::string(path), "there is no array '" + std::string(name) + "' in it");
    return detail::read_npy_from<T, static_cast<int>(Rank)>(*member, place, member->most(), detail::shape_from(expected));
  });
}

}  // namespace lantern
