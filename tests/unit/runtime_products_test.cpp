// Products of matrices against sums of their terms in double, of shapes that no packet divides. Built to have those packets chosen that this machine has,
// and, where tests are thorough, for each width of packets.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "lantern/matmul.h"

namespace runtime_products_test {

namespace {

using namespace lantern;

template <class T>
using EigenMatrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// m, k, n: as many as there are places where a kernel gives way to another.
const std::vector<std::array<int64_t, 3>> shapes = {
    {1, 1, 1}, {0, 3, 40}, {2, 29, 35}, {7, 13, 19}, {9, 17, 0}, {4, 0, 3}, {10, 200, 75}, {13, 37, 29}, {16, 64, 8}, {16, 64, 16}, {23, 19, 49}, {25, 100, 100}, {31, 16, 33},
    {33, 300, 50}, {64, 1, 10}, {200, 78, 10}, {201, 260, 5}, {67, 40, 1}, {301, 290, 53}, {40, 600, 17}, {30, 40, 113}, {13, 33, 257}, {150, 620, 190}, {300, 0, 120},
    {301, 290, 200}};

/// In double, term by term: Eigen's products of doubles would take longer to compile than ours.
template <class T>
EigenMatrix<T> exact_product(const EigenMatrix<T>& a, const EigenMatrix<T>& b) {
  std::vector<double> row(static_cast<size_t>(b.cols()));
  EigenMatrix<T> c(a.rows(), b.cols());
  for (int64_t i = 0; i < a.rows(); ++i) {
    std::fill(row.begin(), row.end(), 0.0);
    for (int64_t p = 0; p < a.cols(); ++p) {
      const T* other = b.data() + p * b.cols();
      const double factor = static_cast<double>(a.data()[i * a.cols() + p]);
      for (size_t j = 0; j < row.size(); ++j) row[j] += factor * static_cast<double>(other[j]);
    }
    std::transform(row.begin(), row.end(), c.data() + i * b.cols(), [](double x) { return static_cast<T>(x); });
  }
  return c;
}

template <class T>
void check_close(const EigenMatrix<T>& ours, const EigenMatrix<T>& exact, int64_t terms, const std::string& which) {
  CAPTURE(which);
  const double tolerance = static_cast<double>(std::numeric_limits<T>::epsilon()) * static_cast<double>(terms + 1) * 2;
  if (exact.size() > 0) CHECK(static_cast<double>((ours - exact).cwiseAbs().maxCoeff()) <= tolerance);
}

template <class T>
void check_layouts(int64_t m, int64_t k, int64_t n) {
  using M = EigenMatrix<T>;
  const M a = M::Random(m, k), b = M::Random(k, n), at = a.transpose(), bt = b.transpose();
  const M exact = exact_product<T>(a, b);
  const detail::MatrixOperand<T> lefts[] = {{{a.data(), k, 1}, m, k}, {{at.data(), 1, m}, m, k}};
  const detail::MatrixOperand<T> rights[] = {{{b.data(), n, 1}, k, n}, {{bt.data(), 1, k}, k, n}};
  for (const auto& left : lefts)
    for (const auto& right : rights) {
      M c = M::Constant(m, n, T(7));
      detail::product_into(c.data(), left, right);
      check_close<T>(c, exact, k, std::string(left.contiguous_rows() ? "a" : "aᵀ") + (right.contiguous_rows() ? " b" : " bᵀ"));
    }
}

/// Σ of k outer products of rows of a and b, all of it and some rows of it.
template <class T>
void check_records(int64_t m, int64_t k, int64_t n) {
  using M = EigenMatrix<T>;
  const M a = M::Random(k, m), b = M::Random(k, n), before = M::Random(m, n);
  const M exact = exact_product<T>(a.transpose(), b);
  M c = M::Constant(m, n, T(7)), d = before;
  detail::add_outer_products(c.data(), m, n, a.data(), b.data(), k, true);
  check_close<T>(c, exact, k, "overwritten");
  detail::add_outer_products(d.data(), m, n, a.data(), b.data(), k, false);
  check_close<T>(d, before + exact, k, "added to");
  std::vector<const T*> each_a, each_b;
  for (int64_t r = 0; r < k; ++r) {
    each_a.push_back(a.data() + r * m);
    each_b.push_back(b.data() + r * n);
  }
  for (const int64_t row : {m / 2, m / 3}) {
    const int64_t rows = m - row - m / 5;
    M some = before.topRows(rows);
    detail::add_rows_of_outer_products<T>(some.data(), row, rows, n, {a.data(), m}, {b.data(), n}, k, false);
    check_close<T>(some, before.topRows(rows) + exact.middleRows(row, rows), k, "some rows");
    M again = before.topRows(rows);
    detail::add_rows_of_outer_products<T>(again.data(), row, rows, n, {nullptr, 0, each_a.data()}, {nullptr, 0, each_b.data()}, k, false);
    CHECK(again == some);
  }
}

/// n vectors that lie anywhere, times W[m,k] and its transpose, plus nothing, another vector, or what is there.
template <class T>
void check_vectors(int64_t n, int64_t m, int64_t k) {
  using M = EigenMatrix<T>;
  CAPTURE(n);
  const M w = M::Random(m, k), others = M::Random(n, std::max(m, k));
  const auto check = [&](int64_t from, int64_t to, const auto& multiply, const M& matrix) {
    const M x = M::Random(n, from), before = M::Random(n, to);
    M y = before, exact = exact_product<T>(x, matrix);
    std::vector<T*> of_y(static_cast<size_t>(n));
    std::vector<const T*> of_x(of_y.size()), added(of_y.size());
    for (int64_t v = 0; v < n; ++v) {
      const auto at = static_cast<size_t>(n - 1 - v);
      of_y[at] = y.data() + v * to;
      of_x[at] = x.data() + v * from;
      added[at] = v % 3 == 0 ? nullptr : v % 3 == 1 ? others.data() + v * others.cols() : of_y[at];
      if (v % 3 != 0) exact.row(v) += (v % 3 == 1 ? others : before).row(v).leftCols(to);
    }
    multiply(of_y.data(), added.data(), of_x.data());
    check_close<T>(y, exact, from, "vectors");
  };
  check(k, m, [&](auto y, auto added, auto x) { detail::vectors_times_transposed<T>(y, added, x, w.data(), n, m, k); }, w.transpose());
  if (k < 16) return;  // than packets may have
  check(m, k, [&](auto y, auto added, auto x) { detail::vectors_times_matrix<T>(y, added, x, w.data(), n, m, k); }, w);
}

/// W[m,k] times a vector, its transpose times one, and two vectors.
template <class T>
void check_vector(int64_t m, int64_t k) {
  using M = EigenMatrix<T>;
  const M w = M::Random(m, k), x = M::Random(k, 1), d = M::Random(1, m), other = M::Random(1, k);
  M y = M::Constant(m, 1, T(7)), z = M::Constant(1, k, T(7));
  detail::matrix_times_vector(y.data(), w.data(), x.data(), m, k);
  check_close<T>(y, exact_product<T>(w, x), k, "W·x");
  detail::vector_times_matrix(z.data(), d.data(), w.data(), m, k);
  check_close<T>(z, exact_product<T>(d, w), m, "d·W");
  M dot(1, 1);
  dot(0, 0) = detail::dot_product(other.data(), x.data(), k);
  check_close<T>(dot, exact_product<T>(other, x), k, "x·x");
}

template <class T>
void check_all() {
  for (const auto& shape : shapes) {
    const int64_t m = shape[0], k = shape[1], n = shape[2];
    CAPTURE(m);
    CAPTURE(k);
    CAPTURE(n);
    check_layouts<T>(m, k, n);
    check_records<T>(m, k, n);
    check_vector<T>(m, n);
    for (const int64_t count : {1, 2, 3, 5, 8, 18, 67}) check_vectors<T>(count, m, std::max<int64_t>(n, 1));
  }
  for (const auto& [m, k] : {std::pair<int64_t, int64_t>{750, 300}, {451, 299}, {260, 256}}) {  // so large that rows are asked for ahead
    check_vector<T>(m, k);
    for (const int64_t count : {1, 2, 3, 4, 7, 16, 70}) check_vectors<T>(count, m, k);
  }
  for (const auto& [m, k] : {std::pair<int64_t, int64_t>{48, 16}, {67, 300}, {113, 801}}) {  // of as many that they are turned: whole packets of them, or nearly, and rows in parts
    for (const int64_t count : {15, 23, 24, 29, 32, 40, 45, 47, 64}) check_vectors<T>(count, m, k);
  }
}

}  // namespace

TEST_CASE("products of every layout and sums of outer products are what their terms are in double, in f32") { check_all<float>(); }
TEST_CASE("products of every layout and sums of outer products are what their terms are in double, in f64") { check_all<double>(); }

#ifdef LANTERN_CHOOSES_AVX
namespace {

/// Entries of products with n vectors of 300, of a weight that is large enough to be asked for ahead, and of sums of their outer products.
using Entries = std::vector<float>;
#define LANTERN_ENTRIES(packets_)                                                                                  \
  Entries entries_by_##packets_(const float* w, const float* x, int64_t n, int64_t m, int64_t k) {                \
    Entries all(static_cast<size_t>(2 * n * (m + k) + m * k + m + k + 1));                                           \
    float* next = all.data();                                                                                      \
    std::vector<float*> y;                                                                                         \
    std::vector<const float*> of_x, added(static_cast<size_t>(n));                                                 \
    for (int64_t v = 0; v < n; ++v, next += m) y.push_back(next), of_x.push_back(x + v * 1000);                      \
    detail::packets_::vectors_times_transposed<float>(y.data(), added.data(), of_x.data(), w, n, m, k);            \
    for (int64_t v = 0; v < n; ++v, next += k) y[static_cast<size_t>(v)] = next;                                     \
    detail::packets_::vectors_times_matrix<float>(y.data(), added.data(), of_x.data(), w, n, m, k);                \
    detail::packets_::add_rows_of_outer_products<float>(next, 0, m, k, {x, 1000}, {x + 7, 1000}, n, true);         \
    next += m * k;                                                                                                 \
    detail::packets_::matrix_times_vector<float>(next, w, x, m, k);                                                \
    detail::packets_::vector_times_matrix<float>(next + m, x, w, m, k);                                            \
    next[m + k] = detail::packets_::dot_product<float>(w, x, m);                                                   \
    next += m + k + 1;                                                                                             \
    detail::packets_::multiply_matrices<float>(next, {x, 1000, 1}, {w, 1, k}, n, k, m);                            \
    detail::packets_::multiply_matrices<float>(next + n * m, {x, 1000, 1}, {w, k, 1}, n, m, k);                    \
    return all;                                                                                                    \
  }
LANTERN_ENTRIES(as_compiled)
LANTERN_ENTRIES(avx2)
LANTERN_ENTRIES(avx512)

}  // namespace

