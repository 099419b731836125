// Before:  row = index(v, 0)             After:  t = index(v, 0)
//          w = v * 2                             row = copied(t)
//          update v = w                          w = v * 2
//          y = sum(row)                          update v = w
//                                                y = sum(row)
#include "lantern/snapshots.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "lantern/late_changes.h"

namespace lantern {

using namespace ir;

namespace {

using Globals = std::set<const Variable*>;

/// Whether a value is, has or leads to an array.
bool has_arrays(const Type& type) { return !is(type, TypeKind::string) && (!is_numeric(type) || rank(type) > 0); }

bool is_transpose(const Operate& operate) { return operate.op->name == "transpose"; }

/// A transpose is none, but that of a transpose is.
bool is_view(const Operate& operate) {
  return operate.op->cheap_view || operate.op->name == "index" || operate.op->name == "stop-gradient" || is_transpose(operate);
}

/// Whether its result number i may be, or lead to, an operand or a view of one.
bool passes_on(const Binding& binding, std::size_t i) {
  const Node& node = binding.node;
  const auto* made = std::get_if<Operate>(&node);
  if (!made) return std::holds_alternative<Field>(node) || std::holds_alternative<Make>(node) || std::holds_alternative<Copy>(node);
  const auto is_list = [](const Operand& operand) { return is(operand.type, TypeKind::list); };
  return is_view(*made) || !is_numeric(binding.results[i]->type) || std::any_of(made->operands.begin(), made->operands.end(), is_list);
}

/// The results of a node's blocks that become its results, or its next turn's state.
template <class Visit>
void for_each_outcome(const Node& node, Visit visit) {
  if (const auto* branch = std::get_if<If>(&node)) {
    visit(*branch->then);
    visit(*branch->otherwise);
  } else if (const auto* loop = std::get_if<While>(&node)) {
    visit(*loop->body);
  } else if (const auto* loop = std::get_if<For>(&node)) {
    visit(*loop->body);
  } else if (const auto* each = std::get_if<Each>(&node)) {
    visit(*each->body);
  }
}

/// A loop's variables: the state, and the element in front of it.
std::vector<Variable*> variables_of(const Node& node) {
  if (const auto* loop = std::get_if<While>(&node)) return loop->state;
  const auto* loop = std::get_if<For>(&node);
  if (!loop) return {};
  std::vector<Variable*> all = {loop->element};
  all.insert(all.end(), loop->state.begin(), loop->state.end());
  return all;
}

class Snapshots {
 public:
  explicit Snapshots(Program& program) : program_(program) {}

  bool take() {
    find_changes();
    if (changed_.empty()) return false;
    do {
      grew_ = false;
      for (const auto& function : program_.functions) follow(function.body);
    } while (grew_);
    for (auto& function : program_.functions) {
      given_.clear();
      for (const auto& result : function.body.results) give(result);
      do {
        grew_ = false;
        follow_back(function.body);
      } while (grew_);
      reads_.clear();
      for_each_operand(function.body, [&](const Operand& operand) { ++reads_[operand.variable]; });
      copy_views(function, function.body);
    }
    return taken_;
  }

 private:
  // Which arrays a run of each function may change.
  void find_changes() {
    std::map<const Function*, std::set<const Function*>> callees;
    for (const auto& function : program_.functions) look_at(function.body, changes_[&function], callees[&function]);
    for (bool grew = true; grew;) {
      grew = false;
      for (auto function = program_.functions.rbegin(); function != program_.functions.rend(); ++function) {
        Globals& own = changes_[&*function];
        const auto before = own.size();
        for (const auto* callee : callees[&*function]) own.insert(changes_[callee].begin(), changes_[callee].end());
        grew = grew || own.size() > before;
      }
    }
    for (const auto& [function, changes] : changes_) changed_.insert(changes.begin(), changes.end());
  }
  void look_at(const Block& block, Globals& changes, std::set<const Function*>& callees) {
    for (const auto& binding : block.bindings) {
      for (const auto* target : changed_arrays(program_, binding)) changes.insert(target);
      for (const auto* callee : callees_of(binding.node)) callees.insert(callee);
      for_each_block(binding.node, [&](const Block& nested) { look_at(nested, changes, callees); });
    }
  }

