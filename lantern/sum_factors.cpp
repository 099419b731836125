// The steps by which a sum of terms is scaled, and the operations that compute a term's factor from them.
#include "lantern/sum_factors.h"

#include <string>
#include <utility>

#include "lantern/operators.h"

namespace lantern {

using namespace ir;

Scaling step_by(const std::vector<const Block*>& blocks, Scaling::Kind kind, const Operand& by) {
  for (const Block* block : blocks) {
    for (const auto& binding : block->bindings) {
      const auto* operate = std::get_if<Operate>(&binding.node);
      if (by.variable && operate && operate->op->name == "length" && binding.results[0] == by.variable) return {kind, operate->operands[0], true};
    }
  }
  return {kind, by};
}

Operand after_step(Program& program, const Operand& factor, const Scaling& step, std::vector<Binding>& made, const Location& at) {
  const auto bind = [&](const char* op, std::vector<Operand> operands, Type type) {
    std::vector<Type> types;
    for (const auto& operand : operands) types.push_back(operand.type);
    Variable* result = program.add_variable({.name = temporary, .type = std::move(type)});
    made.push_back({{result}, Operate{select_operator(op, types), std::move(operands), {}, true}, at});
    return read(result);
  };
  const auto length = [&](const Operand& of) { return bind("length", {of}, scalar(DType::i64)); };
  if (step.kind == Scaling::Kind::negate) return bind("neg", {factor}, factor.type);
  if (step.kind == Scaling::Kind::divide_by_turns) {
    const auto* range = std::get_if<Range>(&step.loop->sequence);
    return bind("/", {factor, range ? range->stop : length(std::get<Operand>(step.loop->sequence))}, factor.type);
  }
  const bool is_one = !factor.variable && std::get<double>(factor.literal) == 1.0;
  if (step.kind == Scaling::Kind::multiply && is_one && std::holds_alternative<double>(step.by.literal) && !step.by.variable) return {.literal = step.by.literal, .type = factor.type};
  return bind(step.kind == Scaling::Kind::multiply ? "*" : "/", {factor, step.by_length ? length(step.by) : step.by}, factor.type);
}

}  // namespace lantern
