// What is computed where it is read: lines, what is stretched, sums of expressions, choices by bools.
#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "lantern/runtime.h"

namespace runtime_lines_test {

using namespace lantern;

namespace {

template <class T>
Vector<T> vector(std::initializer_list<T> values) {
  const auto result = new_tensor<T, 1>({static_cast<int64_t>(values.size())});
  std::copy(values.begin(), values.end(), result.data);
  return result;
}
template <class T>
Matrix<T> random_matrix(int64_t m, int64_t n) { return normal<T>(0, 1, {m, n}); }

template <class X>
std::vector<element_type<X>> values(const X& x) {
  const auto t = evaluate(x);
  return {t.data, t.data + t.size()};
}

template <class F>
std::string code_of(F&& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.code();
  }
  return "none";
}

using Floats = std::vector<float>;

}  // namespace

/// The elements of an expression one by one, from tensors: `f` of a number that is stretched as NumPy would.
template <class T, class F>
void check_lines(const Matrix<T>& x, const F& f) {
  const int64_t m = x.shape[0], n = x.shape[1];
  const Matrix<T> chances = softmax(x), logarithms = log_softmax(x), scaled = softmax(x / 2 + 1);
  for (int64_t i = 0; i < m; ++i) {
    const Vector<T> line = softmax(row(x, i)), scaled_line = softmax(row(x, i) / 2), logarithm = log_softmax(row(x, i));
    for (int64_t j = 0; j < n; ++j) {
      CHECK(chances.data[i * n + j] == line.data[j]);
      CHECK(scaled.data[i * n + j] == doctest::Approx(scaled_line.data[j]).epsilon(1e-5));
      CHECK(logarithms.data[i * n + j] == logarithm.data[j]);
    }
  }
  f(chances, logarithms);
}

TEST_CASE_TEMPLATE("lines are computed where they are read", T, float, double) {
  for (const auto& [m, n] : {std::array<int64_t, 2>{1, 1}, {3, 1}, {1, 5}, {4, 3}, {5, 16}, {3, 37}, {0, 4}, {70, 129}}) {
    const Matrix<T> x = random_matrix<T>(m, n);
    const Vector<int64_t> labels = new_tensor<int64_t, 1>({m});
    for (int64_t i = 0; i < m; ++i) labels.data[i] = i * 7 % n;
    check_lines(x, [&, m = m, n = n](const Matrix<T>& chances, const Matrix<T>& logarithms) {
      const Vector<T> weights = uniform<T>(1, 2, {m}), per_column = uniform<T>(1, 2, {n});
      Matrix<T> sums = ones<T>({m, n});
      sums += spread(weights, -1, sums.shape) * (softmax(x) - one_hot<T>(labels, n));
      const auto kept = softmax(x);  // read twice, from line to line
      const Matrix<T> product = kept * kept * per_column + log_softmax(x);
      const Tensor<T, 3> deeper = reshape(per_column, {1, n}) * softmax(x) + zeros<T>({2, m, n});
      for (int64_t i = 0; i < m; ++i)
        for (int64_t j = 0; j < n; ++j) {
          const T p = chances.data[i * n + j];
          CHECK(sums.data[i * n + j] == doctest::Approx(1 + weights.data[i] * (p - (labels.data[i] == j))).epsilon(1e-5));
          CHECK(product.data[i * n + j] == doctest::Approx(p * p * per_column.data[j] + logarithms.data[i * n + j]).epsilon(1e-5));
          for (int64_t block = 0; block < 2; ++block) CHECK(deeper.data[(block * m + i) * n + j] == doctest::Approx(p * per_column.data[j]).epsilon(1e-5));
        }
      if (m == 0) return;
      const Tensor<T, 3> stacked = concat(reshape(x, {1, m, n}), reshape(x * 2, {1, m, n}));
      CHECK(values(index(Tensor<T, 3>(softmax(stacked)), 0)) == values(chances));
      const Matrix<T> first = softmax(index(stacked, 1));
      CHECK(values(index(Tensor<T, 3>(softmax(stacked) + 0), 1)) == values(first));
      CHECK(sum(kept) == doctest::Approx(m).epsilon(1e-4));
      CHECK(values(matmul(softmax(x), reshape(per_column, {n, 1})))[0] == doctest::Approx(sum(row(chances, 0) * per_column)).epsilon(1e-4));
    });
  }
  CHECK(code_of([] { evaluate(one_hot<T>(vector<int64_t>({0, 3}), 3)); }) == "LT0706");
  CHECK(values(sum(softmax(zeros<T>({2, 0})), 1)) == std::vector<T>{0, 0});
}