  // Which of them each variable may be, lead to, or view.
  void follow(const Block& block) {
    for (const auto& binding : block.bindings) {
      for_each_block(binding.node, [&](const Block& nested) { follow(nested); });
      for (const auto* callee : callees_of(binding.node)) pass_arguments(binding.node, *callee);
      const auto* operate = std::get_if<Operate>(&binding.node);
      if (operate && is_transpose(*operate)) transposes_.insert(binding.results[0]);
      for (std::size_t i = 0; i < binding.results.size(); ++i) {
        add(binding.results[i], outcome(binding, i));
        if (is_loop(binding.node)) add(binding.results[i], origins_of(state_of(binding.node)[i]));
      }
      const auto variables = variables_of(binding.node);
      for (const Operand* operand : operands_of(binding.node)) {
        for (const auto* variable : variables) add(variable, origins(*operand));
      }
      for_each_outcome(binding.node, [&](const Block& body) {
        for (const auto& result : body.results) {
          for (const auto* variable : variables) add(variable, origins(result));
        }
      });
    }
  }
  void pass_arguments(const Node& node, const Function& callee) {
    const auto operands = operands_of(node);
    for (std::size_t i = 0; i < std::min(operands.size(), callee.formals.size()); ++i) add(callee.formals[i], origins(*operands[i]));
  }
  Globals outcome(const Binding& binding, std::size_t i) const {
    Globals all;
    const auto add_all = [&](const Operand& operand) { const auto more = origins(operand); all.insert(more.begin(), more.end()); };
    for_each_outcome(binding.node, [&](const Block& body) {
      if (i < body.results.size()) add_all(body.results[i]);
    });
    for (const auto* callee : callees_of(binding.node)) {
      if (i < callee->body.results.size()) add_all(callee->body.results[i]);
    }
    if (passes_on(binding, i)) {
      for (const Operand* operand : operands_of(binding.node)) add_all(*operand);
    }
    return all;
  }

  // Which variables of a function its callers may get.
  void give(const Operand& operand) {
    if (operand.variable && has_arrays(operand.type)) grew_ = given_.insert(operand.variable).second || grew_;
  }
  void follow_back(const Block& block) {
    for (const auto& binding : block.bindings) {
      for_each_block(binding.node, [&](const Block& nested) { follow_back(nested); });
      const auto variables = variables_of(binding.node);
      const auto is_given = [&](const Variable* variable) { return given_.contains(variable); };
      if (!std::any_of(binding.results.begin(), binding.results.end(), is_given) && !std::any_of(variables.begin(), variables.end(), is_given)) continue;
      if (std::holds_alternative<Operate>(binding.node) && !passes_on(binding, 0)) continue;  // its result is a new array
      for (const Operand* operand : operands_of(binding.node)) give(*operand);
      for_each_outcome(binding.node, [&](const Block& body) { std::for_each(body.results.begin(), body.results.end(), [&](const Operand& result) { give(result); }); });
    }
  }

