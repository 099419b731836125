// Trains the hand-written TreeLSTM on a treebank and prints trees per second (trial.h):
//   treelstm_handwritten TREEBANK [passes] [batch]
// One thread; embedding 300, frozen; hidden 150; Adagrad 0.05; every-node loss. Without a batch each tree runs depth first; with one, 1
// included, level by level.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "lantern/treebank.h"
#include "treelstm_levels.h"
#include "trial.h"

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: treelstm_handwritten TREEBANK [passes] [batch]\n");
    return 2;
  }
  const int passes = argc > 2 ? std::atoi(argv[2]) : 5;
  const int64_t batch = argc > 3 ? std::atoi(argv[3]) : 0;
  try {
    const trial::Memory memory;
    const auto vocabulary = lantern::read_vocabulary(argv[1]);
    const auto trees = lantern::read_treebank<treelstm::Tree>(argv[1], vocabulary);
    lantern::stream().seed(1);
    treelstm::Model<float> model(vocabulary.size, 300, 150, 5);
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
      std::fprintf(stderr, "mean loss %.4f\n", loss / static_cast<double>(trees.size));
    };
    trial::rate_of_passes("", static_cast<double>(trees.size), pass, passes);
    memory.print();
  } catch (const lantern::Error& error) {
    std::fprintf(stderr, "error: %s\n", error.text().c_str());
    return 4;
  }
}
