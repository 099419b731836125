// Parameters in a file, in the safetensors format: eight bytes of header length (little endian), a JSON header that
// gives each tensor's type, shape and range of bytes, then the bytes. The vocabulary rides along as metadata. A file is
// checked in full before one parameter is changed; it may come from a stranger.
//
// `parameters.visit([](const char* name, auto& array) { … })` calls back with every array (generated).
#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <type_traits>
#include <vector>

#include "lantern/array.h"
#include "lantern/definitions.h"
#include "lantern/file.h"
#include "lantern/list.h"

namespace lantern {

namespace detail {

template <class T>
constexpr const char* type_name() {
  if constexpr (std::is_same_v<T, bool>) return "BOOL";
  else if constexpr (std::is_floating_point_v<T>) return sizeof(T) == 4 ? "F32" : "F64";
  else return sizeof(T) == 4 ? "I32" : "I64";
}

/// An array as files see it.
struct StoredArray {
  const char *name, *type;
  void* array;
  int64_t element_bytes;
  int rank;
  bool has_value;
  int64_t shape[32];  // as many dimensions as NumPy has; to read: −1 where any will do
  void* (*elements)(void* array);
  void (*resize)(void* array, const int64_t* shape);  // where the array's is another
};
template <class T, int Rank>
StoredArray stored(const char* name, Array<T, Rank>& array) {
  static_assert(Rank <= 32);
  StoredArray result{name, type_name<T>(), &array, sizeof(T), Rank, true, {},
                     [](void* own) { return static_cast<void*>(static_cast<Array<T, Rank>*>(own)->data()); },
                     [](void* own, const int64_t* dimensions) {
                       Shape<Rank> shape{};
                       std::copy(dimensions, dimensions + Rank, shape.begin());
                       auto& made = *static_cast<Array<T, Rank>*>(own);
                       if (Rank > 0 && made.shape() != shape) made.resize(shape);
                     }};
  const auto& shape = array.shape();
  std::copy(shape.begin(), shape.end(), result.shape);
  if constexpr (Rank > 0) result.has_value = array.has_value();
  return result;
}

void save_arrays(std::string_view path, const std::vector<StoredArray>& arrays, const List<std::string_view>& words);
void load_arrays(std::string_view path, const std::vector<StoredArray>& arrays);

/// All arrays of what is visited.
template <class Parameters>
std::vector<StoredArray> stored_arrays(Parameters& parameters) {
  std::vector<StoredArray> arrays;
  parameters.visit([&](const char* name, auto& array) { arrays.push_back(stored(name, array)); });
  return arrays;
}

}  // namespace detail

/// Writes every parameter, and `words` as the metadata "vocabulary". The file appears complete or not at all.
template <class Parameters>
void save_safetensors(std::string_view path, Parameters& parameters, const List<std::string_view>& words = {}) {
  detail::at_border([&] { detail::save_arrays(path, detail::stored_arrays(parameters), words); });
}

/// The sizes that the program says of a parameter; −1: any.
struct KnownShape {
  std::string_view name;
  std::initializer_list<int64_t> sizes;
};

/// Reads every parameter, its run-time dimensions too. `fixed(name, axis)`, if given, is the size that a dimension must
/// have, or −1. Fails with DataError where names, types or dimensions are not this model's; then nothing has changed.
template <class Parameters, class Fixed>
void load_safetensors(std::string_view path, Parameters& parameters, Fixed&& fixed) {
  detail::at_border([&] {
    auto arrays = detail::stored_arrays(parameters);
    for (auto& array : arrays)
      for (int axis = 0; axis < array.rank; ++axis) array.shape[axis] = fixed(array.name, axis);
    detail::load_arrays(path, arrays);
  });
}
/// The same. A parameter that has a value keeps its shape; one that has none yet takes the file's, as far as it is not `known`.
template <class Parameters>
void load_safetensors(std::string_view path, Parameters& parameters, std::initializer_list<KnownShape> known = {}) {
  detail::at_border([&] {
    auto arrays = detail::stored_arrays(parameters);
    for (auto& array : arrays) {
      if (!array.has_value) std::fill_n(array.shape, array.rank, int64_t{-1});
      for (const KnownShape& one : known) {
        if (one.name != array.name) continue;
        std::transform(one.sizes.begin(), one.sizes.end(), array.shape, array.shape,
                       [](int64_t wanted, int64_t own) { return wanted < 0 ? own : wanted; });
      }
    }
    detail::load_arrays(path, arrays);
  });
}

/// The vocabulary saved with the parameters; empty if there is none.
List<std::string_view> load_words(std::string_view path);

}  // namespace lantern

#include LANTERN_DEFINITIONS("lantern/definitions/safetensors.h")
