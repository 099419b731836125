// Calls the generated training of a TreeLSTM, for instructions.py to count what it executes:
//   train TREEBANK PASSES
#include <cstdio>
#include <cstdlib>

#include "treelstm.h"

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  treelstm::Model model;
  std::printf("%.9g\n", treelstm::train(model, argv[1], std::atoll(argv[2])));
}
