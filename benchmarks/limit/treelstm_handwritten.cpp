// Trains the hand-written TreeLSTM on a treebank, or infers by it, and prints trees per second (trial.h):
//   treelstm_handwritten depth|levels TREEBANK CASE...
// depth: each tree depth first; levels: a batch level by level. Cases: benchmarks/trial/cases.py. One thread; embedding 300; hidden 150;
// every-node loss.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "lantern/treebank.h"
#include "treelstm_inference.h"
#include "treelstm_levels.h"
#include "treelstm_optimizers.h"
#include "trial.h"

namespace {

using treelstm::Model, treelstm::Tree;

/// "batch 25, Adagrad, embedding frozen", "batch 1, inference".
struct Case {
  explicit Case(const char* text) : name(text) {
    char of_embedding[16] = "frozen";
    if (std::sscanf(text, "batch %lld, %15[^,], embedding %15s", &batch, what, of_embedding) < 2 || batch < 1) {
      std::fprintf(stderr, "'%s' is no case\n", text);
      std::exit(2);
    }
    train_embedding = std::strcmp(of_embedding, "trained") == 0;
  }
  bool is(const char* other) const { return std::strcmp(what, other) == 0; }

  const char* name;
  long long batch = 1;
  char what[16] = "";
  bool train_embedding = false;
};

class Run {
 public:
  Run(const Case& which, const std::vector<const Tree*>& trees, int64_t words, bool by_levels)
      : case_(which), trees_(trees), by_levels_(by_levels), model_(words, 300, 150, 5) {
    model_.train_embedding = which.train_embedding;
    uint64_t seed = 0;
    model_.parameters.visit([&](const char*, auto& array) {
      const std::vector<float> numbers = trial::fixed(seed++, array.size(), -0.05, 0.05);
      std::copy(numbers.begin(), numbers.end(), array.data());
    });
  }

  /// A pass over the trees, a batch at a time; their mean loss.
  double pass() {
    double loss = 0;
    const auto count = static_cast<int64_t>(trees_.size());
    for (int64_t i = 0; i < count; i += case_.batch) {
      loss += static_cast<double>(lantern::on_stack([&] { return of_batch(trees_.data() + i, std::min<int64_t>(case_.batch, count - i)); }));
    }
    return loss / static_cast<double>(count);
  }

  /// What a tree by itself takes.
  void one(const Tree* tree) {
    lantern::on_stack([&] { return of_batch(&tree, 1); });
  }

  Model<float>& model() { return model_; }

 private:
  float of_batch(const Tree* const* trees, int64_t count) {
    float loss = 0;
    if (case_.is("inference")) {
      if (by_levels_) return levels_.loss(trees, count);
      for (int64_t i = 0; i < count; ++i) loss += treelstm::loss_of(model_, *trees[i]);
      return loss;
    }
    treelstm::begin_gradients(model_);
    if (by_levels_) loss = levels_.loss_and_gradient(trees, count);
    else for (int64_t i = 0; i < count; ++i) loss += treelstm::add_loss_and_gradient(model_, *trees[i]);
    if (case_.is("SGD")) treelstm::sgd_step(model_, case_.batch == 1 ? 0.01f : 0.0001f);
    else if (case_.is("Adagrad")) treelstm::adagrad_step(model_, 0.05f);
    else treelstm::adam_step(model_, 0.001f, ++steps_);
    return loss;
  }

  const Case& case_;
  const std::vector<const Tree*>& trees_;
  bool by_levels_;
  Model<float> model_;
  treelstm::Levels<float> levels_{model_};
  int64_t steps_ = 0;
};

void measure(const Case& which, const std::vector<const Tree*>& trees, int64_t words, bool by_levels) {
  Run run(which, trees, words, by_levels);
  const std::string name = which.name, over = " over " + std::to_string(trees.size()) + " trees";
  trial::value(name + ": mean loss of the first pass" + over, run.pass(), which.is("Adagrad") ? 30 : 1);  // trial/cases.py says why
  const auto& head = run.model().parameters.output;
  if (which.is("SGD")) trial::sample(name + ": head after a pass" + over, head.data(), head.size());
  if (which.is("inference") && which.batch == 1) {
    trial::latencies(name, static_cast<int64_t>(trees.size()), [&](int64_t i) { run.one(trees[i]); });
  } else {
    trial::rate(name, static_cast<double>(trees.size()), [&] { run.pass(); });
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    std::fprintf(stderr, "usage: treelstm_handwritten depth|levels TREEBANK CASE...\n");
    return 2;
  }
  try {
    const trial::Memory memory;
    const auto vocabulary = lantern::read_vocabulary(argv[2]);
    const auto list = lantern::read_treebank<Tree>(argv[2], vocabulary);
    std::vector<const Tree*> trees;
    for (int64_t i = 0; i < list.size; ++i) trees.push_back(&static_cast<const Tree&>(list[i]));
    for (int i = 3; i < argc; ++i) measure(Case(argv[i]), trees, vocabulary.size, std::strcmp(argv[1], "levels") == 0);
    memory.print();
  } catch (const lantern::Error& error) {
    std::fprintf(stderr, "error: %s\n", error.text().c_str());
    return 4;
  }
}
