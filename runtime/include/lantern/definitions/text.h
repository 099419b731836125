// Python's str of a number, and format(x, spec).
#pragma once

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "lantern/characters.h"
#include "lantern/text.h"

namespace lantern::detail {

template <class T>
void put_shortest(Digits& out, T x) {
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
LANTERN_INLINE void put_float(Digits& out, float x) { put_shortest(out, x); }
LANTERN_INLINE void put_float(Digits& out, double x) { put_shortest(out, x); }

LANTERN_INLINE void put_integer(Digits& out, int64_t x) {
  char text[32];
  out.put({text, static_cast<size_t>(std::to_chars(text, text + sizeof text, x).ptr - text)});
}

/// [[fill]align][sign][#][0][width][,_][.precision][type]
struct Spec {
  char fill = ' ', align = 0, sign = 0, separator = 0, type = 0;  // 0: not said
  bool alternate = false, zeros = false;  // zeros: between the sign and a number's digits
  int width = 0, precision = -1;
};

[[noreturn]] LANTERN_INLINE void unsupported_format(std::string_view text, const char* location) {
  fail(errors::domain, location, "the format '%.*s' is not supported", static_cast<int>(text.size()), text.data());
}

/// 16, 8 or 2 for the types that write a whole number to that base; 10 for others.
LANTERN_INLINE int base_of(char type) { return type == 'x' || type == 'X' ? 16 : type == 'o' ? 8 : type == 'b' ? 2 : 10; }

LANTERN_INLINE Spec parse_spec(std::string_view text, const char* location) {
  Spec spec;
  size_t i = 0;
  bool has_fill = false;
  const auto is_align = [](char c) { return c == '<' || c == '>' || c == '^' || c == '='; };
  const auto number = [&] {
    int value = 0;
    while (i < text.size() && text[i] >= '0' && text[i] <= '9' && value < 10000) value = value * 10 + (text[i++] - '0');
    return value;
  };
  if (text.size() >= 2 && is_align(text[1])) {
    spec.fill = text[0];
    spec.align = text[1];
    has_fill = true;
    i = 2;
  } else if (!text.empty() && is_align(text[0])) {
    spec.align = text[i++];
  }
  if (i < text.size() && (text[i] == '+' || text[i] == '-' || text[i] == ' ')) spec.sign = text[i++];
  if (i < text.size() && text[i] == '#') spec.alternate = (++i, true);
  if (i < text.size() && text[i] == '0') {
    ++i;
    if (!has_fill) spec.fill = '0';
    spec.zeros = !spec.align;
  }
  spec.width = number();
  if (i < text.size() && (text[i] == ',' || text[i] == '_')) spec.separator = text[i++];
  if (i < text.size() && text[i] == '.') {
    ++i;
    spec.precision = number();
  }
  if (i < text.size()) spec.type = text[i++];
  if (i != text.size() || spec.width > 400 || spec.precision > 100 || !std::strchr("fFeEgGdn%xXobs", spec.type)) unsupported_format(text, location);
  return spec;
}

/// `magnitude` (no sign) with thousands separated, sign, prefix, fill and width.
LANTERN_INLINE std::string_view lay_out(const Spec& spec, bool negative, std::string_view magnitude, std::string_view prefix = {}) {
  Digits sign, body, out;
  if (negative) sign.put('-');
  else if (spec.sign == '+' || spec.sign == ' ') sign.put(spec.sign);
  sign.put(prefix);
  const char align = spec.align ? spec.align : spec.zeros ? '=' : '>';
  const int base = base_of(spec.type), group = base == 10 ? 3 : 4;
  const size_t digits = std::min(magnitude.find_first_not_of(base == 16 ? "0123456789abcdefABCDEF" : "0123456789"), magnitude.size());
  auto whole = static_cast<int64_t>(digits);
  if (spec.separator && whole > 0 && spec.fill == '0' && align == '=') {  // zeros are separated, too
    const int64_t others = static_cast<int64_t>(magnitude.size() - digits) + sign.size;
    while (whole + (whole - 1) / group + others < spec.width) ++whole;
  }
  for (int64_t left = whole; left > 0; --left) {
    if (left < whole && spec.separator && left % group == 0) body.put(spec.separator);
    body.put(left > static_cast<int64_t>(digits) ? '0' : magnitude[digits - static_cast<size_t>(left)]);
  }
  body.put(magnitude.substr(digits));
  const int64_t padding = std::max<int64_t>(0, spec.width - body.size - sign.size);
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

/// As printf's %.*f, %.*e and %.*g have it, but with a point in any locale. How many characters; 0 stands behind them.
template <size_t Room>
int put_digits(char (&text)[Room], double x, std::chars_format form, int precision) {
  char* const end = std::to_chars(text, text + Room - 1, x, form, precision).ptr;
  *end = 0;
  return static_cast<int>(end - text);
}

/// A finite number's text where a precision is given, and no type: as of type g, but a number that has no exponent has a point.
LANTERN_INLINE std::string_view put_significant(char (&text)[480], int precision, double magnitude) {
  const int most = std::max(precision, 1);
  int count = put_digits(text, magnitude, std::chars_format::scientific, most - 1);
  const int exponent = std::atoi(std::strchr(text, 'e') + 1);
  const bool fixed = exponent >= -4 && exponent < most - 1;
  if (fixed) count = put_digits(text, magnitude, std::chars_format::fixed, most - 1 - exponent);
  char* const end = fixed ? text + count : std::strchr(text, 'e');
  char* last = end;
  if (most > 1) {
    while (last[-1] == '0') --last;
    if (last[-1] == '.') last += fixed ? 1 : -1;
  }
  std::memmove(last, end, static_cast<size_t>(text + count - end));
  return {text, static_cast<size_t>(count - (end - last))};
}

/// As a float, by a specification that has been read from `text`.
LANTERN_INLINE std::string_view format_by(const Spec& spec, double value, std::string_view text, const char* location) {
  if (spec.alternate || base_of(spec.type) != 10 || spec.type == 's' || (spec.type == 'n' && spec.separator)) unsupported_format(text, location);
  if (spec.type == 'd') fail(errors::domain, location, "format 'd' of a float");
  const bool negative = std::signbit(value) && !std::isnan(value);
  if (spec.type == 0 && spec.precision < 0) {
    Digits shortest;
    put_float(shortest, std::fabs(value));
    return lay_out(spec, negative, shortest.view());
  }
  char digits[480];
  if (spec.type == 0 && std::isfinite(value)) return lay_out(spec, negative, put_significant(digits, spec.precision, std::fabs(value)));
  const char type = static_cast<char>(std::tolower(static_cast<unsigned char>(spec.type)));
  const auto form = type == 'f' || type == '%' ? std::chars_format::fixed : type == 'e' ? std::chars_format::scientific : std::chars_format::general;
  int count = put_digits(digits, std::fabs(type == '%' ? value * 100 : value), form, spec.precision < 0 ? 6 : spec.precision);
  if (type != spec.type) std::transform(digits, digits + count, digits, [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  if (type == '%') digits[count++] = '%';
  return lay_out(spec, negative, {digits, static_cast<size_t>(count)});
}

LANTERN_INLINE std::string_view format_float(std::string_view text, double x, const char* location) { return format_by(parse_spec(text, location), x, text, location); }

LANTERN_INLINE std::string_view format_integer(std::string_view text, int64_t x, const char* location) {
  const Spec spec = parse_spec(text, location);
  const int base = base_of(spec.type);
  if (base == 10 && spec.type != 0 && spec.type != 'd' && spec.type != 'n') return format_by(spec, static_cast<double>(x), text, location);
  if (spec.separator && (spec.type == 'n' || (base != 10 && spec.separator == ','))) unsupported_format(text, location);
  if (spec.precision >= 0) fail(errors::domain, location, "precision is not allowed in an integer's format");
  char digits[64];
  const uint64_t magnitude = x < 0 ? ~static_cast<uint64_t>(x) + 1 : static_cast<uint64_t>(x);
  const auto end = std::to_chars(digits, digits + sizeof digits, magnitude, base).ptr;
  if (spec.type == 'X') std::transform(digits, end, digits, [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  const char prefix[] = {'0', spec.type};
  return lay_out(spec, x < 0, {digits, static_cast<size_t>(end - digits)}, {prefix, spec.alternate && base != 10 ? size_t{2} : size_t{0}});
}

/// The bytes that the first `count` characters of UTF-8 take, or all that there are.
LANTERN_INLINE size_t bytes_of(std::string_view text, int64_t count) {
  size_t end = 0;
  for (; end < text.size(); ++end)
    if ((static_cast<unsigned char>(text[end]) & 0xC0) != 0x80 && --count < 0) break;
  return end;
}

LANTERN_INLINE std::string_view format_text(std::string_view text, std::string_view shown, const char* location) {
  const Spec spec = parse_spec(text, location);
  if (spec.sign || spec.alternate || spec.separator || spec.align == '=' || (spec.type && spec.type != 's')) unsupported_format(text, location);
  if (spec.precision >= 0) shown = shown.substr(0, bytes_of(shown, spec.precision));
  const auto continues = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; };
  const int64_t size = static_cast<int64_t>(shown.size()) - std::count_if(shown.begin(), shown.end(), continues);
  const int64_t padding = std::max<int64_t>(0, spec.width - size), before = spec.align == '>' ? padding : spec.align == '^' ? padding / 2 : 0;
  const auto bytes = static_cast<int64_t>(shown.size());
  char* out = arena().allocate_array<char>(bytes + padding);
  std::memset(out, spec.fill, static_cast<size_t>(bytes + padding));
  if (bytes) std::memcpy(out + before, shown.data(), shown.size());
  return {out, static_cast<size_t>(bytes + padding)};
}

LANTERN_INLINE std::string_view joined(const std::string_view* texts, size_t count) {
  int64_t size = 0;
  for (size_t i = 0; i < count; ++i) size += static_cast<int64_t>(texts[i].size());
  const std::string_view first = count > 0 ? texts[0] : std::string_view();
  const auto had = static_cast<int64_t>(first.size());
  char* const behind = had > 0 ? arena().behind_text(first.data() + had, size - had) : nullptr;
  char* const out = behind ? behind - had : 2 * had > size ? arena().allocate_text(size) : arena().allocate_array<char>(size);
  char* next = behind ? behind : out;
  for (size_t i = behind ? 1 : 0; i < count; ++i) {
    if (!texts[i].empty()) std::memcpy(next, texts[i].data(), texts[i].size());
    next += texts[i].size();
  }
  return {out, static_cast<size_t>(size)};
}

/// Whether Python's repr writes a character beyond ASCII as it is: those that every version of Unicode since 2014 calls printable. -1: the others.
LANTERN_INLINE int is_printable(uint32_t character) {
  struct Range {
    uint32_t first, last;
    int printable;
  };
  static constexpr Range ranges[] = {
      {0x80, 0xA0, 0}, {0xA1, 0xAC, 1}, {0xAD, 0xAD, 0}, {0xAE, 0x377, 1}, {0x384, 0x38A, 1}, {0x38C, 0x38C, 1}, {0x38E, 0x3A1, 1}, {0x3A3, 0x52F, 1}, {0x1E00, 0x1F15, 1}, {0x2000, 0x200F, 0}, {0x2010, 0x2027, 1}, {0x2028, 0x202F, 0},
      {0x2030, 0x205E, 1}, {0xD800, 0xDFFF, 0}, {0x2190, 0x23F3, 1}, {0x3000, 0x3000, 0}, {0x3041, 0x3096, 1}, {0x3099, 0x30FF, 1}, {0x4E00, 0x9FCC, 1},
      {0xAC00, 0xD7A3, 1}, {0x1F600, 0x1F64F, 1}};
  for (const Range& range : ranges) {
    if (range.first <= character && character <= range.last) return range.printable;
  }
  return -1;
}

LANTERN_INLINE void write_text(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); }

/// The digits before the point, of which the last `dropped` become zeros, and what stands before those is rounded.
LANTERN_INLINE void round_whole_digits(std::string& digits, size_t dropped, bool has_fraction) {
  digits.insert(0, dropped + 1 > digits.size() ? dropped + 1 - digits.size() : 1, '0');  // room for a carry
  const size_t kept = digits.size() - dropped;
  const bool is_half = digits[kept] == '5' && !has_fraction && digits.find_first_not_of('0', kept + 1) == std::string::npos;
  const bool goes_up = is_half ? (digits[kept - 1] - '0') % 2 == 1 : digits[kept] >= '5';
  std::fill(digits.begin() + static_cast<std::ptrdiff_t>(kept), digits.end(), '0');
  for (size_t i = kept; goes_up && i-- > 0;) {
    if (digits[i] != '9') {
      ++digits[i];
      break;
    }
    digits[i] = '0';
  }
}
/// A number that is not negative, with so many of its digits before the point dropped; false: there is no such float.
LANTERN_INLINE bool round_whole(double x, size_t dropped, double& result) {
  char text[320];
  const double whole = std::trunc(x);
  std::string digits(text, std::to_chars(text, text + sizeof text, whole, std::chars_format::fixed, 0).ptr);
  round_whole_digits(digits, dropped, whole != x);
  const bool is_far = std::from_chars(digits.data(), digits.data() + digits.size(), result).ec == std::errc::result_out_of_range;
  return !is_far || digits.find_first_not_of('0') == std::string::npos;
}

/// Puts a character into a repr within such quotes.
template <class Put>
void put_quoted(std::string_view character, char quote, const char* location, const Put& put) {
  const uint32_t code = code_of_first(character);
  char escape[16];
  if (code == no_character) {
    for (const char byte : character) put({escape, static_cast<size_t>(std::snprintf(escape, sizeof escape, "\\udc%02x", static_cast<unsigned>(static_cast<unsigned char>(byte))))});
    return;
  }
  const int printable = code < 0x80 ? code >= ' ' && code != 0x7F : is_printable(code);
  if (printable < 0) fail(errors::domain, location, "repr() of a text with U+%04X, which some versions of Python escape", static_cast<unsigned>(code));
  const char* const short_escape = code == '\n' ? "\\n" : code == '\r' ? "\\r" : code == '\t' ? "\\t" : code == '\\' ? "\\\\" : nullptr;
  if (short_escape) return put(short_escape);
  if (code == static_cast<unsigned char>(quote)) put("\\");
  if (printable) return put(character);
  put({escape, static_cast<size_t>(std::snprintf(escape, sizeof escape, code < 0x100 ? "\\x%02x" : "\\u%04x", static_cast<unsigned>(code)))});
}

}  // namespace lantern::detail

namespace lantern {

LANTERN_INLINE double round_digits(double x, int64_t digits, const char* location) {
  if (!std::isfinite(x) || digits > 340) return x;  // a float has no digits there
  if (digits < -320) return std::copysign(0.0, x);
  const double size = std::fabs(x);
  double result = 0;
  if (digits >= 0) {
    char text[700];
    const char* const end = std::to_chars(text, text + sizeof text, size, std::chars_format::fixed, static_cast<int>(digits)).ptr;
    std::from_chars(text, end, result);
  } else {
    if (!detail::round_whole(size, static_cast<size_t>(-digits), result)) fail(errors::overflow, location, "rounded value too large to represent");
  }
  return std::copysign(result, x);
}

LANTERN_INLINE std::string_view quoted(std::string_view text, const char* location) {
  const char quote = text.find('\'') != text.npos && text.find('"') == text.npos ? '"' : '\'';
  const auto put_all = [&](const auto& put) {
    put({&quote, 1});
    for (std::string_view rest = text; !rest.empty(); rest.remove_prefix(detail::bytes_of_first(rest))) {
      detail::put_quoted(rest.substr(0, detail::bytes_of_first(rest)), quote, location, put);
    }
    put({&quote, 1});
  };
  int64_t size = 0;
  put_all([&](std::string_view part) { size += static_cast<int64_t>(part.size()); });
  char* const result = arena().allocate_array<char>(size);
  char* next = result;
  put_all([&](std::string_view part) { next = std::copy(part.begin(), part.end(), next); });
  return {result, static_cast<size_t>(size)};
}

}  // namespace lantern
