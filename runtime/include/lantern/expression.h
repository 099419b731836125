// Lazy elementwise expressions over tensors, arrays and scalars, with NumPy's broadcasting. A node knows its element
// type, rank and shape; evaluation walks it through a *cursor* (the same tree over raw pointers), either flat, where
// every operand has the result's shape or is a scalar, or row by row. In a vector's loop, an operand of one element is stretched
// first: each loop is compiled once more for each expression, and takes a compiler long.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <type_traits>
#include <utility>

#include "lantern/array.h"
#include "lantern/packets.h"
#include "lantern/promotion.h"
#include "lantern/tensor.h"

namespace lantern {

namespace detail {

// --- shapes ---

[[noreturn, gnu::cold, gnu::noinline]] inline void fail_shapes(const char* what, const int64_t* a, int rank_a, const int64_t* b, int rank_b) {
  char text[2][160];
  const int64_t* shapes[] = {a, b};
  const int ranks[] = {rank_a, rank_b};
  for (int s = 0; s < 2; ++s) {
    int used = std::snprintf(text[s], sizeof text[s], "[");
    for (int i = 0; i < ranks[s] && used < 120; ++i)
      used += std::snprintf(text[s] + used, sizeof text[s] - static_cast<size_t>(used), i ? ", %lld" : "%lld", static_cast<long long>(shapes[s][i]));
    std::snprintf(text[s] + used, sizeof text[s] - static_cast<size_t>(used), "]");
  }
  fail(errors::shape, current_place, "%s: the shapes %s and %s do not fit", what, text[0], text[1]);
}

/// NumPy's rule: dimensions align from the right, 1 stretches. Fails with ValueError, unless they are known to fit.
enum class Fit { checked, known };
template <Fit fit = Fit::checked, size_t A, size_t B>
std::array<int64_t, (A > B ? A : B)> broadcast_shape(const std::array<int64_t, A>& a, const std::array<int64_t, B>& b) {
  constexpr size_t rank = A > B ? A : B;
  std::array<int64_t, rank> shape{};
  for (size_t i = 1; i <= rank; ++i) {
    const int64_t da = i <= A ? a[A - i] : 1;
    const int64_t db = i <= B ? b[B - i] : 1;
    if (fit == Fit::checked && da != db && da != 1 && db != 1) fail_shapes("broadcasting", a.data(), static_cast<int>(A), b.data(), static_cast<int>(B));
    shape[rank - i] = da == 1 ? db : da;
  }
  return shape;
}
template <Fit fit = Fit::checked, size_t A>
std::array<int64_t, A> broadcast_shapes(const std::array<int64_t, A>& a) { return a; }
template <Fit fit = Fit::checked, size_t A, size_t B, class... Rest>
auto broadcast_shapes(const std::array<int64_t, A>& a, const std::array<int64_t, B>& b, const Rest&... rest) {
  if constexpr (A == B) {
    if (same_shape(a, b)) return broadcast_shapes<fit>(a, rest...);
  }
  return broadcast_shapes<fit>(broadcast_shape<fit>(a, b), rest...);
}

// --- cursors: scalar(i) gives one element, packet<P>(i) several from i on, few<P>(i, n) fewer than a packet has: n, and anything in the other lanes ---

/// What the lanes of a cursor's packets are: elements, or bools beside elements of type T, of each of which all bits are set or none. Or there are no packets.
template <class T>
struct Mask {};
struct NoPackets {};
template <class T>
using lanes_of_elements = std::conditional_t<std::is_floating_point_v<T>, T, NoPackets>;

template <class T>
struct Contiguous {
  using lanes = lanes_of_elements<T>;
  static constexpr bool by_lanes = false;
  const T* data;
  EIGEN_STRONG_INLINE T scalar(int64_t i) const { return data[i]; }
  template <class P>
  EIGEN_STRONG_INLINE P packet(int64_t i) const {
    return Eigen::internal::ploadu<P>(data + i);
  }
  template <class P>
  EIGEN_STRONG_INLINE P few(int64_t i, int64_t n) const {
    return load_few<P>(data + i, n);
  }
};

template <class T>
struct Repeated {
  using lanes = lanes_of_elements<T>;
  static constexpr bool by_lanes = false;
  T value;
  EIGEN_STRONG_INLINE T scalar(int64_t) const { return value; }
  template <class P>
  EIGEN_STRONG_INLINE P packet(int64_t) const {
    return Eigen::internal::pset1<P>(value);
  }
  template <class P>
  EIGEN_STRONG_INLINE P few(int64_t, int64_t) const {
    return Eigen::internal::pset1<P>(value);
  }
};

/// One row of a broadcast operand: contiguous (step 1), or one element repeated (step 0).
template <class T>
struct Row {
  using lanes = lanes_of_elements<T>;
  static constexpr bool by_lanes = false;
  const T* data;
  int64_t step;
  EIGEN_STRONG_INLINE T scalar(int64_t i) const { return data[i * step]; }
  template <class P>
  EIGEN_STRONG_INLINE P packet(int64_t i) const {
    return step ? Eigen::internal::ploadu<P>(data + i) : Eigen::internal::pset1<P>(*data);
  }
  template <class P>
  EIGEN_STRONG_INLINE P few(int64_t i, int64_t n) const {
    return step ? load_few<P>(data + i, n) : Eigen::internal::pset1<P>(*data);
  }
};

template <class Op, class...>
struct Applied;
/// The lanes of a cursor's packets, and whether an operator in it goes lane by lane: those that nobody asks for are better left out then.
template <class Cursor>
struct PacketsOf {
  using lanes = typename Cursor::lanes;
  static constexpr bool by_lanes = Cursor::by_lanes;
};
template <class Op, class... X>
struct PacketsOf<Applied<Op, X...>> {
  using lanes = typename Op::template lanes<typename PacketsOf<X>::lanes...>;
  static constexpr bool by_lanes = Op::by_lanes || (PacketsOf<X>::by_lanes || ...);
};
template <class Cursor, class T>
inline constexpr bool has_packets = std::is_same_v<typename PacketsOf<Cursor>::lanes, T>;

/// The packet of a cursor, which an operator is applied to; of elements that are of another type, or of bools, one by one where there is none.
template <class P, class Cursor>
EIGEN_STRONG_INLINE P packet_of(const Cursor& cursor, int64_t i) {
  using T = typename Eigen::internal::unpacket_traits<P>::type;
  if constexpr (has_packets<Cursor, T> || has_packets<Cursor, Mask<T>>) return cursor.template packet<P>(i);
  else if constexpr (std::is_same_v<Cursor, Contiguous<bool>>) return mask_of<P>(cursor.data + i);
  else return packet_of_elements<P>(cursor, i, packet_width<T>);
}
template <class P, class Cursor>
EIGEN_STRONG_INLINE P few_of(const Cursor& cursor, int64_t i, int64_t n) {
  using T = typename Eigen::internal::unpacket_traits<P>::type;
  if constexpr (has_packets<Cursor, T> || has_packets<Cursor, Mask<T>>) return cursor.template few<P>(i, n);
  else return packet_of_elements<P>(cursor, i, n);
}

/// Op over operands: nodes, which give cursors, or cursors, which give elements. Spelled out for each count of operands: each of
/// these functions is compiled anew for each operator of a program, and so would be a lambda, or a function that applies one.
template <class Op, class A>
struct Applied<Op, A> {
  A a;
  auto shape() const { return broadcast_shapes<Fit::known>(a.shape()); }
  template <size_t Result>
  bool is_flat(const std::array<int64_t, Result>& result) const { return a.is_flat(result); }
  auto flat() const { return Applied<Op, decltype(a.flat())>{a.flat()}; }
  auto stretched(int64_t n) const { return Applied<Op, decltype(a.flat())>{a.stretched(n)}; }
  template <size_t Result>
  auto row(const std::array<int64_t, Result>& outer) const {
    return Applied<Op, decltype(a.row(outer))>{a.row(outer)};
  }
  EIGEN_STRONG_INLINE auto scalar(int64_t i) const { return Op::scalar(a.scalar(i)); }
  template <class P>
  EIGEN_STRONG_INLINE P packet(int64_t i) const { return Op::packet(packet_of<P>(a, i)); }
  template <class P>
  EIGEN_STRONG_INLINE P few(int64_t i, int64_t n) const { return Op::packet(few_of<P>(a, i, n)); }
};
template <class Op, class A, class B>
struct Applied<Op, A, B> {
  A a;
  B b;
  auto shape() const { return broadcast_shapes<Fit::known>(a.shape(), b.shape()); }
  template <size_t Result>
  bool is_flat(const std::array<int64_t, Result>& result) const { return a.is_flat(result) && b.is_flat(result); }
  auto flat() const { return Applied<Op, decltype(a.flat()), decltype(b.flat())>{a.flat(), b.flat()}; }
  auto stretched(int64_t n) const { return Applied<Op, decltype(a.flat()), decltype(b.flat())>{a.stretched(n), b.stretched(n)}; }
  template <size_t Result>
  auto row(const std::array<int64_t, Result>& outer) const {
    return Applied<Op, decltype(a.row(outer)), decltype(b.row(outer))>{a.row(outer), b.row(outer)};
  }
  EIGEN_STRONG_INLINE auto scalar(int64_t i) const { return Op::scalar(a.scalar(i), b.scalar(i)); }
  template <class P>
  EIGEN_STRONG_INLINE P packet(int64_t i) const { return Op::packet(packet_of<P>(a, i), packet_of<P>(b, i)); }
  template <class P>
  EIGEN_STRONG_INLINE P few(int64_t i, int64_t n) const { return Op::packet(few_of<P>(a, i, n), few_of<P>(b, i, n)); }
};
template <class Op, class A, class B, class C>
struct Applied<Op, A, B, C> {
  A a;
  B b;
  C c;
  auto shape() const { return broadcast_shapes<Fit::known>(a.shape(), b.shape(), c.shape()); }
  template <size_t Result>
  bool is_flat(const std::array<int64_t, Result>& result) const { return a.is_flat(result) && b.is_flat(result) && c.is_flat(result); }
  auto flat() const { return Applied<Op, decltype(a.flat()), decltype(b.flat()), decltype(c.flat())>{a.flat(), b.flat(), c.flat()}; }
  auto stretched(int64_t n) const { return Applied<Op, decltype(a.flat()), decltype(b.flat()), decltype(c.flat())>{a.stretched(n), b.stretched(n), c.stretched(n)}; }
  template <size_t Result>
  auto row(const std::array<int64_t, Result>& outer) const {
    return Applied<Op, decltype(a.row(outer)), decltype(b.row(outer)), decltype(c.row(outer))>{a.row(outer), b.row(outer), c.row(outer)};
  }
  EIGEN_STRONG_INLINE auto scalar(int64_t i) const { return Op::scalar(a.scalar(i), b.scalar(i), c.scalar(i)); }
  template <class P>
  EIGEN_STRONG_INLINE P packet(int64_t i) const { return Op::packet(packet_of<P>(a, i), packet_of<P>(b, i), packet_of<P>(c, i)); }
  template <class P>
  EIGEN_STRONG_INLINE P few(int64_t i, int64_t n) const { return Op::packet(few_of<P>(a, i, n), few_of<P>(b, i, n), few_of<P>(c, i, n)); }
};

/// To the next line: the last coordinate does not count.
template <size_t Rank>
void next_line(std::array<int64_t, Rank>& outer, const std::array<int64_t, Rank>& shape) {
  for (size_t axis = Rank - 1; axis-- > 0;) {
    if (++outer[axis] < shape[axis]) return;
    outer[axis] = 0;
  }
}

/// A value n times, in the arena.
template <class T>
[[gnu::noinline, gnu::cold]] const T* repeated(T value, int64_t n) {
  T* elements = arena().allocate_array<T>(n);
  std::fill(elements, elements + n, value);
  return elements;
}

template <class Array>
inline constexpr int shape_rank = 0;
template <size_t N>
inline constexpr int shape_rank<std::array<int64_t, N>> = static_cast<int>(N);

}  // namespace detail

// --- nodes ---

/// A scalar operand.
template <class T>
struct Constant : Expression<Constant<T>> {
  using value_type = T;
  static constexpr int rank = 0;
  T value;
  explicit Constant(T v) : value(v) {}
  Shape<0> shape() const { return {}; }
  template <size_t Result>
  bool is_flat(const std::array<int64_t, Result>&) const { return true; }
  detail::Repeated<T> flat() const { return {value}; }
  detail::Repeated<T> stretched(int64_t) const { return {value}; }
  template <size_t Result>
  detail::Repeated<T> row(const std::array<int64_t, Result>&) const { return {value}; }
};

/// A tensor operand.
template <class T, int Rank>
struct Leaf : Expression<Leaf<T, Rank>> {
  using value_type = T;
  static constexpr int rank = Rank;
  Tensor<T, Rank> tensor;
  explicit Leaf(const Tensor<T, Rank>& t) : tensor(t) {}
  const Shape<Rank>& shape() const { return tensor.shape; }
  template <size_t Result>
  bool is_flat(const std::array<int64_t, Result>& result) const {
    if constexpr (Result == static_cast<size_t>(Rank)) return detail::same_shape(tensor.shape, result);
    else return false;
  }
  detail::Contiguous<T> flat() const { return {tensor.data}; }
  /// The same over n elements of a vector, which this one has, or is one that repeats.
  detail::Contiguous<T> stretched(int64_t n) const { return {tensor.shape[0] == n ? tensor.data : detail::repeated(*tensor.data, n)}; }
  /// The row at `outer` (a position of the result; its last coordinate does not count).
  template <size_t Result>
  detail::Row<T> row(const std::array<int64_t, Result>& outer) const {
    static_assert(static_cast<size_t>(Rank) <= Result);
    int64_t offset = 0, stride = 1;
    for (int i = Rank; i-- > 0;) {
      const int64_t n = tensor.shape[static_cast<size_t>(i)];
      if (i < Rank - 1 && n != 1) offset += stride * outer[Result - static_cast<size_t>(Rank - i)];
      stride *= n;
    }
    return {tensor.data + offset, tensor.shape[Rank - 1] == 1 ? 0 : 1};
  }
};

/// An operand stretched to a shape: nobody stores what it repeats.
template <class Operand, int Rank>
struct Stretched : Expression<Stretched<Operand, Rank>> {
  using value_type = typename Operand::value_type;
  static constexpr int rank = Rank;
  Operand operand;
  Shape<Rank> stretched_to;
  Stretched(const Operand& x, const Shape<Rank>& shape) : operand(x), stretched_to(shape) {}
  const Shape<Rank>& shape() const { return stretched_to; }
  template <size_t Result>
  bool is_flat(const std::array<int64_t, Result>& result) const { return operand.is_flat(result); }
  auto flat() const { return operand.flat(); }
  auto stretched(int64_t n) const { return operand.stretched(n); }
  template <size_t Result>
  auto row(const std::array<int64_t, Result>& outer) const { return operand.row(outer); }
};

/// Op applied to operands, element by element; all operands have the element type that Op wants.
template <class Op, class... Operands>
struct Elementwise : Expression<Elementwise<Op, Operands...>>, detail::Applied<Op, Operands...> {
  using value_type = typename Op::result;
  using shape_type = std::decay_t<decltype(detail::broadcast_shapes(std::declval<const Operands&>().shape()...))>;
  static constexpr int rank = detail::shape_rank<shape_type>;

