#include "lantern/entry.h"

#include <set>

namespace lantern {

void unwrap_entry(ir::Program& program) {
  const auto passes_on = [](const ir::Function& f) {
    if (f.body.bindings.size() != 1 || f.body.results.size() != f.body.bindings[0].results.size()) return false;
    const auto* call = std::get_if<ir::Call>(&f.body.bindings[0].node);
    if (!call || call->callee == &f || call->operands.size() != f.formals.size()) return false;
    for (std::size_t i = 0; i < f.formals.size(); ++i) {
      if (call->operands[i].variable != f.formals[i]) return false;
    }
    for (std::size_t i = 0; i < f.body.results.size(); ++i) {
      if (f.body.results[i].variable != f.body.bindings[0].results[i]) return false;
    }
    return true;
  };
  std::set<const ir::Function*> seen;  // two may pass on to each other for ever
  while (program.differentiable_entry && seen.insert(program.differentiable_entry).second && passes_on(*program.differentiable_entry)) {
    program.differentiable_entry = std::get<ir::Call>(program.differentiable_entry->body.bindings[0].node).callee;
  }
}

}  // namespace lantern
