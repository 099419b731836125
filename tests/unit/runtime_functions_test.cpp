// Functions of elements by packets, held to libm's.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "lantern/runtime.h"

namespace runtime_functions_test {

using namespace lantern;

namespace {

/// How many ulp f of numbers from `low` to `high` is off, at most.
template <class T, class F, class Exact>
double most_ulp(const F& f, const Exact& exact, T low, T high) {
  const Vector<T> x = uniform<T>(low, high, {100000});
  const Vector<T> y = f(x);
  double worst = 0;
  for (int64_t i = 0; i < x.shape[0]; ++i) {
    const long double e = exact(static_cast<long double>(x.data[i]));
    const long double ulp = std::ldexp(1.0L, std::ilogb(e) - (std::numeric_limits<T>::digits - 1));
    worst = std::max(worst, static_cast<double>(std::fabs(static_cast<long double>(y.data[i]) - e) / ulp));
  }
  return worst;
}

}  // namespace

TEST_CASE_TEMPLATE("vectorised functions are within six ulp, tanh of f32 within seven", T, float, double) {
  using Exact = long double;
  const auto off = [](auto&& f, auto&& exact, double low, double high) { return most_ulp<T>(f, exact, static_cast<T>(low), static_cast<T>(high)); };
  CHECK(off([](auto x) { return exp(x); }, [](Exact x) { return std::exp(x); }, -80, 80) <= 6);
  CHECK(off([](auto x) { return log(x); }, [](Exact x) { return std::log(x); }, 1e-3, 1e3) <= 6);
  for (const double most : {10.0, 1.0, 0.1, 1e-5}) CHECK(off([](auto x) { return tanh(x); }, [](Exact x) { return std::tanh(x); }, -most, most) <= (std::is_same_v<T, float> ? 7 : 6));
  CHECK(off([](auto x) { return sigmoid(x); }, [](Exact x) { return 1 / (1 + std::exp(-x)); }, -80, 40) <= 6);
  for (const double most : {30.0, 1.0, 0.01, 1e-7}) CHECK(off([](auto x) { return log1p(x); }, [](Exact x) { return std::log1p(x); }, 0, most) <= 6);
  for (const double least : {-0.9, -0.1, -1e-5}) CHECK(off([](auto x) { return log1p(x); }, [](Exact x) { return std::log1p(x); }, least, 0) <= 6);
  for (const double most : {5.0, 1.1, 0.1, 1e-5}) CHECK(off([](auto x) { return erf(x); }, [](Exact x) { return std::erf(x); }, -most, most) <= 6);
  for (const double most : {80.0, 1.0, 0.1, 1e-5}) CHECK(off([](auto x) { return expm1(x); }, [](Exact x) { return std::expm1(x); }, -most, most) <= 6);
  for (const double most : {0.7, 1e-4, 6.0}) CHECK(off([](auto x) { return sin(x); }, [](Exact x) { return std::sin(x); }, -most, most) <= 6);
  for (const double most : {0.7, 1e-4, 6.0}) CHECK(off([](auto x) { return cos(x); }, [](Exact x) { return std::cos(x); }, -most, most) <= 6);
  for (const double most : {40.0, 1.0}) CHECK(off([](auto x) { return softplus(x); }, [](Exact x) { return std::log1p(std::exp(x)); }, -most, most) <= 6);
}

TEST_CASE_TEMPLATE("square roots are those of the processor, to the bit", T, float, double) {
  constexpr T inf = std::numeric_limits<T>::infinity(), least = std::numeric_limits<T>::denorm_min(), most = std::numeric_limits<T>::max();
  const std::vector<T> numbers = {T(2), T(0), T(-0.0), inf, -inf, T(-1), least, most, T(1e-30), T(0.1), T(1) / 3, std::numeric_limits<T>::quiet_NaN()};
  for (size_t n = 1; n <= 40; ++n) {
    const Vector<T> into = zeros<T>({static_cast<int64_t>(n)});
    for (size_t i = 0; i < n; ++i) into.data[i] = numbers[(i * 7 + n) % numbers.size()];
    const Vector<T> roots = sqrt(into);
    for (size_t i = 0; i < n; ++i) {
      const T exact = std::sqrt(into.data[i]);
      CHECK((std::isnan(exact) ? std::isnan(roots.data[i]) : roots.data[i] == exact && std::signbit(roots.data[i]) == std::signbit(exact)));
    }
  }
}

TEST_CASE("sine and cosine of doubles that are many turns") {
  for (const double most : {1e3, 4e5, 1e9}) {
    CHECK(most_ulp<double>([](auto x) { return sin(x); }, [](long double x) { return std::sin(x); }, -most, most) <= 6);
    CHECK(most_ulp<double>([](auto x) { return cos(x); }, [](long double x) { return std::cos(x); }, -most, most) <= 6);
  }
  const Vector<double> multiples = evaluate(cast<double>(arange(2000)) * 1.5707963267948966);
  const Vector<double> sines = sin(multiples), cosines = cos(multiples);
  for (int64_t i = 0; i < 2000; ++i) {
    CHECK(std::fabs(sines.data[i] - std::sin(multiples.data[i])) <= 6 * 2.3e-16 * std::fabs(std::sin(multiples.data[i])));
    CHECK(std::fabs(cosines.data[i] - std::cos(multiples.data[i])) <= 6 * 2.3e-16 * std::fabs(std::cos(multiples.data[i])));
  }
}

TEST_CASE_TEMPLATE("vectorised functions of what is no ordinary number", T, float, double) {
  constexpr T inf = std::numeric_limits<T>::infinity(), nan = std::numeric_limits<T>::quiet_NaN();
  const auto all = [](auto&& f, T x) {  // of a vector that is packets and a rest
    const Vector<T> y = f(full<T>({19}, x));
    for (int64_t i = 1; i < 19; ++i) CHECK((std::isnan(y.data[i]) ? std::isnan(y.data[0]) : y.data[i] == y.data[0] && std::signbit(y.data[i]) == std::signbit(y.data[0])));
    return y.data[0];
  };
  const auto Tanh = [](auto x) { return tanh(x); };
  const auto Log1p = [](auto x) { return log1p(x); };
  const auto Softplus = [](auto x) { return softplus(x); };
  CHECK(all(Tanh, inf) == 1);
  CHECK(all(Tanh, -inf) == -1);
  CHECK(all(Tanh, 50) == 1);
  CHECK(std::isnan(all(Tanh, nan)));
  CHECK(std::signbit(all(Tanh, T(-0.0))));
  CHECK_FALSE(std::signbit(all(Tanh, T(0))));
  CHECK(std::isnan(all([](auto x) { return sin(x); }, inf)));
  CHECK(std::isnan(all([](auto x) { return cos(x); }, nan)));
  CHECK(std::signbit(all([](auto x) { return sin(x); }, T(-0.0))));
  CHECK(all([](auto x) { return cos(x); }, T(-0.0)) == 1);
  CHECK(all(Log1p, inf) == inf);
  CHECK(all(Log1p, -1) == -inf);
  CHECK(std::isnan(all(Log1p, -2)));
  CHECK(std::isnan(all(Log1p, nan)));
  CHECK(std::signbit(all(Log1p, T(-0.0))));
  const auto Expm1 = [](auto x) { return expm1(x); };
  CHECK(all(Expm1, inf) == inf);
  CHECK(all(Expm1, -inf) == -1);
  CHECK(all(Expm1, 800) == inf);
  CHECK(all(Expm1, -800) == -1);
  CHECK(std::isnan(all(Expm1, nan)));
  CHECK(std::signbit(all(Expm1, T(-0.0))));
  CHECK_FALSE(std::signbit(all(Expm1, T(0))));
  const T last = std::log(std::numeric_limits<T>::max()) * T(0.9999);  // of exp, not of its half
  CHECK(all(Expm1, last) < inf);
  CHECK(std::fabs(all(Expm1, last) / std::expm1(last) - 1) < 16 * std::numeric_limits<T>::epsilon());
  const auto Erf = [](auto x) { return erf(x); };
  CHECK(all(Erf, inf) == 1);
  CHECK(all(Erf, -inf) == -1);
  CHECK(std::isnan(all(Erf, nan)));
  CHECK(std::signbit(all(Erf, T(-0.0))));
  CHECK(all([](auto x) { return gelu(x); }, T(20)) == 20);
  CHECK(std::isnan(all([](auto x) { return gelu(x); }, nan)));
  CHECK(all(Softplus, inf) == inf);
  CHECK(all(Softplus, -inf) < T(1e-30));
  CHECK(std::isnan(all(Softplus, nan)));
}

}  // namespace runtime_functions_test
