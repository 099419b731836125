// Arrays in safetensors files: written, read.
#pragma once

#include <map>
#include <string>

#include "lantern/list_operations.h"
#include "lantern/safetensors.h"
#include "lantern/tensor_file.h"

namespace lantern {

namespace detail {

LANTERN_INLINE int64_t bytes_of(const StoredArray& array) {
  int64_t bytes = array.element_bytes;
  for (int axis = 0; axis < array.rank; ++axis) bytes *= array.shape[axis];
  return bytes;
}

LANTERN_INLINE void save_arrays(std::string_view path, const std::vector<StoredArray>& arrays, const List<std::string_view>& words) {
  std::string header = "{\"__metadata__\":{\"format\":\"lantern\"", vocabulary;
  for (int64_t i = 0; i < words.size; ++i) vocabulary += (i ? "\n" : "") + std::string(words.data[i]);
  if (words.size > 0) header += ",\"vocabulary\":" + json_string(vocabulary);
  header += "}";
  int64_t offset = 0;
  for (const StoredArray& array : arrays) {
    std::string shape;
    for (int axis = 0; axis < array.rank; ++axis) shape += (axis ? "," : "") + std::to_string(array.shape[axis]);
    const int64_t bytes = bytes_of(array);
    header += ",\n" + json_string(array.name) + ":{\"dtype\":\"" + array.type + "\",\"shape\":[" + shape + "],\"data_offsets\":[" +
              std::to_string(offset) + "," + std::to_string(offset + bytes) + "]}";
    offset += bytes;
  }
  header += "}";
  header.resize((header.size() + 7) / 8 * 8, ' ');
  OutputFile file{std::string(path)};
  const uint64_t length = header.size();
  file.write(&length, sizeof length);
  file.write(header.data(), header.size());
  for (const StoredArray& array : arrays) file.write(array.elements(array.array), static_cast<size_t>(bytes_of(array)));
  file.commit();
}

LANTERN_INLINE void load_arrays(std::string_view path, const std::vector<StoredArray>& arrays) {
  TensorFile file{std::string(path)};
  std::map<std::string, bool> expected;
  for (const StoredArray& array : arrays) {
    const std::string name = array.name;
    const TensorEntry& entry = file.entry(name);
    if (entry.type != array.type) file.mismatch("'" + name + "' has elements of type " + entry.type + ", and the model's are " + array.type);
    if (entry.shape.size() != static_cast<size_t>(array.rank))
      file.mismatch("'" + name + "' has " + std::to_string(entry.shape.size()) + " dimensions, and the model's has " + std::to_string(array.rank));
    for (int axis = 0; axis < array.rank; ++axis) {
      const int64_t wanted = array.shape[axis], found = entry.shape[static_cast<size_t>(axis)];
      if (wanted >= 0 && found != wanted)
        file.mismatch("dimension " + std::to_string(axis) + " of '" + name + "' is " + std::to_string(found) + ", and the model's is " + std::to_string(wanted));
    }
    expected[name] = true;
  }
  for (const auto& [name, entry] : file.entries())
    if (!expected.count(name)) file.mismatch("'" + name + "' is no parameter of this model");
  std::vector<std::vector<char>> contents;
  for (const StoredArray& array : arrays) contents.push_back(file.read(file.entry(array.name)));
  for (size_t i = 0; i < arrays.size(); ++i) {
    arrays[i].resize(arrays[i].array, file.entry(arrays[i].name).shape.data());
    if (!contents[i].empty()) std::memcpy(arrays[i].elements(arrays[i].array), contents[i].data(), contents[i].size());
  }
}

}  // namespace detail

LANTERN_INLINE List<std::string_view> load_words(std::string_view path) {
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
