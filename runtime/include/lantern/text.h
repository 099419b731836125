// Text of numbers as Python writes it: str(x), format(x, spec), print(…). Strings live in the arena.
#pragma once

#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <initializer_list>
#include <string_view>
#include <type_traits>

#include "lantern/array.h"
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
template <class T>
void put_float(Digits& out, T x) {
  if (std::isnan(x)) return out.put("nan");
  if (std::signbit(x)) out.put('-');
  if (std::isinf(x)) return out.put("inf");
  char scientific[64];
  const auto end = std::to_chars(scientific, scientific + sizeof scientific, std::fabs(x), std::chars_format::scientific).ptr;
  const std::string_view all(scientific, static_cast<size_t>(end - scientific));
  const size_t e = all.find('e');
  char digits[32];
  int64_t count = 0;
  for (const char c : all.substr(0, e))
    if (c != '.') digits[count++] = c;
  int exponent = 0;
  std::from_chars(all.data() + e + (all[e + 1] == '+' ? 2 : 1), end, exponent);
  if (exponent < -4 || exponent >= 16) {
    out.put(digits[0]);
    if (count > 1) out.put('.');
    out.put({digits + 1, static_cast<size_t>(count - 1)});
    char tail[16];
    std::snprintf(tail, sizeof tail, "e%c%02d", exponent < 0 ? '-' : '+', std::abs(exponent));
    return out.put(tail);
  }
  if (exponent < 0) {
    out.put("0.");
    for (int i = -1; i > exponent; --i) out.put('0');
    return out.put({digits, static_cast<size_t>(count)});
  }
  for (int i = 0; i <= exponent; ++i) out.put(i < count ? digits[i] : '0');
  out.put('.');
  if (count <= exponent + 1) out.put('0');
  for (int64_t i = exponent + 1; i < count; ++i) out.put(digits[i]);
}

template <class T>
void put_scalar(Digits& out, T x) {
  if constexpr (std::is_same_v<T, bool>) out.put(x ? "True" : "False");
  else if constexpr (std::is_floating_point_v<T>) put_float(out, x);
  else {
    char text[32];
    out.put({text, static_cast<size_t>(std::to_chars(text, text + sizeof text, x).ptr - text)});
  }
}

/// [[fill]align][sign][0][width][,][.precision][type]
struct Spec {
  char fill = ' ', align = 0, sign = '-', type = 0;
  bool comma = false, alternate = false;
  int width = 0, precision = -1;
};

inline Spec parse_spec(std::string_view text, const char* location) {
  Spec spec;
  size_t i = 0;
  const auto is_align = [](char c) { return c == '<' || c == '>' || c == '^' || c == '='; };
  const auto number = [&] {
    int value = 0;
    while (i < text.size() && text[i] >= '0' && text[i] <= '9' && value < 10000) value = value * 10 + (text[i++] - '0');
    return value;
  };
  if (text.size() >= 2 && is_align(text[1])) {
    spec.fill = text[0];
    spec.align = text[1];
    i = 2;
  } else if (!text.empty() && is_align(text[0])) {
    spec.align = text[i++];
  }
  if (i < text.size() && (text[i] == '+' || text[i] == '-' || text[i] == ' ')) spec.sign = text[i++];
  if (i < text.size() && text[i] == '#') spec.alternate = (++i, true);
  if (i < text.size() && text[i] == '0') {
    ++i;
    if (!spec.align) spec.fill = '0', spec.align = '=';
  }
  spec.width = number();
  if (i < text.size() && text[i] == ',') spec.comma = (++i, true);
  if (i < text.size() && text[i] == '.') {
    ++i;
    spec.precision = number();
  }
  if (i < text.size()) spec.type = text[i++];
  if (i != text.size() || spec.width > 400 || spec.precision > 100 || !std::strchr("fFeEgGdn%", spec.type) || spec.alternate)
    fail(errors::domain, location, "the format '%.*s' is not supported", static_cast<int>(text.size()), text.data());
  return spec;
}

