// Linear algebra of square matrices [n,n]: an opt-in header, for what uses it. Elements are f32 or f64; whole numbers are f64. NaN goes
// through. What has no answer fails with LinAlgError, as NumPy's does, at the place that `at` names.
//
// The decompositions are LAPACK's unblocked ones, row by row: models have small matrices, and each program compiles what it uses; Eigen's,
// which are blocked, take five times as long to compile as all else in a filter of twenty lines.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "lantern/elementwise.h"
#include "lantern/evaluate.h"
#include "lantern/matmul.h"

namespace lantern {

namespace errors {
inline constexpr ErrorKind linear_algebra{"LT0708", "LinAlgError"};
}

namespace detail {

[[noreturn, gnu::cold, gnu::noinline]] inline void fail_singular() { fail(errors::linear_algebra, current_place, "Singular matrix"); }

/// A square matrix; fails where it is none.
template <class T, class X>
Matrix<T> square_matrix(const X& x) {
  static_assert(rank_of<X> == 2, "a matrix");
  const Matrix<T> matrix = evaluate(operand_as<T>(x));
  if (matrix.shape[0] != matrix.shape[1]) fail(errors::linear_algebra, current_place, "Last 2 dimensions of the array must be square");
  return matrix;
}

/// to -= factor · from, of n elements; nothing for a factor of zero, as in LAPACK: a triangular matrix is its own decomposition.
template <class T>
void subtract_row(T* to, const T* from, T factor, int64_t n) {
  if (factor == T(0)) return;
  for (int64_t i = 0; i < n; ++i) to[i] -= factor * from[i];
}

/// P·a = L·U, with partial pivoting: U, and L below it without its diagonal of ones. Row i of P·a is row order[i] of a.
template <class T>
struct Factors {
  Matrix<T> lu;
  int64_t* order;
  bool is_odd = false;  // the permutation

  explicit Factors(const Matrix<T>& a) : lu(new_tensor<T, 2>(a.shape)), order(arena().allocate_array<int64_t>(a.shape[0])) {
    const int64_t n = a.shape[0];
    std::copy(a.data, a.data + n * n, lu.data);
    for (int64_t i = 0; i < n; ++i) order[i] = i;
    for (int64_t k = 0; k < n; ++k) {
      int64_t pivot = k;
      for (int64_t i = k + 1; i < n; ++i)
        if (std::abs(row(i)[k]) > std::abs(row(pivot)[k])) pivot = i;
      if (pivot != k) {
        std::swap_ranges(row(k), row(k) + n, row(pivot));
        std::swap(order[k], order[pivot]);
        is_odd = !is_odd;
      }
      if (row(k)[k] == T(0)) continue;
      for (int64_t i = k + 1; i < n; ++i) {
        row(i)[k] /= row(k)[k];
        subtract_row(row(i) + k + 1, row(k) + k + 1, row(i)[k], n - k - 1);
      }
    }
  }

  T* row(int64_t i) const { return lu.data + i * lu.shape[0]; }
  T pivot(int64_t i) const { return row(i)[i]; }

  /// result = a⁻¹ · b, both [n,columns]. Fails where a is singular.
  void solve(T* result, const T* b, int64_t columns) const {
    const int64_t n = lu.shape[0];
    for (int64_t i = 0; i < n; ++i) {
      if (pivot(i) == T(0)) fail_singular();
      std::copy(b + order[i] * columns, b + (order[i] + 1) * columns, result + i * columns);
      for (int64_t k = 0; k < i; ++k) subtract_row(result + i * columns, result + k * columns, row(i)[k], columns);
    }
    for (int64_t i = n; i-- > 0;) {
      for (int64_t k = i + 1; k < n; ++k) subtract_row(result + i * columns, result + k * columns, row(i)[k], columns);
      for (int64_t c = 0; c < columns; ++c) result[i * columns + c] /= pivot(i);
    }
  }
};

/// The sign of det(a) and log |det(a)|; 0 and -∞ of a singular matrix.
template <class T>
struct SignAndLog {
  T sign, log = 0;

