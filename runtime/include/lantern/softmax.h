// Numbers as chances of classes: softmax, cross entropy, one-hot vectors.
#pragma once

#include <cmath>
#include <cstdint>

#include "lantern/indexing.h"
#include "lantern/reductions.h"

namespace lantern {

namespace detail {

/// f over each line of the last axis: (line in, line out, length).
template <class X, class F>
auto map_lines(const X& x, F&& f) {
  using T = real_of<element_type<X>>;
  const Tensor<T, rank_of<X>> t = evaluate(operand_as<T>(x));
  const auto result = new_tensor<T, rank_of<X>>(t.shape);
  const int64_t n = t.shape[rank_of<X> - 1], size = t.size();
  for (int64_t i = 0; i < size; i += n) f(Vector<T>(t.data + i, {n}), Vector<T>(result.data + i, {n}));
  return result;
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
Matrix<T> one_hot(const L& labels, int64_t n) {
  const auto places = evaluate(labels);
  const auto result = zeros<T>({places.shape[0], n});
  for (int64_t i = 0; i < places.shape[0]; ++i) result.data[i * n + detail::checked_index(places.data[i], n, "")] = T(1);
  return result;
}

}  // namespace lantern
