// Arrays as NumPy saves them: "\x93NUMPY", a version, the length of a header, the header (a Python dict), the elements.
#pragma once

#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lantern/number_file.h"

namespace lantern {

namespace detail {

/// A plain file as a source of elements.
class PlainFile : public InputFile {
 public:
  using InputFile::InputFile;
  void finish() {}
};

struct NpyHeader {
  NumberType type{};
  bool columns_first = false;
  std::vector<int64_t> shape;
};

/// Reads `{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }`, in any order.
class NpyHeaderReader {
 public:
  NpyHeaderReader(std::string_view text, const std::string& place) : text_(text), place_(place) {}

  NpyHeader read() {
    NpyHeader header;
    bool has_type = false, has_order = false, has_shape = false;
    expect('{');
    while (!accept('}')) {
      const std::string_view key = quoted();
      expect(':');
      if (key == "descr" && !has_type) {
        header.type = number_type(quoted());
        has_type = true;
      } else if (key == "fortran_order" && !has_order) {
        const std::string_view word = name();
        if (word != "True" && word != "False") malformed();
        header.columns_first = word == "True";
        has_order = true;
      } else if (key == "shape" && !has_shape) {
        expect('(');
        while (!accept(')')) {
          header.shape.push_back(integer());
          if (!accept(',')) {
            expect(')');
            break;
          }
        }
        has_shape = true;
      } else {
        malformed();
      }
      if (!accept(',')) {
        expect('}');
        break;
      }
    }
    space();
    if (at_ != text_.size() || !has_type || !has_order || !has_shape) malformed();
    return header;
  }

 private:
  [[noreturn]] void malformed() const { refuse_data(place_, "its header is malformed"); }
  void space() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
  }
  bool accept(char c) {
    space();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!accept(c)) malformed();
  }
  std::string_view quoted() {
    expect('\'');
    const size_t end = text_.find('\'', at_);
    if (end == std::string_view::npos) malformed();
    const std::string_view inside = text_.substr(at_, end - at_);
    at_ = end + 1;
    return inside;
  }
  std::string_view name() {
    space();
    const size_t begin = at_;
    while (at_ < text_.size() && ((text_[at_] >= 'a' && text_[at_] <= 'z') || (text_[at_] >= 'A' && text_[at_] <= 'Z'))) ++at_;
    return text_.substr(begin, at_ - begin);
  }
  int64_t integer() {
    space();
    int64_t value = 0;
    const auto end = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (end.ec != std::errc() || value < 0) malformed();
    at_ = static_cast<size_t>(end.ptr - text_.data());
    return value;
  }
  NumberType number_type(std::string_view text) const {
    constexpr std::string_view known[] = {"b1", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f4", "f8"};
    const bool order = !text.empty() && (text[0] == '<' || text[0] == '>' || text[0] == '|' || text[0] == '=');
    const std::string_view rest = order ? text.substr(1) : text;
    if (std::find(std::begin(known), std::end(known), rest) == std::end(known))
      refuse_data(place_, "its elements are of the type " + quotation(text) + ", which cannot be read");
    return {rest[0], rest[1] - '0', order && text[0] == '>'};
  }

  std::string_view text_;
  const std::string& place_;
  size_t at_ = 0;
};

/// An array in NumPy's format from `source`, which holds no more than `most` bytes. Errors name `place`.
template <class T, int Rank, class Source>
Tensor<T, Rank> read_npy_from(Source& source, const std::string& place, int64_t most, const Shape<Rank>& expected) {
  unsigned char start[8];
  if (source.read(start, sizeof start) != sizeof start || std::memcmp(start, "\x93NUMPY", 6) != 0) refuse_data(place, "it is not in NumPy's format");
  const size_t bytes = start[6] == 1 ? 2 : 4;
  if (start[6] < 1 || start[6] > 3) refuse_data(place, "it is in a version, " + std::to_string(start[6]) + ", of NumPy's format that cannot be read");
  unsigned char little[4] = {};
  if (source.read(little, bytes) != bytes) refuse_data(place, "it ends inside its header");
  const int64_t length = little[0] | little[1] << 8 | little[2] << 16 | static_cast<int64_t>(little[3]) << 24;
  if (length > std::min<int64_t>(most, 1 << 20)) refuse_data(place, "it ends inside its header");
  std::string text(static_cast<size_t>(length), '\0');
  if (source.read(text.data(), text.size()) != text.size()) refuse_data(place, "it ends inside its header");
  const NpyHeader header = NpyHeaderReader(text, place).read();
  return read_elements<T, Rank>(source, place, header.type, expected_shape<Rank>(place, header.shape, expected), most, header.columns_first);
}

}  // namespace detail

/// The array in a .npy file. `expected`: its dimensions, −1 for any size. Fails with DataError or FileNotFoundError.
template <class T, size_t Rank>
auto read_npy(std::string_view path, const int64_t (&expected)[Rank]) {
  return detail::at_border([&] {
    const std::string place(path);
    detail::PlainFile file(place);
    return detail::read_npy_from<T, static_cast<int>(Rank)>(file, place, file.size(), detail::shape_from(expected));
  });
}

}  // namespace lantern
