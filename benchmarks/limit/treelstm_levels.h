// The TreeLSTM of treelstm_model.h, run level by level over a batch of trees: the nodes of one height are a group. A group's
// products are one product each; what is elementwise is done node by node. The reverse sweep takes the groups backwards.
#pragma once

#include <algorithm>
#include <deque>
#include <vector>

#include "treelstm_model.h"

namespace treelstm {

/// One node of a tree while it runs. What it owns is a row of its group's matrices, or in the arena.
template <class T>
struct Phrase {
  const Tree* tree;
  Phrase *left = nullptr, *right = nullptr;
  Vector<T> h_both = {}, gates = {}, i = {}, f_l = {}, f_r = {}, o = {}, u = {}, c = {}, t = {}, h = {};
  Vector<T> gates_adj = {}, c_adj = {}, h_adj = {};
};

template <class T>
class Levels {
 public:
  explicit Levels(Model<T>& model) : model_(model), p_(model.parameters), g_(model.gradients) {}

  /// Σ of the trees' losses; adds to the model's gradients. Memory is the arena's, and is given back.
  T loss_and_gradient(const Tree* const* trees, int64_t count) {
    const Mark mark = arena().mark();
    T loss = 0;
    run(trees, count, [&](const Group& group) { loss += score(group); });
    for (size_t height = levels_.size(); height-- > 0;) {
      if (!levels_[height].empty()) reverse(levels_[height], height);
    }
    arena().reset(mark);
    return loss;
  }

  /// Σ of the trees' losses alone.
  T loss(const Tree* const* trees, int64_t count) {
    const Mark mark = arena().mark();
    T loss = 0;
    run(trees, count, [&](const Group& group) { loss += score_alone(group); });
    arena().reset(mark);
    return loss;
  }

 private:
  using Group = std::vector<Phrase<T>*>;

  /// The forward sweep, and then(group) after each level.
  template <class Then>
  void run(const Tree* const* trees, int64_t count, const Then& then) {
    phrases_.clear();
    for (auto& level : levels_) level.clear();
    for (int64_t i = 0; i < count; ++i) plan(*trees[i]);
    for (size_t height = 0; height < levels_.size() && !levels_[height].empty(); ++height) {
      forward(levels_[height], height);
      then(levels_[height]);
    }
  }

  /// Enters a tree into the levels; gives its node and height.
  std::pair<Phrase<T>*, size_t> plan(const Tree& tree) {
    check_stack("plan");
    Phrase<T>& phrase = phrases_.emplace_back(Phrase<T>{&tree});
    size_t height = 0;
    if (tree.left) {
      const auto [left, height_left] = plan(*tree.left);
      const auto [right, height_right] = plan(present(tree.right, "", "tree.right"));
      phrase.left = left;
      phrase.right = right;
      height = 1 + std::max(height_left, height_right);
    }
    if (levels_.size() <= height) levels_.resize(height + 1);
    levels_[height].push_back(&phrase);
    return {&phrase, height};
  }

  static Vector<T> row_of(const Matrix<T>& matrix, size_t r) {
    return {matrix.data + static_cast<int64_t>(r) * matrix.shape[1], {matrix.shape[1]}};
  }
  static Matrix<T> rows(const Group& group, int64_t columns) { return new_tensor<T, 2>({static_cast<int64_t>(group.size()), columns}); }

  void forward(const Group& group, size_t height) {
    const int64_t n = model_.hidden;
    const bool leaves = height == 0;
    const Matrix<T> inputs = rows(group, leaves ? p_.leaf.shape()[1] : 2 * n);
    for (size_t r = 0; r < group.size(); ++r) {
      Phrase<T>& phrase = *group[r];
      phrase.h_both = row_of(inputs, r);
      if (leaves) {
        detail::apply_to<detail::Store>(phrase.h_both.data, phrase.h_both.shape, row(p_.embedding, model_.deferred, phrase.tree->word), "");
      } else {
        std::copy_n(phrase.left->h.data, n, phrase.h_both.data);
        std::copy_n(phrase.right->h.data, n, phrase.h_both.data + n);
      }
    }
    const Matrix<T> gates = leaves ? matmul(inputs, transpose(p_.leaf)) : matmul(inputs, transpose(p_.inner));
    const Array<T, 1>& bias = leaves ? p_.leaf_bias : p_.inner_bias;
    for (size_t r = 0; r < group.size(); ++r) {
      Phrase<T>& x = *group[r];
      x.gates = row_of(gates, r);
      x.gates += bias;
      if (leaves) {
        x.i = sigmoid(slice(x.gates, 0, n));
        x.o = sigmoid(slice(x.gates, n, 2 * n));
        x.u = tanh(slice(x.gates, 2 * n, 3 * n));
        x.c = x.i * x.u;
      } else {
        x.i = sigmoid(slice(x.gates, 0, n));
        x.f_l = sigmoid(slice(x.gates, n, 2 * n));
        x.f_r = sigmoid(slice(x.gates, 2 * n, 3 * n));
        x.o = sigmoid(slice(x.gates, 3 * n, 4 * n));
        x.u = tanh(slice(x.gates, 4 * n, 5 * n));
        x.c = x.i * x.u + x.f_l * x.left->c + x.f_r * x.right->c;
      }
      x.t = tanh(x.c);
      x.h = x.o * x.t;
    }
  }

