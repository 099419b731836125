// Treebanks as generated programs read them: words, then trees, or an error with the file's line and column.
#include <cstdint>

#include "lantern/runtime.h"
#include "lantern/treebank.h"
#include "file_of.h"
#include "must.h"

using namespace lantern;

namespace {

struct Tree {
  int64_t label;
  int64_t word;
  const Tree* left;
  const Tree* right;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string file = file_of(data, size);
  try {
    on_stack([&] {
      const auto words = read_vocabulary(file);
      for (const Tree& tree : read_treebank<Tree>(file, words)) {
        must((tree.left == nullptr) == (tree.right == nullptr), "a phrase has two children or none");
        must(tree.left ? tree.word == -1 : tree.word > 0 || index(words, 0) == "<unk>", "a leaf's word is known");
      }
    });
  } catch (const DataError& error) {
    must(error.location().find(':') != std::string::npos, std::string("an error has a place: ") + error.what());
  }
  return 0;
}
