// Words and their vectors, in GloVe's format.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "lantern/list.h"
#include "lantern/text_lines.h"

namespace lantern {

/// `table` with the vectors that a file has for its words in their rows: a line is a word and its numbers, separated by single
/// spaces (GloVe's format). Of a word that comes twice the first line counts. Fails with DataError or FileNotFoundError.
template <class T>
Matrix<T> read_word_vectors(std::string_view path, const List<std::string_view>& words, const Matrix<T>& table) {
  return detail::at_border([&] {
    const int64_t width = table.shape[1];
    if (words.size != table.shape[0])
      detail::refuse_data(std::string(path), "there are " + std::to_string(words.size) + " words, and the table has " + std::to_string(table.shape[0]) + " rows");
    std::unordered_map<std::string_view, int64_t> rows;
    for (int64_t i = 0; i < words.size; ++i) rows.emplace(words.data[i], i);
    const Matrix<T> result(detail::copy_to_arena(table.data, table.size(), table.size()), table.shape);
    detail::TextLines lines{std::string(path)};
    std::string line;
    std::vector<size_t> begins;
    while (lines.next(line)) {
      if (line.empty()) continue;
      size_t end = line.size();
      begins.clear();  // of the numbers, the last one first; a word may hold spaces
      while (static_cast<int64_t>(begins.size()) < width) {
        const size_t space = line.rfind(' ', end == 0 ? 0 : end - 1);
        if (end == 0 || space == std::string::npos || space == 0)
          lines.refuse(0, "the line does not have a word and " + std::to_string(width) + " numbers");
        begins.push_back(space + 1);
        end = space;
      }
      const auto row = rows.find(std::string_view(line).substr(0, end));
      if (row == rows.end()) continue;
      T* out = result.data + row->second * width;
      rows.erase(row);
      for (int64_t i = 0; i < width; ++i) {
        const size_t k = static_cast<size_t>(width - 1 - i);
        const size_t stop = k == 0 ? line.size() : begins[k - 1] - 1;
        out[i] = detail::number_at<T>(lines, line, begins[k], stop);
      }
    }
    return result;
  });
}

}  // namespace lantern
