// Python's numbers: int is 64 bits and overflow is an error, division by zero is an error, `//` and `%` round down.
// `location` is the place in the Python, for the message. What Python computes as C does (+ of floats) needs no function.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <type_traits>

#include "lantern/error.h"

namespace lantern {

namespace detail {
[[noreturn, gnu::cold, gnu::noinline]] inline void fail_overflow(const char* location) {
  fail(errors::overflow, location, "the result does not fit in a 64-bit integer");
}
[[noreturn, gnu::cold, gnu::noinline]] inline void fail_division(const char* location, const char* what) {
  fail(errors::division_by_zero, location, "%s", what);
}

/// a / b, rounded once, as Python's. b is not zero.
inline double quotient(int64_t a, int64_t b) {
  constexpr int64_t exact = int64_t{1} << 53;  // up to here integers are doubles
  const auto is_exact = [](int64_t x) { return -exact <= x && x <= exact; };
  if (a == 0 || (is_exact(a) && is_exact(b))) return static_cast<double>(a) / static_cast<double>(b);
  const uint64_t above = a < 0 ? -static_cast<uint64_t>(a) : static_cast<uint64_t>(a);
  const uint64_t below = b < 0 ? -static_cast<uint64_t>(b) : static_cast<uint64_t>(b);
  // At least 63 bits of the quotient, the last of them set if more would follow: then one rounding is enough.
  __extension__ using Wide = unsigned __int128;
  const int shift = 63 + __builtin_clzll(above);
  const Wide shifted = static_cast<Wide>(above) << shift;
  const double rounded = static_cast<double>(shifted / below | (shifted % below != 0));
  return std::ldexp((a < 0) != (b < 0) ? -rounded : rounded, -shift);
}
}  // namespace detail

inline int64_t checked_add(int64_t a, int64_t b, const char* location = "") {
  int64_t result;
  if (__builtin_add_overflow(a, b, &result)) detail::fail_overflow(location);
  return result;
}
inline int64_t checked_subtract(int64_t a, int64_t b, const char* location = "") {
  int64_t result;
  if (__builtin_sub_overflow(a, b, &result)) detail::fail_overflow(location);
  return result;
}
inline int64_t checked_multiply(int64_t a, int64_t b, const char* location = "") {
  int64_t result;
  if (__builtin_mul_overflow(a, b, &result)) detail::fail_overflow(location);
  return result;
}
inline int64_t checked_negate(int64_t a, const char* location = "") { return checked_subtract(0, a, location); }
inline int64_t checked_abs(int64_t a, const char* location = "") { return a < 0 ? checked_negate(a, location) : a; }

/// A bound of Python's x[i:j], where x has n elements, as a place from 0 to n; a negative one counts from the end.
inline int64_t slice_bound(int64_t i, int64_t n) { return i < 0 ? (i < -n ? 0 : i + n) : (i < n ? i : n); }
/// The same of x[i:j:-1]: a place from -1 to n - 1.
inline int64_t slice_bound_down(int64_t i, int64_t n) { return i < 0 ? (i < -n ? -1 : i + n) : (i < n ? i : n - 1); }

/// len(range(start, stop, step)). Fails with ValueError for a step of 0.
inline int64_t range_length(int64_t start, int64_t stop, int64_t step, const char* location = "") {
  if (step == 0) fail(errors::domain, location, "range() arg 3 must not be zero");
  if (step > 0 ? start >= stop : start <= stop) return 0;
  const auto low = static_cast<uint64_t>(step > 0 ? start : stop), high = static_cast<uint64_t>(step > 0 ? stop : start);
  const uint64_t apart = step > 0 ? static_cast<uint64_t>(step) : 0 - static_cast<uint64_t>(step);
  const uint64_t length = (high - low - 1) / apart + 1;
  if (length > static_cast<uint64_t>(INT64_MAX)) detail::fail_overflow(location);
  return static_cast<int64_t>(length);
}

/// What `a / b` of a double fails for, where nobody reads the quotient.
template <class B>
void check_divisor(B b, const char* location = "") {
  if (b == 0) detail::fail_division(location, "float division by zero");
}

/// `a / b`; of integers too a double. Fails with ZeroDivisionError.
inline double divide(double a, double b, const char* location = "") {
  check_divisor(b, location);
  return a / b;
}
inline double divide(int64_t a, int64_t b, const char* location = "") {
  if (b == 0) detail::fail_division(location, "division by zero");
  return detail::quotient(a, b);
}
template <class A, class B, class = std::enable_if_t<std::is_arithmetic_v<A> && std::is_arithmetic_v<B>>>
double divide(A a, B b, const char* location = "") {
  if constexpr (std::is_integral_v<A> && std::is_integral_v<B>) return divide(static_cast<int64_t>(a), static_cast<int64_t>(b), location);
  else return divide(static_cast<double>(a), static_cast<double>(b), location);
}

/// `a - b` of floats, where the sign of zero counts: g++ 12 folds `0.0 - i` of an integer i to `-i`.
template <class Float>
Float difference(Float a, Float b) {
  return a - b;
}

/// `a // b`, rounded down. Fails with ZeroDivisionError, and OverflowError for the one quotient that does not fit.
inline int64_t floor_divide(int64_t a, int64_t b, const char* location) {
  if (b == 0) detail::fail_division(location, "integer division or modulo by zero");
  if (b == -1) return checked_negate(a, location);
  return a / b - (a % b != 0 && (a < 0) != (b < 0));
}
/// `a % b`, with the sign of `b`. Fails with ZeroDivisionError.
inline int64_t modulo(int64_t a, int64_t b, const char* location) {
  if (b == 0) detail::fail_division(location, "integer modulo by zero");
  if (b == -1) return 0;
  const int64_t remainder = a % b;
  return remainder != 0 && (remainder < 0) != (b < 0) ? remainder + b : remainder;
}
inline double modulo(double a, double b, const char* location) {
  if (b == 0) detail::fail_division(location, "float modulo");
  const double remainder = std::fmod(a, b);
  if (remainder == 0) return std::copysign(0.0, b);
  return (remainder < 0) != (b < 0) ? remainder + b : remainder;
}
inline double floor_divide(double a, double b, const char* location) {
  if (b == 0) detail::fail_division(location, "float floor division by zero");
  double remainder = std::fmod(a, b);
  double quotient = (a - remainder) / b;
  if (remainder != 0 && (remainder < 0) != (b < 0)) quotient -= 1;
  if (quotient == 0) return std::copysign(0.0, a / b);
  const double down = std::floor(quotient);
  return quotient - down > 0.5 ? down + 1 : down;
}
template <class A, class B, class = std::enable_if_t<std::is_arithmetic_v<A> && std::is_arithmetic_v<B>>>
auto floor_divide(A a, B b, const char* location) {
  using T = std::conditional_t<std::is_integral_v<A> && std::is_integral_v<B>, int64_t, double>;
  return floor_divide(static_cast<T>(a), static_cast<T>(b), location);
}
template <class A, class B, class = std::enable_if_t<std::is_arithmetic_v<A> && std::is_arithmetic_v<B>>>
auto modulo(A a, B b, const char* location) {
  using T = std::conditional_t<std::is_integral_v<A> && std::is_integral_v<B>, int64_t, double>;
  return modulo(static_cast<T>(a), static_cast<T>(b), location);
}

/// `a ** b` of integers; `b` must not be negative (ValueError: Python would give a float, and types are static).
inline int64_t power(int64_t a, int64_t b, const char* location = "") {
  if (b < 0) fail(errors::domain, location, "an integer to the negative power %lld; make one of them a float", static_cast<long long>(b));
  int64_t result = 1;
  for (; b > 0; b >>= 1) {
    if (b & 1) result = checked_multiply(result, a, location);
    if (b > 1) a = checked_multiply(a, a, location);
  }
  return result;
}
/// `a ** b` of floats. Fails with ZeroDivisionError, OverflowError, and ValueError where Python's result is complex.
inline double power(double a, double b, const char* location = "") {
  if (a == 0 && b < 0 && std::isfinite(b)) detail::fail_division(location, "0.0 cannot be raised to a negative power");
  if (a < 0 && std::isfinite(a) && std::isfinite(b) && b != std::floor(b))
    fail(errors::domain, location, "%g ** %g is a complex number", a, b);
  const double result = std::pow(a, b);
  if (std::isinf(result) && std::isfinite(a) && std::isfinite(b)) fail(errors::overflow, location, "(34, 'Numerical result out of range')");
  return result;
}
template <class A, class B, class = std::enable_if_t<std::is_arithmetic_v<A> && std::is_arithmetic_v<B>>>
auto power(A a, B b, const char* location = "") {
  using T = std::conditional_t<std::is_integral_v<A> && std::is_integral_v<B>, int64_t, double>;
  return power(static_cast<T>(a), static_cast<T>(b), location);
}

/// `a << b` and `a >> b`. Fail with ValueError (b is negative) and OverflowError.
inline int64_t shift_left(int64_t a, int64_t b, const char* location = "") {
  if (b < 0) fail(errors::domain, location, "negative shift count");
  if (a == 0) return 0;
  if (b > 62) detail::fail_overflow(location);
  return checked_multiply(a, int64_t{1} << b, location);
}
inline int64_t shift_right(int64_t a, int64_t b, const char* location = "") {
  if (b < 0) fail(errors::domain, location, "negative shift count");
  return a >> (b < 63 ? b : 63);
}

/// Python's int(x): towards zero. Fails with ValueError (NaN) or OverflowError.
inline int64_t to_int(double x, const char* location = "") {
  if (std::isnan(x)) fail(errors::domain, location, "cannot convert float NaN to integer");
  if (std::isinf(x)) fail(errors::overflow, location, "cannot convert float infinity to integer");
  if (!(x >= -9223372036854775808.0 && x < 9223372036854775808.0)) detail::fail_overflow(location);
  return static_cast<int64_t>(x);
}

/// A number as one of 32 bits. Fails with OverflowError, in NumPy's words.
inline int32_t to_i32(int64_t x, const char* location = "") {
  if (x < INT32_MIN || x > INT32_MAX) fail(errors::overflow, location, "Python integer %lld out of bounds for int32", static_cast<long long>(x));
  return static_cast<int32_t>(x);
}

}  // namespace lantern
