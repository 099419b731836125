// In
//   y     = (* x mean)                ; active: its pullback reads mean, which must not change
//   mean' = (* 0.9 mean)              ; passive: nothing of the reverse sweep reads mean or mean'
//   (update (mean mean'))
// the first line is what makes the third one an error.
#include "lantern/late_changes.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace lantern {

using namespace ir;

namespace {

using Globals = std::set<const Variable*>;

class Changes {
 public:
  Changes(const Program& program, const Activity& activity) : program_(program), activity_(activity) {}

  std::vector<Diagnostic> find() {
    for (const Function* function : activity_.differentiable) enter(*function);
    for (const auto& [target, location] : changed_) {
      if (!read_.contains(target)) continue;
      failures_.push_back({.code = "LT0506",
                           .location = location,
                           .message = fmt::format("'{}' changes within what is differentiated, which is not supported for arrays that a derivative depends on", target->name),
                           .hint = "update it before or after the gradient is taken"});
    }
    return std::move(failures_);
  }

 private:
  void enter(const Function& function) {
    if (!entered_.insert(&function).second) return;
    look_at(function.body);
  }

  void look_at(const Block& block) {
    for (const auto& binding : block.bindings) {
      for_each_block(binding.node, [&](const Block& nested) { look_at(nested); });
      note_reads(binding);
      note_changes(binding);
      if (std::holds_alternative<ValueAndGrad>(binding.node)) continue;
      for (const auto* callee : callees_of(binding.node)) enter(*callee);
    }
    for (const auto& result : block.results) read(globals_in(result));
  }

  // What is computed from a global alone, element by element, may be computed again where it is used.
  void note_reads(const Binding& binding) {
    const auto* operate = std::get_if<Operate>(&binding.node);
    const bool passive = operate && operate->op->elementwise && !activity_.carries_adjoint(binding);
    for (const Operand* operand : operands_of(binding.node)) {
      const Globals globals = globals_in(*operand);
      if (passive) made_of_[binding.results[0]].insert(globals.begin(), globals.end());
      else if (!std::holds_alternative<Update>(binding.node)) read(globals);
    }
  }

  void note_changes(const Binding& binding) {
    for (const auto* target : changed_arrays(program_, binding)) changed_.emplace_back(target, binding.location);
  }

  Globals globals_in(const Operand& operand) const {
    if (!operand.variable) return {};
    const auto matrix = std::ranges::find(program_.block_matrices, operand.variable, &BlockMatrix::variable);
    if (matrix != program_.block_matrices.end()) return Globals(matrix->blocks.begin(), matrix->blocks.end());
    if (operand.variable->storage != Storage::local) return {operand.variable};
    const auto made = made_of_.find(operand.variable);
    return made == made_of_.end() ? Globals{} : made->second;
  }

  void read(const Globals& globals) { read_.insert(globals.begin(), globals.end()); }

  const Program& program_;
  const Activity& activity_;
  std::set<const Function*> entered_;
  std::map<const Variable*, Globals> made_of_;
  Globals read_;
  std::vector<std::pair<const Variable*, Location>> changed_;
  std::vector<Diagnostic> failures_;
};

}  // namespace

std::vector<const Variable*> changed_arrays(const Program& program, const Binding& binding) {
  std::vector<const Variable*> changed;
  const auto change = [&](const Variable* target) {
    if (rank(target->type) > 0) changed.push_back(target);
  };
  if (const auto* update = std::get_if<Update>(&binding.node)) std::for_each(update->targets.begin(), update->targets.end(), change);
  if (const auto* start = std::get_if<Initialize>(&binding.node)) change(start->target);
  const auto* operate = std::get_if<Operate>(&binding.node);
  if (operate && operate->op->name == "load-parameters") {
    for (const auto& global : program.globals) change(global.variable);
  }
  if (operate && operate->op->name == "load-checkpoint") {
    for (const auto& operand : operate->operands) {
      if (operand.variable && operand.variable->storage != Storage::local) change(operand.variable);
    }
  }
  return changed;
}

std::vector<Diagnostic> late_changes(const Program& program, const Activity& activity) { return Changes(program, activity).find(); }

}  // namespace lantern