TEST_CASE("kernels for packets that the processor has, but the compiler was not told of, compute what the others do") {
  using M = EigenMatrix<float>;
  const M w = M::Random(750, 300), x = M::Random(70, 1000);
  const auto longest = detail::longest_packets();
  for (const int64_t n : {1, 2, 3, 4, 7, 16, 30, 70}) {
    for (const auto& shape : {std::pair<int64_t, int64_t>{750, 300}, {37, 61}, {450, 299}}) {
      const int64_t m = shape.first, k = shape.second;
      CAPTURE(n);
      CAPTURE(m);
      const Entries exact = entries_by_as_compiled(w.data(), x.data(), n, m, k);
      const auto check = [&](const Entries& entries) {
        float difference = 0;
        for (size_t i = 0; i < exact.size(); ++i) difference = std::max(difference, std::abs(entries[i] - exact[i]));
        CHECK(difference <= 1e-4f);
      };
      if (longest != detail::Packets::as_compiled) check(entries_by_avx2(w.data(), x.data(), n, m, k));
      if (longest == detail::Packets::avx512) check(entries_by_avx512(w.data(), x.data(), n, m, k));
    }
  }
}
#endif

TEST_CASE("the same product is the same bits") {
  using M = EigenMatrix<float>;
  const M a = M::Random(200, 784), b = M::Random(784, 10);
  M first(200, 10), second(200, 10);
  for (M* c : {&first, &second}) detail::product_into<float>(c->data(), {{a.data(), 784, 1}, 200, 784}, {{b.data(), 10, 1}, 784, 10});
  CHECK(first == second);
}

