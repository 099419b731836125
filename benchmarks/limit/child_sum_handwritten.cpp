// A child-sum TreeLSTM by hand on Eigen, its reverse sweep derived by hand; trains it by SGD, a tree a step, and prints trees/s:
//   child_sum_handwritten TREES HIDDEN
//   x = A e_word + a                i, o = σ(x_i + B_i s), σ(x_o + B_o s)      u = tanh(x_u + B_u s)      s = Σ h_child
//   f_child = σ(x_f + F h_child)    c = i·u + Σ f_child·c_child                h = o·tanh(c)              loss = cross_entropy(O h_root, label)
// x is worked out once a word, a node's forget gates are one product, and a weight's gradient is one product a tree.
#include <Eigen/Dense>
#include <vector>

#include "trial.h"

namespace {

using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Columns = Eigen::MatrixXf;
using Vector = Eigen::VectorXf;
constexpr Eigen::Index words = 3, size = 8;
constexpr float rate = 0.05f;

/// A node; those of a tree stand in one row, breadth first, so that a node's children are neighbours.
struct Node {
  int word;
  Eigen::Index first_child, children;
};
using Tree = std::vector<Node>;

/// The trees of benchmarks/trial/shapes.py, and their labels.
class Shapes {
 public:
  std::pair<std::vector<Tree>, std::vector<int>> made_up(int count) {
    std::vector<Tree> trees;
    for (int i = 0; i < count; ++i) trees.push_back(breadth_first(branch(4)));
    std::vector<int> labels;
    for (int i = 0; i < count; ++i) labels.push_back(static_cast<int>(2 * next()));
    return {std::move(trees), std::move(labels)};
  }

 private:
  struct Branch {
    int word;
    std::vector<Branch> children;
  };

  double next() { return static_cast<double>(numbers_[at_++]); }
  Branch branch(int below) {
    if (below == 0 || next() < 0.2) return {static_cast<int>(2 * next()), {}};
    Branch made{2, {}};
    for (int children = 1 + static_cast<int>(4 * next()); children > 0; --children) made.children.push_back(branch(below - 1));
    return made;
  }
  static Tree breadth_first(const Branch& root) {
    std::vector<const Branch*> row{&root};
    Tree tree;
    for (size_t k = 0; k < row.size(); ++k) {
      tree.push_back({row[k]->word, static_cast<Eigen::Index>(row.size()), static_cast<Eigen::Index>(row[k]->children.size())});
      for (const Branch& child : row[k]->children) row.push_back(&child);
    }
    return tree;
  }

  std::vector<float> numbers_ = trial::fixed(9, 200'000, 0, 1);
  size_t at_ = 0;
};

Matrix fixed(uint64_t seed, Eigen::Index rows, Eigen::Index columns) {
  return Eigen::Map<const Matrix>(trial::fixed(seed, rows * columns, -0.1, 0.1).data(), rows, columns);
}

template <class A>
auto sigmoid(const A& x) {
  return 1 / (1 + (-x).exp());
}

class Network {
 public:
  explicit Network(Eigen::Index hidden) : head(fixed(5, 2, hidden)), n_(hidden) {}

  /// One step on a tree; the loss before it.
  float step(const Tree& tree, int label) {
    forward(tree);
    const float loss = score(label);
    reverse(tree);
    gates_.noalias() -= rate * gates_adj_ * sums_.transpose();
    forget_.noalias() -= rate * forgets_adj_ * h_.transpose();
    const Matrix input_adj = x_adj_ * embedding_;
    embedding_.noalias() -= rate * x_adj_.transpose() * input_;
    input_ -= rate * input_adj;
    bias_ -= rate * x_adj_.rowwise().sum();
    return loss;
  }

  Matrix head;

 private:
  void forward(const Tree& tree) {
    const auto count = static_cast<Eigen::Index>(tree.size());
    for (Columns* of_nodes : {&h_, &c_, &t_, &sums_, &forgets_}) of_nodes->resize(n_, count);
    activated_.resize(3 * n_, count);
    x_.noalias() = input_ * embedding_.transpose();
    x_.colwise() += bias_;
    for (Eigen::Index k = count; k-- > 0;) {
      const Node& node = tree[static_cast<size_t>(k)];
      const auto x = x_.col(node.word);
      auto c = c_.col(k);
      auto sum = sums_.col(k);
      auto gates = activated_.col(k);
      gates = x.head(3 * n_);
      c.setZero();
      sum.setZero();
      if (node.children > 0) {
        const auto h_below = h_.middleCols(node.first_child, node.children);
        auto forgets = forgets_.middleCols(node.first_child, node.children);
        forgets.noalias() = forget_ * h_below;
        for (Eigen::Index i = 0; i < node.children; ++i) {
          forgets.col(i) = sigmoid((forgets.col(i) + x.tail(n_)).array());
          c.array() += forgets.col(i).array() * c_.col(node.first_child + i).array();
        }
        sum = h_below.rowwise().sum();
        gates.noalias() += gates_ * sum;
      }
      gates.head(2 * n_) = sigmoid(gates.head(2 * n_).array());
      gates.tail(n_) = gates.tail(n_).array().tanh();
      c.array() += gates.head(n_).array() * gates.tail(n_).array();
      t_.col(k) = c.array().tanh();
      h_.col(k) = gates.segment(n_, n_).array() * t_.col(k).array();
    }
  }

