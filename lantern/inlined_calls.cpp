#include "lantern/inlined_calls.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string_view>

#include "support/diagnostic.h"
#include "support/match.h"

namespace lantern {

using namespace ir;

namespace {

constexpr std::size_t most_bindings = 64;  // of a function that is written where it is called

/// How many bindings a block has, with those of what it calls, if it is a few operations and branches; nothing: it does more, or may have no end.
std::optional<std::size_t> size_of(const Block& block, std::set<const Function*> callers) {
  std::size_t size = block.bindings.size();
  bool is_simple = size <= most_bindings;
  const auto add = [&](const Block& more) {
    const auto found = is_simple ? size_of(more, callers) : std::nullopt;
    size += found.value_or(0);
    is_simple = found && size <= most_bindings;
  };
  for (const auto& binding : block.bindings) {
    const auto* operate = std::get_if<Operate>(&binding.node);
    const auto* call = std::get_if<Call>(&binding.node);
    is_simple = is_simple && ((operate && !operate->op->effect) || (call && !call->callee->derivative && callers.insert(call->callee).second) ||
                              std::holds_alternative<Copy>(binding.node) || std::holds_alternative<If>(binding.node) ||
                              std::holds_alternative<Field>(binding.node) || std::holds_alternative<IsNone>(binding.node) ||
                              std::holds_alternative<Raise>(binding.node));
    if (call) {
      add(call->callee->body);
      callers.erase(call->callee);
    }
    for_each_block(binding.node, add);
  }
  return is_simple ? std::optional(size) : std::nullopt;
}

bool is_of_numbers(const Function& function) {
  const auto is_number = [](const Type& type) { return is_one_number(type); };
  return std::ranges::all_of(function.formals, is_number, &Variable::type) && std::ranges::all_of(function.results, is_number);
}

bool sets_items(const Block& block, const Activity& activity) {
  constexpr std::string_view setters[] = {"with-item", "with-slice", "write"};
  return std::any_of(block.bindings.begin(), block.bindings.end(), [&](const Binding& binding) {
    const auto* operate = std::get_if<Operate>(&binding.node);
    bool does = operate && std::find(std::begin(setters), std::end(setters), operate->op->name) != std::end(setters) && activity.carries_adjoint(binding);
    for_each_block(binding.node, [&](const Block& nested) { does = does || sets_items(nested, activity); });
    return does;
  });
}

class Inlining {
 public:
  Inlining(Program& program, Function& function, const Activity& activity) : program_(program), function_(function), activity_(activity), taken_(names_in(function)) {}

  bool run() {
    block(function_.body, Within::no_loop);
    for_each_operand(function_.body, [&](Operand& operand) {
      for (auto found = results_.find(operand.variable); found != results_.end(); found = results_.find(operand.variable)) operand.variable = found->second;
    });
    return changed_;
  }

 private:
  using Values = std::map<const Variable*, Operand>;

  enum class Within { no_loop, loop, loop_that_sets_items };

  void block(Block& block, Within within) {
    std::vector<Binding> bindings;
    for (auto& binding : block.bindings) {
      Within inner = within;
      if ((std::holds_alternative<For>(binding.node) || std::holds_alternative<While>(binding.node)) && activity_.carries_adjoint(binding)) {
        inner = std::max(inner, Within::loop);
        for_each_block(binding.node, [&](const Block& nested) { inner = sets_items(nested, activity_) ? Within::loop_that_sets_items : inner; });
      }
      for_each_block(binding.node, [&](const Block& nested) { this->block(const_cast<Block&>(nested), inner); });
      const auto* call = within != Within::no_loop && activity_.carries_adjoint(binding) ? std::get_if<Call>(&binding.node) : nullptr;
      const bool may_be = call && call->callee != &function_ && !call->callee->derivative && !call->callee->body.raises && (within == Within::loop_that_sets_items || is_of_numbers(*call->callee));
      const auto size = may_be ? size_of(call->callee->body, {&function_, call->callee}) : std::nullopt;  // which is being rewritten
      if (size) write(binding, *call, bindings);
      else bindings.push_back(std::move(binding));
    }
    block.bindings = std::move(bindings);
  }

