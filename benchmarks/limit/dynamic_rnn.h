// A recurrent network over a minibatch, by hand on Eigen, its reverse sweep derived by hand:
//   h_t = tanh(x_t W + h_{t-1} U + b)        loss = Σ h_T
// The inputs' product is taken out of the loop over time: one product for all steps, forward and for both weights' gradients.
#pragma once

#include <Eigen/Dense>
#include <vector>

#include "trial.h"

namespace dynamic_rnn {

using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Row = Eigen::Matrix<float, 1, Eigen::Dynamic>;

inline Matrix fixed(uint64_t seed, Eigen::Index rows, Eigen::Index columns, double bound) {
  return Eigen::Map<const Matrix>(trial::fixed(seed, rows * columns, -bound, bound).data(), rows, columns);
}

/// input [inputs, hidden], recurrent [hidden, hidden], bias [hidden].
struct Weights {
  Matrix input, recurrent;
  Row bias;
};

class Network {
 public:
  Network(Eigen::Index hidden, double bound)
      : weights{fixed(1, hidden, hidden, bound), fixed(2, hidden, hidden, bound), fixed(3, 1, hidden, bound)}, gradients(weights) {}

  /// Runs over sequences [length · batch, inputs], step by step; the last state [batch, hidden].
  Eigen::Ref<const Matrix> forward(const Matrix& sequences, Eigen::Index batch) {
    const Eigen::Index length = sequences.rows() / batch, hidden = weights.bias.size();
    states_.resize((length + 1) * batch, hidden);
    states_.topRows(batch).setZero();
    auto after_first = states_.bottomRows(length * batch);
    after_first.noalias() = sequences * weights.input;
    for (Eigen::Index t = 0; t < length; ++t) {
      auto h = states_.middleRows((t + 1) * batch, batch);
      if (t > 0) h.noalias() += states_.middleRows(t * batch, batch) * weights.recurrent;
      for (Eigen::Index i = 0; i < batch; ++i) h.row(i).array() = (h.row(i) + weights.bias).array().tanh();
    }
    return states_.bottomRows(batch);
  }

  /// After `forward` of the same sequences: leaves the gradients of the sum of the last state in `gradients`.
  void backward(const Matrix& sequences, Eigen::Index batch) {
    const Eigen::Index length = sequences.rows() / batch, hidden = weights.bias.size();
    sums_adj_.resize(length * batch, hidden);
    h_adj_.setOnes(batch, hidden);
    for (Eigen::Index t = length; t-- > 0;) {
      const auto h = states_.middleRows((t + 1) * batch, batch).array();
      auto sum_adj = sums_adj_.middleRows(t * batch, batch);
      sum_adj.array() = h_adj_.array() * (1 - h.square());
      if (t > 0) h_adj_.noalias() = sum_adj * weights.recurrent.transpose();
    }
    gradients.bias = sums_adj_.colwise().sum();
    gradients.input.noalias() = sequences.transpose() * sums_adj_;
    gradients.recurrent.noalias() = states_.topRows(length * batch).transpose() * sums_adj_;
  }

  Weights weights, gradients;

 private:
  Matrix states_, sums_adj_, h_adj_;  // states_: from the zeros before the first step on
};

}  // namespace dynamic_rnn
