// Products with a matrix that lies in memory as blocks, against sums of their terms in double: of one block and of several, of widths that no packet divides.
#include "lantern/blocks.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "lantern/runtime.h"

namespace runtime_blocks_test {

namespace {

using namespace lantern;

std::mt19937 random_bits(5);

template <class T>
std::vector<T> random_numbers(int64_t count) {
  std::uniform_real_distribution<double> numbers(-1, 1);
  std::vector<T> all(static_cast<size_t>(count));
  for (T& x : all) x = static_cast<T>(numbers(random_bits));
  return all;
}

/// Blocks that begin where a cache line does, or `place` elements behind, with nothing but NaN around them.
template <class T>
struct Grid {
  std::vector<int64_t> rows, columns;
  std::vector<std::vector<T>> memory = {};
  std::vector<const T*> blocks = {};

  Grid(std::vector<int64_t> of_rows, std::vector<int64_t> of_columns, int64_t place) : rows(std::move(of_rows)), columns(std::move(of_columns)) {
    for (const int64_t m : rows)
      for (const int64_t k : columns) {
        auto& around = memory.emplace_back(static_cast<size_t>(m * k + 80), std::numeric_limits<T>::quiet_NaN());
        T* const block = reinterpret_cast<T*>((reinterpret_cast<uintptr_t>(around.data()) + 63) / 64 * 64) + place;
        const auto numbers = random_numbers<T>(m * k);
        std::copy(numbers.begin(), numbers.end(), block);
        blocks.push_back(block);
      }
  }
  detail::BlockMatrix<T> matrix() const {
    return {blocks.data(), rows.data(), columns.data(), static_cast<int64_t>(rows.size()), static_cast<int64_t>(columns.size())};
  }
  std::vector<double> in_one_piece() const {
    std::vector<double> all;
    for (size_t g = 0; g < rows.size(); ++g)
      for (int64_t r = 0; r < rows[g]; ++r)
        for (size_t c = 0; c < columns.size(); ++c)
          for (int64_t j = 0; j < columns[c]; ++j) all.push_back(static_cast<double>(blocks[g * columns.size() + c][r * columns[c] + j]));
    return all;
  }
};

template <class T>
void check(const Grid<T>& grid, int64_t n, bool adds) {
  const auto w = grid.matrix();
  const int64_t m = w.all_rows(), k = w.all_columns();
  CAPTURE(m);
  CAPTURE(k);
  CAPTURE(n);
  const auto exact = grid.in_one_piece();
  const auto x = random_numbers<T>(n * k), d = random_numbers<T>(n * m), more_y = random_numbers<T>(n * m), more_z = random_numbers<T>(n * k);
  std::vector<T> first_y, first_z;
  for (int time = 0; time < 3; ++time) {  // from whichever end it begins
    std::vector<T> y(static_cast<size_t>(n * m)), z = more_z;
    std::vector<T*> of_y, of_z;
    std::vector<const T*> of_x, of_d, to_y, to_z;
    for (int64_t v = 0; v < n; ++v) {
      of_y.push_back(y.data() + v * m), of_z.push_back(z.data() + v * k), of_x.push_back(x.data() + v * k), of_d.push_back(d.data() + v * m);
      to_y.push_back(adds ? more_y.data() + v * m : nullptr), to_z.push_back(adds ? z.data() + v * k : nullptr);
    }
    detail::blocks_times_vectors<T>(of_y.data(), to_y.data(), of_x.data(), w, n);
    detail::vectors_times_blocks<T>(of_z.data(), to_z.data(), of_d.data(), w, n);
    if (time == 0) first_y = y, first_z = z;
    CHECK(y == first_y);
    CHECK(z == first_z);
  }
  double of_y = 0, of_z = 0;
  for (int64_t v = 0; v < n; ++v) {
    for (int64_t i = 0; i < m; ++i) {
      double sum = adds ? static_cast<double>(more_y[static_cast<size_t>(v * m + i)]) : 0;
      for (int64_t j = 0; j < k; ++j) sum += exact[static_cast<size_t>(i * k + j)] * static_cast<double>(x[static_cast<size_t>(v * k + j)]);
      of_y = std::max(of_y, std::abs(sum - static_cast<double>(first_y[static_cast<size_t>(v * m + i)])));
    }
    for (int64_t j = 0; j < k; ++j) {
      double sum = adds ? static_cast<double>(more_z[static_cast<size_t>(v * k + j)]) : 0;
      for (int64_t i = 0; i < m; ++i) sum += exact[static_cast<size_t>(i * k + j)] * static_cast<double>(d[static_cast<size_t>(v * m + i)]);
      of_z = std::max(of_z, std::abs(sum - static_cast<double>(first_z[static_cast<size_t>(v * k + j)])));
    }
  }
  const double tolerance = static_cast<double>(std::numeric_limits<T>::epsilon()) * static_cast<double>(m + k);
  CHECK(of_y <= tolerance);
  CHECK(of_z <= tolerance);
}

template <class T>
void check_all() {
  for (const int64_t place : {0, 5}) {
    for (const int64_t n : {1, 2, 3, 4, 5, 9, 30, 64}) {
      for (const bool adds : {false, true}) {
        check<T>({{150, 150, 150}, {150, 150}, place}, n, adds);
        check<T>({{450}, {300}, place}, n, adds);
        check<T>({{100, 37, 64, 16}, {67, 16, 96}, place}, n, adds);
        check<T>({{90, 200}, {300, 80}, place}, n, adds);
        check<T>({{64, 64}, {128}, place}, n, adds);
      }
    }
  }
}

Array<float, 2> weight(int64_t m, int64_t k) {
  Array<float, 2> array({m, k});
  const auto numbers = random_numbers<float>(m * k);
  std::copy(numbers.begin(), numbers.end(), array.data());
  return array;
}

}  // namespace

TEST_CASE("products with blocks are what their terms are in double, in f32") { check_all<float>(); }
TEST_CASE("products with blocks are what their terms are in double, in f64") { check_all<double>(); }

TEST_CASE("parameters are the blocks of a matrix, and each gradient has its part") {
  const Array<float, 2> a = weight(20, 30), b = weight(20, 16), c = weight(25, 30), d = weight(25, 16);
  Array<float, 1> p({20}), q({25});
  for (int64_t i = 0; i < 20; ++i) p.data()[i] = static_cast<float>(i);
  for (int64_t i = 0; i < 25; ++i) q.data()[i] = static_cast<float>(-i);
  Gradient<float, 2> ga, gb, gc, gd;
  Gradient<float, 1> gp, gq;
  for (auto* of : {&ga, &gc}) of->begin({of == &ga ? 20 : 25, 30});
  for (auto* of : {&gb, &gd}) of->begin({of == &gb ? 20 : 25, 16});
  gp.begin({20}), gq.begin({25});
  on_stack([&] {
    const auto x_numbers = random_numbers<float>(46), e_numbers = random_numbers<float>(45);
    const Vector<float> x(const_cast<float*>(x_numbers.data()), {46}), e(const_cast<float*>(e_numbers.data()), {45});
    const Vector<float> left = slice(x, 0, 30), right = slice(x, 30, 46), above = slice(e, 0, 20), below = slice(e, 20, 45);
    const auto close = [](const Vector<float>& one, const Vector<float>& other) {
      const Vector<float> difference = one - other;
      float most = 0;
      for (int64_t i = 0; i < difference.shape[0]; ++i) most = std::max(most, std::abs(difference.data[i]));
      CHECK(most <= 1e-5f);
    };
    const Vector<float> y = matmul(blocks<2>(a, b, c, d), joined(left, right)) + blocks(p, q);
    close(slice(y, 0, 20), matmul(a, left) + matmul(b, right) + p);
    close(slice(y, 20, 45), matmul(c, left) + matmul(d, right) + q);
    const Vector<float> z = matmul(transpose(blocks<2>(a, b, c, d)), e), same = matmul(e, blocks<2>(a, b, c, d));
    close(slice(z, 0, 30), matmul(transpose(a), above) + matmul(transpose(c), below));
    close(slice(z, 30, 46), matmul(above, b) + matmul(below, d));
    close(z, same);
    blocks<2>(ga, gb, gc, gd) += outer(e, joined(left, right));
    blocks(gp, gq) += e;
    const auto same_matrix = [](const Matrix<float>& one, const Matrix<float>& other) {
      REQUIRE(one.shape == other.shape);
      for (int64_t i = 0; i < one.size(); ++i) CHECK(one.data[i] == other.data[i]);
    };
    same_matrix(ga.view(), outer(above, left));
    same_matrix(gb.view(), outer(above, right));
    same_matrix(gc.view(), outer(below, left));
    same_matrix(gd.view(), outer(below, right));
    close(gp.view(), above);
    close(gq.view(), below);
  });
}

TEST_CASE("a vector that is no part of such a product is refused") {
  const Array<float, 2> a = weight(20, 30), b = weight(20, 16);
  const std::vector<float> numbers(45);
  const auto product = [&] {
    on_stack([&] { (void)Vector<float>(matmul(blocks<2>(a, b), Vector<float>(const_cast<float*>(numbers.data()), {45}))); });
  };
  CHECK_THROWS_WITH_AS(product(), doctest::Contains("matmul"), Error);
}

}  // namespace runtime_blocks_test
