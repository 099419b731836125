// The whole runtime at work: a TreeLSTM in the form that is generated, its gradient against finite differences.
#include <doctest/doctest.h>

#include <cmath>
#include <deque>
#include <vector>

#include "treelstm_levels.h"

namespace runtime_treelstm_test {

using treelstm::Model;
using treelstm::Tree;

namespace {

/// Trees in memory of their own.
class Forest {
 public:
  const Tree* leaf(int64_t label, int64_t word) { return &trees_.emplace_back(Tree{label, word, nullptr, nullptr}); }
  const Tree* inner(int64_t label, const Tree* left, const Tree* right) { return &trees_.emplace_back(Tree{label, -1, left, right}); }
  const Tree* random(int64_t leaves, int64_t words, int64_t classes) {
    const auto below = [](int64_t n) { return static_cast<int64_t>(lantern::uniform<double>(0, static_cast<double>(n))); };
    if (leaves == 1) return leaf(below(classes), below(words));
    const int64_t left = 1 + below(leaves - 1);
    const Tree* l = random(left, words, classes);
    return inner(below(classes), l, random(leaves - left, words, classes));
  }
  const Tree* left_chain(int64_t leaves, int64_t words, int64_t classes) {
    const Tree* tree = leaf(0, 0);
    for (int64_t i = 1; i < leaves; ++i) tree = inner(i % classes, tree, leaf(i % classes, i % words));
    return tree;
  }

