// Steps that rows are spared until they are read, against steps of all rows, in the same dtype and in f64.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "lantern/runtime.h"

namespace runtime_deferred_steps_test {

using namespace lantern;

namespace {

constexpr int64_t rows = 60, columns = 21;

/// What Adam does, in a dtype.
template <class T>
struct Adam {
  AtRest<T> numbers;
  void operator()(T g, T& value, T& mean, T& square) const {
    mean = numbers.beta1 * mean + (1 - numbers.beta1) * g;
    square = numbers.beta2 * square + (1 - numbers.beta2) * (g * g);
    value -= numbers.size * mean / (numbers.factor * std::sqrt(square) + numbers.epsilon);
  }
};

template <class T>
struct Tables {
  Array<T, 2> value, mean, square;
  Tables() {
    for (auto* array : {&value, &mean, &square}) array->resize({rows, columns});
  }
  template <class F>
  void step(F&& f, const std::vector<double>& gradient) {
    for (int64_t i = 0; i < value.size(); ++i) f(static_cast<T>(gradient[static_cast<size_t>(i)]), value.data()[i], mean.data()[i], square.data()[i]);
  }
};

struct Case {
  double beta1, beta2, epsilon, gradient;  // gradient: how large
  int steps;
  double (*rate)(int);
};

double constant(int) { return 1e-3; }
double falling(int t) { return 1e-3 * (0.5 + 0.5 * std::cos(t * 0.003)); }
double rising(int t) { return 1e-6 * t; }
double now_and_then(int t) { return t % 40 == 0 ? 1e-2 : 0; }
double backwards(int) { return -1e-3; }

const Case cases[] = {
    {0.9, 0.999, 1e-8, 1e-2, 3000, constant}, {0.9, 0.999, 1e-8, 1e-2, 2500, falling},  {0.9, 0.999, 1e-3, 1e-2, 2000, rising},
    {0.9, 0.999, 1e-8, 1e-7, 2000, constant}, {0.9, 0.999, 1e-8, 1e-22, 2000, constant}, {0.8, 0.9999, 1e-8, 1, 2000, falling},
    {0.9, 0.9, 1e-8, 1e-2, 300, constant},    {0.0, 0.999, 1e-8, 1e-2, 1500, constant},  {0.99, 0.999, 1e-8, 1e-2, 2500, constant},
    {0.9, 0.999, 1e-8, 1e-2, 1500, now_and_then}, {0.9, 0.999, 1e-8, 1e-2, 1500, backwards}, {0.9, 0.999, 0.0, 1e-2, 1500, constant},
};

/// Steps by gradients in few rows, most of them in the first ones. Some elements have small gradients, some none.
template <class T>
void compare(const Case& c) {
  std::mt19937 bits(1);
  std::normal_distribution<double> normal;
  Tables<T> lagging, stepped;
  Tables<double> exact;
  for (int64_t i = 0; i < rows * columns; ++i) {
    lagging.value.data()[i] = stepped.value.data()[i] = static_cast<T>(0.05 * normal(bits));
    exact.value.data()[i] = static_cast<double>(stepped.value.data()[i]);
    // So that there is something in every entry, without an epsilon
    if (c.epsilon == 0) lagging.square.data()[i] = stepped.square.data()[i] = static_cast<T>(exact.square.data()[i] = 0x1p-20);
  }
  DeferredSteps<T> deferred;
  Gradient<T, 2> gradient;
  const auto narrow = [](double x) { return static_cast<double>(static_cast<T>(x)); };
  const auto error = [&](const Tables<T>& tables) {
    double most = 0;
    for (int64_t i = 0; i < rows * columns; ++i) most = std::max(most, std::abs(static_cast<double>(tables.value.data()[i]) - exact.value.data()[i]));
    return most;
  };
  // Nearer to what exact arithmetic gives than steps one by one are, or as near: in f64 those are what it is compared with
  const double rounding = sizeof(T) == 8 ? 1e-16 : 0;
  const auto near = [](const Array<T, 2>& found, const Array<double, 2>& wanted) {
    double largest = 1e-37, most = 0;
    for (int64_t i = 0; i < wanted.size(); ++i) {
      largest = std::max(largest, std::abs(wanted.data()[i]));
      most = std::max(most, std::abs(static_cast<double>(found.data()[i]) - wanted.data()[i]));
    }
    return most <= (sizeof(T) == 8 ? 1e-14 : 1e-5) * largest;
  };
  for (int t = 1; t <= c.steps; ++t) {
    gradient.begin({rows, columns});
    std::vector<double> dense(static_cast<size_t>(rows * columns));
    for (int k = 0; k < 2; ++k) {
      const auto row = static_cast<int64_t>(static_cast<double>(rows) * std::pow(static_cast<double>(bits()) / 0x1p32, 4));
      deferred.catch_up(row);
      T* const target = gradient.row_target(row);
      for (int64_t i = 0; i < columns; ++i) {
        target[i] += static_cast<T>(i % 7 == 0 ? 0 : c.gradient * (i % 5 == 1 ? 1e-6 : 1) * normal(bits));
        dense[static_cast<size_t>(row * columns + i)] = static_cast<double>(target[i]);
      }
    }
    const T size = static_cast<T>(c.rate(t) / (1 - std::pow(c.beta1, t))), factor = static_cast<T>(1 / std::sqrt(1 - std::pow(c.beta2, t)));
    const Adam<T> adam{{static_cast<T>(c.beta1), static_cast<T>(c.beta2), static_cast<T>(c.epsilon), size, factor}};
    deferred.step(adam, adam.numbers, gradient, lagging.value, lagging.mean, lagging.square);
    stepped.step(adam, dense);
    exact.step(Adam<double>{{narrow(c.beta1), narrow(c.beta2), narrow(c.epsilon), static_cast<double>(size), static_cast<double>(factor)}}, dense);
    if (t % 700 == 0) {  // somebody reads all
      deferred.catch_up();
      CHECK(error(lagging) <= 1.5 * error(stepped) + rounding);
    }
  }
  deferred.catch_up();
  INFO(c.beta1, " ", c.beta2, " ", c.epsilon, " ", c.gradient, " ", c.steps);
  CHECK(error(lagging) <= 1.5 * error(stepped) + rounding);
  CHECK(near(lagging.mean, exact.mean));
  CHECK(near(lagging.square, exact.square));
}

}  // namespace

TEST_CASE("rows that have lagged behind are where steps of all rows bring them, f32") {
  for (const Case& c : cases) on_stack([&] { compare<float>(c); });
}
TEST_CASE("rows that have lagged behind are where steps of all rows bring them, f64") {
  for (const Case& c : cases) on_stack([&] { compare<double>(c); });
}

TEST_CASE("a sum of quotients is one quotient of few places") {
  for (const double sharp : {1e-4, 1e-3, 1e-2}) {  // how far the places are from each other
    detail::QuotientSum<float> sum;
    std::vector<double> weights, places;
    for (int j = 1; j <= 200; ++j) sum.add(weights.emplace_back(1e-3 * std::pow(0.9, j)), places.emplace_back(2 / (1 + sharp * j)));
    const auto quotient = sum.quotient();
    REQUIRE(quotient.has_value());
    for (const float epsilon : {0.0f, 1e-8f, 1e-3f}) {
      for (float s = 1e-15f; s < 1e15f; s *= 1.5f) {
        double wanted = 0;
        for (size_t j = 0; j < places.size(); ++j) wanted += weights[j] / (places[j] * static_cast<double>(s) + static_cast<double>(epsilon));
        CHECK((*quotient)(s, epsilon) == doctest::Approx(wanted).epsilon(1e-6));
      }
    }
    CHECK((*quotient)(std::numeric_limits<float>::infinity(), 1e-8f) == 0);
    CHECK(std::isnan((*quotient)(std::numeric_limits<float>::quiet_NaN(), 1e-8f)));
  }
}

TEST_CASE("a sum that few places do not give, or that rounding of f64 would hide, is none") {
  detail::QuotientSum<float> wide, bad;
  detail::QuotientSum<double> exact;
  for (int j = 1; j <= 200; ++j) wide.add(1, j), exact.add(1, 1 + 1e-12 * j), bad.add(1, 1);
  CHECK_FALSE(wide.quotient().has_value());
  CHECK_FALSE(exact.quotient().has_value());
  CHECK(bad.quotient().has_value());
  bad.add(-1, 1);
  CHECK_FALSE(bad.quotient().has_value());
}

TEST_CASE("a row that has had no gradient is where it was, unless a step of nothing moves it") {
  for (const float epsilon : {1e-8f, 0.0f}) {
    Tables<float> tables;
    DeferredSteps<float> deferred;
    Gradient<float, 2> gradient;
    const Adam<float> adam{{0.9f, 0.999f, epsilon, 1e-2f, 1}};
    for (int t = 0; t < 3; ++t) {
      gradient.begin({rows, columns});
      for (int64_t i = 0; i < columns; ++i) gradient.row_target(3)[i] = 1;
      deferred.step(adam, adam.numbers, gradient, tables.value, tables.mean, tables.square);
    }
    deferred.catch_up();
    CHECK(tables.value.data()[3 * columns] < 0);
    CHECK(std::isnan(tables.value.data()[5 * columns]) == (epsilon == 0));  // 0 / 0, as in a step of all rows
  }
}

TEST_CASE("a gradient of all rows steps all of them") {
  Tables<double> tables;
  DeferredSteps<double> deferred;
  Gradient<double, 2> gradient;
  const Adam<double> adam{{0.9, 0.999, 1e-8, 1e-2, 1}};
  gradient.begin({rows, columns});
  gradient.row_target(3)[0] = 1;
  deferred.step(adam, adam.numbers, gradient, tables.value, tables.mean, tables.square);
  CHECK(tables.mean.data()[3 * columns] == doctest::Approx(0.1));
  gradient.begin({rows, columns});
  gradient += ones<double>({rows, columns});
  deferred.step(adam, adam.numbers, gradient, tables.value, tables.mean, tables.square);
  CHECK(tables.mean.data()[3 * columns] == doctest::Approx(0.19));
  CHECK(tables.mean.data()[5] == doctest::Approx(0.1));
  deferred.catch_up(-1);         // nobody lags
  deferred.catch_up(rows + 5);
  CHECK(tables.mean.data()[5] == doctest::Approx(0.1));
}

TEST_CASE("reading a row takes its steps, and no other's") {
  Tables<double> tables;
  DeferredSteps<double> deferred;
  Gradient<double, 2> gradient;
  const Adam<double> adam{{0.9, 0.999, 1e-8, 1e-2, 1}};
  for (int t = 0; t < 3; ++t) {
    gradient.begin({rows, columns});
    if (t == 0) gradient.row_target(3)[0] = gradient.row_target(rows - 1)[0] = 1;
    deferred.step(adam, adam.numbers, gradient, tables.value, tables.mean, tables.square);
  }
  CHECK(tables.mean.data()[3 * columns] == doctest::Approx(0.1));
  const Vector<double> last = row(tables.value, deferred, -1);
  CHECK(tables.mean.data()[(rows - 1) * columns] == doctest::Approx(0.081));
  CHECK(tables.mean.data()[3 * columns] == doctest::Approx(0.1));
  CHECK(row(tables.value, deferred, 3).data[0] == last.data[0]);
  CHECK(tables.mean.data()[3 * columns] == doctest::Approx(0.081));
  CHECK_THROWS_AS(on_stack([&] { row(tables.value, deferred, rows); }), Error);
}

TEST_CASE("threads share a step of all rows") {
  Tables<double> tables;
  DeferredSteps<double> deferred;
  Gradient<double, 2> gradient;
  const Adam<double> adam{{0.9, 0.999, 1e-8, 1e-2, 1}};
  for (const int count : {1, 2}) {
    set_threads(count);
    gradient.begin({rows, columns});
    if (count == 1) gradient.row_target(3)[0] = 1;
    on_stack([&] { deferred.step(adam, adam.numbers, gradient, tables.value, tables.mean, tables.square); });
  }
  set_threads(1);
  CHECK(tables.mean.data()[3 * columns] == doctest::Approx(0.09));
}

TEST_CASE("behind a call, by an error too, no row lags") {
  struct Model {
    int times = 0;
    void up_to_date() { ++times; }
  } model;
  CHECK(up_to_date_behind(model, [] { return 3; }) == 3);
  up_to_date_behind(model, [] {});
  CHECK_THROWS_AS(up_to_date_behind(model, []() -> int { fail(errors::index, "", "no"); }), Error);
  CHECK(model.times == 3);
}

TEST_CASE("within somebody's own on_stack nothing is put off: an error would pass by who takes it") {
  struct Model {
    Tables<double> tables;
    DeferredSteps<double> deferred;
    Gradient<double, 2> gradient;
    void up_to_date() { deferred.catch_up(); }
    void step(int t) {
      const Adam<double> adam{{0.9, 0.999, 1e-8, 1e-2, 1}};
      gradient.begin({rows, columns});
      gradient.row_target(t)[0] = 1;
      deferred.step(adam, adam.numbers, gradient, tables.value, tables.mean, tables.square);
    }
  };
  const auto train = [](Model& model) {
    up_to_date_behind(model, [&] {
      for (int t = 0; t < 3; ++t) model.step(t);
      CHECK(model.tables.mean.data()[0] == doctest::Approx(detail::attended ? 0.1 : 0.081));
      fail(errors::index, "", "no");
    });
  };
  Model alone, within;
  CHECK_THROWS_AS(train(alone), Error);
  CHECK_THROWS_AS(on_stack([&] { train(within); }), Error);
  for (const Model* model : {&alone, &within}) CHECK(model->tables.mean.data()[0] == doctest::Approx(0.081));
  CHECK_FALSE(detail::attended);
}

}  // namespace runtime_deferred_steps_test
