// Several results of one loop: each is to the bit what it is in a loop of its own.
#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <vector>

#include "lantern/runtime.h"

namespace runtime_loops_test {

using namespace lantern;

namespace {

template <class T, int Rank>
bool same_bits(const Tensor<T, Rank>& a, const Tensor<T, Rank>& b) {
  return a.shape == b.shape && (a.size() == 0 || std::memcmp(a.data, b.data, sizeof(T) * static_cast<size_t>(a.size())) == 0);
}

/// Numbers of both signs that are not in order.
template <class T, int Rank>
Tensor<T, Rank> numbers(const Shape<Rank>& shape, int seed) {
  const Tensor<T, Rank> x = zeros<T>(shape);
  for (int64_t i = 0; i < x.size(); ++i) x.data[i] = static_cast<T>(std::sin(static_cast<double>(seed + i * i)));
  return x;
}

template <class T, int Rank>
void check(const Shape<Rank>& shape) {
  const Tensor<T, Rank> x = numbers<T, Rank>(shape, 1), y = numbers<T, Rank>(shape, 2);
  const Tensor<bool, Rank> positive = x > 0;
  const T half = T(0.5);
  const auto [total, d, chosen, average, root, count] = in_one_loop<T>([](auto x_i, auto positive_i, auto y_i, auto by) {
    const auto d_i = x_i - y_i * by;
    const auto near_i = logical_and(abs(d_i) < 1, logical_not(positive_i));
    return std::tuple(sum_of(d_i * d_i), d_i, where(near_i, d_i, where(positive_i, T(2), -y_i)), mean_of(exp(d_i) / (y_i * y_i + 1)), sqrt(maximum(y_i, T(0))), sum_of(T(1)));
  }, x, positive, y, half);
  const Tensor<T, Rank> apart = x - y * half;
  const Tensor<bool, Rank> near = logical_and(abs(apart) < 1, logical_not(positive));
  CHECK(same_bits(d, apart));
  CHECK(total == sum(apart * apart));
  CHECK(same_bits(chosen, Tensor<T, Rank>(where(near, apart, where(positive, T(2), -y)))));
  const T mean_apart = mean(exp(apart) / (y * y + 1));
  CHECK((average == mean_apart || (std::isnan(average) && std::isnan(mean_apart))));
  CHECK(same_bits(root, Tensor<T, Rank>(sqrt(maximum(y, T(0))))));
  CHECK(count == static_cast<T>(x.size()));
}

}  // namespace

TEST_CASE_TEMPLATE("a loop's results are those of loops of their own", T, float, double) {
  for (const int64_t n : {0, 1, 2, 3, 7, 8, 15, 16, 17, 31, 32, 33, 64, 1023, 2049, 5000}) check<T, 1>({n});
  check<T, 2>({3, 5});
  check<T, 2>({0, 4});
  check<T, 2>({40, 61});
  check<T, 3>({2, 3, 7});
}

TEST_CASE("what has another shape is an error") {
  const Vector<float> x = zeros<float>({3}), y = zeros<float>({4});
  CHECK_THROWS_WITH_AS(in_one_loop<float>([](auto x_i, auto y_i) { return std::tuple(x_i + y_i); }, x, y), doctest::Contains("[3]"), Error);
}

}  // namespace runtime_loops_test
