// matmul, dot and transpose. Operands that are expressions are evaluated first.
#pragma once

#include <cstdint>

#include "lantern/accumulate.h"
#include "lantern/fibers.h"
#include "lantern/indexing.h"
#include "lantern/matrix_operands.h"
#include "lantern/products.h"

namespace lantern {
namespace detail {

template <class T>
void product_into(T* c, const MatrixOperand<T>& a, const MatrixOperand<T>& b);

/// y = a + b, all of n elements; y may be a or b.
template <class T>
void add_elements(T* y, const T* a, const T* b, int64_t n) {
  using P = PacketOf<T>;
  int64_t i = 0;
  for (; i + packet_width<T> <= n; i += packet_width<T>) packets::pstoreu(y + i, packets::padd(packets::ploadu<P>(a + i), packets::ploadu<P>(b + i)));
  for (; i < n; ++i) y[i] = a[i] + b[i];
}

/// y = a · x, plus the addend if there is one; where that is y itself, the product is made aside.
template <class T>
void multiply_into(T* y, const MatrixOperand<T>& a, const T* x, const T* addend) {
  const Mark mark = arena().mark();
  T* const products = addend == y ? arena().allocate_array<T>(a.rows) : y;
  if (a.contiguous_rows()) matrix_times_vector(products, a.elements.data, x, a.rows, a.columns);
  else vector_times_matrix(products, x, a.elements.data, a.columns, a.rows);
  if (addend) add_elements(y, products, addend, a.rows);
  arena().reset(mark);
}

/// Elements of a matrix from which on its products wait for others: the change of stacks takes time, too.
inline constexpr int64_t worth_waiting = 4096;

/// Products of one matrix, whose rows are narrow in memory, with the vectors that wait, as one: of matrices, which are copies.
template <class T>
void multiply_gathered(const SharedProduct& shared) {
  const int64_t n = static_cast<int64_t>(shared.requests.size()), m = shared.rows, k = shared.columns;
  T* const x = static_cast<T*>(fibers->scratch(n * (k + m) * static_cast<int64_t>(sizeof(T))));
  T* const y = x + n * k;
  T* next = x;
  for (const auto& request : shared.requests) next = std::copy_n(static_cast<const T*>(request.x), k, next);
  product_into(y, MatrixOperand<T>{{x, k, 1}, n, k}, MatrixOperand<T>{{static_cast<const T*>(shared.matrix), m, 1}, k, m});
  const T* from = y;
  for (const auto& request : shared.requests) {
    T* const into = static_cast<T*>(request.y);
    if (request.addend) add_elements(into, from, static_cast<const T*>(request.addend), m);
    else std::copy_n(from, m, into);
    from += m;
  }
}

/// multiply(y, added, x, n) for all vectors that wait and are not another's `same`, n at a time; those have its result.
template <class T, class Multiply>
void multiply_distinct(SharedProduct& shared, const Multiply& multiply) {
  T* y[most_at_once];
  const T *x[most_at_once], *added[most_at_once];
  const int64_t distinct = shared.requests.size() == 1 ? 1 : shared.find_same();
  const SharedProduct::Request* next = shared.requests.data();
  for (int64_t first = 0, n; first < distinct; first += n) {
    n = even_part(distinct - first, most_at_once);
    for (int64_t i = 0; i < n; ++next) {
      if (next->same) continue;
      y[i] = static_cast<T*>(next->y);
      x[i] = static_cast<const T*>(next->x);
      added[i++] = static_cast<const T*>(next->addend);
    }
    multiply(y, added, x, n);
  }
  for (const auto& request : shared.requests) {
    if (request.same) std::copy_n(static_cast<const T*>(request.same->y), shared.rows, static_cast<T*>(request.y));
  }
}

/// Products of one matrix with the vectors that wait, as one.
template <class T>
void multiply_shared(SharedProduct& shared) {
  const int64_t m = shared.rows, k = shared.columns, all = static_cast<int64_t>(shared.requests.size());
  const T* const data = static_cast<const T*>(shared.matrix);
  if (all == 1) {
    const auto matrix = shared.transposed ? MatrixOperand<T>{{data, 1, m}, m, k} : MatrixOperand<T>{{data, k, 1}, m, k};
    const SharedProduct::Request& request = shared.requests[0];
    return multiply_into(static_cast<T*>(request.y), matrix, static_cast<const T*>(request.x), static_cast<const T*>(request.addend));
  }
  if (shared.transposed && is_better_gathered<T>(all, k, m)) return multiply_gathered<T>(shared);
  multiply_distinct<T>(shared, [&](T* const* y, const T* const* added, const T* const* x, int64_t n) {
    if (shared.transposed) vectors_times_matrix(y, added, x, data, n, k, m);
    else vectors_times_transposed(y, added, x, data, n, m, k);
  });
}

/// The product is made with those that others ask for.
template <class T>
void wait_for_product(T* y, const MatrixOperand<T>& a, const T* x, const T* addend) {
  fibers->product(y, a.elements.data, a.rows, a.columns, !a.contiguous_rows(), x, addend, multiply_shared<T>);
}

/// A matrix · a vector, lazily: a vector that it is added to needs no other for the product. To anything else it is the vector that it
/// evaluates to. X: the vector, or what evaluates to it, whose copy takes no memory but for as long as the product is made. A: the matrix.
template <class T, class X = Vector<T>, class A = MatrixOperand<T>>
struct VectorProduct {
  using evaluates_to = Vector<T>;
  A matrix;
  X x;

