// Text of numbers as Python writes it: str(x), format(x, spec), print(…). Strings live in the arena.
#pragma once

#include <cstdint>
#include <cstdio>
#include <initializer_list>
#include <string_view>
#include <type_traits>

#include "lantern/array.h"
#include "lantern/definitions.h"
#include "lantern/list.h"

namespace lantern {

namespace detail {

/// Characters of a number in construction. Past its room it fails: no number of a sane width is that long.
struct Digits {
  char text[512];
  int64_t size = 0;
  void put(char c) {
    if (size >= static_cast<int64_t>(sizeof text)) fail(errors::domain, "", "a number's text is longer than 512 characters");
    text[size++] = c;
  }
  void put(std::string_view s) {
    for (const char c : s) put(c);
  }
  std::string_view view() const { return {text, static_cast<size_t>(size)}; }
};

/// Python's repr of a float: the shortest digits that read back, an exponent below 1e-4 and from 1e16 on.
void put_float(Digits& out, float x);
void put_float(Digits& out, double x);
void put_integer(Digits& out, int64_t x);

template <class T>
void put_scalar(Digits& out, T x) {
  if constexpr (std::is_same_v<T, bool>) out.put(x ? "True" : "False");
  else if constexpr (std::is_floating_point_v<T>) put_float(out, x);
  else put_integer(out, static_cast<int64_t>(x));
}

std::string_view format_integer(std::string_view text, int64_t x, const char* location);
std::string_view format_float(std::string_view text, double x, const char* location);
std::string_view format_text(std::string_view text, std::string_view shown, const char* location);
std::string_view joined(const std::string_view* texts, size_t count);

}  // namespace detail

/// Python's str of a number or a string.
template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
std::string_view str(T x) {
  detail::Digits out;
  detail::put_scalar(out, x);
  return arena_string(out.view());
}
inline std::string_view str(std::string_view text) { return text; }
inline std::string_view str(const char* text) { return text; }

/// Python's format(x, spec): types f e g d n % x o b s, fill, alignment, sign, width, `,` or `_`, precision. Fails with ValueError on others.
template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
std::string_view format(std::string_view text, T x, const char* location = "") {
  if constexpr (std::is_integral_v<T>) return detail::format_integer(text, static_cast<int64_t>(x), location);
  else return detail::format_float(text, static_cast<double>(x), location);
}
inline std::string_view format(std::string_view text, std::string_view shown, const char* location = "") { return detail::format_text(text, shown, location); }

/// The same, where only the program knows how: f"{x:{width}.2f}".
template <class T>
std::string_view laid_out(const T& x, std::string_view spec, const char* location = "") { return format(spec, x, location); }

/// Python's round(x, digits): the float nearest to x's decimal digits, rounded there, of two the even one. digits < 0: before the point.
/// Fails with OverflowError.
double round_digits(double x, int64_t digits, const char* location = "");

/// Python's repr of a string. Fails with ValueError on characters of which it depends on the version of Unicode whether they are printable.
std::string_view quoted(std::string_view text, const char* location = "");

namespace detail {

/// What is joined: a text, or a number's.
template <class T>
auto part_of_text(const T& x) {
  if constexpr (std::is_arithmetic_v<T>) {
    Digits out;
    put_scalar(out, x);
    return out;
  } else {
    return std::string_view(x);
  }
}
inline std::string_view view_of_part(const Digits& digits) { return digits.view(); }
inline std::string_view view_of_part(std::string_view text) { return text; }

template <class... Parts>
std::string_view joined_parts(const Parts&... parts) {
  const std::string_view texts[] = {view_of_part(parts)..., std::string_view()};
  return joined(texts, sizeof...(parts));
}

}  // namespace detail

/// The texts, and those of numbers, behind one another. What is put behind a long text, again and again, is written behind it
/// where that is.
template <class... Texts>
std::string_view join_texts(const Texts&... texts) { return detail::joined_parts(detail::part_of_text(texts)...); }

namespace detail {

void write_text(std::string_view text);

template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
void write_value(T x) {
  Digits out;
  put_scalar(out, x);
  write_text(out.view());
}
inline void write_value(std::string_view text) { write_text(text); }
inline void write_value(std::nullptr_t) { write_text("None"); }
inline void write_value(const char* text) { write_text(text); }
template <class T>
void write_elements(const T* data, const int64_t* shape, int rank) {
  if (rank == 0) return write_value(*data);
  int64_t stride = 1;
  for (int i = 1; i < rank; ++i) stride *= shape[i];
  write_text("[");
  for (int64_t i = 0; i < shape[0]; ++i) {
    if (i) write_text(rank > 1 ? "\n " : " ");
    write_elements(data + i * stride, shape + 1, rank - 1);
  }
  write_text("]");
}
template <class T, int Rank>
void write_value(const Tensor<T, Rank>& tensor) {
  write_elements(tensor.data, tensor.shape.data(), Rank);
}
template <class T, int Rank>
void write_value(const Array<T, Rank>& array) {
  write_elements(array.data(), array.shape().data(), Rank);
}
template <class T>
void write_value(const List<T>& list) {
  write_text("[");
  for (int64_t i = 0; i < list.size; ++i) {
    if (i) write_text(", ");
    write_value(list.data[i]);
  }
  write_text("]");
}

}  // namespace detail

/// Values to standard output, separated by a space.
template <class... Values>
void print_part(const Values&... values) {
  const char* before = "";
  const std::initializer_list<int> each = {(detail::write_text(before), detail::write_value(values), before = " ", 0)...};  // any number
  static_cast<void>(each);
}

/// Python's print to standard output.
template <class... Values>
void print(const Values&... values) {
  print_part(values...);
  std::fputc('\n', stdout);
}

}  // namespace lantern

#include LANTERN_DEFINITIONS("lantern/definitions/text.h")
