// Numbers as chances of classes: softmax, cross entropy, one-hot vectors.
#pragma once

#include <cmath>
#include <cstdint>

#include "lantern/indexing.h"
#include "lantern/reductions.h"

namespace lantern {

namespace detail {

/// Where the elements of a line are; null: nowhere, they are computed.
template <class Cursor>
std::nullptr_t where_stored(const Cursor&, int64_t) { return nullptr; }
template <class T>
const T* where_stored(const Row<T>& line, int64_t n) { return line.step == 1 || n == 1 ? line.data : nullptr; }

/// f over each line of the last axis: f(line, out) of a vector at once, of more axes when a loop comes to the line; `out` may be `line`.
template <class X, class F>
auto map_lines(const X& x, const F& f) {
  using T = real_of<element_type<X>>;
  constexpr int rank = rank_of<X>;
  const auto& e = operand_as<T>(x);
  if constexpr (rank == 1) {
    const auto line = evaluate(e);
    const auto result = new_tensor<T, 1>(line.shape);
    if (result.size() > 0) f(line, result);
    return result;
  } else {
    const Shape<rank> shape = e.shape();
    const auto fill = [e, f, n = shape[rank - 1]](const Shape<rank>& outer, T* to) {
      if (n == 0) return;
      const auto elements = e.row(outer);
      const T* line = to;
      if (const T* const stored = where_stored(elements, n)) line = stored;
      else run_loop<Store>(to, elements, n);
      f(Vector<T>(const_cast<T*>(line), {n}), Vector<T>(to, {n}));
    };
    return Lines<T, rank, decltype(fill)>(shape, fill);
  }
}
/// log Σ exp(x - largest), to be subtracted from x - largest: added to a large `largest` it would lose its digits.
template <class T>
T log_of_weights(const Vector<T>& x, T largest) { return std::log(sum(exp(x - largest))); }

}  // namespace detail

/// exp(x) / Σ exp(x) over the last axis.
template <class X, detail::if_tensors<X> = 0>
auto softmax(const X& x) {
  return detail::map_lines(x, [](const auto& in, const auto& out) {
    assign(out, exp(in - max(in)));
    assign(out, out * (1 / sum(out)));
  });
}
/// x − log Σ exp(x) over the last axis.
template <class X, detail::if_tensors<X> = 0>
auto log_softmax(const X& x) {
  return detail::map_lines(x, [](const auto& in, const auto& out) {
    const auto largest = max(in);
    assign(out, (in - largest) - detail::log_of_weights(in, largest));
  });
}
namespace detail {
template <class T>
T cross_entropy_of_row(const Vector<T>& x, int64_t label, const char* location) {
  if (label < 0 || label >= x.shape[0]) fail(errors::index, location, "label %lld is out of range for %lld classes", static_cast<long long>(label), static_cast<long long>(x.shape[0]));
  const T largest = max(x);
  return static_cast<T>(log_of_weights(x, largest) - (x.data[label] - largest));
}
}  // namespace detail

/// −log_softmax(logits)[label], a scalar; of [m,n] and labels [m], one for each row. Fails with IndexError.
template <class X, detail::if_tensors<X> = 0>
auto cross_entropy(const X& logits, int64_t label, const char* location = "") {
  static_assert(rank_of<X> == 1, "cross_entropy takes a vector of logits and a label, or a matrix and labels");
  using T = detail::real_of<element_type<X>>;
  return detail::cross_entropy_of_row<T>(evaluate(detail::operand_as<T>(logits)), label, location);
}
template <class X, class L, detail::if_tensors<X> = 0, detail::if_tensors<L> = 0>
auto cross_entropy(const X& logits, const L& labels, const char* location = "") {
  using T = detail::real_of<element_type<X>>;
  const Matrix<T> x = evaluate(detail::operand_as<T>(logits));
  const auto places = evaluate(labels);
  if (places.shape[0] != x.shape[0]) detail::fail_shapes("cross_entropy", x.shape.data(), 2, places.shape.data(), 1);
  const auto result = new_tensor<T, 1>({x.shape[0]});
  for (int64_t i = 0; i < x.shape[0]; ++i) result.data[i] = detail::cross_entropy_of_row(index(x, i), places.data[i], location);
  return result;
}
/// [n], 1 at `label` and 0 elsewhere; of labels [m], [m,n]. Fails with IndexError.
template <class T>
Vector<T> one_hot(int64_t label, int64_t n) {
  const auto result = zeros<T>({n});
  result.data[detail::checked_index(label, n, "")] = T(1);
  return result;
}
template <class T, class L, detail::if_tensors<L> = 0>
auto one_hot(const L& labels, int64_t n) {
  const auto places = evaluate(labels);
  const auto fill = [places, n](const Shape<2>& outer, T* to) {
    std::fill(to, to + n, T(0));
    to[detail::checked_index(places.data[outer[0]], n, "")] = T(1);
  };
  return Lines<T, 2, std::decay_t<decltype(fill)>>({places.shape[0], n}, fill);
}

}  // namespace lantern