/// `magnitude` (no sign) with thousands separated, sign, fill and width.
inline std::string_view lay_out(const Spec& spec, bool negative, std::string_view magnitude) {
  Digits body, out;
  const size_t whole = std::min(magnitude.find_first_not_of("0123456789"), magnitude.size());
  for (size_t i = 0; i < magnitude.size(); ++i) {
    if (spec.comma && i > 0 && i < whole && (whole - i) % 3 == 0) body.put(',');
    body.put(magnitude[i]);
  }
  Digits sign;
  if (negative) sign.put('-');
  else if (spec.sign != '-') sign.put(spec.sign);
  const int64_t padding = std::max<int64_t>(0, spec.width - body.size - sign.size);
  const char align = spec.align ? spec.align : '>';
  const int64_t before = align == '>' ? padding : align == '^' ? padding / 2 : 0;
  for (int64_t i = 0; i < before; ++i) out.put(spec.fill);
  out.put(sign.view());
  if (align == '=')
    for (int64_t i = 0; i < padding; ++i) out.put(spec.fill);
  out.put(body.view());
  if (align == '<' || align == '^')
    for (int64_t i = before; i < padding; ++i) out.put(spec.fill);
  return arena_string(out.view());
}

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

/// Python's format(x, spec): types f e g d %, fill, alignment, sign, width, comma, precision. Fails with ValueError on others.
template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
std::string_view format(std::string_view text, T x, const char* location = "") {
  detail::Spec spec = detail::parse_spec(text, location);
  if (std::is_integral_v<T> && (spec.type == 0 || spec.type == 'd' || spec.type == 'n')) {
    if (spec.precision >= 0) fail(errors::domain, location, "precision is not allowed in an integer's format");
    const auto value = static_cast<int64_t>(x);
    char digits[32];
    const uint64_t magnitude = value < 0 ? ~static_cast<uint64_t>(value) + 1 : static_cast<uint64_t>(value);
    const auto end = std::to_chars(digits, digits + sizeof digits, magnitude).ptr;
    return detail::lay_out(spec, value < 0, {digits, static_cast<size_t>(end - digits)});
  }
  if (spec.type == 'd') fail(errors::domain, location, "format 'd' of a float");
  const double value = static_cast<double>(x);
  if (spec.type == 0 && spec.precision < 0) {
    detail::Digits shortest;
    detail::put_float(shortest, std::fabs(value));
    return detail::lay_out(spec, std::signbit(value) && !std::isnan(value), shortest.view());
  }
  const char type = spec.type == '%' ? 'f' : spec.type == 0 || spec.type == 'n' ? 'g' : spec.type;
  const char pattern[] = {'%', '.', '*', type, 0};
  char digits[480];
  const double shown = std::fabs(spec.type == '%' ? value * 100 : value);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  int count = std::snprintf(digits, sizeof digits - 1, pattern, spec.precision < 0 ? 6 : spec.precision, shown);
#pragma GCC diagnostic pop
  if (count < 0 || count >= static_cast<int>(sizeof digits) - 1) fail(errors::domain, location, "a number's text is too long");
  if (spec.type == '%') digits[count++] = '%';
  return detail::lay_out(spec, std::signbit(value) && !std::isnan(value), {digits, static_cast<size_t>(count)});
}

/// The texts behind one another.
template <class... Texts>
std::string_view join_texts(const Texts&... texts) {
  const std::string_view parts[] = {std::string_view(texts)..., std::string_view()};
  int64_t size = 0;
  for (const auto part : parts) size += static_cast<int64_t>(part.size());
  char* out = arena().allocate_array<char>(size);
  char* next = out;
  for (const auto part : parts) {
    if (!part.empty()) std::memcpy(next, part.data(), part.size());
    next += part.size();
  }
  return {out, static_cast<size_t>(size)};
}

namespace detail {

inline void write_text(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); }

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

/// Python's print to standard output.
template <class... Values>
void print(const Values&... values) {
  const char* before = "";
  const std::initializer_list<int> each = {(detail::write_text(before), detail::write_value(values), before = " ", 0)...};  // any number
  static_cast<void>(each);
  std::fputc('\n', stdout);
}

}  // namespace lantern
