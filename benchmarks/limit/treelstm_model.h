// The binary constituency TreeLSTM (Tai et al., ACL 2015), written by hand in the form that Lantern generates: the
// measure of what generated depth-first code can reach, and the test of the runtime below it.
//   leaf    i, o, u = W x + b                      c = i·u                    h = o·tanh(c)
//   inner   i, f_l, f_r, o, u = U [h_l, h_r] + b   c = i·u + f_l·c_l + f_r·c_r
//   loss    Σ over every node of cross_entropy(O h + b, label)
#pragma once

#include <cmath>

#include "lantern/runtime.h"

namespace treelstm {

using namespace lantern;

struct Tree {
  int64_t label;
  int64_t word;
  const Tree* left;
  const Tree* right;
};

/// leaf [3·hidden, embedding], inner [5·hidden, 2·hidden], output [classes, hidden], and their biases.
template <class T>
struct Parameters {
  Array<T, 2> embedding, leaf, inner, output;
  Array<T, 1> leaf_bias, inner_bias, output_bias;

  void resize(int64_t words, int64_t size, int64_t hidden, int64_t classes) {
    embedding.resize({words, size});
    leaf.resize({3 * hidden, size});
    leaf_bias.resize({3 * hidden});
    inner.resize({5 * hidden, 2 * hidden});
    inner_bias.resize({5 * hidden});
    output.resize({classes, hidden});
    output_bias.resize({classes});
  }

  template <class Visit>
  void visit(Visit&& f) {
    f("embedding", embedding);
    f("leaf", leaf);
    f("leaf_bias", leaf_bias);
    f("inner", inner);
    f("inner_bias", inner_bias);
    f("output", output);
    f("output_bias", output_bias);
  }
};

template <class T>
struct Gradients {
  Gradient<T, 2> embedding, leaf, inner, output;
  Gradient<T, 1> leaf_bias, inner_bias, output_bias;
};

template <class T>
struct Model {
  Parameters<T> parameters, state, squares;  // state: Adagrad's sums of squares, Adam's means; squares: of Adam's alone
  Gradients<T> gradients;
  DeferredSteps<T> deferred;  // of Adam, for words that no tree has had since
  int64_t hidden = 0;
  bool train_embedding = false;

