#include "lantern/unchanged_results.h"

#include <map>
#include <vector>

#include "support/match.h"

namespace lantern {

using namespace ir;

namespace {

class Results {
 public:
  explicit Results(Function& function) {
    visit(function.body);
    if (replaced_.empty()) return;
    for_each_operand(function.body, [&](Operand& operand) { operand.variable = value_of(operand.variable); });
  }

 private:
  /// Blocks within first: a loop's turn may leave as it was what branches in it do.
  void visit(Block& block) {
    for (auto& binding : block.bindings) {
      for_each_block(binding.node, [&](const Block& nested) { visit(const_cast<Block&>(nested)); });
      match(
          binding.node, [&](If& n) { branch(binding, n); }, [&](While& n) { loop(binding, n); }, [&](For& n) { loop(binding, n); }, [](auto&) {});
    }
  }

  void branch(Binding& binding, If& n) {
    if (n.then->raises || n.otherwise->raises) return;
    for (std::size_t i = binding.results.size(); i-- > 0;) {
      Variable* value = value_of(n.then->results[i].variable);
      if (!value || value != value_of(n.otherwise->results[i].variable) || !stands_for(value, binding.results[i])) continue;
      replaced_[binding.results[i]] = value;
      leave_out(i, binding.results, n.then->results, n.otherwise->results);
    }
  }

  template <class Loop>
  void loop(Binding& binding, Loop& n) {
    if (n.body->raises) return;
    for (std::size_t i = n.state.size(); i-- > 0;) {
      Variable* before = value_of(n.initial[i].variable);
      if (!before || value_of(n.body->results[i].variable) != n.state[i] || !stands_for(before, n.state[i]) || !stands_for(before, binding.results[i])) continue;
      replaced_[n.state[i]] = replaced_[binding.results[i]] = before;
      leave_out(i, binding.results, n.state, n.initial, n.body->results);
    }
  }

  /// A parameter or a state changes while the program runs; what may be none is known to be something by its name.
  static bool stands_for(const Variable* value, const Variable* result) {
    return value->storage == Storage::local && same_type(value->type, result->type) && !is(value->type, TypeKind::optional);
  }

  template <class... Lists>
  static void leave_out(std::size_t i, Lists&... lists) { (lists.erase(lists.begin() + static_cast<std::ptrdiff_t>(i)), ...); }

  Variable* value_of(Variable* variable) const {
    for (auto found = replaced_.find(variable); found != replaced_.end(); found = replaced_.find(variable)) variable = found->second;
    return variable;
  }

  std::map<const Variable*, Variable*> replaced_;
};

}  // namespace

void leave_out_unchanged_results(Function& function) { Results results(function); }

}  // namespace lantern
