#include "codegen/model_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "codegen/spelling.h"
#include "support/match.h"

namespace lantern {

namespace {

/// The parameters and states that a function, and what it calls, speak of.
struct Mentioned {
  std::set<const ir::Variable*> read, changed, made;
  bool loads_parameters = false;

  explicit Mentioned(const ir::Function& entry) {
    visit(entry);
  }

 private:
  void visit(const ir::Function& function) {
    if (seen_.insert(&function).second) visit(function.body);
  }
  void visit(const ir::Block& block) {
    for (const auto& binding : block.bindings) {
      const auto* operate = std::get_if<ir::Operate>(&binding.node);
      const bool loads = operate && operate->op->name == "load-checkpoint";
      loads_parameters = loads_parameters || (operate && operate->op->name == "load-parameters");
      for (const auto* operand : ir::operands_of(binding.node)) {
        if (operand->variable && operand->variable->storage != ir::Storage::local) (loads ? made : read).insert(operand->variable);
      }
      if (const auto* gradient = std::get_if<ir::ValueAndGrad>(&binding.node)) read.insert(gradient->wrt.begin(), gradient->wrt.end());
      if (const auto* update = std::get_if<ir::Update>(&binding.node)) changed.insert(update->targets.begin(), update->targets.end());
      if (const auto* initialize = std::get_if<ir::Initialize>(&binding.node)) made.insert(initialize->target);
      for (const auto* callee : ir::callees_of(binding.node)) visit(*callee);
      ir::for_each_block(binding.node, [&](const ir::Block& nested) { visit(nested); });
    }
    for (const auto& result : block.results) {
      if (result.variable && result.variable->storage != ir::Storage::local) read.insert(result.variable);
    }
  }

  std::set<const ir::Function*> seen_;
};

/// The parameter that an optimiser remembers something of: `embedding` of `embedding.adagrad`. They have one shape, and of that the program may say less where
/// an entry makes the parameter as large as a file is.
const ir::Variable* parameter_of(const ir::Variable& state, const ir::Program& program) {
  const std::string name = state.name.substr(0, state.name.rfind('.'));
  for (const auto& [variable, initializer] : program.globals) {
    if (variable->storage == ir::Storage::parameter && variable->name == name && rank(variable->type) == rank(state.type)) return variable;
  }
  return nullptr;
}

}  // namespace

std::string element(const ir::Literal& number, const Type& type) {
  const DType dtype = resolve(type)->dtype;
  if (dtype == DType::f32 || dtype == DType::f64) {
    return spelling::number(std::holds_alternative<double>(number) ? std::get<double>(number) : static_cast<double>(std::get<std::int64_t>(number)), dtype == DType::f32 ? "f" : "");
  }
  const auto* whole = std::get_if<std::int64_t>(&number);
  const std::int64_t value = whole ? *whole : static_cast<std::int64_t>(std::get<double>(number));
  if (dtype == DType::boolean) return value ? "true" : "false";
  return value == INT64_MIN ? "INT64_MIN" : fmt::format("{}", value);
}

std::string array_of_values(const ir::Global& global) {
  const Type& type = global.variable->type;
  std::vector<std::string> dims, elements;
  for (const auto& dim : resolve(type)->dims) dims.push_back(fmt::format("{}", dim.size));
  for (const auto& number : global.initializer.numbers) elements.push_back(element(number, type));
  const std::string array = fmt::format("Array<{}, {}>", spelling::element_type(type), rank(type)), shape = fmt::format("{{{}}}", cpp::list(dims));
  if (elements.size() == 1) return fmt::format("{}::filled({}, {})", array, shape, elements[0]);
  return fmt::format("{}({}, {{{}}})", array, shape, cpp::list(elements));
}

std::vector<std::string> checks_of_model(const ir::Function& entry, const ProgramNames& names) {
  Mentioned mentioned(entry);
  for (const auto& matrix : names.program.source->block_matrices) {
    if (mentioned.read.contains(matrix.variable)) mentioned.read.insert(matrix.blocks.begin(), matrix.blocks.end());
  }
  std::vector<std::string> checks;
  for (const auto& global : names.program.source->globals) {
    const ir::Variable* variable = global.variable;
    const bool is_state = variable->storage == ir::Storage::state;
    const bool is_asked = mentioned.read.contains(variable) || mentioned.changed.contains(variable);
    if (rank(variable->type) == 0 || !is_asked || mentioned.made.contains(variable) || (!is_state && mentioned.loads_parameters)) continue;
    const std::string array = fmt::format("model.{}.{}", is_state ? "state" : "parameters", names.global(variable));
    std::vector<std::string> dims;
    bool known = true;
    const auto& sizes = resolve(variable->type)->dims;
    const auto* of = is_state ? parameter_of(*variable, *names.program.source) : nullptr;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      const bool is_known = sizes[i].known() && (!of || resolve(of->type)->dims[i].known());
      dims.push_back(is_known ? std::to_string(sizes[i].size) : "-1");
      known = known && is_known;
    }
    if (known && mentioned.changed.contains(variable) && is_state && global.initializer.kind == "fill") {
      checks.push_back(fmt::format("begin_filled({}, {}, {{{}}}, {});", cpp::string_literal(variable->name).text, array, cpp::list(dims), element(global.initializer.numbers[0], variable->type)));
      continue;
    }
    checks.push_back(fmt::format("check_filled({}, {}, {{{}}});", cpp::string_literal(variable->name).text, array, cpp::list(dims)));
  }
  return checks;
}

std::string known_shapes(const ir::Function& function, const ProgramNames& names) {
  std::set<const ir::Variable*> made;
  for (const auto& binding : function.body.bindings) {
    if (const auto* initialize = std::get_if<ir::Initialize>(&binding.node)) made.insert(initialize->target);
  }
  std::vector<std::string> shapes;
  for (const auto& [variable, initializer] : names.program.source->globals) {
    if (variable->storage != ir::Storage::parameter || rank(variable->type) == 0 || made.contains(variable)) continue;
    std::vector<std::string> dims;
    bool any_known = false;
    for (const auto& dim : resolve(variable->type)->dims) {
      dims.push_back(dim.known() ? std::to_string(dim.size) : "-1");
      any_known = any_known || dim.known();
    }
    if (any_known) shapes.push_back(fmt::format("{{{}, {{{}}}}}", cpp::string_literal(variable->name).text, cpp::list(dims)));
  }
  return shapes.empty() ? "" : fmt::format("{{{}}}", cpp::list(shapes));
}

}  // namespace lantern