  /// The states of a group, a row each.
  Matrix<T> states(const Group& group) {
    const Matrix<T> h = rows(group, model_.hidden);
    for (size_t r = 0; r < group.size(); ++r) std::copy_n(group[r]->h.data, model_.hidden, row_of(h, r).data);
    return h;
  }

  T score_alone(const Group& group) {
    const Mark mark = arena().mark();
    const Matrix<T> logits = matmul(states(group), transpose(p_.output));
    T loss = 0;
    for (size_t r = 0; r < group.size(); ++r) {
      row_of(logits, r) += p_.output_bias;
      loss += cross_entropy(row_of(logits, r), group[r]->tree->label);
    }
    arena().reset(mark);
    return loss;
  }

  /// The group's loss; begins its adjoints, since nothing behind the loss reads it.
  T score(const Group& group) {
    const Matrix<T> h = states(group);
    const Matrix<T> logits = matmul(h, transpose(p_.output));
    const Matrix<T> logits_adj = rows(group, p_.output.shape()[0]);
    T loss = 0;
    for (size_t r = 0; r < group.size(); ++r) {
      const Mark mark = arena().mark();
      const Vector<T> own = row_of(logits, r);
      own += p_.output_bias;
      const int64_t label = group[r]->tree->label;
      loss += cross_entropy(own, label);
      detail::apply_to<detail::Store>(row_of(logits_adj, r).data, own.shape, softmax(own), "");
      row_of(logits_adj, r).data[label] -= 1;
      arena().reset(mark);
      g_.output_bias += row_of(logits_adj, r);
    }
    g_.output.record(logits_adj.data, h.data, logits_adj.shape[1], h.shape[1], h.shape[0]);
    const Matrix<T> h_adj = matmul(logits_adj, p_.output);
    for (size_t r = 0; r < group.size(); ++r) {
      group[r]->h_adj = row_of(h_adj, r);
      group[r]->c_adj = zeros_like(group[r]->c);
    }
    return loss;
  }

  void reverse(const Group& group, size_t height) {
    const int64_t n = model_.hidden;
    const bool leaves = height == 0;
    const Matrix<T> gates_adj = rows(group, (leaves ? 3 : 5) * n);
    for (size_t r = 0; r < group.size(); ++r) {
      Phrase<T>& x = *group[r];
      x.gates_adj = row_of(gates_adj, r);
      x.c_adj += x.h_adj * x.o * (1 - x.t * x.t);
      const auto put = [&](int64_t gate, const auto& adjoint) {
        detail::apply_to<detail::Store>(x.gates_adj.data + gate * n, Shape<1>{n}, adjoint, "");
      };
      put(0, x.c_adj * x.u * x.i * (1 - x.i));
      if (!leaves) {
        put(1, x.c_adj * x.left->c * x.f_l * (1 - x.f_l));
        put(2, x.c_adj * x.right->c * x.f_r * (1 - x.f_r));
        x.left->c_adj += x.c_adj * x.f_l;
        x.right->c_adj += x.c_adj * x.f_r;
      }
      put(leaves ? 1 : 3, x.h_adj * x.t * x.o * (1 - x.o));
      put(leaves ? 2 : 4, x.c_adj * x.i * (1 - x.u * x.u));
      if (leaves) g_.leaf_bias += x.gates_adj;
      else g_.inner_bias += x.gates_adj;
    }
    auto& weight = leaves ? g_.leaf : g_.inner;
    weight.record(gates_adj.data, group[0]->h_both.data, weight.shape()[0], weight.shape()[1], gates_adj.shape[0]);
    if (leaves && !model_.train_embedding) return;
    const Matrix<T> inputs_adj = leaves ? matmul(gates_adj, p_.leaf) : matmul(gates_adj, p_.inner);
    for (size_t r = 0; r < group.size(); ++r) {
      const Vector<T> adjoint = row_of(inputs_adj, r);
      if (leaves) {
        g_.embedding += row_at(group[r]->tree->word, adjoint);
      } else {
        group[r]->left->h_adj += slice(adjoint, 0, n);
        group[r]->right->h_adj += slice(adjoint, n, 2 * n);
      }
    }
  }

  Model<T>& model_;
  Parameters<T>& p_;
  Gradients<T>& g_;
  std::deque<Phrase<T>> phrases_;
  std::vector<Group> levels_;
};

}  // namespace treelstm
