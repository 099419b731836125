// Threads share batches, gradients and steps, and give what one gives.
#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "batch_model.h"

namespace runtime_batch_threads_test {

using namespace lantern;
using namespace batch_model;

TEST_CASE("threads that share a batch give its values and its gradient, and the same bits each time") {
  Model model;
  fill_weight(model);
  for (const int64_t trees : {3, 8, 50, 200}) {
    set_threads(1);
    const double loss = loss_of(model, trees, 12);
    const Matrix<double> gradient = copy(model.gradient.view());
    for (const int count : {2, 3, 7}) {
      set_threads(count);
      CHECK(loss_of(model, trees, 12) == loss);
      const Matrix<double> shared = copy(model.gradient.view());
      CHECK(max(abs(gradient - shared)) <= 1e-9 * (1 + max(abs(gradient))));
      for (int again = 0; again < 5; ++again) {
        loss_of(model, trees, 12);
        CHECK(max(abs(model.gradient.view() - shared)) == 0);
      }
      loss_of(model, trees, 12, -1, 3);
      CHECK(max(abs(3 * gradient - model.gradient.view())) <= 1e-9 * (1 + max(abs(gradient))));
    }
  }
  set_threads(1);
}

TEST_CASE("threads keep nothing of the batches that they have shared") {
  set_threads(3);
  const auto batches = [](int count) {
    for (int batch = 0; batch < count; ++batch) {
      on_stack([&] {
        const Mark mark = arena().mark();
        each(600, [](int64_t i, continuation<double> k) {
          double x_adj = 0;
          k(static_cast<double>(i), x_adj);
        }, [](List<double>, List<double>) {});
        arena().reset(mark);
      });
    }
    return memory_in_use();
  };
  const int64_t charged = batches(20);
  CHECK(batches(400) == charged);
  set_threads(1);
}

TEST_CASE("vectors side by side meet weights of any shape in one product") {
  for (const Shape<2>& shape : {Shape<2>{1000, 5}, Shape<2>{5, 1000}, Shape<2>{900, 20}, Shape<2>{64, 70}}) {
    Array<float, 2> weight(shape);
    for (int64_t i = 0; i < weight.size(); ++i) weight.data()[i] = std::sin(static_cast<float>(i));
    const auto sums = [&](bool side_by_side) {
      if (!side_by_side) detail::thread_fibers().one_by_one = true;
      return on_stack([&] {
        const Mark mark = arena().mark();
        double both = 0;
        each(23, [&](int64_t i, continuation<float, float> k) {
          const Vector<float> x = full<float>({shape[0]}, static_cast<float>(i % 5)), z = full<float>({shape[1]}, static_cast<float>(i));
          const Vector<float> y = matmul(x, weight), w = matmul(weight, z) + x;
          float of_y = sum(y * y), of_w = sum(w * w), of_y_adj = 0, of_w_adj = 0;
          k(of_y, of_y_adj, of_w, of_w_adj);
        }, [&](List<float> of_y, List<float>, List<float> of_w, List<float>) {
          for (int64_t i = 0; i < of_y.size; ++i) both += static_cast<double>(of_y.data[i]) + 3 * static_cast<double>(of_w.data[i]);
        });
        arena().reset(mark);
        return both;
      });
    };
    const double together = sums(true);
    CHECK(together == doctest::Approx(sums(false)).epsilon(1e-4));
    CHECK(together > 0);
  }
}

TEST_CASE("turns behind turns that threads share") {
  Model model;
  fill_weight(model);
  const auto both = [&] {
    return on_stack([&] {
      const Mark mark = arena().mark();
      model.gradient.begin(model.weight.shape());
      double loss = 0;
      each(30, [&](int64_t i, continuation<Vector<double>, double> k) { encode(model, *tree(6, i), k); },
           [&](List<Vector<double>> h, List<Vector<double>> h_adj, List<double>, List<double>) {
        each(30, [&](int64_t i, continuation<double> k) {
          const Vector<double> y = matmul(model.weight, h.data[i]);
          const double squares = sum(y * y);
          double squares_adj = 0;
          k(squares, squares_adj);
          const Vector<double> y_adj = 2.0 * squares_adj * y;
          model.gradient += outer(y_adj, h.data[i]);
          h_adj.data[i] += matmul(transpose(model.weight), y_adj);
        }, [&](List<double> squares, List<double> squares_adj) {
          for (int64_t i = 0; i < squares.size; ++i) {
            loss += squares.data[i];
            const_cast<double&>(squares_adj.data[i]) += 1;
          }
        });
      });
      arena().reset(mark);
      return loss;
    });
  };
  const double loss = both();
  const Matrix<double> gradient = copy(model.gradient.view());
  for (const int count : {2, 5}) {
    set_threads(count);
    CHECK(both() == loss);
    CHECK(max(abs(model.gradient.view() - gradient)) <= 1e-9 * (1 + max(abs(gradient))));
  }
  set_threads(1);
}

namespace {

int64_t depth_of(int64_t calls) {
  check_stack("depth_of");
  return calls == 0 ? 0 : 1 + depth_of(calls - 1);
}

}  // namespace

TEST_CASE("turns that threads share go back, whatever fails behind them") {
  set_threads(2);
  std::vector<double> given(16);
  double depths = 0;
  on_stack([&] {
    each(16, [&](int64_t i, continuation<double> k) {
      double x = 0, x_adj = 0;
      k(x, x_adj);
      given[static_cast<size_t>(i)] = x_adj;
    }, [&](List<double>, List<double> adjoints) {
      each(3, [](int64_t, continuation<double> k) {
        double depth = static_cast<double>(depth_of(40000)), depth_adj = 0;  // more than there is room for beside others: in turn
        k(depth, depth_adj);
      }, [&](List<double> all, List<double>) { for (const double each : all) depths += each; });
      for (int64_t i = 0; i < 16; ++i) adjoints[i] = 1;
    });
  });
  CHECK(depths == 120000);
  for (const double each : given) CHECK(each == 1);
  set_threads(1);
}

TEST_CASE("threads may record a gradient as products of different shapes") {
  const Shape<3> shape{6, 5, 7};
  Gradient<double, 3> gradient;
  const auto run = [&] {
    gradient.begin(shape);
    on_stack([&] {
      each(24, [&](int64_t i, continuation<double> k) {
        double x = 1, x_adj = 0;
        k(x, x_adj);
        const int64_t m = i < 8 ? 30 : 6;
        gradient += reshape(outer(full<double>({m}, static_cast<double>(i)), x_adj * ones<double>({210 / m})), shape);
      }, [](List<double>, List<double> x_adj) {
        for (int64_t i = 0; i < x_adj.size; ++i) const_cast<double&>(x_adj.data[i]) += 1;
      });
    });
    return copy(gradient.view());
  };
  const Tensor<double, 3> alone = run();
  CHECK(alone.data[0] == 23 * 24 / 2);
  for (const int count : {2, 3, 6}) {
    set_threads(count);
    CHECK(max(abs(run() - alone)) == 0);
  }
  set_threads(1);
}

TEST_CASE("threads share a step over all entries, to the bit") {
  const auto adagrad = [](float g, float& w, float& sum) { sum += g * g, w -= 0.1F * g / (std::sqrt(sum) + 1e-7F); };
  const Shape<2> shape{613, 300};
  for (const int64_t records : {0, 12, 40, 300}) {  // none, few of them, and so many that they are a gradient in memory
    Gradient<float, 2> gradients[2];
    Array<float, 2> weights[2] = {Array<float, 2>(shape), Array<float, 2>(shape)}, sums[2] = {Array<float, 2>(shape), Array<float, 2>(shape)};
    for (int step = 0; step < 3; ++step) {
      for (auto& gradient : gradients) gradient.begin(shape);
      for (int64_t r = 0; r < records; ++r) {
        const Mark mark = arena().mark();
        const Vector<float> a = normal<float>(0, 1, {shape[0]}), b = normal<float>(0, 1, {shape[1]});
        for (auto& gradient : gradients) gradient += outer(a, b);
        arena().reset(mark);
      }
      for (auto& gradient : gradients) {
        if (records == 0) gradient += full<float>(shape, 0.5F);
      }
      for (int side = 0; side < 2; ++side) {
        set_threads(side ? 5 : 1);
        for_each(adagrad, gradients[side], weights[side], sums[side]);
      }
      set_threads(1);
      CHECK(std::memcmp(weights[0].data(), weights[1].data(), static_cast<size_t>(weights[0].size()) * sizeof(float)) == 0);
    }
  }
}

TEST_CASE("errors on threads are those of the program, and so is what comes after") {
  Model model;
  fill_weight(model);
  const double loss = loss_of(model, 30, 10);
  set_threads(3);
  for (const int64_t broken : {0, 11, 29}) {
    std::string text;
    try {
      loss_of(model, 30, 1, broken);  // a leaf each
    } catch (const Error& error) {
      text = error.text();
    }
    CHECK(text == "ValueError: leaf " + std::to_string(broken) + " [LT0701]");
    CHECK(loss_of(model, 30, 10) == loss);
  }
  // Behind the turns, where workers wait to go back; and on the way back.
  CHECK_THROWS_AS(on_stack([&] { each(30, [](int64_t, continuation<double> k) { double x = 1, x_adj = 0; k(x, x_adj); },
                                      [](List<double>, List<double>) { raise_error("ValueError", "", "behind them"); }); }), Error);
  CHECK_THROWS_AS(on_stack([&] { each(30, [](int64_t i, continuation<double> k) {
    double x = 1, x_adj = 0;
    k(x, x_adj);
    if (i == 25) raise_error("ValueError", "", "on the way back");
  }, [](List<double>, List<double>) {}); }), Error);
  CHECK(loss_of(model, 30, 10) == loss);
  const Matrix<double> gradient = copy(model.gradient.view());
  CHECK_THROWS_AS(on_stack([&] { each(30, [&](int64_t i, continuation<double> k) {
    double x = 1, x_adj = 0;
    k(x, x_adj);
    model.gradient += outer(ones<double>({width}), ones<double>({width}));
    if (i == 25) raise_error("ValueError", "", "on the way back");
  }, [](List<double>, List<double>) {}); }), Error);
  CHECK(loss_of(model, 30, 10) == loss);
  CHECK(max(abs(model.gradient.view() - gradient)) == 0);
  set_threads(1);
}

}  // namespace runtime_batch_threads_test
