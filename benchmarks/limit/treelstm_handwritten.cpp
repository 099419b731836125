// Trains the hand-written TreeLSTM on a treebank and prints trees per second (trial.h):
//   treelstm_handwritten TREEBANK [PASSES] [BATCH] [--frozen]
// One thread; embedding 300; hidden 150; Adagrad 0.05; every-node loss. Without a batch, or 0, each tree runs depth first; with one, 1
// included, level by level.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "lantern/treebank.h"
#include "treelstm_levels.h"
#include "trial.h"

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: treelstm_handwritten TREEBANK [PASSES] [BATCH] [--frozen]\n");
    return 2;
  }
  const int passes = argc > 2 ? std::atoi(argv[2]) : 5;
  const int64_t batch = argc > 3 ? std::atoi(argv[3]) : 0;
  try {
    const trial::Memory memory;
    const auto vocabulary = lantern::read_vocabulary(argv[1]);
    const auto trees = lantern::read_treebank<treelstm::Tree>(argv[1], vocabulary);
    treelstm::Model<float> model(vocabulary.size, 300, 150, 5);
    model.train_embedding = argc <= 4 || std::strcmp(argv[4], "--frozen") != 0;
    uint64_t seed = 0;
    model.parameters.visit([&](const char*, auto& array) {
      const std::vector<float> numbers = trial::fixed(seed++, array.size(), -0.05, 0.05);
      std::copy(numbers.begin(), numbers.end(), array.data());
    });
    double first_loss = 0;
    treelstm::Levels<float> levels(model);
    const auto step = [&](auto& run, const auto& all, int64_t first, int64_t count) {
      return lantern::on_stack([&] {
        treelstm::begin_gradients(model);
        std::vector<const treelstm::Tree*> chosen;
        for (int64_t i = first; i < first + count; ++i) chosen.push_back(&static_cast<const treelstm::Tree&>(all[i]));
        const float loss = run.loss_and_gradient(chosen.data(), count);
        treelstm::adagrad_step(model, 0.05f);
        return loss;
      });
    };
    const auto pass = [&] {
      double loss = 0;
      if (batch == 0) {
        for (int64_t i = 0; i < trees.size; ++i) loss += static_cast<double>(treelstm::train_step(model, trees[i], 0.05f));
      } else {
        for (int64_t i = 0; i < trees.size; i += batch) loss += static_cast<double>(step(levels, trees, i, std::min(batch, trees.size - i)));
      }
      if (first_loss == 0) first_loss = loss / static_cast<double>(trees.size);
    };
    trial::rate_of_passes("", static_cast<double>(trees.size), pass, passes);
    trial::value("mean loss of the first pass over " + std::to_string(trees.size) + " trees", first_loss);
    memory.print();
  } catch (const lantern::Error& error) {
    std::fprintf(stderr, "error: %s\n", error.text().c_str());
    return 4;
  }
}