  EIGEN_ALWAYS_INLINE VectorProduct(const A& a, const X& vector) : matrix(a), x(vector) {
    const int64_t shape[] = {a.rows, a.columns};
    if (a.columns != x.shape[0]) fail_shapes("matmul", shape, 2, x.shape.data(), 1);
  }

  Vector<T> evaluated() const;
  operator Vector<T>() const { return evaluated(); }
  /// The sum with a vector of as many elements.
  Vector<T> plus(const T* addend) const;
  void store(T* y, const T* addend) const;
};

template <class T, class X, class A>
Vector<T> VectorProduct<T, X, A>::evaluated() const { return plus(nullptr); }
template <class T, class X, class A>
Vector<T> VectorProduct<T, X, A>::plus(const T* addend) const {
  const auto y = new_tensor<T, 1>({matrix.rows});
  store(y.data, addend);
  return y;
}
template <class T, class X, class A>
void VectorProduct<T, X, A>::store(T* y, const T* addend) const {
  if constexpr (!std::is_same_v<X, Vector<T>>) {
    const Mark mark = arena().mark();
    VectorProduct<T, Vector<T>, A>(matrix, x).store(y, addend);
    arena().reset(mark);
  } else if (matrix.is_shared && fibers && fibers->active() && matrix.rows * matrix.columns >= worth_waiting) {
    wait_for_product(y, matrix, x.data, addend);
  } else {
    multiply_into(y, matrix, x.data, addend);
  }
}

template <class T>
auto product(const MatrixOperand<T>& a, const Vector<T>& x) {
  if constexpr (std::is_floating_point_v<T>) {
    return VectorProduct<T>(a, x);
  } else {
    const int64_t shape[] = {a.rows, a.columns};
    if (a.columns != x.shape[0]) fail_shapes("matmul", shape, 2, x.shape.data(), 1);
    const auto y = new_tensor<T, 1>({a.rows});
    plain_product<T>(y.data, a.elements, {x.data, 1, 1}, a.rows, 1, a.columns);
    return y;
  }
}
template <class T, size_t N>
auto product(const MatrixOperand<T>& a, const Joined<T, N>& x) { return VectorProduct<T, Joined<T, N>>(a, x); }
template <class T, class X>
auto product_from_left(const X& x, const MatrixOperand<T>& b) {
  const int64_t shape[] = {b.rows, b.columns};
  if (x.shape[0] != b.rows) fail_shapes("matmul", x.shape.data(), 1, shape, 2);
  const MatrixOperand<T> swapped{{b.elements.data, b.elements.column_step, b.elements.row_step}, b.columns, b.rows, b.is_shared};
  return product(swapped, x);
}
template <class T>
auto product(const Vector<T>& x, const MatrixOperand<T>& b) { return product_from_left(x, b); }
template <class T, size_t N>
auto product(const Joined<T, N>& x, const MatrixOperand<T>& b) { return product_from_left(x, b); }
template <class T>
void product_into(T* c, const MatrixOperand<T>& a, const MatrixOperand<T>& b) {
  if constexpr (std::is_floating_point_v<T>) multiply_matrices<T>(c, a.elements, b.elements, a.rows, a.columns, b.columns);
  else plain_product<T>(c, a.elements, b.elements, a.rows, b.columns, a.columns);
}
template <class T>
Matrix<T> product(const MatrixOperand<T>& a, const MatrixOperand<T>& b) {
  const int64_t shapes[][2] = {{a.rows, a.columns}, {b.rows, b.columns}};
  if (a.columns != b.rows) fail_shapes("matmul", shapes[0], 2, shapes[1], 2);
  const auto c = new_tensor<T, 2>({a.rows, b.columns});
  product_into(c.data, a, b);
  return c;
}

/// The shape of a stack of matrices without the matrices'.
template <int Rank>
Shape<Rank - 2> stack_shape(const Shape<Rank>& shape) {
  Shape<Rank - 2> stack{};
  std::copy(shape.begin(), shape.end() - 2, stack.begin());
  return stack;
}
/// Which matrix of a stack of a given shape meets the one at a place of the whole stack, row-major: axes of length 1 meet any.
template <size_t Stack, size_t Whole>
int64_t matrix_at(const std::array<int64_t, Stack>& stack, const std::array<int64_t, Whole>& whole, int64_t place) {
  int64_t at = 0, step = 1;
  for (size_t i = 1; i <= Stack; ++i) {
    const int64_t n = stack[Stack - i], all = whole[Whole - i];
    if (n != 1) at += step * (place % all);
    step *= n;
    place /= all;
  }
  return at;
}
/// […,m,k]·[k] → […,m]: the stack is one matrix, its rows those of all.
template <class T, class A>
auto rows_times_vector(const A& a, const Vector<T>& x) {
  constexpr int rank = rank_of<A>;
  const auto shape = shape_of(a);
  if (shape[rank - 1] != x.shape[0]) fail_shapes("matmul", shape.data(), rank, x.shape.data(), 1);
  Shape<rank - 1> rows{};
  std::copy(shape.begin(), shape.end() - 1, rows.begin());
  const int64_t count = checked_size<rank - 1>(rows);
  const Vector<T> all = product(product_operand_as<T>(reshape(a, Shape<2>{count, shape[rank - 1]})), x);
  return Tensor<T, rank - 1>(all.data, rows);
}
/// […,m,k]·[…,k,n] → […,m,n], stacks whose shapes broadcast.
template <class T, int A, int B>
Tensor<T, (A > B ? A : B)> stacked_product(const Tensor<T, A>& a, const Tensor<T, B>& b) {
  constexpr int rank = A > B ? A : B;
  const int64_t m = a.shape[A - 2], k = a.shape[A - 1], n = b.shape[B - 1];
  if (b.shape[B - 2] != k) fail_shapes("matmul", a.shape.data(), A, b.shape.data(), B);
  const auto stack_a = stack_shape<A>(a.shape);
  const auto stack_b = stack_shape<B>(b.shape);
  const auto stack = broadcast_shapes(stack_a, stack_b);
  Shape<rank> shape{};
  std::copy(stack.begin(), stack.end(), shape.begin());
  shape[rank - 2] = m;
  shape[rank - 1] = n;
  const auto c = new_tensor<T, rank>(shape);
  if constexpr (B == 2) {  // one matrix for the whole stack: one product
    const int64_t rows = k == 0 ? c.size() / std::max<int64_t>(n, 1) : a.size() / k;
    product_into(c.data, product_operand(Matrix<T>(a.data, {rows, k})), product_operand(b));
  } else {
    const int64_t count = m * n == 0 ? 0 : c.size() / (m * n);
    for (int64_t i = 0; i < count; ++i) {
      const Matrix<T> left(a.data + matrix_at(stack_a, stack, i) * m * k, {m, k}), right(b.data + matrix_at(stack_b, stack, i) * k * n, {k, n});
      product_into(c.data + i * m * n, product_operand(left), product_operand(right));
    }
  }
  return c;
}

}  // namespace detail

/// aᵀ · b, lazily: added to a gradient it is recorded where it has few rows, added to a matrix it takes no other.
template <class T>
struct TransposedProduct : detail::Partial {
  using evaluates_to = Matrix<T>;
  Matrix<T> a, b;  // [rows, m] and [rows, n]
  TransposedProduct(const Matrix<T>& left, const Matrix<T>& right) : a(left), b(right) {
    if (a.shape[0] == b.shape[0]) return;
    const int64_t transposed[] = {a.shape[1], a.shape[0]};
    detail::fail_shapes("matmul", transposed, 2, b.shape.data(), 2);
  }

