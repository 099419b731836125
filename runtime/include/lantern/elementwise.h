// The elementwise operators: each is an Op with a value for one element and, where there is one, for a packet of them.
// They take tensors, arrays, expressions and scalars in any mixture, and are lazy if one operand is not a scalar.
// NaN and infinity go through as in NumPy. Vectorised exp, log, tanh, sigmoid, sin, cos (f32): at most 6 ulp off,
// tanh of |x| > 8 is ±1.
#pragma once

#include <cmath>
#include <cstdint>

#include "lantern/expression.h"
#include "lantern/scalar.h"

namespace lantern {

namespace ops {

namespace packets = Eigen::internal;

/// Element type T in, Result out; with a packet form if Vectorized.
template <class T, class Result = T, bool Vectorized = std::is_floating_point_v<T>>
struct Base {
  using operand = T;
  using result = Result;
  static constexpr bool vectorized = Vectorized;
};
template <class T>
using Predicate = Base<T, bool, false>;

/// NumPy's integers wrap around, which C++ promises of unsigned ones alone: those, or else the number itself.
template <class T>
constexpr auto wrapping(T a) {
  if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) return static_cast<std::make_unsigned_t<T>>(a);
  else return a;
}

template <class From, class To>
struct Cast : Base<From, To, false> {
  static To scalar(From a) { return static_cast<To>(a); }
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
  template <class P> LANTERN_ELEMENT P packet(const P& a) {  // Eigen's, of floats, makes NaN of infinity
    alignas(64) T lanes[sizeof(P) / sizeof(T)];
    Eigen::internal::pstore(lanes, a);
    for (T& lane : lanes) lane = std::sqrt(lane);
    return Eigen::internal::pload<P>(lanes);
  }
};
template <class T> struct Exp : Base<T> {
  LANTERN_ELEMENT T scalar(T a) { return std::exp(a); }
  template <class P> LANTERN_ELEMENT P packet(const P& a) { return packets::pexp(a); }
};
template <class T> struct Log : Base<T> {
  LANTERN_ELEMENT T scalar(T a) { return std::log(a); }
  template <class P> LANTERN_ELEMENT P packet(const P& a) { return packets::plog(a); }
};
template <class T> struct Tanh : Base<T, T, std::is_same_v<T, float>> {
  LANTERN_ELEMENT T scalar(T a) { return std::tanh(a); }
  template <class P> LANTERN_ELEMENT P packet(const P& a) { return packets::ptanh(a); }
};
template <class T> struct Sigmoid : Base<T> {
  LANTERN_ELEMENT T scalar(T a) { return 1 / (1 + std::exp(-a)); }
  template <class P> LANTERN_ELEMENT P packet(const P& a) {
    const P one = packets::pset1<P>(T(1));
    return packets::pdiv(one, packets::padd(one, packets::pexp(packets::pnegate(a))));
  }
};
template <class T> struct Sin : Base<T, T, std::is_same_v<T, float>> {
  LANTERN_ELEMENT T scalar(T a) { return std::sin(a); }
  template <class P> LANTERN_ELEMENT P packet(const P& a) { return packets::psin(a); }
};
template <class T> struct Cos : Base<T, T, std::is_same_v<T, float>> {
  LANTERN_ELEMENT T scalar(T a) { return std::cos(a); }
  template <class P> LANTERN_ELEMENT P packet(const P& a) { return packets::pcos(a); }
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
template <class T> struct Sign : Base<T, T, false> {
  LANTERN_ELEMENT T scalar(T a) { return a != a ? a : static_cast<T>((a > 0) - (a < 0)); }
};
template <class T> struct Expm1 : Base<T, T, false> { LANTERN_ELEMENT T scalar(T a) { return std::expm1(a); } };
template <class T> struct Log1p : Base<T, T, false> { LANTERN_ELEMENT T scalar(T a) { return std::log1p(a); } };
template <class T> struct Tan : Base<T, T, false> { LANTERN_ELEMENT T scalar(T a) { return std::tan(a); } };
template <class T> struct Log2 : Base<T, T, false> { LANTERN_ELEMENT T scalar(T a) { return std::log2(a); } };
template <class T> struct Log10 : Base<T, T, false> { LANTERN_ELEMENT T scalar(T a) { return std::log10(a); } };
template <class T> struct Cbrt : Base<T, T, false> { LANTERN_ELEMENT T scalar(T a) { return std::cbrt(a); } };
template <class T> struct Asin : Base<T, T, false> { LANTERN_ELEMENT T scalar(T a) { return std::asin(a); } };
template <class T> struct Acos : Base<T, T, false> { LANTERN_ELEMENT T scalar(T a) { return std::acos(a); } };
template <class T> struct Atan : Base<T, T, false> { LANTERN_ELEMENT T scalar(T a) { return std::atan(a); } };
template <class T> struct Sinh : Base<T, T, false> { LANTERN_ELEMENT T scalar(T a) { return std::sinh(a); } };
template <class T> struct Cosh : Base<T, T, false> { LANTERN_ELEMENT T scalar(T a) { return std::cosh(a); } };
template <class T> struct Hypot : Base<T, T, false> { LANTERN_ELEMENT T scalar(T a, T b) { return std::hypot(a, b); } };
template <class T> struct Atan2 : Base<T, T, false> { LANTERN_ELEMENT T scalar(T a, T b) { return std::atan2(a, b); } };
template <class T> struct Erf : Base<T, T, false> { LANTERN_ELEMENT T scalar(T a) { return std::erf(a); } };
template <class T> struct Softplus : Base<T, T, false> {  // of |a|, since exp overflows for large numbers
  LANTERN_ELEMENT T scalar(T a) { return Relu<T>::scalar(a) + std::log1p(std::exp(-std::abs(a))); }
};
template <class T> struct Gelu : Base<T, T, false> {
  LANTERN_ELEMENT T scalar(T a) { return T(0.5) * a * (1 + std::erf(a * T(0.7071067811865476))); }
};
template <class T> struct LeakyRelu : Base<T, T, false> {
  LANTERN_ELEMENT T scalar(T a, T slope) { return a > 0 ? a : slope * a; }
};
template <class T> struct Elu : Base<T, T, false> {
  LANTERN_ELEMENT T scalar(T a, T alpha) { return a > 0 ? a : alpha * std::expm1(a); }
};
template <class T> struct Clip : Base<T> {
  LANTERN_ELEMENT T scalar(T a, T lo, T hi) { return Minimum<T>::scalar(Maximum<T>::scalar(a, lo), hi); }
  template <class P> LANTERN_ELEMENT P packet(const P& a, const P& lo, const P& hi) {
    return Minimum<T>::packet(Maximum<T>::packet(a, lo), hi);
  }
};
template <class T> struct Pow : Base<T, T, false> {
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
/// An array to the power of a number, of which NumPy takes the root for 0.5: that of -0.0 and of -inf is another.
template <class T> struct PowOfNumber : Base<T, T, false> {
  static T scalar(T a, T b) {
    if constexpr (std::is_floating_point_v<T>) {
      if (b == T(0.5)) return std::sqrt(a);
    }
    return Pow<T>::scalar(a, b);
  }
};
template <class T> struct Modulo : Base<T, T, false> {
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
template <class T> struct FloorDivide : Base<T, T, false> {
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
template <class T> struct Equal : Predicate<T> { LANTERN_ELEMENT bool scalar(T a, T b) { return a == b; } };
template <class T> struct NotEqual : Predicate<T> { LANTERN_ELEMENT bool scalar(T a, T b) { return a != b; } };
template <class T> struct Less : Predicate<T> { LANTERN_ELEMENT bool scalar(T a, T b) { return a < b; } };
template <class T> struct LessEqual : Predicate<T> { LANTERN_ELEMENT bool scalar(T a, T b) { return a <= b; } };
template <class T> struct Greater : Predicate<T> { LANTERN_ELEMENT bool scalar(T a, T b) { return a > b; } };
template <class T> struct GreaterEqual : Predicate<T> { LANTERN_ELEMENT bool scalar(T a, T b) { return a >= b; } };
template <class T> struct Not : Predicate<T> { LANTERN_ELEMENT bool scalar(T a) { return !a; } };
template <class T> struct And : Predicate<T> { LANTERN_ELEMENT bool scalar(T a, T b) { return a && b; } };
template <class T> struct Or : Predicate<T> { LANTERN_ELEMENT bool scalar(T a, T b) { return a || b; } };
template <class T> struct BitAnd : Base<T, T, false> { LANTERN_ELEMENT T scalar(T a, T b) { return static_cast<T>(a & b); } };
template <class T> struct BitOr : Base<T, T, false> { LANTERN_ELEMENT T scalar(T a, T b) { return static_cast<T>(a | b); } };
template <class T> struct BitXor : Base<T, T, false> { LANTERN_ELEMENT T scalar(T a, T b) { return static_cast<T>(a ^ b); } };
template <class T> struct BitNot : Base<T, T, false> {
  LANTERN_ELEMENT T scalar(T a) { if constexpr (std::is_same_v<T, bool>) return !a; else return static_cast<T>(~a); }
};
template <class T> struct ShiftLeft : Base<T, T, false> {  // NumPy's: what is shifted out is gone
  LANTERN_ELEMENT T scalar(T a, T b) {
    return b >= 0 && b < static_cast<T>(8 * sizeof(T)) ? static_cast<T>(static_cast<uint64_t>(a) << b) : T(0);
  }
};
template <class T> struct ShiftRight : Base<T, T, false> {
  LANTERN_ELEMENT T scalar(T a, T b) { return static_cast<T>(a >> (b >= 0 && b < static_cast<T>(8 * sizeof(T)) ? b : static_cast<T>(8 * sizeof(T) - 1))); }
};
template <class T> struct Select : Base<T, T, false> {
  LANTERN_ELEMENT T scalar(bool c, T a, T b) { return c ? a : b; }
};
#undef LANTERN_ELEMENT
// clang-format on

}  // namespace ops

namespace detail {

/// `x` as an expression with elements of type T.
template <class T, class X>
auto operand_as(const X& x) {
  const auto& e = expression_of(x);
  using E = std::decay_t<decltype(e)>;
  using From = typename E::value_type;
  if constexpr (std::is_same_v<From, T>) return E(e);
  else if constexpr (std::is_same_v<E, Constant<From>>) return Constant<T>(static_cast<T>(e.value));
  else return Elementwise<ops::Cast<From, T>, E>(e);
}

/// `x`, beside elements of type T. A number has to fit beside 32 bits, as NumPy has it, else OverflowError; what is of an array wraps around.
template <class T, class X>
const X& fitting(const X& x) {
  if constexpr (std::is_same_v<T, int32_t> && std::is_same_v<X, int64_t>) to_i32(x, current_place);
  return x;
}

template <class T, class X>
using OperandAs = decltype(operand_as<T>(std::declval<const X&>()));

/// Op over operands brought to Op::operand; at once if all are scalars.
template <class Op, class... X>
auto apply(const X&... x) {
  using T = typename Op::operand;
  if constexpr (any_tensor<X...>) return Elementwise<Op, OperandAs<T, X>...>(operand_as<T>(fitting<T>(x))...);
  else return Op::scalar(static_cast<T>(x)...);
}

/// For scalars alone C++'s own types hold, so that float stays float beside float.
template <class... X>
struct Common {
  static auto choose() {
    if constexpr (any_tensor<X...>) return OperandType<promoted_type<X...>, false>{};
    else return OperandType<std::common_type_t<element_type<X>...>, true>{};
  }
  using type = typename decltype(choose())::type;
};
template <class... X>
using common_operand = typename Common<X...>::type;
/// What two operands are compared as: a number of 64 bits as it is.
template <class A, class B>
using compared_type = std::conditional_t<std::is_same_v<A, int64_t> || std::is_same_v<B, int64_t>, std::common_type_t<promoted_type<A, B>, int64_t>, promoted_type<A, B>>;
template <class... X>
using if_operands = std::enable_if_t<are_operands<X...>, int>;
template <class... X>
using if_tensors = std::enable_if_t<any_tensor<X...>, int>;

}  // namespace detail

template <class A, class B, detail::if_tensors<A, B> = 0>
auto operator+(const A& a, const B& b) { return detail::apply<ops::Add<promoted_type<A, B>>>(a, b); }
template <class A, class B, detail::if_tensors<A, B> = 0>
auto operator-(const A& a, const B& b) { return detail::apply<ops::Subtract<promoted_type<A, B>>>(a, b); }
template <class A, class B, detail::if_tensors<A, B> = 0>
auto operator*(const A& a, const B& b) { return detail::apply<ops::Multiply<promoted_type<A, B>>>(a, b); }
template <class A, class B, detail::if_tensors<A, B> = 0>
auto operator/(const A& a, const B& b) { return detail::apply<ops::Divide<detail::real_of<promoted_type<A, B>>>>(a, b); }
template <class A, detail::if_tensors<A> = 0>
auto operator-(const A& a) { return detail::apply<ops::Negate<element_type<A>>>(a); }

// Arrays of rank 0, states among them, are numbers of C++'s, whose own operators do not wrap around.
template <class A, class B>
auto wrapping_add(const A& a, const B& b) { return ops::Add<std::common_type_t<element_type<A>, element_type<B>>>::scalar(a, b); }
template <class A, class B>
auto wrapping_subtract(const A& a, const B& b) { return ops::Subtract<std::common_type_t<element_type<A>, element_type<B>>>::scalar(a, b); }
template <class A, class B>
auto wrapping_multiply(const A& a, const B& b) { return ops::Multiply<std::common_type_t<element_type<A>, element_type<B>>>::scalar(a, b); }
template <class A>
element_type<A> wrapping_negate(const A& a) { return ops::Negate<element_type<A>>::scalar(a); }
template <class A>
element_type<A> wrapping_abs(const A& a) { return ops::Abs<element_type<A>>::scalar(a); }

template <class A, class B, detail::if_tensors<A, B> = 0>
auto operator==(const A& a, const B& b) { return detail::apply<ops::Equal<detail::compared_type<A, B>>>(a, b); }
template <class A, class B, detail::if_tensors<A, B> = 0>
auto operator!=(const A& a, const B& b) { return detail::apply<ops::NotEqual<detail::compared_type<A, B>>>(a, b); }
template <class A, class B, detail::if_tensors<A, B> = 0>
auto operator<(const A& a, const B& b) { return detail::apply<ops::Less<detail::compared_type<A, B>>>(a, b); }
template <class A, class B, detail::if_tensors<A, B> = 0>
auto operator<=(const A& a, const B& b) { return detail::apply<ops::LessEqual<detail::compared_type<A, B>>>(a, b); }
template <class A, class B, detail::if_tensors<A, B> = 0>
auto operator>(const A& a, const B& b) { return detail::apply<ops::Greater<detail::compared_type<A, B>>>(a, b); }
template <class A, class B, detail::if_tensors<A, B> = 0>
auto operator>=(const A& a, const B& b) { return detail::apply<ops::GreaterEqual<detail::compared_type<A, B>>>(a, b); }

// Functions: of tensors lazy, of scalars a scalar.
template <class A, detail::if_operands<A> = 0>
auto exp(const A& a) { return detail::apply<ops::Exp<detail::real_of<element_type<A>>>>(a); }
template <class A, detail::if_operands<A> = 0>
auto log(const A& a) { return detail::apply<ops::Log<detail::real_of<element_type<A>>>>(a); }
template <class A, detail::if_operands<A> = 0>
auto tanh(const A& a) { return detail::apply<ops::Tanh<detail::real_of<element_type<A>>>>(a); }
template <class A, detail::if_operands<A> = 0>
auto sigmoid(const A& a) { return detail::apply<ops::Sigmoid<detail::real_of<element_type<A>>>>(a); }
template <class A, detail::if_operands<A> = 0>
auto sqrt(const A& a) { return detail::apply<ops::Sqrt<detail::real_of<element_type<A>>>>(a); }
template <class A, detail::if_operands<A> = 0>
auto sin(const A& a) { return detail::apply<ops::Sin<detail::real_of<element_type<A>>>>(a); }
template <class A, detail::if_operands<A> = 0>
auto cos(const A& a) { return detail::apply<ops::Cos<detail::real_of<element_type<A>>>>(a); }
template <class A, detail::if_operands<A> = 0>
auto tan(const A& a) { return detail::apply<ops::Tan<detail::real_of<element_type<A>>>>(a); }
template <class A, detail::if_operands<A> = 0>
auto expm1(const A& a) { return detail::apply<ops::Expm1<detail::real_of<element_type<A>>>>(a); }
template <class A, detail::if_operands<A> = 0>
auto log1p(const A& a) { return detail::apply<ops::Log1p<detail::real_of<element_type<A>>>>(a); }
template <class A, detail::if_operands<A> = 0>
auto log2(const A& a) { return detail::apply<ops::Log2<detail::real_of<element_type<A>>>>(a); }
template <class A, detail::if_operands<A> = 0>
auto log10(const A& a) { return detail::apply<ops::Log10<detail::real_of<element_type<A>>>>(a); }
template <class A, detail::if_operands<A> = 0>
auto cbrt(const A& a) { return detail::apply<ops::Cbrt<detail::real_of<element_type<A>>>>(a); }
template <class A, detail::if_operands<A> = 0>
auto asin(const A& a) { return detail::apply<ops::Asin<detail::real_of<element_type<A>>>>(a); }
template <class A, detail::if_operands<A> = 0>
auto acos(const A& a) { return detail::apply<ops::Acos<detail::real_of<element_type<A>>>>(a); }
template <class A, detail::if_operands<A> = 0>
auto atan(const A& a) { return detail::apply<ops::Atan<detail::real_of<element_type<A>>>>(a); }
template <class A, detail::if_operands<A> = 0>
auto sinh(const A& a) { return detail::apply<ops::Sinh<detail::real_of<element_type<A>>>>(a); }
template <class A, detail::if_operands<A> = 0>
auto cosh(const A& a) { return detail::apply<ops::Cosh<detail::real_of<element_type<A>>>>(a); }
/// sqrt(a² + b²), without overflow on the way.
template <class A, class B, detail::if_operands<A, B> = 0>
auto hypot(const A& a, const B& b) { return detail::apply<ops::Hypot<detail::real_of<detail::common_operand<A, B>>>>(a, b); }
/// The angle of the point (b, a).
template <class A, class B, detail::if_operands<A, B> = 0>
auto atan2(const A& a, const B& b) { return detail::apply<ops::Atan2<detail::real_of<detail::common_operand<A, B>>>>(a, b); }
template <class A, detail::if_operands<A> = 0>
auto erf(const A& a) { return detail::apply<ops::Erf<detail::real_of<element_type<A>>>>(a); }
/// log(1 + exp(a)).
template <class A, detail::if_operands<A> = 0>
auto softplus(const A& a) { return detail::apply<ops::Softplus<detail::real_of<element_type<A>>>>(a); }
/// a Φ(a), Φ the normal distribution's.
template <class A, detail::if_operands<A> = 0>
auto gelu(const A& a) { return detail::apply<ops::Gelu<detail::real_of<element_type<A>>>>(a); }
/// a where it is positive, slope · a elsewhere.
template <class A, class B, detail::if_operands<A, B> = 0>
auto leaky_relu(const A& a, const B& slope) { return detail::apply<ops::LeakyRelu<detail::real_of<detail::common_operand<A, B>>>>(a, slope); }
/// a where it is positive, alpha (exp(a) - 1) elsewhere.
template <class A, class B, detail::if_operands<A, B> = 0>
auto elu(const A& a, const B& alpha) { return detail::apply<ops::Elu<detail::real_of<detail::common_operand<A, B>>>>(a, alpha); }
/// The smaller of hi and the larger of lo and a.
template <class A, class L, class H, detail::if_operands<A, L, H> = 0>
auto clip(const A& a, const L& lo, const H& hi) { return detail::apply<ops::Clip<detail::common_operand<A, L, H>>>(a, lo, hi); }
/// -1, 0 or 1.
template <class A, detail::if_operands<A> = 0>
auto sign(const A& a) { return detail::apply<ops::Sign<element_type<A>>>(a); }
template <class A, detail::if_operands<A> = 0>
auto relu(const A& a) { return detail::apply<ops::Relu<element_type<A>>>(a); }
template <class A, detail::if_operands<A> = 0>
auto square(const A& a) { return detail::apply<ops::Square<element_type<A>>>(a); }
template <class A, detail::if_operands<A> = 0>
auto abs(const A& a) { return detail::apply<ops::Abs<element_type<A>>>(a); }

template <class A, class B, detail::if_operands<A, B> = 0>
auto pow(const A& a, const B& b) {
  using T = detail::common_operand<A, B>;
  return detail::apply<std::conditional_t<any_tensor<A> && !any_tensor<B>, ops::PowOfNumber<T>, ops::Pow<T>>>(a, b);
}
template <class A, class B, detail::if_operands<A, B> = 0>
auto maximum(const A& a, const B& b) { return detail::apply<ops::Maximum<detail::common_operand<A, B>>>(a, b); }
template <class A, class B, detail::if_operands<A, B> = 0>
auto minimum(const A& a, const B& b) { return detail::apply<ops::Minimum<detail::common_operand<A, B>>>(a, b); }
/// NumPy's `//` and `%`, of rank 0, too: no error on zero. Python's numbers take a location (scalar.h).
template <class A, class B, detail::if_operands<A, B> = 0>
auto floor_divide(const A& a, const B& b) { return detail::apply<ops::FloorDivide<detail::common_operand<A, B>>>(a, b); }
template <class A, class B, detail::if_operands<A, B> = 0>
auto modulo(const A& a, const B& b) { return detail::apply<ops::Modulo<detail::common_operand<A, B>>>(a, b); }

template <class A, class B, detail::if_operands<A, B> = 0>
auto bit_and(const A& a, const B& b) { return detail::apply<ops::BitAnd<detail::common_operand<A, B>>>(a, b); }
template <class A, class B, detail::if_operands<A, B> = 0>
auto bit_or(const A& a, const B& b) { return detail::apply<ops::BitOr<detail::common_operand<A, B>>>(a, b); }
template <class A, class B, detail::if_operands<A, B> = 0>
auto bit_xor(const A& a, const B& b) { return detail::apply<ops::BitXor<detail::common_operand<A, B>>>(a, b); }
/// Of an array of bools, not; a bool that is a number counts as an integer.
template <class A, detail::if_operands<A> = 0>
auto bit_not(const A& a) {
  if constexpr (any_tensor<A>) return detail::apply<ops::BitNot<element_type<A>>>(a);
  else return ~static_cast<int64_t>(a);
}
/// Of tensors, NumPy's shifts: bits that do not fit are lost. Scalars take a location (scalar.h).
template <class A, class B, detail::if_operands<A, B> = 0>
auto shift_left(const A& a, const B& b) { return detail::apply<ops::ShiftLeft<promoted_type<A, B>>>(a, b); }
template <class A, class B, detail::if_operands<A, B> = 0>
auto shift_right(const A& a, const B& b) { return detail::apply<ops::ShiftRight<promoted_type<A, B>>>(a, b); }

template <class A, detail::if_operands<A> = 0>
auto logical_not(const A& a) { return detail::apply<ops::Not<bool>>(a); }
template <class A, class B, detail::if_operands<A, B> = 0>
auto logical_and(const A& a, const B& b) { return detail::apply<ops::And<bool>>(a, b); }
template <class A, class B, detail::if_operands<A, B> = 0>
auto logical_or(const A& a, const B& b) { return detail::apply<ops::Or<bool>>(a, b); }

/// Elements of `a` where `c` holds, of `b` elsewhere; all three broadcast.
template <class C, class A, class B, detail::if_operands<C, A, B> = 0>
auto where(const C& c, const A& a, const B& b) {
  using T = detail::common_operand<A, B>;
  if constexpr (any_tensor<C, A, B>) {
    return Elementwise<ops::Select<T>, detail::OperandAs<bool, C>, detail::OperandAs<T, A>, detail::OperandAs<T, B>>(
        detail::operand_as<bool>(c), detail::operand_as<T>(a), detail::operand_as<T>(b));
  } else {
    return static_cast<bool>(c) ? static_cast<T>(a) : static_cast<T>(b);
  }
}

/// The same elements as To.
template <class To, class A, detail::if_operands<A> = 0>
auto cast(const A& a) {
  if constexpr (any_tensor<A>) return detail::operand_as<To>(a);
  else return static_cast<To>(a);
}

}  // namespace lantern
