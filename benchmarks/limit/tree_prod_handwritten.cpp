// The product of a tree's values by hand, and its derivative with respect to `base`; prints millions of nodes per second:
//   tree_prod_handwritten NODES
// A recursion, on the runtime's stack, since a chain is as deep as it is long. The reverse sweep reads what the forward sweep left in the nodes.
#include "lantern/runtime.h"
#include "trial.h"

namespace {

struct Tree {
  bool is_empty;
  double value;
  const Tree *left, *right;
  mutable double product_left = 0, product_right = 0;
};

class Trees {
 public:
  explicit Trees(size_t size) { nodes_.reserve(2 * size + 1); }  // that none moves

  const Tree* balanced(int64_t first, int64_t last) {
    if (first == last) return add({true, 0, nullptr, nullptr});
    const int64_t middle = (first + last) / 2;
    const Tree *left = balanced(first, middle), *right = balanced(middle + 1, last);
    return add({false, value_at(middle), left, right});
  }
  const Tree* chain(int64_t first, int64_t last) {
    const Tree* tree = add({true, 0, nullptr, nullptr});
    for (int64_t place = first; place < last; ++place) tree = add({false, value_at(place), tree, add({true, 0, nullptr, nullptr})});
    return tree;
  }

 private:
  static double value_at(int64_t place) { return 1.0 + 0.001 * (static_cast<double>(place % 1000) - 499.5) / 500.0; }
  const Tree* add(Tree tree) { return &nodes_.emplace_back(tree); }

  std::vector<Tree> nodes_;
};

double tree_prod(double base, const Tree& tree) {
  lantern::check_stack("tree_prod");
  if (tree.is_empty) return base;
  const double l = tree_prod(base, *tree.left), r = tree_prod(base, *tree.right);
  return l * r * tree.value;
}

double forward(double base, const Tree& tree) {
  lantern::check_stack("tree_prod");
  if (tree.is_empty) return base;
  const double l = tree.product_left = forward(base, *tree.left), r = tree.product_right = forward(base, *tree.right);
  return l * r * tree.value;
}

void reverse(const Tree& tree, double y_adj, double& base_adj) {
  lantern::check_stack("tree_prod");
  if (tree.is_empty) {
    base_adj += y_adj;
    return;
  }
  const double product_adj = y_adj * tree.value;
  reverse(*tree.right, product_adj * tree.product_left, base_adj);
  reverse(*tree.left, product_adj * tree.product_right, base_adj);
}

double gradient(double base, const Tree& tree) {
  double base_adj = 0;
  forward(base, tree);
  reverse(tree, 1, base_adj);
  return base_adj;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: tree_prod_handwritten NODES\n");
    return 2;
  }
  const int64_t nodes = std::atoll(argv[1]);
  const trial::Memory memory;
  Trees trees(static_cast<size_t>(nodes) + 4);
  const std::pair<const char*, const Tree*> shapes[] = {{"balanced", trees.balanced(0, nodes / 2)}, {"chain", trees.chain(0, nodes / 2)}};
  const std::pair<const char*, double (*)(double, const Tree&)> functions[] = {{"value", tree_prod}, {"gradient", gradient}};
  for (const auto& [shape, tree] : shapes) {
    for (const auto& [what, function] : functions) {
      const std::string name = std::string(shape) + ", " + what;
      const auto run = [&, tree = tree, function = function] { return lantern::on_stack([&] { return function(1.0, *tree); }); };
      trial::value(name, run());
      trial::rate(name, static_cast<double>(nodes) / 1e6, run);
    }
  }
  memory.print();
}
