// Arrays of numbers in binary files: elements of one type, one behind the other, behind a header that says how many.
// A header may lie: what it promises is held against what the file can hold before memory is asked for.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "lantern/file.h"
#include "lantern/random.h"

namespace lantern::detail {

[[noreturn]] inline void refuse_data(const std::string& place, const std::string& what) { throw FileError{&errors::data_file, place, what}; }

/// Text of a file as an error shows it: the beginning, and no control characters.
inline std::string quotation(std::string_view text) {
  constexpr size_t most = 40;
  std::string shown(text.substr(0, most));
  for (char& c : shown) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  }
  return "'" + shown + (text.size() > most ? "…'" : "'");
}

/// How a file spells a number: kind 'b' (bool), 'i', 'u' or 'f', in so many bytes.
struct NumberType {
  char kind;
  int size;
  bool big_endian;

  std::string text() const {
    if (kind == 'b') return "bool";
    return (kind == 'f' ? "float" : kind == 'i' ? "int" : "uint") + std::to_string(8 * size);
  }
  bool swapped() const {
    const uint16_t one = 1;
    return size > 1 && big_endian == (*reinterpret_cast<const unsigned char*>(&one) == 1);
  }
};

template <class T>
constexpr const char* dtype_text() {
  if constexpr (std::is_same_v<T, bool>) return "bool";
  else if constexpr (std::is_floating_point_v<T>) return sizeof(T) == 4 ? "f32" : "f64";
  else return sizeof(T) == 4 ? "i32" : "i64";
}

/// Whether every kind of number becomes a T: whole numbers floats, but no floats whole numbers, and nothing but bools bools.
template <class T>
bool takes(NumberType type) {
  if (type.kind == 'b') return true;
  return type.kind == 'f' ? std::is_floating_point_v<T> : !std::is_same_v<T, bool>;
}

template <class From, class T>
bool fits(From x) {
  if constexpr (std::is_integral_v<From> && std::is_integral_v<T> && !std::is_same_v<T, bool>) {
    const T y = static_cast<T>(x);
    return static_cast<From>(y) == x && (y < 0) == (x < From{0});
  } else {
    return true;
  }
}

/// Elements of type From as Ts; how many of them there were before one that does not fit.
template <class From, class T>
int64_t decode_as(const char* bytes, int64_t count, bool swapped, T* out) {
  for (int64_t i = 0; i < count; ++i, bytes += sizeof(From)) {
    From x;
    char raw[sizeof(From)];
    std::memcpy(raw, bytes, sizeof raw);
    if (swapped) std::reverse(raw, raw + sizeof raw);
    std::memcpy(&x, raw, sizeof x);
    if (!fits<From, T>(x)) return i;
    out[i] = static_cast<T>(x);
  }
  return count;
}

template <class T>
int64_t decode(NumberType type, const char* bytes, int64_t count, T* out) {
  const bool swapped = type.swapped();
  if (type.kind == 'b') {
    for (int64_t i = 0; i < count; ++i) out[i] = static_cast<T>(bytes[i] != 0);
    return count;
  }
  if (type.kind == 'f') return type.size == 4 ? decode_as<float>(bytes, count, swapped, out) : decode_as<double>(bytes, count, swapped, out);
  const bool is_signed = type.kind == 'i';
  switch (type.size) {
    case 1: return is_signed ? decode_as<int8_t>(bytes, count, swapped, out) : decode_as<uint8_t>(bytes, count, swapped, out);
    case 2: return is_signed ? decode_as<int16_t>(bytes, count, swapped, out) : decode_as<uint16_t>(bytes, count, swapped, out);
    case 4: return is_signed ? decode_as<int32_t>(bytes, count, swapped, out) : decode_as<uint32_t>(bytes, count, swapped, out);
    default: return is_signed ? decode_as<int64_t>(bytes, count, swapped, out) : decode_as<uint64_t>(bytes, count, swapped, out);
  }
}

/// The shape of the file's array, if it is what the program expects (−1: any size).
template <int Rank>
Shape<Rank> expected_shape(const std::string& place, const std::vector<int64_t>& found, const Shape<Rank>& expected) {
  if (found.size() != static_cast<size_t>(Rank))
    refuse_data(place, "its array has rank " + std::to_string(found.size()) + ", and rank " + std::to_string(Rank) + " is expected");
  Shape<Rank> shape{};
  for (size_t axis = 0; axis < shape.size(); ++axis) {
    shape[axis] = found[axis];
    if (expected[axis] >= 0 && expected[axis] != found[axis])
      refuse_data(place, "dimension " + std::to_string(axis) + " of its array is " + std::to_string(found[axis]) + ", and " + std::to_string(expected[axis]) + " is expected");
  }
  return shape;
}

/// The elements that follow in `source`, of which there are no more than `most` bytes. `columns_first`: as Fortran has them.
template <class T, int Rank, class Source>
Tensor<T, Rank> read_elements(Source& source, const std::string& place, NumberType type, const Shape<Rank>& shape, int64_t most, bool columns_first) {
  if (!takes<T>(type)) refuse_data(place, "its elements are " + type.text() + ", which do not become " + dtype_text<T>());
  int64_t count = 1, bytes = type.size;
  bool possible = true;
  for (const int64_t n : shape) count = n == 0 ? 0 : count;
  for (const int64_t n : shape) possible = possible && (n == 0 || !__builtin_mul_overflow(bytes, n, &bytes));
  if (count == 0 && !possible) refuse_data(place, "its header is malformed");
  if (!possible || (count > 0 && bytes > most)) refuse_data(place, "its header promises more elements than the file can hold");
  count = count == 0 ? 0 : bytes / type.size;

  const Tensor<T, Rank> result(arena().allocate_array<T>(count), shape);
  const Mark mark = arena().mark();
  T* out = columns_first ? arena().allocate_array<T>(count) : result.data;
  std::vector<char> buffer(1 << 16);
  const int64_t room = static_cast<int64_t>(buffer.size()) / type.size;
  for (int64_t done = 0; done < count;) {
    const int64_t wanted = std::min(room, count - done);
    const int64_t got = static_cast<int64_t>(source.read(buffer.data(), static_cast<size_t>(wanted * type.size))) / type.size;
    const int64_t decoded = decode(type, buffer.data(), got, out + done);
    if (decoded < got) refuse_data(place, "its element " + std::to_string(done + decoded) + " does not fit in " + dtype_text<T>());
    done += got;
    if (got < wanted) refuse_data(place, "it ends after " + std::to_string(done) + " of its " + std::to_string(count) + " elements");
  }
  char more;
  if (source.read(&more, 1) != 0) refuse_data(place, "there are more bytes in it than its header promises");
  source.finish();
  if (columns_first) {
    Shape<Rank> at{};
    for (int64_t i = 0; i < count; ++i) {
      int64_t place_of = 0;
      for (size_t axis = 0; axis < at.size(); ++axis) place_of = place_of * shape[axis] + at[axis];
      result.data[place_of] = out[i];
      for (size_t axis = 0; axis < at.size() && ++at[axis] == shape[axis]; ++axis) at[axis] = 0;
    }
    arena().reset(mark);
  }
  return result;
}

}  // namespace lantern::detail
