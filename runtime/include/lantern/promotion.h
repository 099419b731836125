// Element types of results: NumPy's promotion of tensors; scalars are weak and only raise the kind (bool < int < float).
#pragma once

#include <cstdint>
#include <type_traits>

#include "lantern/array.h"

namespace lantern::detail {

template <class T>
inline constexpr int kind_of = std::is_same_v<T, bool> ? 0 : std::is_integral_v<T> ? 1 : 2;

/// Two tensors: the larger kind; an integer (but not a bool) with f32 gives f64, as in NumPy.
template <class A, class B>
struct PromoteTensors {
  static constexpr bool mixed = kind_of<A> != kind_of<B> && kind_of<A> * kind_of<B> == 2;
  using wider = std::conditional_t<(sizeof(A) < sizeof(B)), B, A>;
  using higher = std::conditional_t<(kind_of<A> < kind_of<B>), B, A>;
  using type = std::conditional_t<mixed, double, std::conditional_t<kind_of<A> == kind_of<B>, wider, higher>>;
};

/// A tensor of T with a scalar of S.
template <class T, class S>
struct PromoteScalar {
  using of_bools = std::conditional_t<kind_of<S> == 1, int64_t, S>;
  using type = std::conditional_t<kind_of<S> <= kind_of<T>, T, std::conditional_t<kind_of<T> == 0, of_bools, double>>;
};

/// The type of one operand: its elements' and whether it is a scalar; two of them fold.
template <class T, bool Scalar>
struct OperandType {
  using type = T;
  static constexpr bool scalar = Scalar;
};
template <class A, class B>
struct PromoteOperands {
  template <class X, class Y>
  static auto choose() {
    if constexpr (X::scalar == Y::scalar) return OperandType<typename PromoteTensors<typename X::type, typename Y::type>::type, X::scalar>{};
    else if constexpr (Y::scalar) return OperandType<typename PromoteScalar<typename X::type, typename Y::type>::type, false>{};
    else return OperandType<typename PromoteScalar<typename Y::type, typename X::type>::type, false>{};
  }
  using type = decltype(choose<A, B>());
};
template <class First, class... Rest>
struct Promote {
  using type = First;
};
template <class First, class Second, class... Rest>
struct Promote<First, Second, Rest...> : Promote<typename PromoteOperands<First, Second>::type, Rest...> {};

/// What a function of real numbers gives: integers become doubles.
template <class T>
using real_of = std::conditional_t<std::is_floating_point_v<T>, T, double>;

}  // namespace lantern::detail