TEST_CASE("a product with a weight is the same bits, at whichever end of the weight it begins") {
  using M = EigenMatrix<float>;
  for (const auto& shape : {std::pair<int64_t, int64_t>{750, 300}, {451, 150}, {1031, 67}, {700, 96}}) {
    const int64_t m = shape.first, k = shape.second;
    const M w = M::Random(m, k);
    for (const int64_t n : {1, 2, 3, 4, 5, 9}) {
      const M x = M::Random(n, k), d = M::Random(n, m), added = M::Random(n, k);
      M first_y, first_z;
      for (int time = 0; time < 3; ++time) {
        M y(n, m), z(n, k);
        for (int64_t v = 0; v < n; ++v) z.row(v) = added.row(v);
        std::vector<float*> of_y, of_z;
        std::vector<const float*> of_x, of_d, before, nothing(static_cast<size_t>(n));
        for (int64_t v = 0; v < n; ++v) {
          of_y.push_back(y.data() + v * m), of_z.push_back(z.data() + v * k);
          of_x.push_back(x.data() + v * k), of_d.push_back(d.data() + v * m), before.push_back(z.data() + v * k);
        }
        detail::vectors_times_transposed<float>(of_y.data(), nothing.data(), of_x.data(), w.data(), n, m, k);
        detail::vectors_times_matrix<float>(of_z.data(), before.data(), of_d.data(), w.data(), n, m, k);
        if (time == 0) first_y = y, first_z = z;
        CHECK(y == first_y);
        CHECK(z == first_z);
      }
    }
  }
}

