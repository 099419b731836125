// What tests of calls side by side run: a recursive model on binary trees.
#pragma once

#include <cmath>
#include <string>

#include "lantern/host.h"
#include "lantern/runtime.h"

namespace batch_model {

using namespace lantern;

inline constexpr int64_t width = 80;  // its square is worth waiting for company

struct Node {
  const Node *left, *right;
  double leaf;
  bool broken;
};

struct Model {
  Array<double, 2> weight;
  Gradient<double, 2> gradient;
  Model() { weight.resize({width, width}); }
};

/// h = tanh(W·(h_left + h_right)), and the sum of all leaves.
inline void encode(Model& model, const Node& node, continuation<Vector<double>, double> k) {
  check_stack("encode");
  if (!node.left) {
    if (node.broken) raise_error("ValueError", "", "leaf " + std::to_string(static_cast<int>(node.leaf)));
    const Vector<double> h = full<double>({width}, std::sin(node.leaf));
    Vector<double> h_adj = zeros_like(h);
    double sum = node.leaf, sum_adj = 0;
    k(h, h_adj, sum, sum_adj);
    return;
  }
  together([&](auto k) { encode(model, *node.left, k); }, [&](auto k) { encode(model, *node.right, k); },
           [&](Vector<double> l, Vector<double> l_adj, double l_sum, double& l_sum_adj, Vector<double> r, Vector<double> r_adj,
               double r_sum, double& r_sum_adj) {
    const Vector<double> both = l + r;
    const Vector<double> h = tanh(matmul(model.weight, both));
    Vector<double> h_adj = zeros_like(h);
    const double sum = l_sum * 0.5 + r_sum;
    double sum_adj = 0;
    const auto mark = arena().mark();
    k(h, h_adj, sum, sum_adj);
    arena().reset(mark);
    l_sum_adj += sum_adj * 0.5;
    r_sum_adj += sum_adj;
    const Vector<double> x_adj = h_adj * (1.0 - h * h);
    model.gradient += outer(x_adj, both);
    const Vector<double> both_adj = matmul(transpose(model.weight), x_adj);
    l_adj += both_adj;
    r_adj += both_adj;
  });
}

inline const Node* tree(int64_t leaves, int64_t seed, int64_t broken = -1) {
  if (leaves == 1) return make<Node>(nullptr, nullptr, static_cast<double>(seed), seed == broken);
  const int64_t left = 1 + (seed * 7 + leaves) % (leaves - 1);
  return make<Node>(tree(left, seed, broken), tree(leaves - left, seed + left, broken), 0.0, false);
}

inline void fill_weight(Model& model) {
  for (int64_t i = 0; i < model.weight.size(); ++i) model.weight.data()[i] = 0.2 * std::sin(static_cast<double>(i));
}

/// The loss of a batch of trees, or of so many batches, and its gradient in the model.
inline double loss_of(Model& model, int64_t trees, int64_t leaves, int64_t broken = -1, int batches = 1, const std::string& asks = "") {
  return on_stack([&] {
    const Mark mark = arena().mark();
    model.gradient.begin(model.weight.shape());
    double loss = 0;
    for (int batch = 0; batch < batches; ++batch) each(trees, [&](int64_t i, continuation<Vector<double>, double> k) { encode(model, *tree(leaves + i % 3, i, broken), k); },
         [&](List<Vector<double>> h, List<Vector<double>> h_adj, List<double> sums, List<double> sums_adj) {
      for (int64_t i = 0; i < h.size; ++i) {
        loss += sum(h.data[i]) + sums.data[i] * sums.data[i];
        h_adj.data[i] += ones<double>({width});
        const_cast<double&>(sums_adj.data[i]) += 2 * sums.data[i];
      }
      if (!asks.empty()) loss += call_host<double>(asks.c_str(), "");
    });
    arena().reset(mark);
    return loss;
  });
}

/// The same with no room for stacks: one after another.
template <class Work>
auto in_turn(Work&& work) {
  detail::thread_fibers().one_by_one = true;
  return work();  // which ends a run, and the flag with it
}

}  // namespace batch_model
