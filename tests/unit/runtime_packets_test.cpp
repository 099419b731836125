// Elementwise operators, reductions and orders of any number of elements: as many as packets have, fewer, and some more. Held to the same, one by one.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "lantern/runtime.h"

namespace runtime_packets_test {

using namespace lantern;

namespace {

constexpr int64_t most = 37;  // of elements: two packets of the longest, and more than half of another

template <class T>
constexpr T nan = std::numeric_limits<T>::quiet_NaN();
template <class T>
constexpr T infinity = std::numeric_limits<T>::infinity();

/// Numbers that are nothing special, with one that is in each place of a packet, some time.
template <class T>
Vector<T> numbers(int64_t n, int64_t seed) {
  const auto result = new_tensor<T, 1>({n});
  for (int64_t i = 0; i < n; ++i) result.data[i] = static_cast<T>(static_cast<double>((i * 7919 + seed * 104729) % 61 - 30) / 8);
  return result;
}
template <class T>
Vector<T> unusual(int64_t n, int64_t seed) {
  const auto result = numbers<T>(n, seed);
  const T special[] = {nan<T>, infinity<T>, -infinity<T>, T(-0.0), T(0), std::numeric_limits<T>::max(), std::numeric_limits<T>::min()};
  for (int64_t i = seed % 3; i < n; i += 3) result.data[i] = special[static_cast<size_t>((i / 3 + seed) % 7)];
  return result;
}

/// Both NaN, or the same up to some ulp, zeros of one sign.
template <class T>
bool near(T a, T b, int ulp) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  if (a == b) return a != 0 || std::signbit(a) == std::signbit(b);
  return std::fabs(a - b) <= static_cast<T>(ulp) * std::numeric_limits<T>::epsilon() * std::max(std::fabs(a), std::fabs(b));
}

/// f(x, y) of vectors is what it is of their elements.
template <class T, class F>
void check_elements(const std::string& what, const F& f, int ulp = 0) {
  for (int64_t n = 1; n <= most; ++n)
    for (const int64_t seed : {1, 2, 3}) {
      const Vector<T> x = seed == 1 ? numbers<T>(n, 1) : unusual<T>(n, seed), y = seed == 3 ? unusual<T>(n, 5) : numbers<T>(n, 4);
      const auto room = full<T>({n + 1}, T(7));
      const Vector<T> result(room.data, {n});
      assign(result, f(x, y));
      CAPTURE(what);
      CAPTURE(n);
      CHECK(room.data[n] == T(7));
      for (int64_t i = 0; i < n; ++i) {
        CAPTURE(x.data[i]);
        CAPTURE(y.data[i]);
        CHECK(near(result.data[i], static_cast<T>(f(x.data[i], y.data[i])), ulp));
      }
      Vector<T> sums = copy(y);
      sums += f(x, y);
      for (int64_t i = 0; i < n; ++i) CHECK(near(sums.data[i], y.data[i] + result.data[i], 0));
    }
}

}  // namespace

TEST_CASE_TEMPLATE("operators of so many elements are those of each", T, float, double) {
  check_elements<T>("sign", [](auto x, auto) { return sign(x); });
  check_elements<T>("rint", [](auto x, auto) { return rint(x); });
  check_elements<T>("exp", [](auto x, auto) { return exp(x); }, 4);
  check_elements<T>("expm1", [](auto x, auto) { return expm1(x); }, 8);
  check_elements<T>("log", [](auto x, auto) { return log(x); }, 4);
  check_elements<T>("log of what is close to 1", [](auto x, auto) { return log(T(1) + x * T(1e-3)); }, 4);
  check_elements<T>("log1p", [](auto x, auto) { return log1p(maximum(x, T(-0.9))); }, 8);
  check_elements<T>("sigmoid", [](auto x, auto) { return sigmoid(x); }, 8);
  check_elements<T>("elu", [](auto x, auto) { return elu(x, T(0.7)); }, 8);
  check_elements<T>("leaky_relu", [](auto x, auto) { return leaky_relu(x, T(0.1)); });
  check_elements<T>("erf", [](auto x, auto) { return erf(x); }, 8);
  check_elements<T>("gelu", [](auto x, auto) { return gelu(maximum(x, T(-2))); }, 64);
  check_elements<T>("erfc", [](auto x, auto) { return erfc(x); });
  check_elements<T>("atan2", [](auto x, auto y) { return atan2(x, y); });
  check_elements<T>("modulo", [](auto x, auto y) { return modulo(x, y); });
  check_elements<T>("tanh", [](auto x, auto) { return tanh(x); }, 16);
  check_elements<T>("exp of erfc", [](auto x, auto) { return exp(erfc(x)); }, 8);
  check_elements<T>("maximum", [](auto x, auto y) { return maximum(x, y); });
}