 private:
  std::deque<Tree> trees_;
};

constexpr int64_t words = 7, embedding = 6, hidden = 5, classes = 3;

Model<double> small_model() {
  lantern::stream().seed(3);
  Model<double> model(words, embedding, hidden, classes);
  model.train_embedding = true;
  model.parameters.visit([](const char*, auto& array) { lantern::initialize_normal(array, 0, 0.4); });
  return model;
}

}  // namespace

TEST_CASE("every entry of every gradient agrees with central differences") {
  Model<double> model = small_model();
  Forest forest;
  std::vector<const Tree*> trees{forest.leaf(2, 3), forest.left_chain(12, words, classes)};
  for (int i = 0; i < 4; ++i) trees.push_back(forest.random(3 + 2 * i, words, classes));
  for (const Tree* tree : trees) {
    treelstm::loss_and_gradient(model, *tree);
    std::vector<std::vector<double>> gradients;
    treelstm::for_each_parameter(model, [&](auto& gradient, auto&...) {
      const auto view = gradient.view();
      gradients.emplace_back(view.data, view.data + view.size());
    });
    size_t which = 0;
    treelstm::for_each_parameter(model, [&](auto&, auto& parameter, auto&...) {
      const std::vector<double> exact = gradients[which++];
      double largest = 0;
      for (const double g : exact) largest = std::max(largest, std::fabs(g));
      int wrong = 0;
      for (int64_t i = 0; i < parameter.size(); ++i) {
        constexpr double step = 1e-3;
        double& entry = parameter.data()[i];
        const double before = entry;
        const auto slope = [&](double h) {  // central difference
          entry = before + h;
          const double above = treelstm::loss_and_gradient(model, *tree);
          entry = before - h;
          const double below = treelstm::loss_and_gradient(model, *tree);
          entry = before;
          return (above - below) / (2 * h);
        };
        const double numeric = (4 * slope(step) - slope(2 * step)) / 3;  // Richardson: the error is O(step⁴)
        const double x = exact[static_cast<size_t>(i)];
        wrong += std::fabs(x - numeric) > 1e-6 * std::max(std::fabs(x) + std::fabs(numeric), 1e-3 * largest);
      }
      CHECK(wrong == 0);
    });
  }
}

TEST_CASE("level by level, a batch has the gradient that its trees have one by one") {
  Model<double> model = small_model();
  Forest forest;
  std::vector<const Tree*> trees{forest.leaf(2, 3), forest.left_chain(9, words, classes)};
  for (int i = 0; i < 6; ++i) trees.push_back(forest.random(1 + 3 * i, words, classes));
  std::vector<std::vector<double>> sums;
  double loss = 0;
  for (const Tree* tree : trees) {
    loss += treelstm::loss_and_gradient(model, *tree);
    size_t which = 0;
    treelstm::for_each_parameter(model, [&](auto& gradient, auto&...) {
      const auto view = gradient.view();
      if (sums.size() == which) sums.emplace_back(static_cast<size_t>(view.size()));
      for (int64_t i = 0; i < view.size(); ++i) sums[which][static_cast<size_t>(i)] += view.data[i];
      ++which;
    });
  }
  treelstm::Levels<double> levels(model);
  for (int turn = 0; turn < 2; ++turn) {
    const double together = lantern::on_stack([&] {
      treelstm::begin_gradients(model);
      return levels.loss_and_gradient(trees.data(), static_cast<int64_t>(trees.size()));
    });
    CHECK(together == doctest::Approx(loss).epsilon(1e-12));
    size_t which = 0;
    treelstm::for_each_parameter(model, [&](auto& gradient, auto&...) {
      const auto view = gradient.view();
      double worst = 0;
      for (int64_t i = 0; i < view.size(); ++i) worst = std::max(worst, std::fabs(view.data[i] - sums[which][static_cast<size_t>(i)]));
      CHECK(worst < 1e-10);
      ++which;
    });
  }
}

TEST_CASE("training lowers the loss, in float, and touches only the embedding's rows that occur") {
  lantern::stream().seed(1);
  Model<float> model(words, 20, 18, classes);
  model.train_embedding = true;
  Forest forest;
  const Tree* tree = forest.inner(1, forest.leaf(0, 2), forest.inner(2, forest.leaf(1, 4), forest.leaf(0, 2)));
  const lantern::Array<float, 2> before = model.parameters.embedding;
  const float first = treelstm::train_step(model, *tree, 0.05f);
  float last = first;
  for (int i = 0; i < 50; ++i) last = treelstm::train_step(model, *tree, 0.05f);
  CHECK(last < 0.3f * first);
  for (int64_t i = 0; i < before.size(); ++i) {
    const int64_t word = i / 20;
    CHECK((before.data()[i] == model.parameters.embedding.data()[i]) == (word != 2 && word != 4));
  }
}

TEST_CASE("a missing child is an error, and the parameters are as they were") {
  Model<double> model = small_model();
  const Tree leaf{0, 1, nullptr, nullptr}, broken{0, -1, &leaf, nullptr}, whole{0, -1, &leaf, &leaf};
  const double before = treelstm::loss_and_gradient(model, whole);
  CHECK_THROWS_WITH_AS(treelstm::train_step(model, broken, 0.1), "tree.right is missing (None)", lantern::Error);
  CHECK(treelstm::loss_and_gradient(model, whole) == before);
  const Tree foreign{0, 99, nullptr, nullptr};
  CHECK_THROWS_AS(treelstm::train_step(model, foreign, 0.1), lantern::Error);
}

// A million nodes: tests/python/depth, of programs that are compiled.
TEST_CASE("a chain of two hundred thousand nodes trains; past the limits it ends in an error") {
  lantern::stream().seed(1);
  Model<float> model(words, 4, 4, classes);
  Forest forest;
  const Tree* chain = forest.left_chain(100000, words, classes);  // 199,999 nodes
  CHECK(std::isfinite(treelstm::train_step(model, *chain, 0.01f)));
  const int64_t memory = lantern::memory_limit(), stack = lantern::stack_limit();
  lantern::set_stack_limit(int64_t{20} << 20);
  CHECK_THROWS_AS(treelstm::train_step(model, *chain, 0.01f), lantern::StackExhausted);
  lantern::set_stack_limit(stack);
  lantern::set_memory_limit(int64_t{60} << 20);
  CHECK_THROWS_AS(treelstm::train_step(model, *chain, 0.01f), lantern::OutOfMemory);
  lantern::set_memory_limit(memory);
  CHECK(std::isfinite(treelstm::train_step(model, *chain, 0.01f)));
}

}  // namespace runtime_treelstm_test
