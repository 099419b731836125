// A sum's gradient term by term, in waves that threads share: values, gradients, bits and errors.
#include <doctest/doctest.h>

#include <cstring>
#include <new>
#include <set>
#include <string>
#include <vector>

#include "batch_model.h"

namespace runtime_batch_terms_test {

using namespace lantern;
using namespace batch_model;

namespace {

enum class Fails { forwards, back };

/// The summed loss of a batch of trees, and its gradient in the model. The turns in `failing` do, with their number.
double terms_of(Model& model, int64_t trees, int64_t leaves, const std::set<int64_t>& failing = {}, Fails when = Fails::forwards) {
  return on_stack([&] {
    const Mark mark = arena().mark();
    model.gradient.begin(model.weight.shape());
    double loss = 0;
    each_term(trees, [&](int64_t i, continuation<passive<double>> k) {
      encode(model, *tree(leaves + i % 3, i), [&](Vector<double> h, Vector<double> h_adj, double leaf_sum, double& leaf_sum_adj) {
        if (when == Fails::forwards && failing.count(i) > 0) raise_error("ValueError", "", "turn " + std::to_string(i));
        k(sum(h) + leaf_sum * leaf_sum);
        if (when == Fails::back && failing.count(i) > 0) raise_error("ValueError", "", "turn " + std::to_string(i));
        h_adj += ones<double>({width});
        leaf_sum_adj += 2 * leaf_sum;
      });
    }, [&](double each) { loss += each; });
    arena().reset(mark);
    return loss;
  });
}

bool same_bits(const Matrix<double>& a, const Matrix<double>& b) {
  return std::memcmp(a.data, b.data, static_cast<size_t>(a.size()) * sizeof(double)) == 0;
}

/// While it is there, so many threads.
struct Threads {
  explicit Threads(int count) { set_threads(count); }
  ~Threads() { set_threads(1); }
};

std::string error_of(Model& model, int64_t trees, int64_t leaves, const std::set<int64_t>& failing, Fails when) {
  try {
    terms_of(model, trees, leaves, failing, when);
  } catch (const Error& error) {
    return error.text();
  }
  return "none";
}

}  // namespace

TEST_CASE("terms that threads share give the value and the gradient that one thread gives, and the same bits whatever was before") {
  Model model;
  fill_weight(model);
  for (const int64_t trees : {0, 1, 7, 8, 25, 100}) {
    const double loss = terms_of(model, trees, 12);
    const Matrix<double> gradient = copy(model.gradient.view());
    if (trees > 0) CHECK(max(abs(gradient)) > 0.1);
    for (const int count : {2, 3, 7}) {
      const Threads threads(count);
      CHECK(terms_of(model, trees, 12) == doctest::Approx(loss).epsilon(1e-12));
      const Matrix<double> shared = copy(model.gradient.view());
      CHECK(max(abs(gradient - shared)) <= 1e-9 * (1 + max(abs(gradient))));
      for (int64_t again = 0; again < 4; ++again) {
        terms_of(model, 9 * again, 5 + again);
        terms_of(model, trees, 12);
        CHECK(same_bits(model.gradient.view(), shared));
      }
    }
  }
}

TEST_CASE("waves become as wide as memory allows, on threads too") {
  Model model;
  fill_weight(model);
  const double loss = terms_of(model, 600, 1);
  for (const int count : {2, 4}) {
    const Threads threads(count);
    CHECK(terms_of(model, 600, 1) == loss);  // a leaf each: nothing is rounded otherwise
  }
}

TEST_CASE("parts of gradients: rows, sums and products of several shapes") {
  Gradient<double, 2> rows;
  Gradient<double, 1> sums;
  Gradient<double, 3> products;
  const auto run = [&] {
    rows.begin({50, 3});
    sums.begin({4});
    products.begin({6, 5, 7});
    on_stack([&] {
      each_term(40, [&](int64_t i, continuation<passive<double>> k) {
        k(0);
        const auto number = static_cast<double>(i);
        rows += row_at(i * 7 % 11, full<double>({3}, number));
        sums += full<double>({4}, number);
        const int64_t m = i < 12 ? 30 : 6;
        products += reshape(outer(full<double>({m}, number), ones<double>({210 / m})), Shape<3>{6, 5, 7});
      });
    });
  };
  const auto check = [&] {
    CHECK(sums.view().data[3] == 39 * 40 / 2);
    CHECK(products.view().data[209] == 39 * 40 / 2);
    CHECK(products.view().data[0] == 39 * 40 / 2);
    double expected = 0;
    for (int64_t i = 0; i < 40; ++i) expected += i * 7 % 11 == 4 ? static_cast<double>(i) : 0;
    CHECK(rows.touched().count() == 11);
    CHECK(rows.view().data[4 * 3 + 2] == expected);
    CHECK(rows.view().data[20 * 3] == 0);
  };
  run();
  check();
  for (const int count : {2, 5}) {
    const Threads threads(count);
    for (int again = 0; again < 3; ++again) {
      run();
      check();
    }
  }
}

TEST_CASE("a thread that cannot begin its turns is an error") {
  detail::Crew crew;
  crew.start(2, [](void*, int number) {
    if (number == 2) throw std::bad_alloc();
  }, nullptr);
  CHECK_THROWS_AS(crew.finish(), OutOfMemory);
}

TEST_CASE("terms within turns that are made one by one leave them so") {
  const Threads threads(2);
  int64_t still = 0;
  CHECK_THROWS_AS(on_stack([&] {
    each_on_one_thread(3, [&](int64_t i, continuation<double> k) {
      const bool one_by_one = detail::fibers && detail::fibers->one_by_one;
      each_term(20, [](int64_t, continuation<passive<double>> next) { next(1); });
      still += one_by_one && detail::fibers->one_by_one;
      if (i == 2) raise_error("ValueError", "", "the last");
      double x = 1, x_adj = 0;
      k(x, x_adj);
    }, [](List<double>, List<double>) {});
  }), Error);
  CHECK(still == 3);
}

TEST_CASE("the first error in the order of terms is the program's, and nothing is left of the run") {
  Model model;
  fill_weight(model);
  for (const int count : {1, 2, 4}) {
    const Threads threads(count);
    const double loss = terms_of(model, 30, 10);
    const Matrix<double> gradient = copy(model.gradient.view());
    for (const std::set<int64_t>& failing : std::vector<std::set<int64_t>>{{0}, {29}, {11, 12, 13, 29}, {3, 4, 5, 6, 7, 8}}) {
      CHECK(error_of(model, 30, 10, failing, Fails::forwards) == "ValueError: turn " + std::to_string(*failing.begin()) + " [LT0701]");
      CHECK(terms_of(model, 30, 10) == loss);
      CHECK(same_bits(model.gradient.view(), gradient));
    }
    CHECK(error_of(model, 30, 10, {14}, Fails::back) == "ValueError: turn 14 [LT0701]");
    CHECK(terms_of(model, 30, 10) == loss);
    CHECK(same_bits(model.gradient.view(), gradient));
  }
}

}  // namespace runtime_batch_terms_test
