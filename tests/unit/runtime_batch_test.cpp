// Calls side by side give what they give one after another: values, adjoints and errors.
#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <string>
#include <thread>

#include "batch_model.h"
#include "lantern/changes.h"

namespace runtime_batch_test {

using namespace lantern;
using namespace batch_model;

namespace {

int64_t deepest = 0;

}  // namespace

TEST_CASE("a batch side by side has the values and the gradient that it has in turn") {
  Model model;
  fill_weight(model);
  for (const int64_t trees : {0, 1, 2, 25, 200}) {
    for (const int64_t leaves : {1, 2, 9, 40}) {
      const double loss = loss_of(model, trees, leaves);
      const Matrix<double> gradient = copy(model.gradient.view());
      const double again = in_turn([&] { return loss_of(model, trees, leaves); });
      CHECK(loss == doctest::Approx(again).epsilon(1e-12));
      CHECK(max(abs(gradient - model.gradient.view())) <= 1e-9 * (1 + max(abs(gradient))));
      if (trees > 0 && leaves > 1) CHECK(max(abs(gradient)) > 0.1);
      CHECK(loss_of(model, trees, leaves) == loss);  // the same bits
    }
  }
}

TEST_CASE("a host that is asked between the way there and the way back may run programs, some of which fail") {
  static Model other;
  fill_weight(other);
  detail::host_call = [](HostRequest* request) {
    double& result = *static_cast<double*>(request->result);
    result = 0;
    for (const int64_t trees : {30, 3}) result += loss_of(other, trees, 12);
    try {
      loss_of(other, 20, 12, std::strcmp(request->name, "failing") == 0 ? 5 : -1);
    } catch (const Error& error) {
      result += std::string(error.what()) == "leaf 5" ? 1 : 2;
    }
    request->failed = 0;
  };
  for (const int count : {1, 2}) {
    set_threads(count);
    Model model;
    fill_weight(model);
    const double loss = loss_of(model, 40, 9), asked = loss_of(model, 30, 12) + loss_of(model, 3, 12);
    loss_of(model, 40, 9);
    const Matrix<double> gradient = copy(model.gradient.view());
    CHECK(loss_of(model, 40, 9, -1, 1, "answering") == doctest::Approx(loss + asked).epsilon(1e-12));
    CHECK(max(abs(gradient - model.gradient.view())) == 0);
    CHECK(loss_of(model, 40, 9, -1, 1, "failing") == doctest::Approx(loss + asked + 1).epsilon(1e-12));
    CHECK(max(abs(gradient - model.gradient.view())) == 0);
  }
  set_threads(1);
  detail::host_call = nullptr;
}

TEST_CASE("products with one matrix are made together") {
  Model model;
  fill_weight(model);
  int64_t largest = 0;
  on_stack([&] {
    each(30, [&](int64_t i, continuation<Vector<double>> k) {
      const Vector<double> x = full<double>({width}, static_cast<double>(i));
      const Vector<double> y = matmul(model.weight, x);
      const Vector<double> z = x + matmul(y, model.weight);  // the other way round, and with a sum
      z += matmul(model.weight, x);
      Vector<double> z_adj = zeros_like(z);
      largest = std::max(largest, detail::fibers->last_multiplied());
      k(z, z_adj);
    }, [&](List<Vector<double>> z, List<Vector<double>>) {
      for (int64_t i = 0; i < 30; ++i) {
        const Vector<double> x = full<double>({width}, static_cast<double>(i)), y = matmul(model.weight.tensor(), x);
        const Vector<double> exact = x + y + matmul(y, model.weight.tensor());
        CHECK(max(abs(z.data[i] - exact)) < 1e-9);
      }
    });
  });
  CHECK(largest == 30);
}

TEST_CASE("a product that leads to no other waits for company, in each attempt alike") {
  static std::vector<size_t> groups;
  const float on = 0, last = 0;
  float vector = 0;
  const auto times = [&] {
    groups.clear();
    each(8, [&](int64_t i, continuation<double> k) {
      const auto multiply = [&](const float& matrix, void (*by)(detail::SharedProduct&)) { detail::fibers->product(&vector, &matrix, 1, 1, false, &vector, nullptr, by); };
      for (int64_t step = 0; step < i; ++step) multiply(on, [](detail::SharedProduct&) {});
      multiply(last, [](detail::SharedProduct& shared) { groups.push_back(shared.requests.size()); });
      double x = 0, x_adj = 0;
      k(x, x_adj);
    }, [](List<double>, List<double>) {});
  };
  on_stack([&] {
    for (int time = 0; time < 3; ++time) {
      times();
      CHECK(groups == std::vector<size_t>{4, 4});  // the first time they are as many as the others
    }
  });
}

TEST_CASE("a vector that several turns multiply is multiplied once, and added to what each has") {
  Model model;
  fill_weight(model);
  Array<double, 2> words;
  words.resize({5, width});
  initialize_uniform(words, -1, 1);
  Array<double, 1> bias;
  bias.resize({width});
  initialize_uniform(bias, -1, 1);
  int64_t largest = 0;
  on_stack([&] {
    const Vector<double> total = zeros<double>({width});
    each(40, [&](int64_t i, continuation<Vector<double>> k) {
      total += matmul(model.weight, row(words, 0, ""));  // the same vector, into the same sum
      const Vector<double> word = row(words, i * i % 5, "");
      const Vector<double> y = matmul(model.weight, word) + bias, z = full<double>({width}, static_cast<double>(i));
      z += matmul(word, model.weight);
      z += y;
      Vector<double> z_adj = zeros_like(z);
      largest = std::max(largest, detail::fibers->last_multiplied());
      k(z, z_adj);
    }, [&](List<Vector<double>> z, List<Vector<double>>) {
      for (int64_t i = 0; i < 40; ++i) {
        const Vector<double> word = row(words, i * i % 5, "");
        const Vector<double> exact = matmul(model.weight.tensor(), word) + bias.tensor() + matmul(word, model.weight.tensor()) + static_cast<double>(i);
        CHECK(max(abs(z.data[i] - exact)) < 1e-9);
      }
    });
    CHECK(max(abs(total - matmul(model.weight.tensor(), row(words, 0, "")) * 40.0)) < 1e-9);
  });
  CHECK(largest == 40);
}

TEST_CASE("so are those with the rows of a stack of matrices, and with a parameter in another shape") {
  Array<double, 3> stack({width / 8, width, width});
  for (int64_t i = 0; i < stack.size(); ++i) stack.data()[i] = 0.2 * std::sin(static_cast<double>(i));
  int64_t largest = 0;
  on_stack([&] {
    each(30, [&](int64_t i, continuation<Matrix<double>, Vector<double>, Vector<double>> k) {
      const Vector<double> x = full<double>({width}, static_cast<double>(i) / 8);
      const Matrix<double> y = matmul(stack, x);
      largest = detail::fibers->last_multiplied();
      const Vector<double> z = matmul(reshape(y, {-1}), reshape(stack, {-1, width}));  // as y's adjoint goes back to x
      largest = std::min(largest, detail::fibers->last_multiplied());
      const Vector<double> w = matmul(transpose(reshape(stack, {width / 8 * width, width})), reshape(y, {-1}));
      largest = std::min(largest, detail::fibers->last_multiplied());
      Matrix<double> y_adj = zeros_like(y);
      Vector<double> z_adj = zeros_like(z), w_adj = zeros_like(w);
      k(y, y_adj, z, z_adj, w, w_adj);
    }, [&](List<Matrix<double>> y, List<Matrix<double>>, List<Vector<double>> z, List<Vector<double>>, List<Vector<double>> w, List<Vector<double>>) {
      for (int64_t i = 0; i < 30; ++i) {
        const Tensor<double, 3> terms = stack * (static_cast<double>(i) / 8);
        const Matrix<double> exact = sum(terms, -1);
        const Matrix<double> weighted = sum(stack * reshape(exact, {width / 8, width, 1}), 0);
        CHECK(max(abs(y.data[i] - exact)) < 1e-9);
        CHECK(max(abs(z.data[i] - sum(weighted, 0))) < 1e-9);
        CHECK(max(abs(w.data[i] - z.data[i])) < 1e-9);
      }
    });
  });
  CHECK(largest == 30);
}

TEST_CASE("of several errors it is the first in the program's order, and nothing is left of the calls") {
  Model model;
  fill_weight(model);
  const auto message = [&](auto&& run) -> std::string {
    try {
      run();
    } catch (const Error& error) {
      return error.text();
    }
    return "";
  };
  const auto broken = [&](int64_t first, int64_t second) {
    return message([&] {
      on_stack([&] {
        each(8, [&](int64_t i, continuation<double> k) {
          if (i == second) raise_error("KeyError", "", "at once");
          encode(model, *tree(20, 0, i == first ? 19 : -1), [&](Vector<double>, Vector<double>, double sum, double& sum_adj) { k(sum, sum_adj); });
        }, [](List<double>, List<double>) {});
      });
    });
  };
  CHECK(broken(3, 5) == "ValueError: leaf 19 [LT0701]");
  CHECK(broken(5, 3) == "KeyError: at once [LT0701]");
  const double loss = loss_of(model, 10, 10);
  CHECK(message([&] { loss_of(model, 10, 10, 3); }) == "ValueError: leaf 3 [LT0701]");
  CHECK(loss_of(model, 10, 10) == loss);

  CHECK(message([&] {
    on_stack([&] { each(3, [](int64_t, continuation<double> k) { double x = 1, x_adj = 0; k(x, x_adj); },
                        [](List<double>, List<double>) { raise_error("ValueError", "", "behind them"); }); });
  }) == "ValueError: behind them [LT0701]");
  CHECK(loss_of(model, 10, 10) == loss);
}

TEST_CASE("what calls own outside of the arena goes back where an error ends all of them") {
  const auto run = [] {
    try {
      on_stack([] {
        each(8, [](int64_t i, continuation<double> k) {
          double number = 1, number_adj = 0;
          Changes<double> changes;
          for (int turn = 0; turn < 100000; ++turn) changes.note(Vector<double>{&number, {1}}, 0);
          if (i == 5) raise_error("ValueError", "", "at once, and in turn");
          k(number, number_adj);
        }, [](List<double>, List<double>) {});
      });
    } catch (const Error&) {
    }
    return memory_in_use();
  };
  const int64_t first = run();
  CHECK(run() == first);
}

TEST_CASE("exceptions of the host come out of calls side by side") {
  CHECK_THROWS_AS(on_stack([&] { each(3, [](int64_t i, continuation<double> k) {
    if (i == 1) throw std::logic_error("the host's");
    double x = 1, x_adj = 0;
    k(x, x_adj);
  }, [](List<double>, List<double>) {}); }), std::logic_error);
  Model model;
  fill_weight(model);
  CHECK(std::isfinite(loss_of(model, 4, 10)));
}

namespace {

void descend(Model& model, int64_t depth, double x, double& x_adj, continuation<double> k) {
  check_stack("descend");
  deepest = std::max(deepest, depth);
  if (depth == 0) return k(x, x_adj);
  double y = x + 1, y_adj = 0;
  descend(model, depth - 1, y, y_adj, k);
  x_adj += y_adj;
}

}  // namespace

TEST_CASE("what is too deep for a stack among others is made in turn") {
  Model model;
  double result = 0;
  double adjoint = 0;
  const int64_t depth = 200000;
  on_stack([&] {
    each(3, [&](int64_t i, continuation<double> k) { descend(model, depth, static_cast<double>(i), adjoint, k); }, [&](List<double> x, List<double> x_adj) {
      for (int64_t i = 0; i < 3; ++i) {
        result += x.data[i];
        const_cast<double&>(x_adj.data[i]) += 1;
      }
    });
  });
  CHECK(result == 3 + 3.0 * static_cast<double>(depth));
  CHECK(adjoint == 3);
}

TEST_CASE("a path of calls that goes deep is on many stacks, each of which stays small") {
  Model model;
  fill_weight(model);
  constexpr int64_t depth = 2000;
  int64_t side_by_side = 0;
  const auto loss = [&] {
    return on_stack([&] {
      const Mark mark = arena().mark();
      model.gradient.begin(model.weight.shape());
      double loss = 0;
      each(2, [&](int64_t i, continuation<double> k) {
        const Node* path = tree(1, i);
        for (int64_t n = 1; n < depth; ++n) path = make<Node>(tree(1, i + n), path, 0.0, false);
        encode(model, *path, [&](Vector<double> h, Vector<double> h_adj, double loss, double& loss_adj) {
          side_by_side += !detail::fibers->one_by_one;
          loss += sum(h);
          k(loss, loss_adj);
          h_adj += loss_adj;
        });
      }, [&](List<double> losses, List<double> losses_adj) {
        for (int64_t i = 0; i < 2; ++i) {
          loss += losses.data[i];
          const_cast<double&>(losses_adj.data[i]) += 1;
        }
      });
      arena().reset(mark);
      return loss;
    });
  };
  const double deep = loss();
  const Matrix<double> gradient = copy(model.gradient.view());
  CHECK(side_by_side == 2);
  CHECK(in_turn(loss) == doctest::Approx(deep).epsilon(1e-12));
  CHECK(side_by_side == 2);
  CHECK(max(abs(gradient)) > 0.1);
  CHECK(max(abs(gradient - model.gradient.view())) <= 1e-9 * max(abs(gradient)));
}

TEST_CASE("memory for one call among others is bounded, and for all of them") {
  double total = 0;
  on_stack([&] {
    each(3, [&](int64_t i, continuation<double> k) {
      const Vector<double> large = full<double>({1 << 20}, static_cast<double>(i));  // 8 MB, beyond a fiber's arena
      double x = sum(large), x_adj = 0;
      k(x, x_adj);
    }, [&](List<double> x, List<double>) { total = x.data[0] + x.data[1] + x.data[2]; });
  });
  CHECK(total == 3.0 * (1 << 20));
  const int64_t limit = memory_limit();
  set_memory_limit(memory_in_use() + (int64_t{8} << 20));
  Model model;
  fill_weight(model);
  CHECK_THROWS_AS(loss_of(model, 4000, 60), OutOfMemory);
  set_memory_limit(limit);
  CHECK(std::isfinite(loss_of(model, 40, 60)));
}

TEST_CASE("what a gradient records lies in what calls have given back, and outlives them and their thread") {
  Model model, other, of_thread;
  for (Model* const one : {&model, &other, &of_thread}) fill_weight(*one);
  const double loss = loss_of(model, 25, 12);
  const Matrix<double> gradient = copy(model.gradient.view());
  loss_of(model, 25, 12);
  model.gradient.begin(model.weight.shape());
  const int64_t charged = memory_in_use();
  CHECK(loss_of(other, 25, 12) == loss);
  CHECK(memory_in_use() == charged);
  std::thread([&] { loss_of(model, 25, 12); }).join();
  loss_of(model, 0, 2);
  CHECK(max(abs(model.gradient.view())) == 0);
  std::thread([&] { loss_of(of_thread, 25, 12); }).join();
  CHECK(max(abs(of_thread.gradient.view() - gradient)) == 0);
}

}  // namespace runtime_batch_test
