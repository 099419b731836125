// Parameters as the blocks of one matrix: products that have their vectors in common are one product.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "lantern/matmul.h"
#include "lantern/outer.h"

namespace lantern {
namespace detail {

/// As multiply_shared, of a matrix that lies in memory as blocks.
template <class T>
void multiply_shared_blocks(SharedProduct& shared) {
  static_assert(most_at_once <= 64, "as many vectors as kernels of blocks take");
  std::vector<const T*> blocks;
  for (const void* block : shared.blocks) blocks.push_back(static_cast<const T*>(block));
  const BlockMatrix<T> matrix{blocks.data(), shared.block_rows.data(), shared.block_columns.data(), static_cast<int64_t>(shared.block_rows.size()),
                              static_cast<int64_t>(shared.block_columns.size())};
  multiply_distinct<T>(shared, [&](T* const* y, const T* const* added, const T* const* x, int64_t n) {
    if (shared.transposed) vectors_times_blocks(y, added, x, matrix, n);
    else blocks_times_vectors(y, added, x, matrix, n);
  });
}

/// An operand of a product: N parameters, C of them side by side.
template <class T, size_t N, size_t C>
struct BlockOperand {
  static constexpr bool is_shared = true;
  std::array<const T*, N> blocks;
  std::array<int64_t, N / C> block_rows;
  std::array<int64_t, C> block_columns;
  int64_t rows, columns;  // as the vectors meet it
  bool transposed;        // in memory

  BlockMatrix<T> matrix() const { return {blocks.data(), block_rows.data(), block_columns.data(), static_cast<int64_t>(N / C), static_cast<int64_t>(C)}; }
};

template <class T, size_t N, size_t C>
void multiply_into(T* y, const BlockOperand<T, N, C>& a, const T* x, const T* addend) {
  if (a.transposed) vectors_times_blocks(&y, &addend, &x, a.matrix(), 1);
  else blocks_times_vectors(&y, &addend, &x, a.matrix(), 1);
}
template <class T, size_t N, size_t C>
void wait_for_product(T* y, const BlockOperand<T, N, C>& a, const T* x, const T* addend) {
  std::array<const void*, N> blocks;
  std::copy(a.blocks.begin(), a.blocks.end(), blocks.begin());
  const BlockMatrix<void> matrix{blocks.data(), a.block_rows.data(), a.block_columns.data(), static_cast<int64_t>(N / C), static_cast<int64_t>(C)};
  fibers->product(y, blocks[0], a.rows, a.columns, a.transposed, x, addend, multiply_shared_blocks<T>, &matrix);
}

}  // namespace detail

/// What `blocks` gives of parameters: to matmul and transpose a matrix. N of them, C side by side, none narrower than a packet.
template <class T, size_t N, size_t C>
struct Blocks {
  detail::BlockOperand<T, N, C> operand;
};

/// What `blocks` gives of gradients, which outer products are added to.
template <class T, size_t N, size_t C>
struct GradientBlocks {
  std::array<Gradient<T, 2>*, N> gradients;

  Shape<2> shape() const {
    Shape<2> all{0, 0};
    for (size_t i = 0; i < N; i += C) all[0] += gradients[i]->shape()[0];
    for (size_t i = 0; i < C; ++i) all[1] += gradients[i]->shape()[1];
    return all;
  }
  /// a ⊗ b, later: to each its part.
  void record(const T* a, const T* b) const {
    for (size_t i = 0; i < N; i += C) {
      const T* right = b;
      for (size_t j = i; j < i + C; right += gradients[j++]->shape()[1]) gradients[j]->record(a, right, gradients[j]->shape()[0], gradients[j]->shape()[1]);
      a += gradients[i]->shape()[0];
    }
  }
};

/// What `blocks` gives of gradients of vectors.
template <class T, size_t N>
struct GradientParts {
  std::array<Gradient<T, 1>*, N> gradients;
};

/// blocks<C>(w11, …, w1C, w21, …): parameters as one matrix, C of them side by side in each of its rows. Those of one row have as many rows, those of one column
/// as many columns.
template <size_t C, class T, class... More>
Blocks<T, 1 + sizeof...(More), C> blocks(const Array<T, 2>& first, const More&... more) {
  constexpr size_t N = 1 + sizeof...(More);
  static_assert(N % C == 0, "as many blocks in each row");
  const Array<T, 2>* const all[] = {&first, &more...};
  detail::BlockOperand<T, N, C> operand{};
  for (size_t i = 0; i < N; ++i) operand.blocks[i] = all[i]->data();
  for (size_t i = 0; i < N / C; ++i) operand.rows += operand.block_rows[i] = all[i * C]->shape(0);
  for (size_t i = 0; i < C; ++i) operand.columns += operand.block_columns[i] = all[i]->shape(1);
  return {operand};
}
/// The same of their gradients.
template <size_t C, class T, class... More>
GradientBlocks<T, 1 + sizeof...(More), C> blocks(Gradient<T, 2>& first, More&... more) { return {{&first, &more...}}; }

/// blocks(b1, …): parameters one behind the other, as what is added to such a product; lazily.
template <class T, class... More>
Joined<T, 1 + sizeof...(More)> blocks(const Array<T, 1>& first, const More&... more) { return joined(first.tensor(), more.tensor()...); }
/// The same of their gradients.
template <class T, class... More>
GradientParts<T, 1 + sizeof...(More)> blocks(Gradient<T, 1>& first, More&... more) { return {{&first, &more...}}; }

/// [m,n] → [n,m], lazily: to matmul alone.
template <class T, size_t N, size_t C>
Blocks<T, N, C> transpose(const Blocks<T, N, C>& x) {
  auto turned = x.operand;
  std::swap(turned.rows, turned.columns);
  turned.transposed = !turned.transposed;
  return {turned};
}

/// [m,n]·[n] → [m], [m]·[m,n] → [n]. Fails with ValueError.
template <class T, size_t N, size_t C, class X, detail::if_tensors<X> = 0>
auto matmul(const Blocks<T, N, C>& a, const X& x) {
  const auto vector = detail::product_operand_as<T>(x);
  return detail::VectorProduct<T, std::decay_t<decltype(vector)>, detail::BlockOperand<T, N, C>>(a.operand, vector);
}
template <class T, size_t N, size_t C, class X, detail::if_tensors<X> = 0>
auto matmul(const X& x, const Blocks<T, N, C>& b) { return matmul(transpose(b), x); }

/// gradients += a ⊗ b. Fails with ValueError.
template <class T, size_t N, size_t C, class A, class B>
void operator+=(const GradientBlocks<T, N, C>& gradients, const Outer<T, A, B>& product) {
  if (const auto shape = gradients.shape(); shape != product.shape()) detail::fail_shapes("+= outer", shape.data(), 2, product.shape().data(), 2);
  product.with_vectors([&](const Vector<T>& left, const Vector<T>& right) { gradients.record(left.data, right.data); });
}

template <class T, size_t N>
void operator+=(const GradientParts<T, N>& gradients, const Vector<T>& x) {
  int64_t begin = 0;
  for (auto* gradient : gradients.gradients) {
    const int64_t end = begin + gradient->shape()[0];
    *gradient += slice(x, begin, end);
    begin = end;
  }
  if (begin != x.shape[0]) detail::fail_shapes("+=", &begin, 1, x.shape.data(), 1);
}

}  // namespace lantern
