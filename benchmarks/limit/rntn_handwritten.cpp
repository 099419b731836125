// A recursive neural tensor network by hand on Eigen, its reverse sweep derived by hand; trains it by SGD, a tree a step, and prints trees/s:
//   rntn_handwritten TREEBANK CASE        CASE: its name in the table
//   c = [p_left, p_right]      p = tanh(cᵀ V c + W c + b)      loss = Σ over every node of cross_entropy(O p + o, label)
// The tensor V is a matrix [n, (2n)²] that is applied to c cᵀ: so its gradient is one product a tree, and the reverse sweep has D + Dᵀ for the
// matrix D of the adjoints of c cᵀ.
#include <Eigen/Dense>
#include <vector>

#include "lantern/runtime.h"
#include "lantern/treebank.h"
#include "trial.h"

namespace {

using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Columns = Eigen::MatrixXf;
using Vector = Eigen::VectorXf;
constexpr Eigen::Index n = 25, classes = 5;
constexpr float rate = 0.01f;

struct Tree {
  int64_t label, word;
  const Tree *left, *right;
};

Matrix fixed(uint64_t seed, Eigen::Index rows, Eigen::Index columns) {
  return Eigen::Map<const Matrix>(trial::fixed(seed, rows * columns, -0.05, 0.05).data(), rows, columns);
}

class Network {
 public:
  explicit Network(Eigen::Index words) : embedding_(fixed(0, words, n)) {}

  /// One step on a tree; the loss before it.
  float step(const Tree& tree) {
    nodes_.clear();
    inner_ = 0;
    plan(tree);
    const auto count = static_cast<Eigen::Index>(nodes_.size());
    forward(count);
    const float loss = score(count);
    reverse(count);
    tensor_.noalias() -= rate * sums_adj_ * pairs_.transpose();
    weight_.noalias() -= rate * sums_adj_ * parts_.transpose();
    bias_ -= rate * sums_adj_.rowwise().sum();
    return loss;
  }

  Matrix head = fixed(4, classes, n);

 private:
  struct Node {
    const Tree* tree;
    Eigen::Index left, right, place;  // of the children among the nodes; of an inner node among those
  };

  /// Nodes, children first. Where this one is.
  Eigen::Index plan(const Tree& tree) {
    Node node{&tree, -1, -1, -1};
    if (tree.left) {
      node.left = plan(*tree.left);
      node.right = plan(*tree.right);
      node.place = inner_++;
    }
    nodes_.push_back(node);
    return static_cast<Eigen::Index>(nodes_.size()) - 1;
  }

  void forward(Eigen::Index count) {
    states_.resize(n, count);
    parts_.resize(2 * n, inner_);
    pairs_.resize(4 * n * n, inner_);
    for (Eigen::Index k = 0; k < count; ++k) {
      const Node& node = nodes_[static_cast<size_t>(k)];
      auto state = states_.col(k);
      if (!node.tree->left) {
        state = embedding_.row(node.tree->word).transpose();
      } else {
        auto parts = parts_.col(node.place);
        parts << states_.col(node.left), states_.col(node.right);
        Eigen::Map<Columns>(pairs_.col(node.place).data(), 2 * n, 2 * n).noalias() = parts * parts.transpose();
        state = bias_;
        state.noalias() += tensor_ * pairs_.col(node.place);
        state.noalias() += weight_ * parts;
      }
      state = state.array().tanh();
    }
  }

  /// The loss; begins the adjoints and takes the head's step.
  float score(Eigen::Index count) {
    scores_.noalias() = head * states_;
    float loss = 0;
    for (Eigen::Index k = 0; k < count; ++k) {
      auto scores = scores_.col(k);
      const int64_t label = nodes_[static_cast<size_t>(k)].tree->label;
      scores += head_bias_;
      scores.array() -= scores.maxCoeff();
      const float likely = scores(label);
      scores = scores.array().exp();
      loss += std::log(scores.sum()) - likely;
      scores /= scores.sum();
      scores(label) -= 1;
    }
    states_adj_.noalias() = head.transpose() * scores_;
    head.noalias() -= rate * scores_ * states_.transpose();
    head_bias_ -= rate * scores_.rowwise().sum();
    return loss;
  }

  void reverse(Eigen::Index count) {
    sums_adj_.resize(n, inner_);
    for (Eigen::Index k = count; k-- > 0;) {
      const Node& node = nodes_[static_cast<size_t>(k)];
      const Vector sum_adj = states_adj_.col(k).array() * (1 - states_.col(k).array().square());
      if (!node.tree->left) {
        embedding_.row(node.tree->word) -= rate * sum_adj.transpose();  // nothing below reads it in this step
        continue;
      }
      sums_adj_.col(node.place) = sum_adj;
      pairs_adj_.noalias() = tensor_.transpose() * sum_adj;
      const Eigen::Map<const Columns> pair_adj(pairs_adj_.data(), 2 * n, 2 * n);
      const auto parts = parts_.col(node.place);
      parts_adj_.noalias() = weight_.transpose() * sum_adj;
      parts_adj_.noalias() += pair_adj * parts;
      parts_adj_.noalias() += pair_adj.transpose() * parts;
      states_adj_.col(node.left) += parts_adj_.head(n);
      states_adj_.col(node.right) += parts_adj_.tail(n);
    }
  }

  Matrix embedding_, tensor_ = fixed(1, n, 4 * n * n), weight_ = fixed(2, n, 2 * n);
  Vector bias_ = fixed(3, n, 1), head_bias_ = fixed(5, classes, 1);
  std::vector<Node> nodes_;
  Eigen::Index inner_ = 0;
  Columns states_, states_adj_, parts_, pairs_, scores_, sums_adj_;  // a column a node, or an inner node
  Vector pairs_adj_, parts_adj_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: rntn_handwritten TREEBANK CASE\n");
    return 2;
  }
  try {
    const trial::Memory memory;
    const auto vocabulary = lantern::read_vocabulary(argv[1]);
    const auto trees = lantern::read_treebank<Tree>(argv[1], vocabulary);
    Network network(vocabulary.size);
    const auto pass = [&] {
      double loss = 0;
      for (int64_t i = 0; i < trees.size; ++i) loss += static_cast<double>(network.step(static_cast<const Tree&>(trees[i])));
      return loss / static_cast<double>(trees.size);
    };
    const std::string name = argv[2], over = " over " + std::to_string(trees.size) + " trees";
    trial::value(name + ": mean loss of the first pass" + over, pass());
    trial::sample(name + ": head after a pass" + over, network.head.data(), network.head.size());
    trial::rate(name, static_cast<double>(trees.size), pass);
    memory.print();
  } catch (const lantern::Error& error) {
    std::fprintf(stderr, "error: %s\n", error.text().c_str());
    return 4;
  }
}
