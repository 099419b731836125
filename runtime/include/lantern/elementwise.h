// The elementwise operators, as functions. They take tensors, arrays, expressions and scalars in any mixture, and are lazy if one
// operand is not a scalar. What they do to an element is in element_ops.h.
#pragma once

#include <cstdint>

#include "lantern/element_ops.h"
#include "lantern/expression.h"
#include "lantern/scalar.h"

namespace lantern {

namespace detail {

// What makes expressions is inlined always: a view that a call gets in memory has just been written field by field, and a copy of the whole waits for that.

/// `x` as an expression with elements of type T.
template <class T, class X>
EIGEN_ALWAYS_INLINE auto operand_as(const X& x) {
  const auto& e = expression_of(x);
  using E = std::decay_t<decltype(e)>;
  using From = typename E::value_type;
  if constexpr (std::is_same_v<From, T>) return E(e);
  else if constexpr (std::is_same_v<E, Constant<From>>) return Constant<T>(static_cast<T>(e.value));
  else return Elementwise<ops::Cast<From, T>, E>(e);
}

/// `x`, beside elements of type T. A number has to fit beside 32 bits, as NumPy has it, else OverflowError; what is of an array wraps around.
template <class T, class X>
EIGEN_ALWAYS_INLINE const X& fitting(const X& x) {
  if constexpr (std::is_same_v<T, int32_t> && std::is_same_v<X, int64_t>) to_i32(x, current_place);
  return x;
}

template <class T, class X>
using OperandAs = decltype(operand_as<T>(std::declval<const X&>()));

/// An operand of an operator on lanes, as a packet of elements of type T, or as a mask. A number repeats.
template <class P, class T, class X>
EIGEN_STRONG_INLINE P lanes_as(const X& x) {
  if constexpr (is_lanes<X>) {
    if constexpr (std::is_same_v<element_type<X>, T>) return x.packet;
    else return ops::Cast<element_type<X>, T>::packet(x.packet);
  } else if constexpr (std::is_same_v<T, bool>) {
    const P none = Eigen::internal::pset1<P>(element_of_packet<P>(0));
    return x ? Eigen::internal::ptrue(none) : none;
  } else {
    return Eigen::internal::pset1<P>(static_cast<T>(x));
  }
}
template <class X, class... Rest>
struct PacketOfLanes : PacketOfLanes<Rest...> {};
template <class T, class P, class... Rest>
struct PacketOfLanes<Lanes<T, P>, Rest...> {
  using type = P;
};
template <class... X>
inline constexpr bool any_lanes = is_any({is_lanes<X>...}, true);
/// Op over lanes and numbers, at once.
template <class Op, class... X>
EIGEN_STRONG_INLINE auto apply_to_lanes(const X&... x) {
  using P = typename PacketOfLanes<X...>::type;
  return Lanes<typename Op::result, P>{Op::packet(lanes_as<P, typename Op::operand>(x)...)};
}

/// Op over operands brought to Op::operand; at once if all are scalars.
template <class Op, class... X>
EIGEN_ALWAYS_INLINE auto apply(const X&... x) {
  using T = typename Op::operand;
  if constexpr (any_lanes<X...>) return apply_to_lanes<Op>(x...);
  else if constexpr (any_tensor<X...>) return Elementwise<Op, OperandAs<T, X>...>(operand_as<T>(fitting<T>(x))...);
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

/// Of what stands for some entries (entries.h), as of one.
template <class T, class P, class X>
Lanes<T, P>& operator+=(Lanes<T, P>& a, const X& b) { return a = a + b; }
template <class T, class P, class X>
Lanes<T, P>& operator-=(Lanes<T, P>& a, const X& b) { return a = a - b; }
template <class T, class P, class X>
Lanes<T, P>& operator*=(Lanes<T, P>& a, const X& b) { return a = a * b; }
template <class T, class P, class X>
Lanes<T, P>& operator/=(Lanes<T, P>& a, const X& b) { return a = a / b; }

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
template <class A, detail::if_operands<A> = 0>
auto asinh(const A& a) { return detail::apply<ops::Asinh<detail::real_of<element_type<A>>>>(a); }
template <class A, detail::if_operands<A> = 0>
auto acosh(const A& a) { return detail::apply<ops::Acosh<detail::real_of<element_type<A>>>>(a); }
template <class A, detail::if_operands<A> = 0>
auto atanh(const A& a) { return detail::apply<ops::Atanh<detail::real_of<element_type<A>>>>(a); }
/// sqrt(a² + b²), without overflow on the way.
template <class A, class B, detail::if_operands<A, B> = 0>
auto hypot(const A& a, const B& b) { return detail::apply<ops::Hypot<detail::real_of<detail::common_operand<A, B>>>>(a, b); }
/// The angle of the point (b, a).
template <class A, class B, detail::if_operands<A, B> = 0>
auto atan2(const A& a, const B& b) { return detail::apply<ops::Atan2<detail::real_of<detail::common_operand<A, B>>>>(a, b); }
template <class A, detail::if_operands<A> = 0>
auto erf(const A& a) { return detail::apply<ops::Erf<detail::real_of<element_type<A>>>>(a); }
template <class A, detail::if_operands<A> = 0>
auto erfc(const A& a) { return detail::apply<ops::Erfc<detail::real_of<element_type<A>>>>(a); }
/// The whole number nearest to a, of two the even one.
template <class A, detail::if_operands<A> = 0>
auto rint(const A& a) { return detail::apply<ops::Rint<detail::real_of<element_type<A>>>>(a); }
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
  if constexpr (detail::any_lanes<C, A, B>) {
    using P = typename detail::PacketOfLanes<C, A, B>::type;
    return Lanes<T, P>{ops::Select<T>::packet(detail::lanes_as<P, bool>(c), detail::lanes_as<P, T>(a), detail::lanes_as<P, T>(b))};
  } else if constexpr (any_tensor<C, A, B>) {
    return Elementwise<ops::Select<T>, detail::OperandAs<bool, C>, detail::OperandAs<T, A>, detail::OperandAs<T, B>>(
        detail::operand_as<bool>(c), detail::operand_as<T>(a), detail::operand_as<T>(b));
  } else {
    return static_cast<bool>(c) ? static_cast<T>(a) : static_cast<T>(b);
  }
}

/// The same elements as To.
template <class To, class A, detail::if_operands<A> = 0>
auto cast(const A& a) {
  if constexpr (detail::is_lanes<A>) return Lanes<To, decltype(a.packet)>{detail::lanes_as<decltype(a.packet), To>(a)};
  else if constexpr (any_tensor<A>) return detail::operand_as<To>(a);
  else return static_cast<To>(a);
}

}  // namespace lantern