TEST_CASE_TEMPLATE("a sum of an expression stores nothing", T, float, double) {
  for (const auto& [m, n] : {std::array<int64_t, 2>{1, 1}, {3, 1}, {1, 7}, {5, 33}, {0, 3}, {3, 0}, {40, 260}}) {
    const Matrix<T> x = random_matrix<T>(m, n), product = x * x * 2;
    const Vector<T> rows = normal<T>(0, 1, {m}), columns = normal<T>(0, 1, {n});
    const Mark mark = arena().mark();
    const Vector<T> of_rows = sum(x * x * 2, 1);
    CHECK(arena().mark().top - mark.top <= 64 + m * static_cast<int64_t>(sizeof(T)) + 64);
    const Vector<T> means = mean(x * x * 2, -1), of_columns = sum(x * x * 2, 0);
    CHECK(values(of_rows) == values(sum(product, 1)));
    CHECK(values(of_columns) == values(sum(product, 0)));
    if (n > 0) CHECK(values(means) == values(mean(product, 1)));
    const Matrix<T> weighted = x * reshape(rows, {m, 1}) + columns;
    const auto check = [&, m = m](const auto& shape) {
      const auto of_expression = sum_to(x * reshape(rows, {m, 1}) + columns, shape), of_tensor = sum_to(weighted, shape);
      const auto close = [](const std::vector<T>& a, const std::vector<T>& b) {
        bool same = a.size() == b.size();
        for (size_t i = 0; same && i < a.size(); ++i) same = a[i] == doctest::Approx(b[i]).epsilon(1e-4);
        return same;
      };
      CHECK(close(values(of_expression), values(of_tensor)));
    };
    check(Shape<2>{m, n});
    check(Shape<2>{m, 1});
    check(Shape<2>{1, n});
    check(Shape<2>{1, 1});
    check(Shape<1>{n});
    check(Shape<1>{1});
  }
  const Tensor<T, 3> block = normal<T>(0, 1, {3, 4, 5});
  CHECK(values(sum(block * 2, 2)) == values(sum(Tensor<T, 3>(block * 2), 2)));
  CHECK(values(sum_to(block * 2, Shape<3>{3, 1, 5})) == values(sum_to(Tensor<T, 3>(block * 2), Shape<3>{3, 1, 5})));
  CHECK(values(sum_to(block * 2, Shape<2>{4, 1})) == values(sum_to(Tensor<T, 3>(block * 2), Shape<2>{4, 1})));
}

TEST_CASE_TEMPLATE("bools choose in packets, and between them", T, float, double) {
  for (const int64_t n : {1, 7, 8, 15, 16, 17, 40}) {
    const Vector<T> a = normal<T>(0, 1, {n}), b = normal<T>(0, 1, {n});
    const Vector<bool> flags = a < b;
    const Vector<T> chosen = where(flags, a, b * 2), either = where(flags, a, b * 2) + cast<T>(flags);
    for (int64_t i = 0; i < n; ++i) {
      CHECK(flags.data[i] == (a.data[i] < b.data[i]));
      CHECK(chosen.data[i] == (flags.data[i] ? a.data[i] : b.data[i] * 2));
      CHECK(either.data[i] == chosen.data[i] + T(flags.data[i]));
    }
  }
}

TEST_CASE("what is stretched is not stored") {
  const Matrix<float> m = reshape(vector<float>({1, 2, 3, 4, 5, 6}), {2, 3});
  const Vector<float> two = vector<float>({10, 20});
  CHECK(values(spread(two, 1, m.shape) + m) == Floats{11, 12, 13, 24, 25, 26});
  CHECK(values(spread(vector<float>({1, 2, 3}), 0, m.shape) * m) == Floats{1, 4, 9, 4, 10, 18});
  CHECK(values(broadcast_to(2.0f, m.shape) * m) == Floats{2, 4, 6, 8, 10, 12});
  CHECK(values(broadcast_to(two * 2, Shape<3>{2, 1, 2})) == Floats{20, 40, 20, 40});
  CHECK(values(broadcast_to(3.0f, Shape<1>{2}) + two) == Floats{13, 23});
  CHECK(sum(broadcast_to(two, Shape<2>{5, 2})) == 150);
  CHECK(values(sum(spread(two, 1, m.shape), 0)) == Floats{30, 30, 30});
  CHECK(values(sum(spread(two, 1, m.shape) * m, 1)) == Floats{60, 300});
  CHECK(values(softmax(spread(two, 1, m.shape)))[5] == doctest::Approx(1.0 / 3));
  CHECK(broadcast_to(2.0f, Shape<0>{}) == 2);
  CHECK(code_of([&] { evaluate(broadcast_to(two, Shape<2>{2, 3})); }) == "LT0707");
  CHECK(code_of([&] { evaluate(broadcast_to(two, Shape<2>{-1, 2})); }) == "LT0707");
}

}  // namespace runtime_lines_test
