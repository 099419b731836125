// Optimisers' steps: one function of an entry's gradient, value and state, and the arrays that it runs over. Steps that
// are the same function of other arrays share it.
#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "codegen/cpp_types.h"
#include "codegen/function_writer.h"
#include "codegen/spelling.h"
#include "lantern/walk.h"

namespace lantern {

using namespace lowered;

namespace {

/// Whether a step's value is computed of as many entries at a time as a packet has by the same C++ as of one: of numbers, and of entries of that dtype.
bool is_of_packets(const ExprPtr& e, DType dtype) {
  static const std::set<std::string_view> known = {"+", "-", "*", "/", "neg", "square", "sqrt", "abs", "exp", "maximum", "minimum"};
  if (is_one_number(e->type)) return true;
  const auto* apply = std::get_if<Apply>(&e->node);
  if (!apply) return is_floating(e->type) && resolve(e->type)->dtype == dtype;
  const auto is_part = [&](const ExprPtr& operand) { return is_of_packets(operand, dtype); };
  const bool is_square = apply->op->name == "**" && integer_value(apply->operands[1]) == 2;
  return (is_square || known.contains(apply->op->name)) && resolve(e->type)->dtype == dtype && std::ranges::all_of(apply->operands, is_part);
}

}  // namespace

std::string FunctionWriter::array(const ir::Variable* global, bool may_lag) {
  model_read_ = true;
  const char* part = global->storage == ir::Storage::parameter ? "parameters" : "state";
  return names_.in_group(fmt::format("model.{}{}", may_lag && names_.program.deferred.contains(global) ? "up_to_date()." : "", part), global);
}

// Of a table whose steps are put off, a row has its own taken; of anything else it is none of ours.
std::optional<cpp::Expr> FunctionWriter::row_with_steps(const lowered::Expr& e, const Apply& apply) {
  const auto* table = apply.op->name == "gather" ? std::get_if<Read>(&apply.operands[0]->node) : nullptr;
  const auto& deferred = names_.program.deferred;
  const auto found = table ? deferred.find(table->variable) : deferred.end();
  if (found == deferred.end() || found->second != table->variable) return {};
  model_read_ = true;
  const std::string name = names_.global(table->variable);
  const auto text = [](std::string written) { return cpp::Expr{std::move(written), cpp::Binding::postfix}; };
  return cpp::call(apply.op->cpp, {text("model.parameters." + name), text("model.deferred." + name), expr(apply.operands[1]), text(spelling::place(e.location))});
}

std::size_t FunctionWriter::steps(const Statements& list, std::size_t begin) {
  std::size_t end = begin;
  std::vector<StepText> texts;
  for (; end < list.size() && std::holds_alternative<Step>(list[end].node); ++end) texts.push_back(step(std::get<Step>(list[end].node)));
  std::map<std::string, std::string> shared;  // a function's text → the variable that holds it
  for (const auto& text : texts) {
    const bool again = std::count_if(texts.begin(), texts.end(), [&](const StepText& other) { return other.function == text.function; }) > 1;
    std::string function = text.function;
    if (again) {
      auto& variable = shared[text.function];
      if (variable.empty()) out_.line(fmt::format("const auto {} = {};", variable = unique(spellings_.contains("step") ? "update" : "step"), text.function));
      function = variable;
    }
    out_.line(fmt::format("{}({}, {});", text.call, function, text.arguments));
  }
  return end;
}

FunctionWriter::StepText FunctionWriter::step(const Step& n) {
  const std::string type = spelling::element_type(n.targets[0]->type);
  const DType dtype = resolve(n.targets[0]->type)->dtype;
  const bool of_packets = !n.unless && rank(n.targets[0]->type) > 0 && std::ranges::all_of(n.values, [&](const ExprPtr& e) { return !is_one_number(e->type) && is_of_packets(e, dtype); });
  const std::string entry_type = of_packets ? "auto" : type;  // some entries, or one
  std::vector<std::string> formals, captures;
  std::string call = n.rows_only ? "for_each_touched" : "for_each";
  std::vector<std::string> arguments;
  if (n.at_rest) {
    const auto number = [&](const ExprPtr& e) {
      const auto* literal = std::get_if<Constant>(&e->node);
      return literal ? constant(literal->value, n.targets[0]->type).text : cpp::cast(type, expr(e)).text;
    };
    call = fmt::format("model.deferred.{}.step", names_.global(n.gradient));
    const AtRest& rest = *n.at_rest;
    arguments.push_back(fmt::format("{{{}}}", cpp::list({number(rest.beta1), number(rest.beta2), number(rest.epsilon), number(rest.size), number(rest.factor)})));
  }
  arguments.push_back("model.gradients." + names_.global(n.gradient));
  std::set<std::string> taken;
  const auto entry_name = [&](const std::string& base) {
    std::string entry = base;
    for (int i = 2; !taken.insert(entry).second; ++i) entry = fmt::format("{}_{}", base, i);
    return entry;
  };
  const auto formal_name = [&](std::string base) {  // it hides none of the function's variables
    for (int i = 2; spellings_.contains(Naming::stem(base)); ++i) base = fmt::format("{}_{}", base, i);
    return entry_name(base);
  };
  const std::string g = formal_name("g");
  formals.push_back(entry_type + " " + g);
  model_read_ = true;

  // Numbers are captured in the arrays' type.
  std::map<const lowered::Expr*, int> uses;
  const std::function<void(const ExprPtr&)> survey = [&](const ExprPtr& e) {
    if (rank(e->type) == 0) {
      const auto* read = std::get_if<Read>(&e->node);
      if (read && !entries_.contains(read->variable)) {
        const std::string text = expr(e).text;
        const std::string entry = entry_name(spelling::identifier(read->variable->name, names_.in_use));
        const bool is_of_type = has_own_type(e, dtype);
        captures.push_back(is_of_type ? fmt::format("{} = {}", entry, text) : fmt::format("{} = static_cast<{}>({})", entry, type, text));
        entries_[read->variable] = entry;
      }
    }
    if (uses[e.get()]++ == 0) for_each_operand(*e, survey);
  };
  for (const auto& value : n.values) survey(value);
  if (n.unless) survey(n.unless);
  entries_[nullptr] = g;
  for (const auto* target : n.targets) {
    // A state is named after its parameter (leaf.adagrad); what it is stands behind the dot.
    const bool parameter = target->storage == ir::Storage::parameter;
    const std::string entry = formal_name(parameter ? (spellings_.contains("value") ? "weight" : "value") : spelling::identifier(target->name.substr(target->name.rfind('.') + 1), names_.in_use));
    entries_[target] = entry;
    formals.push_back(fmt::format("{}& {}", entry_type, entry));
    const std::string stored = fmt::format("model.{}.{}", parameter ? "parameters" : "state", names_.global(target));
    arguments.push_back(n.at_rest ? stored : array(target));
  }
  step_suffix_ = type == "float" ? "f" : "";
  // A value that another one reads is computed first.
  std::vector<std::size_t> order(n.targets.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return uses[n.values[a].get()] > uses[n.values[b].get()]; });
  std::map<const lowered::Expr*, ir::Variable> stand_ins;
  const std::function<ExprPtr(const ExprPtr&)> replace = [&](const ExprPtr& e) -> ExprPtr {
    if (const auto known = stand_ins.find(e.get()); known != stand_ins.end()) return lowered::make(Read{&known->second}, e->type);
    lowered::Expr copy = *e;
    if (auto* apply = std::get_if<Apply>(&copy.node)) {
      for (auto& operand : apply->operands) operand = replace(operand);
      return std::make_shared<const lowered::Expr>(std::move(copy));
    }
    return e;
  };
  cpp::Writer body;
  std::vector<std::string> stores;
  std::string unless;
  if (n.unless) {  // it may read what is stored
    unless = entry_name("unchanged");
    body.line(fmt::format("const bool {} = {};", unless, expr(n.unless).text));
  }
  for (const std::size_t i : order) {
    const std::string target = entries_[n.targets[i]];
    const std::string value = expr(replace(n.values[i])).text;
    if (n.targets.size() == 1 && !n.unless) {
      stores.push_back(fmt::format("{} = {};", target, value));
      continue;
    }
    const std::string next = entry_name("next_" + target);
    body.line(fmt::format("const {} {} = {};", entry_type, next, value));
    auto& stand_in = stand_ins[n.values[i].get()];
    entries_[&stand_in] = next;
    stores.push_back(n.unless ? fmt::format("store_unless({}, {}, {});", unless, target, next) : fmt::format("{} = {};", target, next));
  }
  for (const auto& store : stores) body.line(store);
  entries_.clear();
  step_suffix_.clear();
  return {call, fmt::format("[{}]({}) {{\n{}}}", cpp::list(captures), cpp::list(formals), body.take()), cpp::list(arguments)};
}

}  // namespace lantern