  /// The loss; begins the adjoints and takes the head's step.
  float score(int label) {
    Vector scores = head * h_.col(0);
    scores.array() -= scores.maxCoeff();
    const float likely = scores(label);
    scores = scores.array().exp();
    const float loss = std::log(scores.sum()) - likely;
    scores /= scores.sum();
    scores(label) -= 1;
    h_adj_.setZero(n_, h_.cols());
    c_adj_.setZero(n_, h_.cols());
    h_adj_.col(0).noalias() = head.transpose() * scores;
    head.noalias() -= rate * scores * h_.col(0).transpose();
    return loss;
  }

  void reverse(const Tree& tree) {
    gates_adj_.resize(3 * n_, h_.cols());
    forgets_adj_.setZero(n_, h_.cols());  // the root's stays
    x_adj_.setZero(4 * n_, words);
    for (Eigen::Index k = 0; k < h_.cols(); ++k) {
      const Node& node = tree[static_cast<size_t>(k)];
      const auto i = activated_.col(k).head(n_).array(), o = activated_.col(k).segment(n_, n_).array(), u = activated_.col(k).tail(n_).array();
      const auto t = t_.col(k).array(), h_adj = h_adj_.col(k).array();
      auto c_adj = c_adj_.col(k).array();
      auto gates_adj = gates_adj_.col(k);
      c_adj += h_adj * o * (1 - t.square());
      gates_adj.head(n_) = c_adj * u * i * (1 - i);
      gates_adj.segment(n_, n_) = h_adj * t * o * (1 - o);
      gates_adj.tail(n_) = c_adj * i * (1 - u.square());
      x_adj_.col(node.word).head(3 * n_) += gates_adj;
      if (node.children == 0) continue;
      sum_adj_.noalias() = gates_.transpose() * gates_adj;
      auto forgets_adj = forgets_adj_.middleCols(node.first_child, node.children);
      for (Eigen::Index place = 0; place < node.children; ++place) {
        const Eigen::Index child = node.first_child + place;
        const auto f = forgets_.col(child).array();
        c_adj_.col(child) = c_adj * f;
        forgets_adj.col(place) = c_adj * c_.col(child).array() * f * (1 - f);
        x_adj_.col(node.word).tail(n_) += forgets_adj.col(place);
      }
      auto h_below_adj = h_adj_.middleCols(node.first_child, node.children);
      h_below_adj.noalias() = forget_.transpose() * forgets_adj;
      h_below_adj.colwise() += sum_adj_;
    }
  }

  Eigen::Index n_;
  Matrix embedding_ = fixed(0, words, size), input_ = fixed(1, 4 * n_, size), gates_ = fixed(2, 3 * n_, n_), forget_ = fixed(3, n_, n_);
  Vector bias_ = fixed(4, 4 * n_, 1);
  Columns x_, x_adj_;                                                                  // a column a word
  Columns h_, h_adj_, c_, c_adj_, t_, sums_, forgets_, forgets_adj_, activated_, gates_adj_;  // a column a node
  Vector sum_adj_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: child_sum_handwritten TREES HIDDEN\n");
    return 2;
  }
  const auto [trees, labels] = Shapes().made_up(std::atoi(argv[1]));
  const trial::Memory memory;
  Network network(std::atoll(argv[2]));
  const auto pass = [&, &trees = trees, &labels = labels] {
    double loss = 0;
    for (size_t i = 0; i < trees.size(); ++i) loss += static_cast<double>(network.step(trees[i], labels[i]));
    return loss / static_cast<double>(trees.size());
  };
  trial::value("mean loss of the first pass", pass());
  trial::sample("head after a pass", network.head.data(), network.head.size());
  trial::rate("", static_cast<double>(trees.size()), pass);
  memory.print();
}