  explicit Elementwise(const Operands&... x) : detail::Applied<Op, Operands...>{x...} { detail::broadcast_shapes(x.shape()...); }
};

// --- operands: what the operators and functions accept ---

template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
Constant<T> expression_of(T scalar) { return Constant<T>(scalar); }
template <class T, int Rank>
Leaf<T, Rank> expression_of(const Tensor<T, Rank>& tensor) { return Leaf<T, Rank>(tensor); }
template <class T, int Rank>
auto expression_of(const Array<T, Rank>& array) {
  if constexpr (Rank == 0) return Constant<T>(*array.data());
  else return Leaf<T, Rank>(array.tensor());
}
template <class E, class = std::enable_if_t<is_expression<E>>, class = void>
const E& expression_of(const E& expression) { return expression; }
/// Lazy objects that are not elementwise (transpose(m), outer(a, b)) stand for the tensor they give.
template <class L, class = typename L::evaluates_to, class = void, class = void>
auto expression_of(const L& lazy) { return expression_of(lazy.evaluated()); }

/// Elements of type T, as many as a packet has; of bools, a mask. What is computed of them is computed at once.
template <class T, class P>
struct Lanes {
  P packet;
};

namespace detail {
template <class X, class = void>
struct OperandTraits {
  static constexpr bool valid = false, tensor = false;
};
template <class X>
struct OperandTraits<X, std::void_t<decltype(expression_of(std::declval<const X&>()))>> {
  using expression = std::decay_t<decltype(expression_of(std::declval<const X&>()))>;
  using value_type = typename expression::value_type;
  static constexpr int rank = expression::rank;
  static constexpr bool valid = true, tensor = rank > 0 || is_expression<X>;
};

/// What stands for them in a loop's function (in_one_loop.h) is one, too.
template <class X>
inline constexpr bool is_lanes = false;
template <class T, class P>
inline constexpr bool is_lanes<Lanes<T, P>> = true;
template <class T, class P>
struct OperandTraits<Lanes<T, P>, void> {
  using value_type = T;
  static constexpr int rank = 1;
  static constexpr bool valid = true, tensor = true;
};

template <class X>
using operand_type = OperandType<typename OperandTraits<X>::value_type, OperandTraits<X>::rank == 0>;

// Of any number: clang folds no more than 256.
constexpr bool is_any(std::initializer_list<bool> each, bool wanted = true) {
  for (const bool one : each) {
    if (one == wanted) return true;
  }
  return false;
}
}  // namespace detail

/// True for tensors, arrays, expressions and scalars; `any_tensor`: at least one is more than a scalar.
template <class... X>
inline constexpr bool are_operands = !detail::is_any({detail::OperandTraits<X>::valid...}, false);
template <class... X>
inline constexpr bool any_tensor = are_operands<X...> && detail::is_any({detail::OperandTraits<X>::tensor...});
template <class X>
using element_type = typename detail::OperandTraits<X>::value_type;
template <class X>
inline constexpr int rank_of = detail::OperandTraits<X>::rank;
/// The promoted element type of operands.
template <class... X>
using promoted_type = typename detail::Promote<detail::operand_type<X>...>::type::type;

/// The shape of an operand.
template <class X>
Shape<rank_of<X>> shape_of(const X& x) { return expression_of(x).shape(); }

}  // namespace lantern