TEST_CASE_TEMPLATE("conditions of so many elements are those of each", T, float, double) {
  check_elements<T>("less", [](auto x, auto y) { return where(x < y, x, y); });
  check_elements<T>("less or equal", [](auto x, auto y) { return where(x <= y, x, y); });
  check_elements<T>("greater", [](auto x, auto y) { return where(x > y, x, T(0.5)); });
  check_elements<T>("greater or equal", [](auto x, auto y) { return where(x >= y, T(-2), y); });
  check_elements<T>("equal", [](auto x, auto y) { return where(x == T(0), x, y); });
  check_elements<T>("not equal", [](auto x, auto y) { return where(x != x, y, x); });
  check_elements<T>("and", [](auto x, auto y) { return where(logical_and(x > T(0), y > T(0)), x, y); });
  check_elements<T>("or", [](auto x, auto y) { return where(logical_or(x > T(1), x < y), x, y); });
  check_elements<T>("not", [](auto x, auto y) { return where(logical_not(x > y), x, y); });
  check_elements<T>("as numbers", [](auto x, auto y) { return cast<T>(x > y) * y + cast<T>(logical_not(y < x)); });
  check_elements<T>("of the other type", [](auto x, auto y) {
    using Other = std::conditional_t<std::is_same_v<T, float>, double, float>;
    return where(cast<Other>(x) > Other(0.5), exp(minimum(x, T(3))), y);
  }, 8);
}

TEST_CASE_TEMPLATE("conditions and numbers that lie in memory as others than the elements", T, float, double) {
  for (int64_t n = 1; n <= most; ++n) {
    const Vector<T> x = numbers<T>(n, 1), y = numbers<T>(n, 2);
    const Vector<bool> chosen = x > y;
    const Vector<int64_t> whole = cast<int64_t>(x);
    const Vector<T> first = where(chosen, x, y), second = exp(cast<T>(whole) / T(4)), third = where(whole == 1, x, y), fourth = where(n % 2 == 0, x, y);
    for (int64_t i = 0; i < n; ++i) {
      CHECK(first.data[i] == (x.data[i] > y.data[i] ? x.data[i] : y.data[i]));
      CHECK(near(second.data[i], std::exp(static_cast<T>(whole.data[i]) / T(4)), 8));
      CHECK(third.data[i] == (whole.data[i] == 1 ? x.data[i] : y.data[i]));
      CHECK(fourth.data[i] == (n % 2 == 0 ? x.data[i] : y.data[i]));
    }
  }
}

TEST_CASE_TEMPLATE("rows that broadcast", T, float, double) {
  for (const int64_t n : {1, 3, 8, 17, 35}) {
    const Matrix<T> x = reshape(numbers<T>(3 * n, 1), {3, n}), column = reshape(numbers<T>(3, 2), {3, 1});
    const Vector<T> row = numbers<T>(n, 3);
    const Matrix<T> result = where(x > column, x * row, tanh(column));
    for (int64_t i = 0; i < 3; ++i)
      for (int64_t j = 0; j < n; ++j) {
        const T element = x.data[i * n + j], beside = column.data[i];
        CHECK(near(result.data[i * n + j], element > beside ? element * row.data[j] : std::tanh(beside), 16));
      }
  }
}

