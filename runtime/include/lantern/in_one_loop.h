// One loop over the elements of some arrays of one shape, with several results: others of that shape, sums and means.
//
//   const auto [loss, d_adj] = in_one_loop<float>([](auto x_i, auto y_i) {
//     const auto d_i = x_i - y_i;
//     return std::tuple(sum_of(d_i * d_i), 2.0f * d_i);
//   }, x, y);
//
// The function is given as many elements of each array as a packet has, and computes with them at once. Each result is what it would be in a loop of its own:
// elements do not depend on each other, and sums add up in the order of reductions.h.
#pragma once

#include <array>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>

#include "lantern/evaluate.h"
#include "lantern/reductions.h"

namespace lantern {

/// In such a function, what is to be added up, and divided by the number of elements.
template <class X, bool is_mean>
struct TotalOf {
  X x;
};
template <class X>
TotalOf<X, false> sum_of(const X& x) { return {x}; }
template <class X>
TotalOf<X, true> mean_of(const X& x) { return {x}; }

namespace detail {

/// What the function is given of an operand, from element i on: a packet of it, and n elements, fewer than a packet has. A number is given as it is.
template <class T, int Rank>
struct ElementsOf {
  const T* data;
  template <class P>
  EIGEN_STRONG_INLINE Lanes<T, P> packet(int64_t i) const {
    if constexpr (std::is_same_v<T, bool>) return {mask_of<P>(data + i)};
    else return {Eigen::internal::ploadu<P>(data + i)};
  }
  template <class P>
  EIGEN_STRONG_INLINE Lanes<T, P> few(int64_t i, int64_t n) const {
    if constexpr (std::is_same_v<T, bool>) return {packet_of_elements<P>(Contiguous<bool>{data}, i, n)};
    else return {load_few<P>(data + i, n)};
  }
};
template <class T>
struct NumberOf {
  T number;
  template <class P>
  EIGEN_STRONG_INLINE T packet(int64_t) const { return number; }
  template <class P>
  EIGEN_STRONG_INLINE T few(int64_t, int64_t) const { return number; }
};

/// The shape that all operands have that are no numbers.
template <class X, class... Rest>
auto shape_in_loop(const X& x, const Rest&... rest) {
  if constexpr (rank_of<X> == 0) return shape_in_loop(rest...);
  else return shape_of(x);
}
template <size_t Rank, class X>
auto operand_in_loop(const std::array<int64_t, Rank>& shape, const X& x) {
  if constexpr (rank_of<X> == 0) {
    return NumberOf<element_type<X>>{evaluate(x)};
  } else {
    const auto leaf = expression_of(x);
    if (!same_shape(leaf.tensor.shape, shape)) fail_shapes("in_one_loop", shape.data(), static_cast<int>(Rank), leaf.tensor.shape.data(), decltype(leaf)::rank);
    return ElementsOf<element_type<X>, decltype(leaf)::rank>{leaf.tensor.data};
  }
}

/// A result that is an array.
template <class T, int Rank>
struct ArrayResult {
  Tensor<T, Rank> array;
  explicit ArrayResult(const Shape<Rank>& shape) : array(new_tensor<T, Rank>(shape)) {}
  template <class P, class X>
  EIGEN_STRONG_INLINE void take(const X& x, int64_t i, P&) const { Eigen::internal::pstoreu(array.data + i, lanes_as<P, T>(x)); }
  template <class P, class X>
  EIGEN_STRONG_INLINE void take_few(const X& x, int64_t i, int64_t n, P&) const { store_few(array.data + i, lanes_as<P, T>(x), n); }
  Tensor<T, Rank> result(T, int64_t) const { return array; }
};
/// And one that is a number.
template <class T, int Rank, bool is_mean>
struct TotalResult {
  explicit TotalResult(const Shape<Rank>&) {}
  template <class P, class X>
  EIGEN_STRONG_INLINE void take(const X& total, int64_t, P& sum) const { sum = Eigen::internal::padd(sum, lanes_as<P, T>(total.x)); }
  template <class P, class X>
  EIGEN_STRONG_INLINE void take_few(const X& total, int64_t, int64_t n, P& sum) const { sum = Eigen::internal::padd(sum, first_lanes(lanes_as<P, T>(total.x), n)); }
  T result(T sum, int64_t n) const { return is_mean ? sum / static_cast<T>(n) : sum; }
};
template <class T, int Rank, class X>
struct ResultOf {
  using type = ArrayResult<T, Rank>;
};
template <class T, int Rank, class X, bool is_mean>
struct ResultOf<T, Rank, TotalOf<X, is_mean>> {
  using type = TotalResult<T, Rank, is_mean>;
};

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wignored-attributes"  // of a packet as an argument of a template, which no name of it has
/// The loop: its function, operands and results.
template <class T, class Results, class F, class... Operands>
class OneLoop {
 public:
  OneLoop(const F& f, const Results& results, const std::tuple<Operands...>& operands) : f_(f), results_(results), operands_(operands) {}