  Shape<2> shape() const { return {a.shape[1], b.shape[1]}; }
  Matrix<T> evaluated() const {
    const auto result = new_tensor<T, 2>(shape());
    detail::add_outer_products(result.data, a.shape[1], b.shape[1], a.data, b.data, a.shape[0], true);
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
  void add_to_elements(const Tensor<T, Rank>& target) const {
    detail::add_outer_products(target.data, a.shape[1], b.shape[1], a.data, b.data, a.shape[0], false);
  }
  template <int Rank>
  void add_to_elements(Gradient<T, Rank>& gradient) const {
    if (a.shape[0] < enough_at_once) return gradient.record(a.data, b.data, a.shape[1], b.shape[1], a.shape[0]);
    const auto target = gradient.dense_target();
    detail::add_outer_products(target.data, a.shape[1], b.shape[1], a.data, b.data, a.shape[0], target.overwrite);
  }

 private:
  static constexpr int64_t enough_at_once = 64;  // of fewer rows, those of several turns of a loop are a faster product
  void check(const Shape<2>& target) const {
    if (target != shape()) detail::fail_shapes("+= matmul", target.data(), 2, shape().data(), 2);
  }
};

/// [k,m]ᵀ·[k,n] → [m,n], lazily.
template <class T, class B, std::enable_if_t<std::is_floating_point_v<T> && !std::is_same_v<B, Transposed<T>> && std::is_same_v<decltype(evaluate(std::declval<const B&>())), Matrix<T>>, int> = 0>
TransposedProduct<T> matmul(const Transposed<T>& a, const B& b) { return {a.matrix, evaluate(b)}; }

/// [n]·[n] → scalar, [m,n]·[n] → [m], [m]·[m,n] → [n], [m,k]·[k,n] → [m,n], in the arena; of a stack […,m,k] and another, or
/// with one operand for all, a stack of products. Fails with ValueError.
template <class A, class B, detail::if_tensors<A, B> = 0>
auto matmul(const A& a, const B& b) {
  constexpr int rank_a = rank_of<A>, rank_b = rank_of<B>;
  static_assert(rank_a >= 1 && rank_b >= 1, "matmul takes vectors, matrices and stacks of matrices");
  using T = promoted_type<A, B>;
  if constexpr (rank_a < 3 && rank_b < 3) {
    return detail::product(detail::product_operand_as<T>(a), detail::product_operand_as<T>(b));
  } else {
    const auto right = evaluate(detail::operand_as<T>(b));
    if constexpr (rank_b == 1) {
      return detail::rows_times_vector(a, right);
    } else if constexpr (rank_a == 1) {
      const auto left = evaluate(detail::operand_as<T>(a));
      const auto c = detail::stacked_product(Matrix<T>(left.data, {1, left.shape[0]}), right);
      Shape<rank_b - 1> shape{};
      std::copy(c.shape.begin(), c.shape.end() - 2, shape.begin());
      shape[rank_b - 2] = c.shape[rank_b - 1];
      return Tensor<T, rank_b - 1>(c.data, shape);
    } else {
      return detail::stacked_product(evaluate(detail::operand_as<T>(a)), right);
    }
  }
}

/// A product plus a vector of its length takes no array but the sum's, and `target += product` none.
template <class T, class X, class A>
Vector<T> operator+(const detail::VectorProduct<T, X, A>& product, const Vector<T>& x) {
  if (x.shape[0] == product.matrix.rows) return product.plus(x.data);
  return product.evaluated() + x;
}
template <class T, class X, class A>
Vector<T> operator+(const detail::VectorProduct<T, X, A>& product, const Array<T, 1>& x) { return product + x.tensor(); }
template <class T, class X, class A, size_t N>
Vector<T> operator+(const detail::VectorProduct<T, X, A>& product, const Joined<T, N>& x) {
  const auto sum = new_tensor<T, 1>({product.matrix.rows});
  const Mark mark = arena().mark();
  if (x.shape[0] != product.matrix.rows) detail::fail_shapes("+", sum.shape.data(), 1, x.shape.data(), 1);
  product.store(sum.data, x.evaluated().data);
  arena().reset(mark);
  return sum;
}
template <class T, class X, class A>
Vector<T> operator+(const Vector<T>& x, const detail::VectorProduct<T, X, A>& product) { return product + x; }
template <class T, class X, class A>
Vector<T> operator+(const Array<T, 1>& x, const detail::VectorProduct<T, X, A>& product) { return product + x.tensor(); }
template <class T, class X, class A>
const Vector<T>& operator+=(const Vector<T>& target, const detail::VectorProduct<T, X, A>& product) {
  if (target.shape[0] != product.matrix.rows) return target += product.evaluated();
  product.store(target.data, target.data);
  return target;
}

/// [n],[n] → scalar.
template <class A, class B, detail::if_tensors<A, B> = 0>
auto dot(const A& a, const B& b) {
  static_assert(rank_of<A> == 1 && rank_of<B> == 1, "dot takes vectors");
  return matmul(a, b);
}

}  // namespace lantern