TEST_CASE_TEMPLATE("reductions of so many elements, of all and along each axis", T, float, double) {
  for (const int64_t seed : {1, 2, 3})
    for (int64_t n = 1; n <= 150; n += n < most ? 1 : 13) {
      const Vector<T> x = seed == 1 ? numbers<T>(n, 1) : unusual<T>(n, seed);
      T largest = x.data[0], smallest = x.data[0];
      int64_t of_largest = 0, of_smallest = 0;
      for (int64_t i = 1; i < n; ++i) {
        if (x.data[i] > largest || (std::isnan(x.data[i]) && !std::isnan(largest))) largest = x.data[of_largest = i];
        if (x.data[i] < smallest || (std::isnan(x.data[i]) && !std::isnan(smallest))) smallest = x.data[of_smallest = i];
      }
      CHECK(near(max(x) + T(1), largest + T(1), 0));
      CHECK(near(min(x) + T(1), smallest + T(1), 0));
      CHECK(argmax(x) == of_largest);
      CHECK(argmin(x) == of_smallest);
      const Matrix<T> rows = reshape(concat(x, numbers<T>(n, 6)), {2, n}), columns = transpose(rows);
      const auto same = [](const auto& a, const auto& b, int ulp) {
        for (int64_t i = 0; i < 2; ++i) CHECK(near(static_cast<T>(a.data[i]), static_cast<T>(b.data[i]), ulp));
      };
      same(max(rows, 1), max(columns, 0), 0);
      same(min(rows, -1), min(columns, 0), 0);
      same(argmax(rows, 1), argmax(columns, 0), 0);
      same(argmin(rows, 1), argmin(columns, 0), 0);
      same(logsumexp(rows, 1), logsumexp(columns, 0), 0);
      same(prod(rows, 1), prod(columns, 0), 64);
      if (seed == 1) {
        same(sum(rows, 1), sum(columns, 0), 64);
        same(mean(rows, 1), mean(columns, 0), 64);
        CHECK(near(sum(x * x), std::inner_product(x.data, x.data + n, x.data, T(0)), 64));
        T weights = 0;
        for (int64_t i = 0; i < n; ++i) weights += std::exp(x.data[i] - largest);
        CHECK(near(logsumexp(x), largest + std::log(weights), 64));
        CHECK(near(sum(exp(x - largest)), weights, 64));
      }
    }
}

TEST_CASE("reductions of columns that are no floating-point numbers") {
  for (int64_t n = 1; n <= 100; n += 9) {
    const Matrix<double> x = reshape(numbers<double>(3 * n, 1), {n, 3});
    const Vector<int64_t> counts = sum(x > 0.5, 0), sums = sum(cast<int32_t>(x), 0), largest = max(cast<int64_t>(x), 0), first = argmax(x > 0.5, 0);
    const Vector<double> means = mean(cast<int32_t>(x), 0);
    for (int64_t j = 0; j < 3; ++j) {
      int64_t count = 0, total = 0, most_so_far = -100, place = -1;
      for (int64_t i = 0; i < n; ++i) {
        const double element = x.data[3 * i + j];
        if (element > 0.5 && place < 0) place = i;
        count += element > 0.5;
        total += static_cast<int64_t>(element);
        most_so_far = std::max(most_so_far, static_cast<int64_t>(element));
      }
      CHECK(counts.data[j] == count);
      CHECK(sums.data[j] == total);
      CHECK(largest.data[j] == most_so_far);
      CHECK(first.data[j] == std::max<int64_t>(place, 0));
      CHECK(means.data[j] == doctest::Approx(static_cast<double>(total) / static_cast<double>(n)));
    }
  }
}

TEST_CASE_TEMPLATE("matrices of any size are turned", T, float, double, int64_t, bool) {
  for (const int64_t m : {1, 4, 8, 15, 16, 33})
    for (const int64_t n : {1, 2, 8, 16, 17, 40}) {
      const Matrix<T> x = new_tensor<T, 2>({m, n});
      for (int64_t i = 0; i < m * n; ++i) x.data[i] = static_cast<T>(i % 3 == 0 ? i : 0);
      const Matrix<T> turned = transpose(x), exchanged = swap_axes(x, 0, 1);
      for (int64_t i = 0; i < m * n; ++i) {
        CHECK(turned.data[i % n * m + i / n] == x.data[i]);
        CHECK(exchanged.data[i % n * m + i / n] == x.data[i]);
      }
    }
}

