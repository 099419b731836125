// The TreeLSTM of treelstm_model.h without a reverse sweep: nothing is saved for one, and no continuations are needed.
#pragma once

#include "treelstm_model.h"

namespace treelstm {

/// The summed loss of a phrase's nodes; leaves its state and cell in h and c, which are the caller's, and no more memory in use.
template <class T>
T infer(const Model<T>& model, const Tree& tree, Vector<T> h, Vector<T> c) {
  check_stack("infer");
  const int64_t n = model.hidden;
  const auto put = [](Vector<T> to, const auto& values) { detail::apply_to<detail::Store>(to.data, to.shape, values, ""); };
  const Mark mark = arena().mark();
  T loss = 0;
  if (!tree.left) {
    const Vector<T> gates = matmul(model.parameters.leaf, row(model.parameters.embedding, tree.word)) + model.parameters.leaf_bias;
    put(c, sigmoid(slice(gates, 0, n)) * tanh(slice(gates, 2 * n, 3 * n)));
    put(h, sigmoid(slice(gates, n, 2 * n)) * tanh(c));
  } else {
    const Vector<T> h_both = new_tensor<T, 1>({2 * n}), c_l = new_tensor<T, 1>({n}), c_r = new_tensor<T, 1>({n});
    loss += infer(model, *tree.left, Vector<T>{h_both.data, {n}}, c_l);
    loss += infer(model, present(tree.right, "", "tree.right"), Vector<T>{h_both.data + n, {n}}, c_r);
    const Vector<T> gates = matmul(model.parameters.inner, h_both) + model.parameters.inner_bias;
    put(c, sigmoid(slice(gates, 0, n)) * tanh(slice(gates, 4 * n, 5 * n)) + sigmoid(slice(gates, n, 2 * n)) * c_l +
               sigmoid(slice(gates, 2 * n, 3 * n)) * c_r);
    put(h, sigmoid(slice(gates, 3 * n, 4 * n)) * tanh(c));
  }
  const Vector<T> logits = matmul(model.parameters.output, h) + model.parameters.output_bias;
  loss += cross_entropy(logits, tree.label);
  arena().reset(mark);
  return loss;
}

/// The summed loss of a tree's nodes.
template <class T>
T loss_of(const Model<T>& model, const Tree& tree) {
  const Mark mark = arena().mark();
  const T loss = infer(model, tree, new_tensor<T, 1>({model.hidden}), new_tensor<T, 1>({model.hidden}));
  arena().reset(mark);
  return loss;
}

}  // namespace treelstm
