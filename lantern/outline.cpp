// Before:  c = cos(a)                  After:  d_1 = call f(a)         f(a_1): c = cos(a_1); d = c * c => d
//          d = c * c                           e = d_1 + 1
//          e = d + 1
#include "lantern/outline.h"

#include <algorithm>
#include <iterator>
#include <map>

namespace lantern {

using namespace ir;

std::set<const Variable*> variables_in(const Binding& binding) {
  std::set<const Variable*> all(binding.results.begin(), binding.results.end());
  for_each_block(binding.node, [&](const Block& nested) { for_each_variable(nested, [&](const Variable* variable) { all.insert(variable); }); });
  if (const auto* loop = std::get_if<For>(&binding.node)) all.insert(loop->element), all.insert(loop->state.begin(), loop->state.end());
  if (const auto* loop = std::get_if<While>(&binding.node)) all.insert(loop->state.begin(), loop->state.end());
  return all;
}

Variable* outline(Program& program, Block& block, std::size_t begin, std::size_t end, Variable* value, const std::string& name, const Location& at) {
  auto& bindings = block.bindings;
  const auto first = bindings.begin() + static_cast<std::ptrdiff_t>(begin), last = bindings.begin() + static_cast<std::ptrdiff_t>(end);
  const auto copy_of = [&](const Variable* variable) { return program.add_variable({.name = variable->name, .type = variable->type, .location = variable->location}); };
  Function& made = *program.add_function(name, at);
  std::set<const Variable*> own;
  std::for_each(first, last, [&](const Binding& binding) { own.merge(variables_in(binding)); });

  Call call{&made, {}};
  std::map<const Variable*, Variable*> formals;
  const auto take = [&](Operand& operand) {
    if (!operand.variable || operand.variable->storage != Storage::local || own.contains(operand.variable)) return;
    auto& formal = formals[operand.variable];
    if (!formal) {
      made.formals.push_back(formal = copy_of(operand.variable));
      call.operands.push_back(read(operand.variable));
    }
    operand.variable = formal;
  };
  std::for_each(first, last, [&](const Binding& binding) { for_operands(binding, take); });

  Binding called{{}, std::move(call), at};
  std::map<const Variable*, Variable*> results;
  const auto give = [&](Variable* variable) {
    auto& result = results[variable];
    if (result) return;
    called.results.push_back(result = copy_of(variable));
    made.body.results.push_back(read(variable));
    made.results.push_back(variable->type);
  };
  give(value);
  const auto behind = [&](const auto& visit) {
    std::for_each(last, bindings.end(), [&](const Binding& binding) { for_operands(binding, visit); });
    std::for_each(block.results.begin(), block.results.end(), visit);
  };
  behind([&](Operand& operand) {
    if (own.contains(operand.variable)) give(operand.variable);
  });
  behind([&](Operand& operand) {
    if (const auto found = results.find(operand.variable); found != results.end()) operand.variable = found->second;
  });
  made.result_type = made.results.size() == 1 ? made.results[0] : tuple_of(made.results);
  made.body.bindings.assign(std::make_move_iterator(first), std::make_move_iterator(last));
  *first = std::move(called);
  bindings.erase(first + 1, last);
  return results.at(value);
}

}  // namespace lantern