/// Both kinds of kernels, of which a processor is quicker at one: of a weight whose rows begin anywhere in a line, in one piece and as blocks.
template <class T>
void check_few_dot_products([[maybe_unused]] int64_t m, [[maybe_unused]] int64_t k, [[maybe_unused]] int64_t n) {
  namespace kernels = detail::as_compiled;
  if constexpr (kernels::goes_down<T>) {
    using M = EigenMatrix<T>;
    const M first = M::Random(m, k), second = M::Random(m + 3, k), x = M::Random(n, k), added = M::Random(n, 2 * m + 3);
    M both(2 * m + 3, k), one(n, 2 * m + 3), other = added;
    both << first, second;
    const M exact = exact_product<T>(x, both.transpose()) + added;
    const T* const blocks[] = {first.data(), second.data()};
    const int64_t rows[] = {m, m + 3};
    const detail::BlockMatrix<T> w{blocks, rows, &k, 2, 1};
    std::vector<T*> of_one, of_other;
    std::vector<const T*> of_x, of_added;
    for (int64_t v = 0; v < n; ++v) {
      of_x.push_back(x.data() + v * k), of_added.push_back(added.data() + v * (2 * m + 3));
      of_one.push_back(one.data() + v * (2 * m + 3)), of_other.push_back(other.data() + v * (2 * m + 3));
    }
    for (int time = 0; time < 2; ++time) {  // from either end
      other = added;
      kernels::dot_products_down_columns<T>(of_one.data(), of_added.data(), of_x.data(), w, n);
      kernels::dot_products_along_rows<T>(of_other.data(), of_other.data(), of_x.data(), w, n);
      check_close<T>(one, exact, k, "down columns");
      check_close<T>(other, exact, k, "along rows");
    }
  }
}

