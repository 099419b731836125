// Numbers in text files, line by line. Every error has its line and column, in bytes.
#pragma once

#include <locale.h>

#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "lantern/number_file.h"

namespace lantern {

namespace detail {

/// The lines of a text file, without what ends them ("\n" or "\r\n").
class TextLines {
 public:
  explicit TextLines(const std::string& path) : file_(path), buffer_(1 << 16) {}

  bool next(std::string& line) {
    line.clear();
    ++number_;
    for (bool complete = false; !complete;) {
      if (at_ == end_) {
        at_ = 0;
        end_ = file_.read(buffer_.data(), buffer_.size());
        if (end_ == 0) {
          if (line.empty()) return false;
          break;
        }
      }
      const char* begin = buffer_.data() + at_;
      const char* feed = static_cast<const char*>(std::memchr(begin, '\n', end_ - at_));
      const size_t length = feed ? static_cast<size_t>(feed - begin) : end_ - at_;
      if (line.size() + length > most) refuse(most, "the line is longer than a million bytes");
      line.append(begin, length);
      at_ += length + (feed ? 1 : 0);
      complete = feed != nullptr;
    }
    if (!line.empty() && line.back() == '\r') line.pop_back();
    return true;
  }
  /// `at`: a position in the line, from 0.
  [[noreturn]] void refuse(size_t at, const std::string& what) const {
    refuse_data(file_.path() + ":" + std::to_string(number_) + ":" + std::to_string(at + 1), what);
  }

 private:
  static constexpr size_t most = 1000000;
  InputFile file_;
  std::vector<char> buffer_;
  size_t at_ = 0, end_ = 0;
  int64_t number_ = 0;
};

inline bool is_blank(char c) { return c == ' ' || c == '\t'; }

/// One that is too large, or too close to zero, for a double: infinity or zero.
inline double far_number(const std::string& text) {
  static const locale_t points = newlocale(LC_NUMERIC_MASK, "C", locale_t{});  // another locale may have commas
  return strtod_l(text.c_str(), nullptr, points);
}

/// A number as Python writes it: digits, a point, an exponent; inf, infinity or nan. For a T of whole numbers, digits alone.
template <class T>
bool parse_number(std::string_view text, T& value, bool& too_large) {
  too_large = false;
  if (!text.empty() && text[0] == '+') {
    text.remove_prefix(1);
    if (!text.empty() && text[0] == '-') return false;
  }
  const char* end = text.data() + text.size();
  if constexpr (std::is_floating_point_v<T>) {
    double number = 0;
    const auto read = std::from_chars(text.data(), end, number);
    if (read.ptr != end || text.empty()) return false;
    const bool named = text.find_first_of("nN") != std::string_view::npos;  // nan(…) is none
    if (named && text.find('(') != std::string_view::npos) return false;
    if (read.ec == std::errc::result_out_of_range) number = far_number(std::string(text));
    value = static_cast<T>(number);
    return true;
  } else {
    const auto read = std::from_chars(text.data(), end, value);
    too_large = read.ec == std::errc::result_out_of_range && read.ptr == end;
    return read.ec == std::errc() && read.ptr == end;
  }
}

template <class T>
T number_at(const TextLines& lines, std::string_view line, size_t begin, size_t end) {
  while (begin < end && is_blank(line[begin])) ++begin;
  while (end > begin && is_blank(line[end - 1])) --end;
  const std::string_view text = line.substr(begin, end - begin);
  T value{};
  bool too_large = false;
  if (parse_number(text, value, too_large)) return value;
  if (text.empty()) lines.refuse(begin, "a number is missing");
  const std::string shown = quotation(text);
  lines.refuse(begin, too_large ? shown + " does not fit in " + dtype_text<T>()
                                : shown + (std::is_floating_point_v<T> ? " is not a number" : " is not a whole number"));
}

}  // namespace detail

}  // namespace lantern
