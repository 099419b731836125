// outer, and products in another shape: what a weight's gradient is the sum of.
#pragma once

#include <cstdint>

#include "lantern/matmul.h"

namespace lantern {

/// a ⊗ b, lazily: added to a gradient it is recorded, added to a matrix it is a rank-1 update. A, B: vectors, or what evaluates to them, whose copies take
/// memory only meanwhile.
template <class T, class A = Vector<T>, class B = Vector<T>>
struct Outer : detail::Partial {
  using evaluates_to = Matrix<T>;
  A a;
  B b;
  Outer(const A& left, const B& right) : a(left), b(right) {}

  Shape<2> shape() const { return {a.shape[0], b.shape[0]}; }
  Matrix<T> evaluated() const {
    const auto result = new_tensor<T, 2>(shape());
    product_into(result.data, true);
    return result;
  }
  operator Matrix<T>() const { return evaluated(); }

  void add_to(const Matrix<T>& target) const {
    check(target.shape);
    add_to_elements(target);
  }
  void add_to(Gradient<T, 2>& gradient) const {
    check(gradient.shape());
    add_to_elements(gradient);
  }
  /// The same where the target has as many elements, but need not be a matrix.
  template <int Rank>
  void add_to_elements(const Tensor<T, Rank>& target) const { product_into(target.data, false); }
  template <int Rank>
  void add_to_elements(Gradient<T, Rank>& gradient) const {
    with_vectors([&](const Vector<T>& left, const Vector<T>& right) { gradient.record(left.data, right.data, left.shape[0], right.shape[0]); });
  }

  /// use(a, b), evaluated for as long as it takes.
  template <class Use>
  void with_vectors(const Use& use) const {
    if constexpr (std::is_same_v<A, Vector<T>> && std::is_same_v<B, Vector<T>>) {
      use(a, b);
    } else {
      const Mark mark = arena().mark();
      use(Vector<T>(a), Vector<T>(b));
      arena().reset(mark);
    }
  }

 private:
  void check(const Shape<2>& target) const {
    if (target != shape()) detail::fail_shapes("+= outer", target.data(), 2, shape().data(), 2);
  }
  void product_into(T* target, bool overwrite) const {
    with_vectors([&](const Vector<T>& left, const Vector<T>& right) {
      const int64_t m = left.shape[0], n = right.shape[0];
      if (overwrite) {
        for (int64_t i = 0; i < m; ++i)
          for (int64_t j = 0; j < n; ++j) target[i * n + j] = ops::Multiply<T>::scalar(left.data[i], right.data[j]);  // no sum: -0.0 stays what it is
      } else if constexpr (std::is_floating_point_v<T>) {
        detail::add_outer_products(target, m, n, left.data, right.data, 1, false);
      } else {
        for (int64_t i = 0; i < m; ++i)
          for (int64_t j = 0; j < n; ++j) target[i * n + j] = ops::Add<T>::scalar(target[i * n + j], ops::Multiply<T>::scalar(left.data[i], right.data[j]));
      }
    });
  }
};

/// [m],[n] → [m,n], lazily.
template <class A, class B, detail::if_tensors<A, B> = 0>
auto outer(const A& a, const B& b) {
  static_assert(rank_of<A> == 1 && rank_of<B> == 1, "outer takes vectors");
  using T = promoted_type<A, B>;
  const auto left = detail::product_operand_as<T>(a);
  const auto right = detail::product_operand_as<T>(b);
  return Outer<T, std::decay_t<decltype(left)>, std::decay_t<decltype(right)>>(left, right);
}

/// A product of two dimensions in another shape, lazily: added to a gradient of that shape it is recorded.
template <class Product, int Rank>
struct ReshapedProduct : detail::Partial {
  using T = element_type<Product>;
  using evaluates_to = Tensor<T, Rank>;
  Product product;
  Shape<Rank> shape;

  ReshapedProduct(const Product& p, const Shape<Rank>& dimensions) : product(p), shape(detail::shape_of_all(p.shape(), dimensions, "reshape")) {}

  Tensor<T, Rank> evaluated() const { return {product.evaluated().data, shape}; }
  operator Tensor<T, Rank>() const { return evaluated(); }

  void add_to(const Tensor<T, Rank>& target) const {
    check(target.shape);
    product.add_to_elements(target);
  }
  void add_to(Gradient<T, Rank>& gradient) const {
    check(gradient.shape());
    product.add_to_elements(gradient);
  }

 private:
  void check(const Shape<Rank>& target) const {
    if (target != shape) detail::fail_shapes("+= reshape", target.data(), Rank, shape.data(), Rank);
  }
};
template <class T, class A, class B, size_t Rank, std::enable_if_t<(Rank > 0), int> = 0>
ReshapedProduct<Outer<T, A, B>, static_cast<int>(Rank)> reshape(const Outer<T, A, B>& x, const std::array<int64_t, Rank>& dimensions) { return {x, dimensions}; }
template <class T, size_t Rank, std::enable_if_t<(Rank > 0), int> = 0>
ReshapedProduct<TransposedProduct<T>, static_cast<int>(Rank)> reshape(const TransposedProduct<T>& x, const std::array<int64_t, Rank>& dimensions) { return {x, dimensions}; }

}  // namespace lantern
