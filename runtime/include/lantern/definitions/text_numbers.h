// Reading numbers, as Python reads them.
#pragma once

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "lantern/text.h"
#include "lantern/text_numbers.h"

namespace lantern {

namespace detail {

/// The text without white space around it: of ASCII what C calls so.
LANTERN_INLINE std::string_view of_number(std::string_view text) {
  const auto goes = [](std::string_view c) {
    const uint32_t code = code_of_first(c);
    return is_space(code) && (code < 28 || code > 31);
  };
  while (!text.empty() && goes(text)) text.remove_prefix(bytes_of_first(text));
  while (!text.empty()) {
    size_t bytes = 1;
    while (bytes < text.size() && continues(text[text.size() - bytes])) ++bytes;
    if (!goes(text.substr(text.size() - bytes))) break;
    text.remove_suffix(bytes);
  }
  return text;
}

/// Other scripts have digits of their own, which Python reads: an error where there may be some.
LANTERN_INLINE void refuse_other_digits(std::string_view text, const char* function, const char* location) {
  for (; !text.empty(); text.remove_prefix(bytes_of_first(text))) {
    const uint32_t code = code_of_first(text);
    if (code >= 128 && !is_space(code) && kinds_beyond_ascii(code) < 0) unknown_character(code, function, "whether it is a digit", location);
  }
}

LANTERN_INLINE int digit_of(char c) {
  return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'z' ? c - 'a' + 10 : c >= 'A' && c <= 'Z' ? c - 'A' + 10 : 99;
}

[[noreturn]] LANTERN_INLINE void no_integer(std::string_view text, int64_t base, const char* location) {
  refuse_other_digits(text, "int()", location);
  const std::string_view shown = quoted(text, location);
  fail(errors::domain, location, "invalid literal for int() with base %lld: %.*s", static_cast<long long>(base), static_cast<int>(bytes_of(shown, 200)), shown.data());
}

[[noreturn]] LANTERN_INLINE void no_float(std::string_view text, const char* location) {
  refuse_other_digits(text, "float()", location);
  const std::string_view shown = quoted(text, location);
  fail(errors::domain, location, "could not convert string to float: %.*s", static_cast<int>(shown.size()), shown.data());
}

/// Whether a number that no float is near to is large, and not small.
LANTERN_INLINE bool is_huge(std::string_view number) {
  const size_t e = std::min(number.find('e'), number.size()), point = std::min(number.find('.'), e), first = number.find_first_not_of("0.");
  const auto behind = static_cast<int64_t>(point) - static_cast<int64_t>(first);  // of the first digit that is not zero, digits before the point
  int64_t exponent = 0;
  for (size_t i = e + 1; i < number.size(); ++i)
    if (digit_of(number[i]) < 10 && exponent < (int64_t{1} << 40)) exponent = exponent * 10 + digit_of(number[i]);
  return behind + (e + 1 < number.size() && number[e + 1] == '-' ? -exponent : exponent) > 0;
}

/// What int(text, base) reads.
struct Integer {
  int64_t value = 0;
  bool is_number = false, fits = false;
};

LANTERN_INLINE Integer read_int(std::string_view text, int64_t base, const char* location) {
  if (base != 0 && (base < 2 || base > 36)) fail(errors::domain, location, "int() base must be >= 2 and <= 36, or 0");
  std::string_view digits = of_number(text);
  const bool negative = !digits.empty() && digits[0] == '-';
  if (!digits.empty() && (digits[0] == '-' || digits[0] == '+')) digits.remove_prefix(1);
  const char mark = digits.size() > 1 && digits[0] == '0' ? static_cast<char>(digits[1] | 32) : ' ';
  const int64_t marked = mark == 'x' ? 16 : mark == 'o' ? 8 : mark == 'b' ? 2 : 0;
  bool after_digit = false;
  if (marked && (base == 0 || base == marked)) {
    digits.remove_prefix(2);
    base = marked;
    after_digit = true;  // an underscore may follow
  }
  const bool zeros_alone = base == 0;  // 010 is none
  if (base == 0) base = 10;
  uint64_t value = 0;
  bool fits = true, any = false, zero_first = false;
  for (const char c : digits) {
    if (c == '_' && after_digit) {
      after_digit = false;
      continue;
    }
    const int digit = digit_of(c);
    if (digit >= base) return {};
    if (!any) zero_first = digit == 0;
    any = after_digit = true;
    fits = fits && !__builtin_mul_overflow(value, static_cast<uint64_t>(base), &value) && !__builtin_add_overflow(value, static_cast<uint64_t>(digit), &value);
  }
  if (!any || !after_digit || (zeros_alone && zero_first && value != 0)) return {};
  const uint64_t most = uint64_t{1} << 63;
  fits = fits && value <= most && (value < most || negative);
  return {static_cast<int64_t>(negative ? ~value + 1 : value), true, fits};
}

/// Whether float(text) gives a number: `value`.
LANTERN_INLINE bool read_float(std::string_view text, double& value) {
  std::string_view rest = of_number(text);
  const bool negative = !rest.empty() && rest[0] == '-';
  if (!rest.empty() && (rest[0] == '-' || rest[0] == '+')) rest.remove_prefix(1);
  const Mark mark = arena().mark();
  auto* const digits = static_cast<char*>(arena().allocate_close<char>(static_cast<int64_t>(rest.size())));  // in small letters, without underscores
  size_t size = 0;
  bool is_number = true;
  for (size_t i = 0; i < rest.size(); ++i) {
    const char c = rest[i];
    if (c != '_') digits[size++] = static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
    else is_number = is_number && i > 0 && i + 1 < rest.size() && digit_of(rest[i - 1]) <= 9 && digit_of(rest[i + 1]) <= 9;
  }
  const std::string_view number(digits, size);
  if (number == "inf" || number == "infinity") {
    value = std::numeric_limits<double>::infinity();
  } else if (number == "nan") {
    value = std::numeric_limits<double>::quiet_NaN();
  } else if (!number.empty() && (digit_of(number[0]) < 10 || (number[0] == '.' && number.size() > 1 && digit_of(number[1]) < 10))) {
    const auto [end, error] = std::from_chars(digits, digits + size, value, std::chars_format::general);
    is_number = is_number && end == digits + size;
    if (error == std::errc::result_out_of_range) value = is_huge(number) ? std::numeric_limits<double>::infinity() : 0.0;
  } else {
    is_number = false;
  }
  arena().reset(mark);
  if (negative) value = -value;
  return is_number;
}

}  // namespace detail

LANTERN_INLINE int64_t parse_int(std::string_view text, int64_t base, const char* location) {
  const detail::Integer read = detail::read_int(text, base, location);
  if (!read.is_number) detail::no_integer(text, base, location);
  if (!read.fits) fail(errors::overflow, location, "int() of a text gives a number that does not fit in 64 bits");
  return read.value;
}

LANTERN_INLINE bool is_int(std::string_view text, int64_t base, const char* location) {
  const bool is_number = detail::read_int(text, base, location).is_number;
  if (!is_number) detail::refuse_other_digits(text, "int()", location);
  return is_number;
}

LANTERN_INLINE double parse_float(std::string_view text, const char* location) {
  double value = 0;
  if (!detail::read_float(text, value)) detail::no_float(text, location);
  return value;
}

LANTERN_INLINE bool is_float(std::string_view text, const char* location) {
  double value = 0;
  const bool is_number = detail::read_float(text, value);
  if (!is_number) detail::refuse_other_digits(text, "float()", location);
  return is_number;
}

}  // namespace lantern