TEST_CASE_TEMPLATE("a step takes the packets of recorded products: each entry once, as one over the gradient in memory does", T, float, double) {
  const auto adagrad = [](auto g, auto& w, auto& sum) { sum += g * g, w -= T(0.1) * g / (sqrt(sum) + T(1e-7)); };
  const auto check = [&](int64_t m, int64_t n, int64_t records, int count) {
    CAPTURE(m);
    CAPTURE(n);
    CAPTURE(records);
    Gradient<T, 2> of_products, in_memory;
    Array<T, 2> weights[2] = {Array<T, 2>({m, n}), Array<T, 2>({m, n})}, sums[2] = {Array<T, 2>({m, n}), Array<T, 2>({m, n})};
    detail::GradientParts parts;
    for (int step = 0; step < 2; ++step) {
      for (auto* gradient : {&of_products, &in_memory}) gradient->begin({m, n});
      for (int64_t r = 0; r < records; ++r) {
        const Mark mark = arena().mark();
        const Vector<T> a = copy(numbers<T>(m, r + step)), b = numbers<T>(n, 3 * r + step);
        a.data[0] = static_cast<T>(r);  // no two right vectors are the same
        b.data[0] = static_cast<T>(r);
        parts.use(count > 1 ? static_cast<int>(r % 3) : 0);
        of_products += outer(a, b);
        parts.use(0);
        in_memory += outer(a, b);
        arena().reset(mark);
      }
      if (count > 1) {
        set_threads(count);
        detail::thread_crew();
        for (const int part : {1, 2}) parts.add(part, true);
      }
      REQUIRE(of_products.is_sum_of_products());
      in_memory.view();
      for_each(adagrad, of_products, weights[0], sums[0]);
      set_threads(1);
      for_each(adagrad, in_memory, weights[1], sums[1]);
      CHECK(std::memcmp(weights[0].data(), weights[1].data(), static_cast<size_t>(m * n) * sizeof(T)) == 0);
      CHECK(std::memcmp(sums[0].data(), sums[1].data(), static_cast<size_t>(m * n) * sizeof(T)) == 0);
      CHECK(of_products.is_sum_of_products());  // and may be read again
      CHECK(std::memcmp(of_products.view().data, in_memory.view().data, static_cast<size_t>(m * n) * sizeof(T)) == 0);
      if (count > 1) detail::crew->end_run();
    }
  };
  for (const int64_t m : {24, 25, 31, 64})
    for (const int64_t n : {24, 31, 32, 33, 47, 48, 49, 65, 95, 300})
      for (const int64_t records : {1, 3, 8, 19}) check(m, n, records, 1);
  check(450, 300, 19, 2);
}

TEST_CASE_TEMPLATE("orders of few and of many, equals as they stood, NaN last", T, float, double, int32_t, int64_t, bool) {
  for (const int64_t n : {1, 2, 37, 255, 256, 3000})
    for (const bool descending : {false, true}) {
      const auto x = new_tensor<T, 1>({n});
      for (int64_t i = 0; i < n; ++i) {
        const double number = static_cast<double>((i * 7919 + 3) % 101 - 50) * (i % 5 == 0 ? 1e5 : 0.25);
        x.data[i] = static_cast<T>(number);
        if constexpr (std::is_floating_point_v<T>) {
          const T special[] = {nan<T>, infinity<T>, -infinity<T>, T(-0.0), T(0)};
          if (i % 11 == 0) x.data[i] = special[static_cast<size_t>(i / 11 % 5)];
        }
      }
      std::vector<int64_t> wanted(static_cast<size_t>(n));
      std::iota(wanted.begin(), wanted.end(), 0);
      std::stable_sort(wanted.begin(), wanted.end(), [&](int64_t a, int64_t b) {
        const T p = x.data[a], q = x.data[b];
        if (p != p || q != q) return p == p;
        return descending ? q < p : p < q;
      });
      const Vector<int64_t> order = argsort(x, descending);
      CHECK(std::equal(wanted.begin(), wanted.end(), order.data));
    }
}

}  // namespace runtime_packets_test