  /// n elements from `begin` on, and what those of each result add up to: pieces by pairs, as sum_loop has it.
  template <size_t... R, size_t... O>
  std::array<T, sizeof...(R)> run(std::index_sequence<R...> r, std::index_sequence<O...> o, int64_t begin, int64_t n) const {
    if (n <= 2 * width * 64) return piece(r, o, begin, n);
    const auto first = run(r, o, begin, n / 2), second = run(r, o, begin + n / 2, n - n / 2);
    return {ops::Add<T>::scalar(first[R], second[R])...};
  }

 private:
  using P = PacketOf<T>;
  static constexpr int64_t width = packet_width<T>;

  /// A piece, as sum_of_piece has it.
  template <size_t... R, size_t... O>
  [[gnu::flatten]] std::array<T, sizeof...(R)> piece(std::index_sequence<R...>, std::index_sequence<O...>, int64_t begin, int64_t n) const {
    const F f = f_;  // as what nobody else can change while it writes
    const Results results = results_;
    const std::tuple<Operands...> operands = operands_;
    P first[] = {(static_cast<void>(R), Eigen::internal::pset1<P>(T(0)))...}, second[] = {(static_cast<void>(R), Eigen::internal::pset1<P>(T(0)))...};
    const int64_t end = begin + n, whole = n / width;
    int64_t i = begin;
    for (; i + width <= end; i += width) {
      const auto values = f(std::get<O>(operands).template packet<P>(i)...);
      (std::get<R>(results).take(std::get<R>(values), i, first[R]), ...);
      (std::swap(first[R], second[R]), ...);
    }
    if (i < end) {
      const auto values = f(std::get<O>(operands).template few<P>(i, end - i)...);
      (std::get<R>(results).take_few(std::get<R>(values), i, end - i, whole % 2 ? first[R] : second[R]), ...);
    }
    return {Eigen::internal::predux(Eigen::internal::padd(first[R], second[R]))...};
  }

  F f_;
  Results results_;
  std::tuple<Operands...> operands_;
};
#pragma GCC diagnostic pop

template <class T, class F, class Shape, size_t... R, class... Operands>
auto run_in_one_loop(const F& f, const Shape& shape, std::index_sequence<R...> each, const std::tuple<Operands...>& operands) {
  using P = PacketOf<T>;
  using Values = decltype(f(std::declval<const Operands&>().template packet<P>(0)...));
  using Results = std::tuple<typename ResultOf<T, shape_rank<Shape>, std::tuple_element_t<R, Values>>::type...>;
  const Results results{typename ResultOf<T, shape_rank<Shape>, std::tuple_element_t<R, Values>>::type(shape)...};
  int64_t n = 1;
  for (const int64_t dimension : shape) n *= dimension;
  const auto totals = OneLoop<T, Results, F, Operands...>(f, results, operands).run(each, std::index_sequence_for<Operands...>(), 0, n);
  return std::make_tuple(std::get<R>(results).result(totals[R], n)...);
}

}  // namespace detail

/// f(elements of each operand…), for all elements: arrays of one shape, of elements of type T or of bools, or numbers. A tuple of what its results are: arrays, sums and means.
template <class T, class F, class... X>
auto in_one_loop(const F& f, const X&... x) {
  using P = detail::PacketOf<T>;
  const auto shape = detail::shape_in_loop(x...);
  const auto operands = std::make_tuple(detail::operand_in_loop(shape, x)...);
  using Values = decltype(f(detail::operand_in_loop(shape, x).template packet<P>(0)...));
  return detail::run_in_one_loop<T>(f, shape, std::make_index_sequence<std::tuple_size_v<Values>>(), operands);
}

}  // namespace lantern
