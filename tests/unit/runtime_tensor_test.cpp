// Lazy expressions, broadcasting, parts, reductions and products.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "lantern/runtime.h"

namespace runtime_tensor_test {

using namespace lantern;

namespace {

constexpr float inf = std::numeric_limits<float>::infinity();

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
using Doubles = std::vector<double>;
using Ints = std::vector<int64_t>;

}  // namespace

TEST_CASE("one fused loop, whatever the length") {
  for (int64_t n = 0; n < 70; ++n) {
    const Vector<float> a = uniform<float>(-2, 2, {n}), b = uniform<float>(1, 2, {n});
    const Vector<float> c = sigmoid(a) * b + tanh(a) / 2 - a * a;
    Vector<float> accumulated = copy(b);
    accumulated += exp(a);
    accumulated -= accumulated * 0.5;  // reads itself
    for (int64_t i = 0; i < n; ++i) {
      CHECK(c.data[i] == doctest::Approx(b.data[i] / (1 + std::exp(-a.data[i])) + std::tanh(a.data[i]) / 2 - a.data[i] * a.data[i]).epsilon(1e-5));
      CHECK(accumulated.data[i] == doctest::Approx((b.data[i] + std::exp(a.data[i])) / 2).epsilon(1e-5));
    }
  }
}

TEST_CASE("an expression is as large as its operands: frames that wait for a reverse sweep hold it") {
  const Vector<float> a = zeros<float>({3});
  const Matrix<float> b = zeros<float>({2, 3});
  CHECK(sizeof(a * (1.0f - b)) == sizeof(a) + sizeof(b) + alignof(decltype(a)));
  CHECK(sizeof(tanh(-a) + a * a) == 3 * sizeof(a));
  CHECK(shape_of(a * (1.0f - b)) == Shape<2>{2, 3});
  CHECK(shape_of(where(a > 0, 1.0f, b)) == Shape<2>{2, 3});
}

TEST_CASE("types promote as in NumPy, and scalars are weak") {
  const Vector<float> f = vector<float>({1.5f});
  const Vector<int64_t> i = vector<int64_t>({3});
  const Vector<bool> b = vector<bool>({true});
  static_assert(std::is_same_v<element_type<decltype(f * 2.0)>, float>);
  static_assert(std::is_same_v<element_type<decltype(f * i)>, double>);
  static_assert(std::is_same_v<element_type<decltype(i * 2.0)>, double>);
  static_assert(std::is_same_v<element_type<decltype(i * true)>, int64_t>);
  static_assert(std::is_same_v<element_type<decltype(b + 1)>, int64_t>);
  static_assert(std::is_same_v<element_type<decltype(b * f)>, float>);
  static_assert(std::is_same_v<element_type<decltype(b * 2.0f)>, float>);
  static_assert(std::is_same_v<element_type<decltype(b * 2.0)>, double>);
  static_assert(std::is_same_v<element_type<decltype(i / i)>, double>);
  static_assert(std::is_same_v<element_type<decltype(exp(i))>, double>);
  static_assert(std::is_same_v<element_type<decltype(f < 1.0)>, bool>);
  CHECK(values(f * i) == Doubles{4.5});
  CHECK(values(i / 2) == Doubles{1.5});
  CHECK(values(cast<int64_t>(f * 2.0)) == Ints{3});
  CHECK(exp(0.0f) == 1.0f);
  CHECK(sigmoid(0.0) == 0.5);
  CHECK(maximum(int64_t{2}, int64_t{3}) == 3);
}

TEST_CASE("shapes broadcast from the right") {
  const Matrix<float> m = reshape(vector<float>({1, 2, 3, 4, 5, 6}), {2, 3});
  CHECK(values(m + vector<float>({10, 20, 30})) == Floats{11, 22, 33, 14, 25, 36});
  CHECK(values(m * reshape(vector<float>({1, -1}), {2, 1})) == Floats{1, 2, 3, -4, -5, -6});
  CHECK(values(reshape(vector<float>({1, 2}), {2, 1}) - vector<float>({1, 2, 3})) == Floats{0, -1, -2, 1, 0, -1});
  const Matrix<float> wide = zeros<float>({3, 40});
  const Vector<float> row40 = uniform<float>(0, 1, {40});
  const Matrix<float> sums = wide + tanh(row40) + reshape(vector<float>({1, 2, 3}), {3, 1});
  CHECK(sums.data[2 * 40 + 7] == doctest::Approx(3 + std::tanh(row40.data[7])));
  CHECK(values(sum_to(m, Shape<2>{1, 3})) == Floats{5, 7, 9});
  CHECK(values(sum_to(m, Shape<2>{2, 1})) == Floats{6, 15});
  CHECK(values(sum_to_like(m, vector<float>({0, 0, 0}))) == Floats{5, 7, 9});
  CHECK(sum_to_like(m * 2, 1.0f) == 42);
  CHECK(sum_to(m, m.shape).data == m.data);
  CHECK(values(broadcast_to(vector<float>({1, 2}), Shape<2>{2, 2})) == Floats{1, 2, 1, 2});
  CHECK(code_of([&] { evaluate(m + vector<float>({1, 2})); }) == "LT0707");
  CHECK(code_of([&] { Vector<float> v = zeros<float>({3}); v += vector<float>({1, 2}); }) == "LT0707");
}

TEST_CASE("NaN and infinity go through as in NumPy, in packets and in tails") {
  const float nan = std::nanf("");
  for (const int64_t n : {1, 15, 16, 33}) {
    const auto all = [n](auto&& f, float x) {
      const std::vector<float> v = values(f(full<float>({n}, x)));
      for (const float y : v) CHECK((y == v[0] || (std::isnan(y) && std::isnan(v[0]))));
      return v[0];
    };
    const auto Exp = [](auto x) { return exp(x); };
    const auto Tanh = [](auto x) { return tanh(x); };
    const auto Sigmoid = [](auto x) { return sigmoid(x); };
    const auto Log = [](auto x) { return log(x); };
    const auto Relu = [](auto x) { return relu(x); };
    const auto Max = [](auto x) { return maximum(1.0, x); };
    const auto Max2 = [](auto x) { return maximum(x, 1.0); };
    for (const auto& y : {all(Exp, nan), all(Tanh, nan), all(Sigmoid, nan), all(Log, nan), all(Relu, nan), all(Max, nan), all(Max2, nan), all(Log, -1)})
      CHECK(std::isnan(y));
    CHECK(all(Exp, inf) == inf);
    CHECK(all(Exp, -inf) < 1e-38f);
    CHECK(all(Exp, 100) == inf);
    CHECK(all(Tanh, inf) == 1);
    CHECK(all(Tanh, -inf) == -1);
    CHECK(all(Sigmoid, inf) == 1);
    CHECK(all(Sigmoid, -inf) < 1e-38f);
    CHECK(all(Log, 0) == -inf);
    CHECK(all(Log, inf) == inf);
    CHECK(all(Relu, -inf) == 0);
    CHECK(all(Relu, inf) == inf);
    CHECK(std::signbit(all([](auto x) { return -x; }, 0)));
    CHECK_FALSE(std::signbit(all([](auto x) { return -x; }, -0.0f)));
    CHECK(std::signbit(all([](auto x) { return pow(x, 0.5); }, -0.0f)));
    CHECK(std::isnan(all([](auto x) { return pow(x, 0.5); }, -inf)));
    CHECK(all([](auto x) { return pow(x, x * 0 + 0.5f); }, -0.0f) == 0);
    for (const float exponent : {2.0f, 3.0f, 1.0f, -1.0f, -2.0f, -0.5f, 2.5f}) {  // what pow gives, also where a product stands for it
      for (const float base : {0.0f, -0.0f, 1.5f, -1.5f, 1e-19f, 1e19f, inf, -inf, nan}) {
        const float ours = all([&](auto x) { return pow(x, exponent); }, base), libm = std::pow(base, exponent);
        const bool is_one = std::isnan(libm) ? std::isnan(ours) : std::isinf(libm) ? ours == libm : std::fabs(ours - libm) <= 2e-7f * std::fabs(libm) + 1.2e-38f;
        CHECK_MESSAGE((is_one && (std::isnan(libm) || std::signbit(ours) == std::signbit(libm))), base, " ** ", exponent, ": ", ours, ", not ", libm);
      }
    }
  }
}

TEST_CASE("comparisons, logic and choice") {
  const Vector<float> x = vector<float>({-1, 0, 2});
  CHECK(values(where(x > 0, x, -x)) == Floats{1, -0.0f, 2});
  CHECK(values(cast<int64_t>(logical_and(x >= 0, logical_not(x == 0.0)))) == Ints{0, 0, 1});
  CHECK(values(where(x > 0, 1.0, x * 0)) == Floats{-0.0f, 0, 1});
  CHECK(sum(x != 0) == 2);
  CHECK(values(floor_divide(vector<int64_t>({7, -7, 1}), vector<int64_t>({2, 2, 0}))) == Ints{3, -4, 0});
  CHECK(values(modulo(vector<float>({5.5, -5.5}), 2.0)) == Floats{1.5, 0.5});
  CHECK(values(pow(vector<int64_t>({2, 3}), 3)) == Ints{8, 27});
  CHECK(values(cast<float>(x > 0) * 2) == Floats{0, 0, 2});
}

TEST_CASE("parts are views, checked") {
  const Matrix<float> m = reshape(vector<float>({1, 2, 3, 4, 5, 6}), {3, 2});
  CHECK(row(m, 1).data == m.data + 2);
  CHECK(values(index(m, -1)) == Floats{5, 6});
  CHECK(index(row(m, 0), -2) == 1);
  CHECK(values(slice(m, 1, 3)) == Floats{3, 4, 5, 6});
  CHECK(slice(m, 1, 1).size() == 0);
  CHECK(values(slice(m * 2, 0, 1)) == Floats{2, 4});
  CHECK(dimension(m, -1) == 2);
  CHECK(values(reshape(m, {-1})).size() == 6);
  CHECK(code_of([&] { row(m, 3, "x.py:1:1"); }) == "LT0706");
  CHECK(code_of([&] { slice(m, 2, 4); }) == "LT0706");
  CHECK(code_of([&] { reshape(m, {4, 2}); }) == "LT0707");
  CHECK(values(concat(row(m, 0), row(m, 1) * 10, row(m, 2))) == Floats{1, 2, 30, 40, 5, 6});
  CHECK(values(concat_along(1, m, m)) == Floats{1, 2, 1, 2, 3, 4, 3, 4, 5, 6, 5, 6});
  CHECK(values(stack(row(m, 0), row(m, 2))) == Floats{1, 2, 5, 6});
  CHECK(values(stack(1.0f, 2.0f)) == Floats{1, 2});
  CHECK(values(stack(append(append(List<Vector<float>>{}, row(m, 2)), row(m, 0)))) == Floats{5, 6, 1, 2});
}

TEST_CASE("additions to parts") {
  Vector<float> v = zeros<float>({4});
  v += placed(vector<float>({1, 2}) * 3, 1);
  v += index_at(-1, 5.0f);
  CHECK(values(v) == Floats{0, 3, 6, 5});
  Matrix<float> m = zeros<float>({2, 2});
  m += row_at(1, vector<float>({1, 2}));
  m += outer(vector<float>({1, 2}), vector<float>({10, 20}));
  CHECK(values(m) == Floats{10, 20, 21, 42});
  CHECK(code_of([&] { v += placed(vector<float>({1, 2}), 3); }) == "LT0707");
  CHECK(code_of([&] { m += row_at(2, vector<float>({1, 2})); }) == "LT0706");
}

TEST_CASE("reductions") {
  const Matrix<float> m = reshape(vector<float>({1, 5, 3, 4, 2, 6}), {2, 3});
  CHECK(sum(m) == 21);
  CHECK(sum(m + vector<float>({1, 1, 1})) == 27);
  CHECK(values(sum(m, 0)) == Floats{5, 7, 9});
  CHECK(values(sum(m, -1)) == Floats{9, 12});
  CHECK(values(mean(m, 1)) == Floats{3, 4});
  CHECK(values(max(m, 0)) == Floats{4, 5, 6});
  CHECK(sum(row(m, 0), 0) == 9);
  CHECK(mean(vector<int64_t>({1, 2})) == 1.5);
  CHECK(max(m * -1) == -1);
  CHECK(argmax(vector<float>({1, 3, 3})) == 1);
  CHECK(argmax(vector<float>({1, std::nanf(""), 3})) == 1);
  CHECK(std::isnan(max(vector<float>({1, std::nanf(""), 3}))));
  CHECK(code_of([] { max(zeros<float>({0})); }) == "LT0708");
  const Vector<float> long_one = ones<float>({1001});
  CHECK(sum(long_one * 2) == 2002);
}

TEST_CASE("softmax and cross entropy do not overflow") {
  const Vector<float> x = vector<float>({1000, 1001, 1002});
  CHECK(values(softmax(x))[2] == doctest::Approx(0.66524096));
  CHECK(values(log_softmax(x))[0] == doctest::Approx(-2.407606));
  CHECK(cross_entropy(x, 0) == doctest::Approx(2.407606));
  CHECK(sum(row(softmax(reshape(concat(x, x * 0), {2, 3})), 1)) == doctest::Approx(1));
  CHECK(values(one_hot<float>(1, 3)) == Floats{0, 1, 0});
  CHECK(code_of([&] { cross_entropy(x, 3, "x.py:1:1"); }) == "LT0706");
}

template <class T>
void check_products() {
  for (const auto& [m, k, n] : {std::array<int64_t, 3>{1, 1, 1}, {5, 3, 2}, {8, 16, 48}, {2, 29, 35}, {3, 300, 75}, {7, 13, 19}, {12, 21, 9}, {19, 8, 5}, {13, 37, 29}, {33, 300, 50}, {70, 1100, 70}, {100, 80, 250}, {301, 290, 53}, {9, 17, 0}, {4, 0, 3}}) {
    const Matrix<T> a = random_matrix<T>(m, k), b = random_matrix<T>(k, n);
    const Vector<T> x = normal<T>(0, 1, {k}), d = normal<T>(0, 1, {m});
    const Matrix<T> at = transpose(a), bt = transpose(b);
    const double tolerance = (sizeof(T) == 4 ? 1e-4 : 1e-12) * static_cast<double>(k + 1);
    const Matrix<T> c = matmul(a, b);
    REQUIRE(c.shape == Shape<2>{m, n});
    double worst = 0;
    for (int64_t i = 0; i < m; ++i)
      for (int64_t j = 0; j < n; ++j) {
        double exact = 0;
        for (int64_t p = 0; p < k; ++p) exact += static_cast<double>(a.data[i * k + p]) * static_cast<double>(b.data[p * n + j]);
        worst = std::max(worst, std::fabs(exact - static_cast<double>(c.data[i * n + j])));
      }
    CHECK(worst <= tolerance);
    const auto same = [&](const auto& one, const auto& other) {
      const auto u = evaluate(one), v = evaluate(other);
      CHECK(u.shape == v.shape);
      CHECK((u.size() == 0 || static_cast<double>(max(abs(u - v))) <= tolerance));
    };
    same(matmul(transpose(at), b), c);
    same(matmul(a, transpose(bt)), c);
    same(matmul(transpose(at), transpose(bt)), c);
    if (k > 0) same(matmul(a, x), sum(a * x, 1));
    same(matmul(transpose(at), x), matmul(a, x));
    same(matmul(d, a), matmul(transpose(a), d));
    same(matmul(d, transpose(at)), matmul(at, d));
    if (m > 0) same(matmul(d, a), sum(a * reshape(d, {m, 1}), 0));
    const Vector<T> ax = matmul(a, x), da = matmul(d, a);
    same(matmul(a, x) + d, ax + d);
    same(x + matmul(d, a), x + da);
    same(matmul(a, x) + matmul(transpose(at), x), ax * 2);
    Vector<T> ax_and_d = copy(d), da_and_x = copy(x);
    ax_and_d += matmul(a, x);
    da_and_x += matmul(transpose(a), d);
    same(ax_and_d, ax + d);
    same(da_and_x, da + x);
  }
}

TEST_CASE("an infinity in a product stays where it belongs") {
  const float infinity = std::numeric_limits<float>::infinity();
  for (const int64_t n : {1, 2, 3, 5})
    for (const int64_t k : {9, 16, 21})
      for (int64_t at = 0; at < k; ++at) {
        const Matrix<float> x = ones<float>({n, k}), w = ones<float>({6, k}), v = ones<float>({k, 10});
        x.data[at] = infinity;  // of the first vector
        const Matrix<float> by_rows = matmul(x, transpose(w)), by_columns = matmul(x, v);
        for (int64_t i = 0; i < n; ++i) {
          CHECK(by_rows.data[i * 6 + 5] == (i == 0 ? infinity : static_cast<float>(k)));
          CHECK(by_columns.data[i * 10 + 9] == (i == 0 ? infinity : static_cast<float>(k)));
        }
        const Matrix<float> u = ones<float>({6, k}), d = ones<float>({n, 6});
        u.data[at] = infinity;
        const Matrix<float> sum = matmul(d, u);
        for (int64_t j = 0; j < k; ++j) CHECK(sum.data[j] == (j == at ? infinity : 6.0F));
      }
}

TEST_CASE("products of every layout agree with the definition") {
  check_products<float>();
  check_products<double>();
  CHECK(values(matmul(reshape(vector<int64_t>({1, 2, 3, 4}), {2, 2}), vector<int64_t>({1, 10}))) == Ints{21, 43});
  CHECK(dot(vector<float>({1, 2}) * 2, vector<float>({3, 4})) == 22);
  const Matrix<float> ones_2 = ones<float>({2, 3}), one_row = ones<float>({1, 3});
  const Vector<float> x = ones<float>({3});
  Array<float, 1> bias({2});
  CHECK(values(matmul(ones_2, x) + bias) == Floats{3, 3});
  CHECK(values(bias + matmul(ones_2, x)) == Floats{3, 3});
  CHECK(values(matmul(ones_2, x) + ones<float>({1})) == Floats{4, 4});  // broadcast, either way
  CHECK(values(matmul(one_row, x) + vector<float>({1, 2, 3})) == Floats{4, 5, 6});
  CHECK(code_of([&] { matmul(ones_2, x) + x; }) == "LT0707");
  const Vector<float> target = ones<float>({2});
  target += matmul(one_row, x);
  CHECK(values(target) == Floats{4, 4});
  CHECK(code_of([&] { x += matmul(ones_2, x); }) == "LT0707");
  CHECK(code_of([] { matmul(zeros<float>({2, 3}), zeros<float>({2})); }) == "LT0707");
  CHECK(code_of([] { matmul(transpose(zeros<float>({2, 3})), zeros<float>({3})); }) == "LT0707");
  CHECK(code_of([] { matmul(zeros<float>({2, 3, 4}), zeros<float>({3})); }) == "LT0707");
  CHECK(values(matmul(reshape(vector<int64_t>({1, 2, 3, 4}), {2, 1, 2}), vector<int64_t>({1, 10}))) == Ints{21, 43});
}

TEST_CASE("infinity in a weight stays in its row") {
  const Matrix<float> w = zeros<float>({9, 20});
  w.data[3 * 20 + 18] = inf;
  const Vector<float> y = matmul(w, ones<float>({20}));
  CHECK(y.data[3] == inf);
  CHECK(y.data[2] == 0);
  CHECK(y.data[4] == 0);
}

TEST_CASE("arrays are operands, bound or owned") {
  float memory[] = {1, 2, 3, 4};
  Array<float, 2> bound;
  bound.bind(memory, {2, 2});
  Array<float, 0> scale = 2.0f;
  const Vector<float> x = vector<float>({1, 1});
  CHECK(values(matmul(bound, x) * scale) == Floats{6, 14});
  CHECK(values(bound + x) == Floats{2, 3, 4, 5});
  CHECK(scale * 3 == 6);
  Array<float, 2> owned = bound;
  memory[0] = 9;
  CHECK(owned.data()[0] == 1);
  const Tensor<float, 2> view = bound;
  CHECK(view.data == memory);
}

TEST_CASE("an item is set where it is, or in a copy") {
  const Matrix<double> x = zeros<double>({3, 2});
  set_item(x, {1, -1}, 5.0);
  set_item(x, -1, full<double>({2}, 7.0));
  set_item(x, 0, index(x, 2));
  CHECK(sum(x) == 5 + 4 * 7);
  CHECK(x.data[3] == 5);
  CHECK(x.data[0] == 7);
  const Matrix<double> y = with_item(x, {1, 0}, 1.0);
  CHECK(sum(y) == sum(x) + 1);
  const Matrix<double> z = with_item(x, 1, index(x, 0) * 2.0);
  CHECK(z.data[2] == 14);
  CHECK(x.data[2] == 0);
  CHECK_THROWS_WITH(with_item(x, 3, index(x, 0), "a.py:1:2"), doctest::Contains("index 3 is out of bounds"));
  CHECK_THROWS_WITH(set_item(x, {0, -3}, 1.0), doctest::Contains("index -3 is out of bounds"));
  CHECK_THROWS_AS(set_item(x, 0, zeros<double>({3})), Error);
  CHECK_THROWS_AS(set_item(zeros<double>({0, 2}), 0, zeros<double>({2})), Error);
}

TEST_CASE("items are updated where they are, and looked for first") {
  const auto counts = list_of<int64_t>(1, INT64_MAX);
  item_of(counts, -2, "a.py:1:2") += 4;
  item_of(counts, 0, "a.py:1:2") *= 2;
  CHECK(counts[0] == 10);
  CHECK_THROWS_WITH(item_of(counts, 1, "a.py:1:2") += 1, doctest::Contains("64-bit"));
  CHECK_THROWS_WITH(item_of(counts, 2, "a.py:1:2") += 1, doctest::Contains("list index out of range"));
  CHECK(counts[1] == INT64_MAX);
  const auto x = zeros<float>({2, 3});
  item_of(x, {1, -1}, "a.py:1:2") -= 0.5f;
  CHECK(x.data[5] == -0.5f);
  CHECK_THROWS_WITH(item_of(x, {2, 0}, "a.py:1:2") -= 0.5f, doctest::Contains("out of bounds"));
  const auto rows = list_of<List<int64_t>>(List<int64_t>{}, counts);
  append_to_item(rows, 0, 7, "a.py:1:2");
  CHECK(rows[0].size == 1);
  CHECK(code_of([&] { append_to_item(rows, 2, 7, "a.py:1:2"); }) == "LT0706");
  CHECK(code_of([&] { check_column("b", rows, counts); }) == "none");
  CHECK_THROWS_WITH(check_column("b", rows[0], counts), doctest::Contains("'b' has 1 elements, and the first parts of the same tuples are 2"));
}

}  // namespace runtime_tensor_test