  explicit SignAndLog(const Factors<T>& factors) : sign(factors.is_odd ? T(-1) : T(1)) {
    for (int64_t i = 0; i < factors.lu.shape[0]; ++i) {
      const T pivot = factors.pivot(i);
      sign *= pivot < 0 ? T(-1) : pivot > 0 ? T(1) : pivot;
      log += std::log(std::abs(pivot));
    }
  }
};
template <class X>
auto sign_and_log(const X& a) {
  using T = real_of<element_type<X>>;
  return SignAndLog<T>(Factors<T>(square_matrix<T>(a)));
}

}  // namespace detail

/// The x with a · x = b: a [n,n]; b [n] or [n,m], as x. Fails with LinAlgError where a is singular.
template <class A, class B, detail::if_operands<A, B> = 0>
auto solve(const A& a, const B& b) {
  using T = detail::real_of<detail::common_operand<A, B>>;
  const auto matrix = detail::square_matrix<T>(a);
  const Tensor<T, rank_of<B>> right = evaluate(detail::operand_as<T>(b));
  if (right.shape[0] != matrix.shape[0]) detail::fail_shapes("solve", matrix.shape.data(), 2, right.shape.data(), rank_of<B>);
  const auto result = new_tensor<T, rank_of<B>>(right.shape);
  int64_t columns = 1;
  if constexpr (rank_of<B> == 2) columns = right.shape[1];
  detail::Factors<T>(matrix).solve(result.data, right.data, columns);
  return result;
}

/// a⁻¹: [n,n] → [n,n]. Fails with LinAlgError where a is singular.
template <class A, detail::if_operands<A> = 0>
auto inverse(const A& a) {
  using T = detail::real_of<element_type<A>>;
  const auto matrix = detail::square_matrix<T>(a);
  const int64_t n = matrix.shape[0];
  const auto identity = zeros<T>(matrix.shape);
  for (int64_t i = 0; i < n; ++i) identity.data[i * n + i] = T(1);
  const auto result = new_tensor<T, 2>(matrix.shape);
  detail::Factors<T>(matrix).solve(result.data, identity.data, n);
  return result;
}

/// det(a), [n,n] → [].
template <class A, detail::if_operands<A> = 0>
auto determinant(const A& a) {
  using T = detail::real_of<element_type<A>>;
  const detail::Factors<T> factors(detail::square_matrix<T>(a));
  T result = factors.is_odd ? T(-1) : T(1);
  for (int64_t i = 0; i < factors.lu.shape[0]; ++i) result *= factors.pivot(i);
  return result;
}

/// log |det(a)|, [n,n] → []; -∞ of a singular matrix.
template <class A, detail::if_operands<A> = 0>
auto log_abs_determinant(const A& a) { return detail::sign_and_log(a).log; }

/// The sign of det(a), [n,n] → []: -1, 0 or 1.
template <class A, detail::if_operands<A> = 0>
auto sign_of_determinant(const A& a) { return detail::sign_and_log(a).sign; }

/// The lower triangular l with l · lᵀ = a, whose lower triangle alone is read: [n,n] → [n,n]. Fails with LinAlgError where a is not positive definite.
template <class A, detail::if_operands<A> = 0>
auto cholesky(const A& a) {
  using T = detail::real_of<element_type<A>>;
  const auto matrix = detail::square_matrix<T>(a);
  const int64_t n = matrix.shape[0];
  const auto result = zeros<T>(matrix.shape);
  for (int64_t i = 0; i < n; ++i) {
    T* const row = result.data + i * n;
    for (int64_t j = 0; j <= i; ++j) {
      const T* const other = result.data + j * n;
      const T rest = matrix.data[i * n + j] - detail::dot_product(row, other, j);
      if (i == j && !(rest > 0)) fail(errors::linear_algebra, detail::current_place, "Matrix is not positive definite");
      row[j] = i == j ? std::sqrt(rest) : rest / other[j];
    }
  }
  return result;
}

/// The lower triangle of a, half of its diagonal, zeros above: [n,n] → [n,n]. In derivatives of cholesky.
template <class A, detail::if_operands<A> = 0>
auto lower_half(const A& a) {
  using T = element_type<A>;
  const auto matrix = detail::square_matrix<T>(a);
  const int64_t n = matrix.shape[0];
  const auto result = zeros<T>(matrix.shape);
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t j = 0; j < i; ++j) result.data[i * n + j] = matrix.data[i * n + j];
    result.data[i * n + i] = matrix.data[i * n + i] / 2;
  }
  return result;
}

/// The symmetric matrix with the lower triangle of a: [n,n] → [n,n]. In derivatives of cholesky.
template <class A, detail::if_operands<A> = 0>
auto mirrored(const A& a) {
  using T = element_type<A>;
  const auto matrix = detail::square_matrix<T>(a);
  const int64_t n = matrix.shape[0];
  const auto result = new_tensor<T, 2>(matrix.shape);
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t j = 0; j <= i; ++j) result.data[i * n + j] = result.data[j * n + i] = matrix.data[i * n + j];
  }
  return result;
}

}  // namespace lantern
