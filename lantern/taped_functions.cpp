// From all functions those are taken out that hold what a sweep cannot do, or call one that was taken out, until none is.
#include "lantern/taped_functions.h"

#include <algorithm>

#include "lantern/call_graph.h"
#include "support/match.h"

namespace lantern {

using namespace ir;

namespace {

/// Of an array: it says where the elements lie, or gives one.
bool only_reads(const Operator& op) {
  constexpr std::string_view readers[] = {"index", "length", "size", "shape"};
  return op.cheap_view || std::find(std::begin(readers), std::end(readers), op.name) != std::end(readers);
}

class TapedFunctions {
 public:
  TapedFunctions(const Program& program, const Activity& activity) : activity_(activity) {
    for (const auto& function : program.functions) collect_beside(function.body);
    for (const auto& function : program.functions) {
      if (activity.active_results.contains(&function) && !function.derivative && !beside_.contains(&function)) found_.insert(&function);
    }
    while (std::erase_if(found_, [&](const Function* function) { return !fits(*function); }) > 0) {}
  }

  /// Those that are reached from recursions.
  std::set<const Function*> reached(const std::set<const Function*>& recursive) {
    for (const auto* function : found_) {
      if (recursive.contains(function)) reach(*function);
    }
    return std::move(reached_);
  }

 private:
  /// What is called side by side with others has a schedule of its own.
  void collect_beside(const Block& block, bool beside = false) {
    std::size_t end = 0;
    for (std::size_t i = 0; i < block.bindings.size(); ++i) {
      const auto& binding = block.bindings[i];
      if (binding.at_once > 1) end = i + binding.at_once;
      const bool within = beside || i < end || std::holds_alternative<Each>(binding.node);
      if (within) {
        for (const auto* callee : callees_of(binding.node)) beside_.insert(callee);
      }
      for_each_block(binding.node, [&](const Block& nested) { collect_beside(nested, within); });
    }
  }

  bool fits(const Function& function) const {
    return std::all_of(function.formals.begin(), function.formals.end(), [&](const Variable* v) { return !activity_.is_active(v) || is_numeric(v->type); }) &&
           std::all_of(function.results.begin(), function.results.end(), is_one_number) && fits(function.body);
  }

  bool fits(const Block& block) const {
    return std::all_of(block.bindings.begin(), block.bindings.end(), [&](const Binding& binding) { return fits(binding); });
  }

  bool fits(const Binding& binding) const {
    const auto operands = operands_of(binding.node);
    if (std::any_of(operands.begin(), operands.end(), [](const Operand* o) { return o->variable && o->variable->storage != Storage::local; })) return false;
    const bool numbers = std::all_of(binding.results.begin(), binding.results.end(), [](const Variable* v) { return is_one_number(v->type); });
    const bool active = activity_.carries_adjoint(binding);
    if (active && !numbers) return false;
    return match(
        binding.node,
        [&](const Operate& n) {
          const bool of_numbers = std::all_of(operands.begin(), operands.end(), [](const Operand* o) { return is_one_number(o->type); });
          return !n.op->effect && n.op->name != "extern" && ((numbers && of_numbers) || only_reads(*n.op));
        },
        [&](const Call& n) { return numbers && !n.callee->derivative && (!active || found_.contains(n.callee)); },
        [&](const If& n) { return numbers && fits(*n.then) && fits(*n.otherwise); }, [&](const Field&) { return !active; }, [](const IsNone&) { return true; },
        [&](const Copy&) { return numbers || !active; }, [](const Print&) { return true; }, [](const Assert&) { return true; }, [](const Raise&) { return true; },
        [](const auto&) { return false; });
  }

  void reach(const Function& function) {
    if (reached_.insert(&function).second) reach(function.body);
  }
  void reach(const Block& block) {
    for (const auto& binding : block.bindings) {
      const auto* call = std::get_if<Call>(&binding.node);
      if (call && activity_.carries_adjoint(binding)) reach(*call->callee);
      for_each_block(binding.node, [&](const Block& nested) { reach(nested); });
    }
  }

  const Activity& activity_;
  std::set<const Function*> beside_, found_, reached_;
};

}  // namespace

std::set<const Function*> taped_functions(const Program& program, const Activity& activity) {
  if (program.differentiable_entry) return {};
  return TapedFunctions(program, activity).reached(recursive_functions(program));
}

}  // namespace lantern
