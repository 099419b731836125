// What the elementwise operators do to one element and, where there is such a form, to a packet of them: each is an Op, which
// elementwise.h applies to operands. NaN and infinity go through as in NumPy. Vectorised exp, expm1, log, log1p, erf of f32, tanh, sigmoid, softplus, sin, cos: at most
// 6 ulp off, tanh of f32 without FMA 7; of |x| > 8 it is ±1.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "lantern/expression.h"
#include "lantern/packet_functions.h"
#include "lantern/scalar.h"

namespace lantern {

namespace ops {

namespace packets = Eigen::internal;

/// Elements of type T in and out. lanes: what an operator's packets have, its operands' having L.
template <class T>
struct Base {
  using operand = T;
  using result = T;
  template <class... L>
  using lanes = detail::lanes_of_elements<T>;
  static constexpr bool by_lanes = false;
};
/// What the library has no function of packets for.
template <template <class> class Op, class T>
struct LaneByLane : Base<T> {
  static constexpr bool by_lanes = std::is_floating_point_v<T>;
  template <class... P>
  static EIGEN_STRONG_INLINE auto packet(const P&... x) {
    return detail::lane_by_lane([](auto... of_lane) { return Op<T>::scalar(of_lane...); }, x...);
  }
};
/// T in, bools out.
template <class T>
struct Predicate : Base<T> {
  using result = bool;
  template <class... L>
  using lanes = std::conditional_t<std::is_floating_point_v<T>, detail::Mask<T>, detail::NoPackets>;
};
/// Bools in and out: masks, where all of them are.
template <class T>
struct Logic : Base<T> {
  template <class First, class... L>
  using lanes = std::conditional_t<(std::is_same_v<L, First> && ...), First, detail::NoPackets>;
};

/// NumPy's integers wrap around, which C++ promises of unsigned ones alone: those, or else the number itself.
template <class T>
constexpr auto wrapping(T a) {
  if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) return static_cast<std::make_unsigned_t<T>>(a);
  else return a;
}

template <class From, class To>
struct Cast : Base<To> {
  using operand = From;
  /// Of what is no whole number of the type, as nan, the least that it has: as x86 has it, and NumPy there. C++ says nothing of it.
  static To scalar(From a) {
    if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To> && !std::is_same_v<To, bool>) {
      constexpr auto least = static_cast<double>(std::numeric_limits<To>::min());
      if (!(static_cast<double>(a) > least - 1 && static_cast<double>(a) < -least)) return std::numeric_limits<To>::min();
    }
    return static_cast<To>(a);
  }
  template <class P>
  static EIGEN_STRONG_INLINE P packet(const P& a) {  // of a mask, or of numbers that are of the other type already
    if constexpr (std::is_same_v<From, bool>) return packets::pand(a, packets::pset1<P>(To(1)));
    else return a;
  }
};

