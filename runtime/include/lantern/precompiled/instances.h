// What programs need of templates, whatever they compute: LANTERN_INSTANCES(float) where they have arrays of f32, and
// LANTERN_SCALAR_INSTANCES of both dtypes in any case, in namespace lantern. LANTERN_INSTANCE is `template` or `extern template`.
#pragma once

#include "lantern/precompiled/contents.h"

#define LANTERN_SCALAR_INSTANCES(T)                                                                                                       \
  namespace detail {                                                                                                                      \
  LANTERN_INSTANCE void put_uniform(T*, int64_t, double, double);                                                                         \
  LANTERN_INSTANCE void put_normal(T*, int64_t, double, double);                                                                          \
  LANTERN_INSTANCE void put_each(T*, int64_t, T);                                                                                         \
  }

#define LANTERN_INSTANCES(T)                                                                                                              \
  namespace detail {                                                                                                                      \
  LANTERN_INSTANCE void matrix_times_vector(T*, const T*, const T*, int64_t, int64_t);                                                    \
  LANTERN_INSTANCE void vector_times_matrix(T*, const T*, const T*, int64_t, int64_t);                                                    \
  LANTERN_INSTANCE void vectors_times_transposed(T* const*, const T* const*, const T* const*, const T*, int64_t, int64_t, int64_t);       \
  LANTERN_INSTANCE void vectors_times_matrix(T* const*, const T* const*, const T* const*, const T*, int64_t, int64_t, int64_t);           \
  LANTERN_INSTANCE void blocks_times_vectors(T* const*, const T* const*, const T* const*, const BlockMatrix<T>&, int64_t);                \
  LANTERN_INSTANCE void vectors_times_blocks(T* const*, const T* const*, const T* const*, const BlockMatrix<T>&, int64_t);                \
  LANTERN_INSTANCE void multiply_matrices(T*, const Strides<T>&, const Strides<T>&, int64_t, int64_t, int64_t);                           \
  LANTERN_INSTANCE T dot_product(const T*, const T*, int64_t);                                                                            \
  LANTERN_INSTANCE void add_outer_products(T*, int64_t, int64_t, const T*, const T*, int64_t, bool);                                      \
  LANTERN_INSTANCE void add_rows_of_outer_products(T*, int64_t, int64_t, int64_t, const RowsOf<T>&, const RowsOf<T>&, int64_t, bool);     \
  LANTERN_INSTANCE void add_elements(T*, const T*, const T*, int64_t);                                                                    \
  LANTERN_INSTANCE void multiply_into(T*, const MatrixOperand<T>&, const T*, const T*);                                                   \
  LANTERN_INSTANCE void multiply_shared<T>(SharedProduct&);                                                                               \
  LANTERN_INSTANCE void multiply_shared_blocks<T>(SharedProduct&);                                                                        \
  LANTERN_INSTANCE void product_into(T*, const MatrixOperand<T>&, const MatrixOperand<T>&);                                               \
  LANTERN_INSTANCE T product(const Vector<T>&, const Vector<T>&);                                                                         \
  LANTERN_INSTANCE struct VectorProduct<T>;                                                                                               \
  LANTERN_INSTANCE Matrix<T> product(const MatrixOperand<T>&, const MatrixOperand<T>&);                                                   \
  LANTERN_INSTANCE const T* repeated(T, int64_t);                                                                                         \
  LANTERN_INSTANCE class Buffer<T>;                                                                                                       \
  }                                                                                                                                       \
  LANTERN_INSTANCE Vector<T> new_tensor<T, 1>(const Shape<1>&);                                                                           \
  LANTERN_INSTANCE Matrix<T> new_tensor<T, 2>(const Shape<2>&);                                                                           \
  LANTERN_INSTANCE class Array<T, 1>;                                                                                                     \
  LANTERN_INSTANCE class Array<T, 2>;                                                                                                     \
  LANTERN_INSTANCE class Gradient<T, 1>;                                                                                                  \
  LANTERN_INSTANCE class Gradient<T, 2>;                                                                                                  \
  LANTERN_INSTANCE class DeferredSteps<T>;