  void copy_views(const Function& function, Block& block) {
    for (std::size_t i = 0; i < block.bindings.size(); ++i) {
      for_each_block(block.bindings[i].node, [&](Block& nested) { copy_views(function, nested); });
      if (auto* loop = std::get_if<For>(&block.bindings[i].node)) copy_element(function, *loop, block.bindings[i].location);
      if (!needs_copy(function, block.bindings[i]) || gives_number_at_once(block, i)) continue;
      Binding& view = block.bindings[i];
      Binding copied = copy_of(view.results[0], view.location);
      block.bindings.insert(block.bindings.begin() + static_cast<std::ptrdiff_t>(i) + 1, std::move(copied));
      for (std::size_t j = 0; j <= i; ++j) {  // of calls side by side, a part of that which reads it
        if (auto& at_once = block.bindings[j].at_once; at_once > 1 && j + at_once > i) ++at_once;
      }
      ++i;
      taken_ = true;
    }
  }
  /// Of a loop over the rows of an array, a row of which is there for a turn.
  void copy_element(const Function& function, For& loop, const Location& location) {
    const auto* sequence = std::get_if<Operand>(&loop.sequence);
    if (!sequence || !is_changing_view(function, *sequence, loop.element)) return;
    loop.body->bindings.insert(loop.body->bindings.begin(), copy_of(loop.element, location));
    taken_ = true;
  }

  /// Makes `view` another variable, and gives its name to a copy of that.
  Binding copy_of(Variable*& view, const Location& location) {
    Variable* const name = view;
    view = program_.add_variable({.name = ir::temporary, .type = name->type, .location = name->location});
    return {{name}, Operate{operators_named("copied")[0], {read(view)}, {}}, location};
  }

  /// Whether the view is read by the next binding alone, which takes a number out of it, or another view of which that holds: nothing changes before that.
  bool gives_number_at_once(const Block& block, std::size_t i) const {
    for (; i + 1 < block.bindings.size(); ++i) {
      const auto* next = std::get_if<Operate>(&block.bindings[i + 1].node);
      const Variable* view = block.bindings[i].results[0];
      const auto reads = reads_.find(view);
      if (!next || next->op->name != "index" || next->operands[0].variable != view || reads == reads_.end() || reads->second != 1) return false;
      if (rank(block.bindings[i + 1].results[0]->type) == 0) return true;
    }
    return false;
  }
  bool needs_copy(const Function& function, const Binding& binding) const {
    const auto* operate = std::get_if<Operate>(&binding.node);
    if (!operate || !is_view(*operate) || (is_transpose(*operate) && !transposes_.contains(operate->operands[0].variable))) return false;
    return is_changing_view(function, operate->operands[0], binding.results[0]);
  }
  bool is_changing_view(const Function& function, const Operand& of, const Variable* view) const {
    if (!is_numeric(of.type) || rank(view->type) == 0) return false;
    const Globals& changes = given_.contains(view) ? changed_ : changes_.at(&function);
    const Globals viewed = origins(of);
    return std::any_of(viewed.begin(), viewed.end(), [&](const Variable* global) { return changes.contains(global); });
  }

  Globals origins(const Operand& operand) const { return operand.variable ? origins_of(operand.variable) : Globals{}; }
  Globals origins_of(const Variable* variable) const {
    if (variable->storage != Storage::local) return changed_.contains(variable) ? Globals{variable} : Globals{};
    const auto known = origins_.find(variable);
    return known == origins_.end() ? Globals{} : known->second;
  }
  void add(const Variable* variable, const Globals& more) {
    if (more.empty() || !has_arrays(variable->type)) return;
    Globals& own = origins_[variable];
    const auto before = own.size();
    own.insert(more.begin(), more.end());
    grew_ = grew_ || own.size() > before;
  }

  static bool is_loop(const Node& node) { return std::holds_alternative<While>(node) || std::holds_alternative<For>(node); }
  static const std::vector<Variable*>& state_of(const Node& node) {
    const auto* loop = std::get_if<While>(&node);
    return loop ? loop->state : std::get<For>(node).state;
  }

  Program& program_;
  std::map<const Function*, Globals> changes_;
  Globals changed_;  // by any of them
  std::map<const Variable*, Globals> origins_;
  std::set<const Variable*> given_, transposes_;
  std::map<const Variable*, std::int64_t> reads_;  // of a variable, how many there are
  bool grew_ = false, taken_ = false;
};

}  // namespace

bool take_snapshots(Program& program) { return Snapshots(program).take(); }

}  // namespace lantern