  Model(int64_t words, int64_t embedding, int64_t hidden_size, int64_t classes) : hidden(hidden_size) {
    for (Parameters<T>* p : {&parameters, &state}) p->resize(words, embedding, hidden_size, classes);
    parameters.visit([](const char*, auto& array) { initialize_uniform(array, -0.05, 0.05); });
  }
};

template <class T>
void node_loss(Model<T>& model, const Tree& tree, Vector<T> h, Vector<T> h_adj, T below, T& below_adj, continuation<T> k) {
  const Vector<T> logits = matmul(model.parameters.output, h) + model.parameters.output_bias;
  const T loss = below + cross_entropy(logits, tree.label);
  T loss_adj = 0;
  const Mark mark = arena().mark();
  k(loss, loss_adj);
  arena().reset(mark);  // what came later is done with: the reverse sweep works in memory that is still in cache
  // reverse sweep
  below_adj += loss_adj;
  const Vector<T> logits_adj = loss_adj * (softmax(logits) - one_hot<T>(tree.label, length(logits)));
  model.gradients.output_bias += logits_adj;
  model.gradients.output += outer(logits_adj, h);
  h_adj += matmul(transpose(model.parameters.output), logits_adj);
}

template <class T>
void encode(Model<T>& model, const Tree& tree, continuation<Vector<T>, Vector<T>, T> k) {
  check_stack("encode");
  const int64_t n = model.hidden;
  if (!tree.left) {
    const Vector<T> x = row(model.parameters.embedding, model.deferred, tree.word);
    const Vector<T> gates = matmul(model.parameters.leaf, x) + model.parameters.leaf_bias;
    const Vector<T> i = sigmoid(slice(gates, 0, n));
    const Vector<T> o = sigmoid(slice(gates, n, 2 * n));
    const Vector<T> u = tanh(slice(gates, 2 * n, 3 * n));
    const Vector<T> c = i * u;
    Vector<T> c_adj = zeros_like(c);
    const Vector<T> t = tanh(c);
    const Vector<T> h = o * t;
    Vector<T> h_adj = zeros_like(h);
    T none_adj = 0;
    node_loss<T>(model, tree, h, h_adj, 0, none_adj, [&](T loss, T& loss_adj) { k(h, h_adj, c, c_adj, loss, loss_adj); });
    // reverse sweep
    c_adj += h_adj * o * (1 - t * t);
    const Vector<T> gates_adj = concat(c_adj * u * i * (1 - i), h_adj * t * o * (1 - o), c_adj * i * (1 - u * u));
    model.gradients.leaf_bias += gates_adj;
    model.gradients.leaf += outer(gates_adj, x);
    if (model.train_embedding) model.gradients.embedding += row_at(tree.word, matmul(transpose(model.parameters.leaf), gates_adj));
    return;
  }
  encode<T>(model, *tree.left, [&](Vector<T> h_l, Vector<T> h_l_adj, Vector<T> c_l, Vector<T> c_l_adj, T loss_l, T& loss_l_adj) {
    encode<T>(model, present(tree.right, "", "tree.right"), [&](Vector<T> h_r, Vector<T> h_r_adj, Vector<T> c_r, Vector<T> c_r_adj, T loss_r, T& loss_r_adj) {
      const Vector<T> h_both = concat(h_l, h_r);
      const Vector<T> gates = matmul(model.parameters.inner, h_both) + model.parameters.inner_bias;
      const Vector<T> i = sigmoid(slice(gates, 0, n));
      const Vector<T> f_l = sigmoid(slice(gates, n, 2 * n));
      const Vector<T> f_r = sigmoid(slice(gates, 2 * n, 3 * n));
      const Vector<T> o = sigmoid(slice(gates, 3 * n, 4 * n));
      const Vector<T> u = tanh(slice(gates, 4 * n, 5 * n));
      const Vector<T> c = i * u + f_l * c_l + f_r * c_r;
      Vector<T> c_adj = zeros_like(c);
      const Vector<T> t = tanh(c);
      const Vector<T> h = o * t;
      Vector<T> h_adj = zeros_like(h);
      const T below = loss_l + loss_r;
      T below_adj = 0;
      node_loss<T>(model, tree, h, h_adj, below, below_adj, [&](T loss, T& loss_adj) { k(h, h_adj, c, c_adj, loss, loss_adj); });
      // reverse sweep
      loss_l_adj += below_adj;
      loss_r_adj += below_adj;
      c_adj += h_adj * o * (1 - t * t);
      const Vector<T> gates_adj = concat(c_adj * u * i * (1 - i), c_adj * c_l * f_l * (1 - f_l), c_adj * c_r * f_r * (1 - f_r), h_adj * t * o * (1 - o),
                                         c_adj * i * (1 - u * u));
      c_l_adj += c_adj * f_l;
      c_r_adj += c_adj * f_r;
      model.gradients.inner_bias += gates_adj;
      model.gradients.inner += outer(gates_adj, h_both);
      const Vector<T> h_both_adj = matmul(transpose(model.parameters.inner), gates_adj);
      h_l_adj += slice(h_both_adj, 0, n);
      h_r_adj += slice(h_both_adj, n, 2 * n);
    });
  });
}

/// f(gradient, parameter, state, squares) for each parameter that is trained.
template <class T, class F>
void for_each_parameter(Model<T>& model, F&& f) {
  Parameters<T>&p = model.parameters, &s = model.state, &q = model.squares;
  Gradients<T>& g = model.gradients;
  if (model.train_embedding) f(g.embedding, p.embedding, s.embedding, q.embedding);
  f(g.leaf, p.leaf, s.leaf, q.leaf);
  f(g.leaf_bias, p.leaf_bias, s.leaf_bias, q.leaf_bias);
  f(g.inner, p.inner, s.inner, q.inner);
  f(g.inner_bias, p.inner_bias, s.inner_bias, q.inner_bias);
  f(g.output, p.output, s.output, q.output);
  f(g.output_bias, p.output_bias, s.output_bias, q.output_bias);
}

template <class T>
void begin_gradients(Model<T>& model) {
  for_each_parameter(model, [](auto& gradient, auto& parameter, auto&...) { gradient.begin(parameter.shape()); });
}

/// Loss over every node; its gradient is added to model.gradients. On the runtime's stack.
template <class T>
T add_loss_and_gradient(Model<T>& model, const Tree& tree) {
  const Mark mark = arena().mark();
  T result = 0;
  encode<T>(model, tree, [&](Vector<T>, Vector<T>, Vector<T>, Vector<T>, T loss, T& loss_adj) {
    result = loss;
    loss_adj = 1;
  });
  arena().reset(mark);
  return result;
}

/// Loss over every node; its gradient is left in model.gradients. Throws lantern::Error.
template <class T>
T loss_and_gradient(Model<T>& model, const Tree& tree) {
  return on_stack([&] {
    begin_gradients(model);
    return add_loss_and_gradient(model, tree);
  });
}

/// A step of Adagrad by the model's gradients.
template <class T>
void adagrad_step(Model<T>& model, T rate) {
  for_each_parameter(model, [&](auto& gradient, auto& parameter, auto& state, auto&) {
    for_each_touched(
        [rate](T g, T& w, T& s) {
          s += g * g;
          w -= rate * g / (std::sqrt(s) + T(1e-10));
        },
        gradient, parameter, state);
  });
}

/// One step on one tree; gives the loss before it.
template <class T>
T train_step(Model<T>& model, const Tree& tree, T rate) {
  const T loss = loss_and_gradient(model, tree);
  adagrad_step(model, rate);
  return loss;
}

}  // namespace treelstm
