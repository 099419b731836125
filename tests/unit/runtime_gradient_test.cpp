// Gradients, updates and the random stream.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <set>
#include <vector>

#include "lantern/runtime.h"

namespace runtime_gradient_test {

using namespace lantern;

namespace {

template <class T, int Rank>
double difference(const Tensor<T, Rank>& a, const Tensor<T, Rank>& b) { return static_cast<double>(max(abs(a - b))); }

}  // namespace

TEST_CASE("recorded outer products add up, across flushes and steps") {
  for (const int64_t records : {0, 1, 17, 3000}) {
    Gradient<double, 2> gradient;
    for (int step = 0; step < 2; ++step) {
      gradient.begin({30, 50});
      const Matrix<double> exact = zeros<double>({30, 50});
      const Mark mark = arena().mark();
      for (int64_t r = 0; r < records; ++r) {
        const Vector<double> a = normal<double>(0, 1, {30}), b = normal<double>(0, 1, {50});
        gradient += outer(a, b);
        exact += outer(a, b);
        arena().reset(mark);
      }
      CHECK(difference(gradient.view(), exact) < 1e-10);
      const Vector<double> a = normal<double>(0, 1, {30}), b = normal<double>(0, 1, {50});
      gradient += outer(a, b);  // behind a view
      gradient += exact;        // a dense addition between records
      exact += copy(exact);
      exact += outer(a, b);
      CHECK(difference(gradient.view(), exact) < 1e-10);
    }
  }
}

TEST_CASE("a right vector that has been recorded before takes no other record") {
  Gradient<double, 2> gradient;
  const Matrix<double> words = normal<double>(0, 1, {7, 300});
  const Vector<double> of_other = copy(row(words, 2, ""));
  of_other.data[299] = 5;  // the same but for its end
  for (int step = 0; step < 2; ++step) {
    gradient.begin({30, 300});
    const Matrix<double> exact = zeros<double>({30, 300});
    for (int64_t r = 0; r < 1000; ++r) {
      const Vector<double> a = normal<double>(0, 1, {30}), b = r % 50 == 49 ? of_other : row(words, (r + step) % 7, "");
      gradient += outer(a, b);
      exact += outer(a, b);
    }
    CHECK(gradient.only_records());  // 1,000 would be too many
    CHECK(difference(gradient.view(), exact) < 1e-10);
  }
}

TEST_CASE("products of transposed matrices add up, recorded or at once") {
  for (const int64_t rows : {1, 5, 63, 64, 300}) {
    Gradient<double, 2> gradient;
    for (int step = 0; step < 2; ++step) {
      gradient.begin({30, 50});
      const Matrix<double> exact = zeros<double>({30, 50}), added = zeros<double>({30, 50});
      for (int turn = 0; turn < 3; ++turn) {
        const Matrix<double> a = normal<double>(0, 1, {rows, 30}), b = normal<double>(0, 1, {rows, 50});
        for (int64_t r = 0; r < rows; ++r) exact += outer(Vector<double>(a.data + r * 30, {30}), Vector<double>(b.data + r * 50, {50}));
        gradient += matmul(transpose(a), b);
        added += matmul(transpose(a), b);
      }
      CHECK(difference(gradient.view(), exact) < 1e-10);
      CHECK(difference(added, exact) < 1e-10);
    }
  }
  CHECK_THROWS_AS(on_stack([] { matmul(transpose(zeros<float>({3, 2})), zeros<float>({2, 2})); }), Error);
  CHECK_THROWS_AS(on_stack([] { zeros<float>({2, 3}) += matmul(transpose(zeros<float>({4, 2})), zeros<float>({4, 2})); }), Error);
}

TEST_CASE("outer products in another shape are recorded as those are, and a step needs no gradient in memory") {
  const auto adagrad = [](double g, double& w, double& sum) { sum += g * g, w -= 0.1 * g / (std::sqrt(sum) + 1e-7); };
  const Shape<3> shape{6, 5, 7};
  const auto check = [&](int64_t m, int64_t n, int64_t other_m, int64_t other_n, bool only_records) {
    Gradient<double, 3> gradient;
    Array<double, 3> weights[2] = {Array<double, 3>(shape), Array<double, 3>(shape)}, sums[2] = {Array<double, 3>(shape), Array<double, 3>(shape)};
    for (int step = 0; step < 3; ++step) {
      gradient.begin(shape);
      const Tensor<double, 3> exact = zeros<double>(shape);
      const Matrix<double> columns = normal<double>(0, 1, {4, m}), rows = normal<double>(0, 1, {4, n});
      for (int64_t r = 0; r < 40; ++r) {
        const Vector<double> a = normal<double>(0, 1, {r < 20 ? m : other_m}), b = normal<double>(0, 1, {r < 20 ? n : other_n});
        gradient += reshape(outer(a, b), shape);
        exact += reshape(copy(outer(a, b)), shape);
      }
      gradient += reshape(matmul(transpose(columns), rows), shape);
      exact += reshape(matmul(transpose(columns), rows), shape);  // which adds without a matrix of its own
      CHECK(gradient.only_records() == only_records);
      for_each_touched(adagrad, gradient, weights[0], sums[0]);
      CHECK(difference(gradient.view(), exact) < 1e-10);
      for (int64_t i = 0; i < exact.size(); ++i) adagrad(exact.data[i], weights[1].data()[i], sums[1].data()[i]);
      CHECK(difference(weights[0].tensor(), weights[1].tensor()) < 1e-10);
    }
  };
  check(30, 7, 30, 7, true);   // the first axes as rows
  check(6, 35, 6, 35, true);   // the last axes as columns
  check(30, 7, 6, 35, false);  // each of them in turn
  Gradient<double, 3> gradient;
  gradient.begin(shape);
  CHECK_THROWS_AS(on_stack([&] { gradient += reshape(outer(zeros<double>({6}), zeros<double>({35})), {5, 6, 7}); }), Error);
  CHECK_THROWS_AS(on_stack([&] { gradient += reshape(outer(zeros<double>({6}), zeros<double>({34})), shape); }), Error);
}

template <class T>
void check_steps_of_packets() {
  const T rate = static_cast<T>(0.1), small = static_cast<T>(1e-7);
  const auto one_by_one = [=](T g, T& w, T& sum) {
    sum += g * g;
    w -= rate * g / (std::sqrt(sum) + small);
  };
  const auto of_packets = [=](auto g, auto& w, auto& sum) {
    sum += g * g;
    w -= rate * g / (sqrt(sum) + small);
  };
  for (const int64_t n : {1, 3, 16, 37, 5000}) {
    Gradient<T, 1> gradient;
    Array<T, 1> weights[2] = {Array<T, 1>({n}), Array<T, 1>({n})}, sums[2] = {Array<T, 1>({n}), Array<T, 1>({n})};
    for (int step = 0; step < 3; ++step) {
      gradient.begin({n});
      const auto g = normal<T>(0, 1, {n});
      if (step == 1) g.data[n / 2] = 0;
      gradient += g;
      for_each(one_by_one, gradient, weights[0], sums[0]);
      for_each(of_packets, gradient, weights[1], sums[1]);
    }
    CHECK(difference(weights[0].tensor(), weights[1].tensor()) < 4 * std::numeric_limits<T>::epsilon());
    CHECK(difference(sums[0].tensor(), sums[1].tensor()) < 64 * std::numeric_limits<T>::epsilon());
  }
}

TEST_CASE("a step that takes packets of entries does what one does that takes them one by one") {
  check_steps_of_packets<float>();
  check_steps_of_packets<double>();
  Gradient<double, 0> number;
  number.begin({});
  number += 2.0;
  Array<double, 0> weight;
  weight.data()[0] = 1;
  for_each([](auto g, auto& w) { w = w - g * 0.25; }, number, weight);
  CHECK(weight.data()[0] == 0.5);
}

TEST_CASE("rows stay rows, and cost only rows") {
  Gradient<float, 2> gradient;
  Array<float, 2> table({1000, 4});
  for (int step = 0; step < 3; ++step) {
    gradient.begin({1000, 4});
    CHECK(gradient.only_rows());
    gradient += row_at(7, ones<float>({4}));
    gradient += row_at(7, ones<float>({4}) * 2);
    gradient += index_at(-1, ones<float>({4}));
    CHECK(gradient.only_rows());
    CHECK(gradient.touched().count() == 2);
    int visits = 0;
    for_each_touched([&](float g, float& w) { w -= g, ++visits; }, gradient, table);
    CHECK(visits == 8);
  }
  CHECK(table.data()[7 * 4] == -9);
  CHECK(table.data()[999 * 4 + 3] == -3);
  CHECK(sum(table) == -48);
  CHECK(sum(gradient.view()) == 16);
  gradient += ones<float>({1000, 4});
  CHECK(!gradient.only_rows());
  CHECK(sum(gradient.view()) == 4016);
  gradient.begin({1000, 4});
  gradient += row_at(3, ones<float>({4}));  // sparse again after a dense step
  CHECK(gradient.only_rows());
  CHECK(sum(gradient.view()) == 4);
  gradient.begin({10, 4});
  CHECK(sum(gradient.view()) == 0);
  CHECK_THROWS_AS(gradient += row_at(10, ones<float>({4})), Error);
}

TEST_CASE("a step over recorded products equals one over the gradient in memory, to the bit") {
  const auto adagrad = [](float g, float& w, float& sum) { sum += g * g, w -= 0.1F * g / (std::sqrt(sum) + 1e-7F); };
  for (const int64_t m : {1, 8, 21, 450})
    for (const int64_t n : {1, 7, 300, 2500}) {
      Gradient<float, 2> at_once, in_memory;
      Array<float, 2> weights[2] = {Array<float, 2>({m, n}), Array<float, 2>({m, n})}, sums[2] = {Array<float, 2>({m, n}), Array<float, 2>({m, n})};
      for (int step = 0; step < 3; ++step) {
        at_once.begin({m, n});
        in_memory.begin({m, n});
        for (int64_t r = 0; r < 11; ++r) {
          const Mark mark = arena().mark();
          const Vector<float> a = normal<float>(0, 1, {m}), b = normal<float>(0, 1, {n});
          at_once += outer(a, b);
          in_memory += outer(a, b);
          arena().reset(mark);
        }
        CHECK(at_once.only_records());
        in_memory.view();
        CHECK(!in_memory.only_records());
        for_each_touched(adagrad, at_once, weights[0], sums[0]);
        for_each_touched(adagrad, in_memory, weights[1], sums[1]);
        CHECK(at_once.only_records());  // and may be read again
        CHECK(std::memcmp(weights[0].data(), weights[1].data(), static_cast<size_t>(m * n) * sizeof(float)) == 0);
        CHECK(std::memcmp(at_once.view().data, in_memory.view().data, static_cast<size_t>(m * n) * sizeof(float)) == 0);
      }
    }
}

TEST_CASE("gradients of vectors and numbers") {
  Gradient<double, 1> vector;
  Gradient<double, 0> number;
  for (int step = 0; step < 2; ++step) {
    vector.begin({3});
    number.begin({});
    vector += placed(ones<double>({2}), 1);
    vector += ones<double>({3}) * 2;
    vector += index_at(0, 5.0);
    number += 3.0;
    number += 4;
    CHECK(vector.view().data[0] == 7);
    CHECK(vector.view().data[2] == 3);
    CHECK(number.view() == 7);
  }
  Array<double, 0> weight = 1.0;
  for_each([](double g, double& w) { w -= g; }, number, weight);
  CHECK(weight == -6);
  CHECK_THROWS_AS(vector += ones<double>({4}), Error);
}

static detail::PhiloxBlock philox(uint64_t key, uint64_t block) { return detail::philox(key, block, detail::Lane::stream); }

TEST_CASE("Philox 4x32-10 gives the published words") {
  using Block = detail::PhiloxBlock;
  CHECK(philox(0, 0) == Block{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
  CHECK(philox(0, 1) != philox(1, 0));
}

TEST_CASE("draws take whole blocks, in order, and a seed restarts them") {
  stream().seed(42);
  const double first = uniform<double>(0, 1);
  CHECK(stream().position() == 1);
  CHECK(first == philox(42, 0)[0] * 0x1p-32);
  const Vector<double> five = uniform<double>(-1, 1, {5});
  CHECK(stream().position() == 3);
  CHECK(five.data[4] == -1 + 2 * (philox(42, 2)[0] * 0x1p-32));
  const Vector<double> z = normal<double>(0, 1, {100000});
  CHECK(std::fabs(mean(z)) < 0.02);
  CHECK(std::fabs(mean(z * z) - 1) < 0.02);
  stream().seed(42);
  CHECK(uniform<double>(0, 1) == first);
  Array<float, 2> array({3, 3});
  initialize_uniform(array, 2, 3);
  CHECK(max(array) < 3.0001f);
  CHECK(-max(-array) >= 2);
}

TEST_CASE("a shuffle is a permutation, the same for the same seed") {
  int values[10] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  const int* items[10];
  for (int i = 0; i < 10; ++i) items[i] = &values[i];
  const Dataset<int> dataset{items, 10, ""};
  stream().seed(7);
  const Dataset<int> a = shuffled(dataset);
  CHECK(stream().position() == 3);
  stream().seed(7);
  const Dataset<int> b = shuffled(dataset);
  std::set<int> seen;
  bool moved = false;
  for (int64_t i = 0; i < 10; ++i) {
    CHECK(a[i] == b[i]);
    seen.insert(a[i]);
    moved |= a[i] != i;
  }
  CHECK(seen.size() == 10);
  CHECK(moved);
}

TEST_CASE("rows that are touched before, between and behind views, dense additions and recorded products add up") {
  Gradient<double, 2> gradient;
  std::vector<double> wanted(40 * 3);
  const auto begin = [&] {
    gradient.begin({40, 3});
    std::fill(wanted.begin(), wanted.end(), 0.0);
  };
  const auto add_row = [&](int64_t row, double x) {
    gradient += row_at(row, full({3}, x));
    for (size_t i = 0; i < 3; ++i) wanted[static_cast<size_t>(row) * 3 + i] += x;
  };
  const auto add_all = [&](double x) {
    gradient += full({40, 3}, x);
    for (double& w : wanted) w += x;
  };
  const auto add_product = [&](double x) {
    gradient += outer(full({40}, x), full({3}, 1.0));
    for (double& w : wanted) w += x;
  };
  const auto is_right = [&] { return std::equal(wanted.begin(), wanted.end(), gradient.view().data); };
  for (int step = 0; step < 3; ++step) {
    begin();
    for (int64_t row = 0; row < 40; row += 2) add_row(row, 1.0 + static_cast<double>(row));
    CHECK(is_right());
    add_row(2, 0.5);
    add_row(3, 0.25);
    CHECK(gradient.only_rows());
    CHECK(gradient.touched().count() == 21);
    CHECK(is_right());
    CHECK(gradient.only_rows());
    begin();  // what a view has written is gone
    CHECK(is_right());
    add_row(5, 2);
    add_all(1);
    add_row(5, 3);
    CHECK(!gradient.only_rows());
    CHECK(is_right());
    begin();  // behind a dense step
    add_row(7, 2);
    CHECK(gradient.only_rows());
    add_product(4);
    CHECK(!gradient.only_rows());
    CHECK(!gradient.only_records());
    add_row(8, 1);
    CHECK(is_right());
    begin();
    add_row(9, 1);
    CHECK(is_right());
    add_all(2);
    CHECK(is_right());
    begin();
    add_product(3);
    CHECK(gradient.only_records());
    CHECK(is_right());
  }
}

TEST_CASE("what a part was given before an error does not come back") {
  const std::vector<double> a(60, 1.0), b(50, 2.0);
  Gradient<double, 2> gradient;
  detail::GradientParts parts;
  for (const bool fails : {true, false}) {
    gradient.begin({60, 50});
    for (const int part : {1, 2, 3}) {
      if (part > 1 && !fails) continue;
      parts.use(part);
      gradient.record(a.data(), b.data(), 60, 50);
    }
    parts.use(0);
    if (fails) {
      parts.forget();
      continue;
    }
    detail::thread_crew();
    parts.add(1, true);
    REQUIRE(gradient.only_records());
    double sum = 0;
    gradient.for_each_block([&](int64_t, int64_t count, const double* values) { sum = std::accumulate(values, values + count, sum); });
    CHECK(sum == 60 * 50 * 2.0);
    CHECK(max(gradient.view()) == 2.0);
    detail::crew->end_run();
  }
}

TEST_CASE("what is stored unless a condition holds keeps every bit") {
  const auto check = [](auto zero) {
    using T = decltype(zero);
    const T values[] = {T(1.5), -T(0), std::numeric_limits<T>::quiet_NaN(), std::numeric_limits<T>::infinity(), std::numeric_limits<T>::denorm_min()};
    for (const T before : values) {
      for (const T after : values) {
        for (const bool stays : {false, true}) {
          T target = before;
          store_unless(stays, target, after);
          CHECK(std::memcmp(&target, stays ? &before : &after, sizeof(T)) == 0);
        }
      }
    }
  };
  check(0.0f);
  check(0.0);
}

}  // namespace runtime_gradient_test
