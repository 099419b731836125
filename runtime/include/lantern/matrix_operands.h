// Operands of products. A transposed matrix is never copied, only read the other way round.
#pragma once

#include <cstdint>
#include <tuple>

#include "lantern/indexing.h"
#include "lantern/joined.h"
#include "lantern/products.h"

namespace lantern {

/// A parameter or state of any rank, read as a matrix; to anything but matmul it is that matrix.
template <class T>
struct SharedMatrix {
  using evaluates_to = Matrix<T>;
  Matrix<T> matrix;

  Matrix<T> evaluated() const { return matrix; }
  operator Matrix<T>() const { return matrix; }
};

/// The elements of a parameter or state as a matrix (a view); one dimension may be -1. Fails with ValueError.
template <class T, int Rank, std::enable_if_t<(Rank > 0), int> = 0>
SharedMatrix<T> reshape(const Array<T, Rank>& x, const Shape<2>& dimensions) { return {reshape(x.tensor(), dimensions)}; }

/// A matrix read with its axes swapped; to anything but matmul it is the matrix that it evaluates to.
template <class T>
struct Transposed {
  using evaluates_to = Matrix<T>;
  Matrix<T> matrix;
  bool is_shared = false;  // a parameter or state

  Shape<2> shape() const { return {matrix.shape[1], matrix.shape[0]}; }
  Matrix<T> evaluated() const {
    const auto result = new_tensor<T, 2>(shape());
    detail::turn(result.data, matrix.data, matrix.shape[0], matrix.shape[1]);
    return result;
  }
  operator Matrix<T>() const { return evaluated(); }
};

/// [m,n] → [n,m], lazily.
template <class X, detail::if_tensors<X> = 0>
Transposed<element_type<X>> transpose(const X& x) {
  static_assert(rank_of<X> == 2, "transpose takes a matrix");
  return {evaluate(x)};
}
template <class T>
Transposed<T> transpose(const Array<T, 2>& x) { return {x.tensor(), true}; }
template <class T>
Transposed<T> transpose(const SharedMatrix<T>& x) { return {x.matrix, true}; }
template <class T>
Matrix<T> transpose(const Transposed<T>& x) { return x.matrix; }

namespace detail {

/// An operand of a product: a vector as it is, a matrix with its steps.
template <class T>
struct MatrixOperand {
  Strides<T> elements;
  int64_t rows, columns;
  bool is_shared = false;  // calls side by side multiply it together
  bool contiguous_rows() const { return elements.column_step == 1; }
};
template <class T>
MatrixOperand<T> product_operand(const Matrix<T>& m) { return {{m.data, m.shape[1], 1}, m.shape[0], m.shape[1]}; }
template <class T>
MatrixOperand<T> product_operand(const Transposed<T>& t) {
  return {{t.matrix.data, 1, t.matrix.shape[1]}, t.matrix.shape[1], t.matrix.shape[0], t.is_shared};
}
template <class T>
Vector<T> product_operand(const Vector<T>& v) { return v; }

/// `x` with elements of type T, evaluated, but a transposed matrix of T left as it is.
template <class T, class X>
auto product_operand_as(const X& x) { return product_operand(evaluate(operand_as<T>(x))); }
template <class T>
auto product_operand_as(const Transposed<T>& x) { return product_operand(x); }
template <class T>
auto product_operand_as(const SharedMatrix<T>& x) {
  auto operand = product_operand(x.matrix);
  operand.is_shared = true;
  return operand;
}
template <class T, size_t N>
Joined<T, N> product_operand_as(const Joined<T, N>& x) { return x; }
template <class T>
auto product_operand_as(const Array<T, 2>& x) { return product_operand_as<T>(SharedMatrix<T>{x.tensor()}); }

template <class T>
T product(const Vector<T>& a, const Vector<T>& b) {
  if (a.shape != b.shape) fail_shapes("matmul", a.shape.data(), 1, b.shape.data(), 1);
  if constexpr (std::is_floating_point_v<T>) return dot_product(a.data, b.data, a.shape[0]);
  T sum = 0;
  plain_product<T>(&sum, {a.data, 0, 1}, {b.data, 1, 0}, 1, 1, a.shape[0]);
  return sum;
}

}  // namespace detail
}  // namespace lantern
