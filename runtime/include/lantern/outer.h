// outer, and products in another shape: what a weight's gradient is the sum of.
#pragma once

#include <cstdint>

#include "lantern/matmul.h"

namespace lantern {

/// a ⊗ b, lazily: added to a gradient it is recorded, added to a matrix it is a rank-1 update.
template <class T>
struct Outer : detail::Partial {
  using evaluates_to = Matrix<T>;
  Vector<T> a, b;
  Outer(const Vector<T>& left, const Vector<T>& right) : a(left), b(right) {}

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
  void add_to_elements(Gradient<T, Rank>& gradient) const { gradient.record(a.data, b.data, a.shape[0], b.shape[0]); }

 private:
  void check(const Shape<2>& target) const {
    if (target != shape()) detail::fail_shapes("+= outer", target.data(), 2, shape().data(), 2);
  }
  void product_into(T* target, bool overwrite) const {
    if constexpr (std::is_floating_point_v<T>) {
      detail::add_outer_products(target, a.shape[0], b.shape[0], a.data, b.data, 1, overwrite);
    } else {
      for (int64_t i = 0; i < a.shape[0]; ++i)
        for (int64_t j = 0; j < b.shape[0]; ++j) {
          T& element = target[i * b.shape[0] + j];
          element = ops::Add<T>::scalar(overwrite ? T(0) : element, ops::Multiply<T>::scalar(a.data[i], b.data[j]));
        }
    }
  }
};

/// [m],[n] → [m,n], lazily.
template <class A, class B, detail::if_tensors<A, B> = 0>
auto outer(const A& a, const B& b) {
  static_assert(rank_of<A> == 1 && rank_of<B> == 1, "outer takes vectors");
  using T = promoted_type<A, B>;
  return Outer<T>(evaluate(detail::operand_as<T>(a)), evaluate(detail::operand_as<T>(b)));
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
template <class T, size_t Rank, std::enable_if_t<(Rank > 0), int> = 0>
ReshapedProduct<Outer<T>, static_cast<int>(Rank)> reshape(const Outer<T>& x, const std::array<int64_t, Rank>& dimensions) { return {x, dimensions}; }
template <class T, size_t Rank, std::enable_if_t<(Rank > 0), int> = 0>
ReshapedProduct<TransposedProduct<T>, static_cast<int>(Rank)> reshape(const TransposedProduct<T>& x, const std::array<int64_t, Rank>& dimensions) { return {x, dimensions}; }

}  // namespace lantern