  void write(const Binding& binding, const Call& call, std::vector<Binding>& into) {
    Values values;
    for (std::size_t i = 0; i < call.operands.size(); ++i) {
      Variable* formal = call.callee->formals[i];
      const Operand& operand = call.operands[i];
      if (operand.variable && same_type(operand.type, formal->type)) {
        values[formal] = operand;
      } else {
        into.push_back({{copy_of(formal)}, Copy{operand}, binding.location});
        values[formal] = read(into.back().results[0]);
      }
    }
    Block body = copied(call.callee->body, values);
    std::move(body.bindings.begin(), body.bindings.end(), std::back_inserter(into));
    for (std::size_t i = 0; i < binding.results.size(); ++i) {
      const Operand& result = body.results[i];
      const bool is_local = result.variable && result.variable->storage == Storage::local;
      const bool is_one = is_local && same_type(result.type, binding.results[i]->type) && same_type(result.variable->type, result.type);
      if (is_one) results_[binding.results[i]] = result.variable;
      else into.push_back({{binding.results[i]}, Copy{result}, binding.location});
    }
    changed_ = true;
  }

  Block copied(const Block& block, Values& values) {
    Block made;
    for (const auto& binding : block.bindings) {
      Node node = match(
          binding.node, [&](const Operate& n) -> Node { return Operate{n.op, valued(n.operands, values), n.attributes, n.derived}; },
          [&](const Call& n) -> Node { return Call{n.callee, valued(n.operands, values)}; },
          [&](const Copy& n) -> Node { return Copy{valued(n.value, values)}; }, [&](const Field& n) -> Node { return Field{valued(n.object, values), n.name}; },
          [&](const IsNone& n) -> Node { return IsNone{valued(n.object, values)}; },
          [&](const If& n) -> Node {
            return If{valued(n.condition, values), std::make_unique<Block>(copied(*n.then, values)), std::make_unique<Block>(copied(*n.otherwise, values))};
          },
          [&](const Raise& n) -> Node { return Raise{n.kind, n.message, valued(n.operands, values)}; },
          [](const auto&) -> Node { bug("inlined-calls", "it does more"); });
      std::vector<Variable*> results;
      for (const auto* result : binding.results) {
        results.push_back(copy_of(result));
        values[result] = read(results.back());
      }
      made.bindings.push_back({std::move(results), std::move(node), binding.location});
    }
    made.results = valued(block.results, values);
    made.raises = block.raises;
    return made;
  }

  static Operand valued(Operand operand, const Values& values) {
    const auto found = values.find(operand.variable);
    if (found == values.end()) return operand;
    operand.variable = found->second.variable;
    operand.present = operand.present || found->second.present;
    return operand;
  }
  static std::vector<Operand> valued(std::vector<Operand> operands, const Values& values) {
    for (auto& operand : operands) operand = valued(operand, values);
    return operands;
  }

  Variable* copy_of(const Variable* variable) {
    const bool has_none = is_made_up(variable->name);
    std::string name = has_none ? temporary : variable->name;
    for (int i = 2; !has_none && !taken_.insert(name).second; ++i) name = fmt::format("{}_{}", without_number(variable->name), i);
    return program_.add_variable({.name = name, .type = variable->type, .location = variable->location});
  }

  Program& program_;
  Function& function_;
  const Activity& activity_;
  std::set<std::string> taken_;
  std::map<const Variable*, Variable*> results_;
  bool changed_ = false;
};

}  // namespace

bool inline_calls(Program& program, const Activity& activity) {
  bool changed = false;
  for (auto& function : program.functions) changed = Inlining(program, function, activity).run() || changed;
  return changed;
}

}  // namespace lantern
