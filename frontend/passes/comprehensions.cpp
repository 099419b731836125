//     [f(x) for x in xs if x]
// becomes (what is inside is the other passes' business)
//     [f(x) for x in ag__.iter_(xs, (1, 16)) if x]
#include "frontend/passes/passes.h"

namespace lantern::passes {

using namespace syntax;

void convert_comprehensions(Function& function) {
  const auto wrap = [&](std::vector<Comprehension>& generators) {
    for (Comprehension& generator : generators) {
      const Range at = generator.iter->range;
      generator.iter = function.operation("iter_", list_of<ExprPtr>(std::move(generator.iter)), at);
    }
  };
  rewrite_loads(function, [&](ExprPtr& expr) {
    if (auto* comp = as<ListComp>(expr)) wrap(comp->generators);
    if (auto* comp = as<SetComp>(expr)) wrap(comp->generators);
    if (auto* comp = as<DictComp>(expr)) wrap(comp->generators);
    if (auto* comp = as<GeneratorExp>(expr)) wrap(comp->generators);
  });
}

}  // namespace lantern::passes
