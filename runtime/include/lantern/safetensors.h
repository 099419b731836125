// Parameters in a file, in the safetensors format: eight bytes of header length (little endian), a JSON header that
// gives each tensor's type, shape and range of bytes, then the bytes. The vocabulary rides along as metadata. A file is
// checked in full before one parameter is changed; it may come from a stranger.
//
// `parameters.visit([](const char* name, auto& array) { … })` calls back with every array (generated).
#pragma once

#include <charconv>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "lantern/array.h"
#include "lantern/file.h"
#include "lantern/list_operations.h"
#include "lantern/tensor_file.h"

namespace lantern {

namespace detail {

template <class T>
constexpr const char* type_name() {
  if constexpr (std::is_same_v<T, bool>) return "BOOL";
  else if constexpr (std::is_floating_point_v<T>) return sizeof(T) == 4 ? "F32" : "F64";
  else return sizeof(T) == 4 ? "I32" : "I64";
}

template <int Rank>
std::string shape_text(const Shape<Rank>& shape) {
  std::string text = "[";
  for (const int64_t n : shape) text += (text.size() > 1 ? "," : "") + std::to_string(n);
  return text + "]";
}

}  // namespace detail

/// Writes every parameter, and `words` as the metadata "vocabulary". The file appears complete or not at all.
template <class Parameters>
void save_safetensors(std::string_view path, Parameters& parameters, const List<std::string_view>& words = {}) {
  detail::at_border([&] {
    std::string header = "{\"__metadata__\":{\"format\":\"lantern\"", vocabulary;
    for (int64_t i = 0; i < words.size; ++i) vocabulary += (i ? "\n" : "") + std::string(words.data[i]);
    if (words.size > 0) header += ",\"vocabulary\":" + detail::json_string(vocabulary);
    header += "}";
    int64_t offset = 0;
    parameters.visit([&](const char* name, auto& array) {
      using A = std::decay_t<decltype(array)>;
      const int64_t bytes = array.size() * static_cast<int64_t>(sizeof(typename A::value_type));
      header += ",\n" + detail::json_string(name) + ":{\"dtype\":\"" + detail::type_name<typename A::value_type>() + "\",\"shape\":" +
                detail::shape_text<A::rank>(array.shape()) + ",\"data_offsets\":[" + std::to_string(offset) + "," + std::to_string(offset + bytes) + "]}";
      offset += bytes;
    });
    header += "}";
    header.resize((header.size() + 7) / 8 * 8, ' ');
    detail::OutputFile file{std::string(path)};
    const uint64_t length = header.size();
    file.write(&length, sizeof length);
    file.write(header.data(), header.size());
    parameters.visit([&](const char*, auto& array) { file.write(array.data(), static_cast<size_t>(array.size()) * sizeof(*array.data())); });
    file.commit();
  });
}

/// Reads every parameter, its run-time dimensions too. `fixed(name, axis)`, if given, is the size that a dimension must
/// have, or −1. Fails with DataError where names, types or dimensions are not this model's; then nothing has changed.
template <class Parameters, class Fixed>
void load_safetensors(std::string_view path, Parameters& parameters, Fixed&& fixed) {
  detail::at_border([&] {
    detail::TensorFile file{std::string(path)};
    std::map<std::string, bool> expected;
    parameters.visit([&](const char* name, auto& array) {
      using A = std::decay_t<decltype(array)>;
      const detail::TensorEntry& entry = file.entry(name);
      const char* type = detail::type_name<typename A::value_type>();
      if (entry.type != type) file.mismatch("'" + std::string(name) + "' has elements of type " + entry.type + ", and the model's are " + type);
      if (entry.shape.size() != static_cast<size_t>(A::rank))
        file.mismatch("'" + std::string(name) + "' has " + std::to_string(entry.shape.size()) + " dimensions, and the model's has " + std::to_string(A::rank));
      for (int axis = 0; axis < A::rank; ++axis) {
        const int64_t wanted = fixed(name, axis), found = entry.shape[static_cast<size_t>(axis)];
        if (wanted >= 0 && found != wanted)
          file.mismatch("dimension " + std::to_string(axis) + " of '" + name + "' is " + std::to_string(found) + ", and the model's is " + std::to_string(wanted));
      }
      expected[name] = true;
    });
    for (const auto& [name, entry] : file.entries())
      if (!expected.count(name)) file.mismatch("'" + name + "' is no parameter of this model");
    std::vector<std::vector<char>> contents;
    parameters.visit([&](const char* name, auto&) { contents.push_back(file.read(file.entry(name))); });
    size_t next = 0;
    parameters.visit([&](const char* name, auto& array) {
      using A = std::decay_t<decltype(array)>;
      Shape<A::rank> shape{};
      for (size_t i = 0; i < shape.size(); ++i) shape[i] = file.entry(name).shape[i];
      if (A::rank > 0 && array.shape() != shape) array.resize(shape);
      if (!contents[next].empty()) std::memcpy(static_cast<void*>(array.data()), contents[next].data(), contents[next].size());
      ++next;
    });
  });
}
template <class Parameters>
void load_safetensors(std::string_view path, Parameters& parameters) {
  load_safetensors(path, parameters, [](const char*, int) { return int64_t{-1}; });
}

/// The vocabulary saved with the parameters; empty if there is none.
inline List<std::string_view> load_words(std::string_view path) {
  return detail::at_border([&] {
    detail::TensorFile file{std::string(path)};
    List<std::string_view> words;
    if (!file.has_vocabulary()) return words;
    std::string_view rest = file.vocabulary();
    for (;;) {
      const size_t end = rest.find('\n');
      words = append(words, std::string_view(rest.substr(0, end)));
      if (end == std::string_view::npos) break;
      rest.remove_prefix(end + 1);
    }
    const std::string_view text = arena_string(file.vocabulary());  // the words outlive the file
    for (int64_t i = 0; i < words.size; ++i)
      const_cast<std::string_view&>(words.data[i]) = text.substr(static_cast<size_t>(words.data[i].data() - file.vocabulary().data()), words.data[i].size());
    return words;
  });
}

}  // namespace lantern