TEST_CASE("a few dot products, down a weight's columns and along its rows, are what their terms are") {
  for (const int64_t m : {64, 77})
    for (const int64_t k : {80, 150, 256, 300, 301})
      for (const int64_t n : {1, 2}) check_few_dot_products<float>(m, k, n);
}

TEST_CASE("a narrow product keeps an infinity in its row and column") {
  using M = EigenMatrix<float>;
  const float infinity = std::numeric_limits<float>::infinity();
  M a = M::Ones(100, 33), b = M::Ones(33, 5), c(100, 5);
  a(41, 32) = infinity;
  detail::product_into<float>(c.data(), {{a.data(), 33, 1}, 100, 33}, {{b.data(), 5, 1}, 33, 5});
  for (int i = 0; i < 100; ++i)
    for (int j = 0; j < 5; ++j) CHECK(c(i, j) == (i == 41 ? infinity : 33));
  M g = M::Ones(100, 40), h = M::Ones(100, 3), sum(40, 3);
  g(99, 39) = infinity;
  detail::add_outer_products<float>(sum.data(), 40, 3, g.data(), h.data(), 100, true);
  for (int i = 0; i < 40; ++i)
    for (int j = 0; j < 3; ++j) CHECK(sum(i, j) == (i == 39 ? infinity : 100));
}

TEST_CASE("a product with a few vectors reads a weight's rows and nothing around them, wherever in a cache line they begin") {
  using M = EigenMatrix<float>;
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const auto& shape : {std::pair<int64_t, int64_t>{223, 300}, {451, 150}, {1031, 67}, {131, 150}, {700, 96}, {70, 43}}) {
    const int64_t m = shape.first, k = shape.second;
    for (const int64_t place : {0, 1, 16, 21}) {
      const M w = M::Random(m, k);
      std::vector<float> around(static_cast<size_t>(m * k + 80), nan);
      float* const in_line = reinterpret_cast<float*>((reinterpret_cast<uintptr_t>(around.data()) + 63) / 64 * 64) + place;
      std::copy(w.data(), w.data() + w.size(), in_line);
      CAPTURE(m);
      CAPTURE(k);
      for (const int64_t n : {1, 2, 3, 4, 5, 6, 9, 30}) {
        CAPTURE(n);
        const M x = M::Random(n, k), d = M::Random(n, m);
        M y(n, m), z(n, k);
        std::vector<float*> of_y, of_z;
        std::vector<const float*> of_x, of_d, nothing(static_cast<size_t>(n));
        for (int64_t v = 0; v < n; ++v) of_y.push_back(y.data() + v * m), of_z.push_back(z.data() + v * k), of_x.push_back(x.data() + v * k), of_d.push_back(d.data() + v * m);
        detail::vectors_times_transposed<float>(of_y.data(), nothing.data(), of_x.data(), in_line, n, m, k);
        check_close<float>(y, exact_product<float>(x, w.transpose()), k, "x·Wᵀ");
        detail::vectors_times_matrix<float>(of_z.data(), nothing.data(), of_d.data(), in_line, n, m, k);
        check_close<float>(z, exact_product<float>(d, w), m, "d·W");
        M row = M::Constant(m, 1, 7), column = M::Constant(1, k, 7);
        detail::matrix_times_vector(row.data(), in_line, x.data(), m, k);
        check_close<float>(row.transpose(), y.row(0), k, "W·x");
        detail::vector_times_matrix(column.data(), d.data(), in_line, m, k);
        check_close<float>(column, z.row(0), m, "d·W alone");
      }
    }
  }
}

}  // namespace runtime_products_test
