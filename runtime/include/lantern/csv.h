// Tables of numbers as comma-separated values.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lantern/text_lines.h"

namespace lantern {

/// The numbers of a CSV file, a line a row; empty lines are skipped, and so is the first one if it is a header. `expected`:
/// rows and columns, −1 for any. Fails with DataError (file:line:column) or FileNotFoundError.
template <class T>
Matrix<T> read_csv(std::string_view path, bool header, const int64_t (&expected)[2]) {
  return detail::at_border([&] {
    detail::TextLines lines{std::string(path)};
    std::vector<T> values;
    std::string line;
    int64_t columns = expected[1], rows = 0;
    if (header) lines.next(line);
    while (lines.next(line)) {
      if (line.find_first_not_of(" \t") == std::string::npos) continue;
      int64_t fields = 0;
      size_t begin = 0;
      for (;;) {
        const size_t end = std::min(line.find(',', begin), line.size());
        if (columns >= 0 && fields == columns) lines.refuse(begin, "the line has more than " + std::to_string(columns) + " fields");
        values.push_back(detail::number_at<T>(lines, line, begin, end));
        ++fields;
        if (end == line.size()) break;
        begin = end + 1;
      }
      if (columns < 0) columns = fields;
      if (fields < columns) lines.refuse(line.size(), "the line has " + std::to_string(fields) + " of " + std::to_string(columns) + " fields");
      ++rows;
    }
    if (expected[0] >= 0 && rows != expected[0])
      detail::refuse_data(std::string(path), "dimension 0 of its array is " + std::to_string(rows) + ", and " + std::to_string(expected[0]) + " is expected");
    const auto count = static_cast<int64_t>(values.size());
    return Matrix<T>(detail::copy_to_arena(values.data(), count, count), {rows, std::max<int64_t>(columns, 0)});
  });
}

}  // namespace lantern