// clang-format off
#define LANTERN_ELEMENT static EIGEN_STRONG_INLINE
template <class T> struct Add : Base<T> {
  LANTERN_ELEMENT T scalar(T a, T b) { return static_cast<T>(wrapping(a) + wrapping(b)); }
  template <class P> LANTERN_ELEMENT P packet(const P& a, const P& b) { return packets::padd(a, b); }
};
template <class T> struct Subtract : Base<T> {
  LANTERN_ELEMENT T scalar(T a, T b) { return static_cast<T>(wrapping(a) - wrapping(b)); }
  template <class P> LANTERN_ELEMENT P packet(const P& a, const P& b) { return packets::psub(a, b); }
};
template <class T> struct Multiply : Base<T> {
  LANTERN_ELEMENT T scalar(T a, T b) { return static_cast<T>(wrapping(a) * wrapping(b)); }
  template <class P> LANTERN_ELEMENT P packet(const P& a, const P& b) { return packets::pmul(a, b); }
};
template <class T> struct Divide : Base<T> {
  LANTERN_ELEMENT T scalar(T a, T b) { return a / b; }
  template <class P> LANTERN_ELEMENT P packet(const P& a, const P& b) { return packets::pdiv(a, b); }
};
template <class T> struct Negate : Base<T> {
  LANTERN_ELEMENT T scalar(T a) { return static_cast<T>(-wrapping(a)); }
  template <class P> LANTERN_ELEMENT P packet(const P& a) { return packets::pxor(a, packets::pset1<P>(T(-0.0))); }  // Eigen's, 0 - a, loses the sign of zero
};
template <class T> struct Square : Base<T> {
  LANTERN_ELEMENT T scalar(T a) { return static_cast<T>(wrapping(a) * wrapping(a)); }
  template <class P> LANTERN_ELEMENT P packet(const P& a) { return packets::pmul(a, a); }
};
template <class T> struct Abs : Base<T> {
  LANTERN_ELEMENT T scalar(T a) {
    if constexpr (std::is_floating_point_v<T>) return std::abs(a);
    else if constexpr (std::is_same_v<T, bool>) return a;
    else return a < 0 ? static_cast<T>(-wrapping(a)) : a;
  }
  template <class P> LANTERN_ELEMENT P packet(const P& a) { return packets::pabs(a); }
};
template <class T> struct Sqrt : Base<T> {
  LANTERN_ELEMENT T scalar(T a) { return std::sqrt(a); }
  template <class P> LANTERN_ELEMENT P packet(const P& a) { return detail::square_root(a); }
};
template <class T> struct Exp : Base<T> {
  LANTERN_ELEMENT T scalar(T a) { return std::exp(a); }
  template <class P> LANTERN_ELEMENT P packet(const P& a) { return detail::exp_of(a); }
};
template <class T> struct Log : Base<T> {
  LANTERN_ELEMENT T scalar(T a) { return std::log(a); }
  template <class P> LANTERN_ELEMENT P packet(const P& a) { return detail::log_of(a); }
};
template <class T> struct Tanh : Base<T> {
  LANTERN_ELEMENT T scalar(T a) { return std::tanh(a); }
  template <class P> LANTERN_ELEMENT P packet(const P& a) {
    if constexpr (std::is_same_v<T, double>) return detail::tanh_of_doubles(a);
    else return packets::ptanh(a);
  }
};
template <class T> struct Sigmoid : Base<T> {
  LANTERN_ELEMENT T scalar(T a) { return 1 / (1 + std::exp(-a)); }
  template <class P> LANTERN_ELEMENT P packet(const P& a) {
    const P one = packets::pset1<P>(T(1));
    return packets::pdiv(one, packets::padd(one, detail::exp_of(packets::pnegate(a))));
  }
};
template <class T> struct Sin : Base<T> {
  LANTERN_ELEMENT T scalar(T a) { return std::sin(a); }
  template <class P> LANTERN_ELEMENT P packet(const P& a) {
    if constexpr (std::is_same_v<T, double>) return detail::sine_of_doubles<0>(a);
    else return packets::psin(a);
  }
};
template <class T> struct Cos : Base<T> {
  LANTERN_ELEMENT T scalar(T a) { return std::cos(a); }
  template <class P> LANTERN_ELEMENT P packet(const P& a) {
    if constexpr (std::is_same_v<T, double>) return detail::sine_of_doubles<1>(a);
    else return packets::pcos(a);
  }
};
template <class T> struct Maximum : Base<T> {
  LANTERN_ELEMENT T scalar(T a, T b) { return a > b || a != a ? a : b; }
  template <class P> LANTERN_ELEMENT P packet(const P& a, const P& b) { return packets::pmax<Eigen::PropagateNaN>(a, b); }
};
template <class T> struct Minimum : Base<T> {
  LANTERN_ELEMENT T scalar(T a, T b) { return a < b || a != a ? a : b; }
  template <class P> LANTERN_ELEMENT P packet(const P& a, const P& b) { return packets::pmin<Eigen::PropagateNaN>(a, b); }
};
template <class T> struct Relu : Base<T> {
  LANTERN_ELEMENT T scalar(T a) { return Maximum<T>::scalar(a, T(0)); }
  template <class P> LANTERN_ELEMENT P packet(const P& a) { return Maximum<T>::packet(a, packets::pset1<P>(T(0))); }
};
template <class T> struct Sign : Base<T> {
  LANTERN_ELEMENT T scalar(T a) { return a != a ? a : static_cast<T>((a > 0) - (a < 0)); }
  template <class P> LANTERN_ELEMENT P packet(const P& a) {
    const P zero = packets::pset1<P>(T(0)), one = packets::pset1<P>(T(1));
    const P signs = packets::psub(packets::pand(packets::pcmp_lt(zero, a), one), packets::pand(packets::pcmp_lt(a, zero), one));
    return packets::pselect(packets::pcmp_eq(a, a), signs, a);
  }
};
template <class T> struct Expm1 : Base<T> {
  LANTERN_ELEMENT T scalar(T a) { return std::expm1(a); }
  template <class P> LANTERN_ELEMENT P packet(const P& a) { return detail::expm1_of(a); }
};
template <class T> struct Log1p : Base<T> {
  LANTERN_ELEMENT T scalar(T a) { return std::log1p(a); }
  template <class P> LANTERN_ELEMENT P packet(const P& a) { return detail::log1p_of(a); }
};
template <class T> struct Tan : LaneByLane<Tan, T> { LANTERN_ELEMENT T scalar(T a) { return std::tan(a); } };
template <class T> struct Log2 : LaneByLane<Log2, T> { LANTERN_ELEMENT T scalar(T a) { return std::log2(a); } };
template <class T> struct Log10 : LaneByLane<Log10, T> { LANTERN_ELEMENT T scalar(T a) { return std::log10(a); } };
template <class T> struct Cbrt : LaneByLane<Cbrt, T> { LANTERN_ELEMENT T scalar(T a) { return std::cbrt(a); } };
template <class T> struct Asin : LaneByLane<Asin, T> { LANTERN_ELEMENT T scalar(T a) { return std::asin(a); } };
template <class T> struct Acos : LaneByLane<Acos, T> { LANTERN_ELEMENT T scalar(T a) { return std::acos(a); } };
template <class T> struct Atan : LaneByLane<Atan, T> { LANTERN_ELEMENT T scalar(T a) { return std::atan(a); } };
template <class T> struct Sinh : LaneByLane<Sinh, T> { LANTERN_ELEMENT T scalar(T a) { return std::sinh(a); } };
template <class T> struct Cosh : LaneByLane<Cosh, T> { LANTERN_ELEMENT T scalar(T a) { return std::cosh(a); } };
template <class T> struct Asinh : LaneByLane<Asinh, T> { LANTERN_ELEMENT T scalar(T a) { return std::asinh(a); } };
template <class T> struct Acosh : LaneByLane<Acosh, T> { LANTERN_ELEMENT T scalar(T a) { return std::acosh(a); } };
template <class T> struct Atanh : LaneByLane<Atanh, T> { LANTERN_ELEMENT T scalar(T a) { return std::atanh(a); } };
template <class T> struct Hypot : LaneByLane<Hypot, T> { LANTERN_ELEMENT T scalar(T a, T b) { return std::hypot(a, b); } };
template <class T> struct Atan2 : LaneByLane<Atan2, T> { LANTERN_ELEMENT T scalar(T a, T b) { return std::atan2(a, b); } };
template <class T> struct Erf : LaneByLane<Erf, T> {
  static constexpr bool by_lanes = !std::is_same_v<T, float>;
  LANTERN_ELEMENT T scalar(T a) { return std::erf(a); }
  template <class P> LANTERN_ELEMENT P packet(const P& a) {
    if constexpr (by_lanes) return LaneByLane<lantern::ops::Erf, T>::packet(a);
    else return detail::erf_of_floats(a);
  }
};
template <class T> struct Erfc : LaneByLane<Erfc, T> { LANTERN_ELEMENT T scalar(T a) { return std::erfc(a); } };
template <class T> struct Rint : Base<T> {
  LANTERN_ELEMENT T scalar(T a) { return std::nearbyint(a); }
  template <class P> LANTERN_ELEMENT P packet(const P& a) { return packets::por(packets::print(a), packets::pand(a, packets::pset1<P>(T(-0.0)))); }  // SSE2's loses the sign of zero
};
template <class T> struct Softplus : Base<T> {  // of |a|, since exp overflows for large numbers
  LANTERN_ELEMENT T scalar(T a) { return Relu<T>::scalar(a) + std::log1p(std::exp(-std::abs(a))); }
  template <class P> LANTERN_ELEMENT P packet(const P& a) {
    return packets::padd(Relu<T>::packet(a), detail::log1p_of(detail::exp_of(packets::por(a, packets::pset1<P>(T(-0.0))))));
  }
};
template <class T> struct Gelu : Base<T> {
  static constexpr bool by_lanes = Erf<T>::by_lanes;
  LANTERN_ELEMENT T scalar(T a) { return T(0.5) * a * (1 + std::erf(a * T(0.7071067811865476))); }
  template <class P> LANTERN_ELEMENT P packet(const P& a) {
    const P erf = Erf<T>::packet(packets::pmul(a, packets::pset1<P>(T(0.7071067811865476))));
    return packets::pmul(packets::pmul(a, packets::pset1<P>(T(0.5))), packets::padd(packets::pset1<P>(T(1)), erf));
  }
};
template <class T> struct LeakyRelu : Base<T> {
  LANTERN_ELEMENT T scalar(T a, T slope) { return a > 0 ? a : slope * a; }
  template <class P> LANTERN_ELEMENT P packet(const P& a, const P& slope) {
    return packets::pselect(packets::pcmp_lt(packets::pset1<P>(T(0)), a), a, packets::pmul(slope, a));
  }
};
template <class T> struct Elu : Base<T> {
  LANTERN_ELEMENT T scalar(T a, T alpha) { return a > 0 ? a : alpha * std::expm1(a); }
  template <class P> LANTERN_ELEMENT P packet(const P& a, const P& alpha) {
    return packets::pselect(packets::pcmp_lt(packets::pset1<P>(T(0)), a), a, packets::pmul(alpha, detail::expm1_of(a)));
  }
};
template <class T> struct Clip : Base<T> {  // of equals, -0.0 and 0.0, `a` itself, which stands second
  LANTERN_ELEMENT T scalar(T a, T lo, T hi) { return Minimum<T>::scalar(hi, Maximum<T>::scalar(lo, a)); }
  template <class P> LANTERN_ELEMENT P packet(const P& a, const P& lo, const P& hi) {
    return Minimum<T>::packet(hi, Maximum<T>::packet(lo, a));
  }
};
template <class T> struct Pow : LaneByLane<Pow, T> {
  static T scalar(T a, T b) {
    if constexpr (std::is_floating_point_v<T>) return std::pow(a, b);
    else {
      if (b < 0) fail(errors::domain, detail::current_place, "integers to negative integer powers are not allowed");
      uint64_t result = 1, base = static_cast<uint64_t>(a);  // wraps around, as NumPy's does
      for (auto n = static_cast<uint64_t>(b); n; n >>= 1, base *= base) if (n & 1) result *= base;
      return static_cast<T>(result);
    }
  }
};
/// An array to the power of a number. That of 2, of 0.5, … is what NumPy computes, a product or a root, in place of pow: a tenth of its time, and
/// the root of -0.0 and of -inf is another. In a packet all exponents are the number.
template <class T> struct PowOfNumber : Base<T> {
  LANTERN_ELEMENT T scalar(T a, T b) {
    if constexpr (std::is_floating_point_v<T>) {
      if (b == T(2)) return a * a;
      if (b == T(3)) return a * a * a;
      if (b == T(1)) return a;
      if (b == T(0.5)) return std::sqrt(a);
      if (b == T(-1)) return 1 / a;
      if (b == T(-2)) return (1 / a) * (1 / a);  // where the square would be no normal number, this may be one
      if (b == T(-0.5)) return a < -std::numeric_limits<T>::max() ? T(0) : 1 / std::sqrt(a + T(0));  // as pow has it, also of -0.0
    }
    return Pow<T>::scalar(a, b);
  }
  template <class P> LANTERN_ELEMENT P packet(const P& a, const P& b) {
    const T exponent = packets::pfirst(b);
    if (exponent == T(2)) return packets::pmul(a, a);
    if (exponent == T(3)) return packets::pmul(packets::pmul(a, a), a);
    alignas(64) T lanes[sizeof(P) / sizeof(T)];
    packets::pstore(lanes, a);
    for (T& lane : lanes) lane = scalar(lane, exponent);
    return packets::pload<P>(lanes);
  }
};
template <class T> struct Modulo : LaneByLane<Modulo, T> {
  static T scalar(T a, T b) {
    if constexpr (std::is_floating_point_v<T>) {
      const T remainder = std::fmod(a, b);
      if (remainder == 0) return std::copysign(T(0), b);
      return (remainder < 0) != (b < 0) ? remainder + b : remainder;
    } else {
      if (b == 0 || b == -1) return 0;
      const T remainder = static_cast<T>(a % b);
      return remainder != 0 && (remainder < 0) != (b < 0) ? static_cast<T>(remainder + b) : remainder;
    }
  }
};
template <class T> struct FloorDivide : LaneByLane<FloorDivide, T> {
  static T scalar(T a, T b) {
    if constexpr (std::is_floating_point_v<T>) {
      if (b == 0) return a / b;
      const T remainder = std::fmod(a, b);
      T quotient = (a - remainder) / b;
      if (remainder != 0 && (remainder < 0) != (b < 0)) quotient -= 1;
      if (quotient == 0) return std::copysign(T(0), a / b);
      const T down = std::floor(quotient);
      return quotient - down > T(0.5) ? down + 1 : down;
    } else {
      if (b == 0) return 0;
      if (b == -1) return static_cast<T>(-static_cast<uint64_t>(a));
      return static_cast<T>(a / b - (a % b != 0 && (a < 0) != (b < 0)));
    }
  }
};
template <class T> struct Equal : Predicate<T> {
  LANTERN_ELEMENT bool scalar(T a, T b) { return a == b; }
  template <class P> LANTERN_ELEMENT P packet(const P& a, const P& b) { return packets::pcmp_eq(a, b); }
};
template <class T> struct NotEqual : Predicate<T> {
  LANTERN_ELEMENT bool scalar(T a, T b) { return a != b; }
  template <class P> LANTERN_ELEMENT P packet(const P& a, const P& b) { return packets::pxor(packets::pcmp_eq(a, b), packets::ptrue(a)); }
};
template <class T> struct Less : Predicate<T> {
  LANTERN_ELEMENT bool scalar(T a, T b) { return a < b; }
  template <class P> LANTERN_ELEMENT P packet(const P& a, const P& b) { return packets::pcmp_lt(a, b); }
};
template <class T> struct LessEqual : Predicate<T> {
  LANTERN_ELEMENT bool scalar(T a, T b) { return a <= b; }
  template <class P> LANTERN_ELEMENT P packet(const P& a, const P& b) { return packets::pcmp_le(a, b); }
};
template <class T> struct Greater : Predicate<T> {
  LANTERN_ELEMENT bool scalar(T a, T b) { return a > b; }
  template <class P> LANTERN_ELEMENT P packet(const P& a, const P& b) { return packets::pcmp_lt(b, a); }
};
template <class T> struct GreaterEqual : Predicate<T> {
  LANTERN_ELEMENT bool scalar(T a, T b) { return a >= b; }
  template <class P> LANTERN_ELEMENT P packet(const P& a, const P& b) { return packets::pcmp_le(b, a); }
};
template <class T> struct Not : Logic<T> {
  LANTERN_ELEMENT bool scalar(T a) { return !a; }
  template <class P> LANTERN_ELEMENT P packet(const P& a) { return packets::pxor(a, packets::ptrue(a)); }
};
template <class T> struct And : Logic<T> {
  LANTERN_ELEMENT bool scalar(T a, T b) { return a && b; }
  template <class P> LANTERN_ELEMENT P packet(const P& a, const P& b) { return packets::pand(a, b); }
};
template <class T> struct Or : Logic<T> {
  LANTERN_ELEMENT bool scalar(T a, T b) { return a || b; }
  template <class P> LANTERN_ELEMENT P packet(const P& a, const P& b) { return packets::por(a, b); }
};
template <class T> struct BitAnd : Base<T> { LANTERN_ELEMENT T scalar(T a, T b) { return static_cast<T>(a & b); } };
template <class T> struct BitOr : Base<T> { LANTERN_ELEMENT T scalar(T a, T b) { return static_cast<T>(a | b); } };
template <class T> struct BitXor : Base<T> { LANTERN_ELEMENT T scalar(T a, T b) { return static_cast<T>(a ^ b); } };
template <class T> struct BitNot : Base<T> {
  LANTERN_ELEMENT T scalar(T a) { if constexpr (std::is_same_v<T, bool>) return !a; else return static_cast<T>(~a); }
};
template <class T> struct ShiftLeft : Base<T> {  // NumPy's: what is shifted out is gone
  LANTERN_ELEMENT T scalar(T a, T b) {
    return b >= 0 && b < static_cast<T>(8 * sizeof(T)) ? static_cast<T>(static_cast<uint64_t>(a) << b) : T(0);
  }
};
template <class T> struct ShiftRight : Base<T> {
  LANTERN_ELEMENT T scalar(T a, T b) { return static_cast<T>(a >> (b >= 0 && b < static_cast<T>(8 * sizeof(T)) ? b : static_cast<T>(8 * sizeof(T) - 1))); }
};
template <class T> struct Select : Base<T> {
  LANTERN_ELEMENT T scalar(bool c, T a, T b) { return c ? a : b; }
  template <class P> LANTERN_ELEMENT P packet(const P& c, const P& a, const P& b) { return packets::pselect(c, a, b); }
};
#undef LANTERN_ELEMENT
// clang-format on

}  // namespace ops

}  // namespace lantern
