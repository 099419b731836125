// Sums into adjoints, and calls that take a derivative: of what has a continuation, and of what has two sweeps and a tape between them.
#include <fmt/format.h>

#include "codegen/cpp_types.h"
#include "codegen/function_writer.h"
#include "codegen/spelling.h"
#include "lantern/conditions.h"

namespace lantern {

using namespace lowered;

void FunctionWriter::accumulate(const Accumulate& n) {
  const std::string target = n.variable->storage == ir::Storage::parameter
                                 ? names_.in_group("model.gradients", n.variable)
                                 : spelling::adjoint_name(name(n.variable));
  model_read_ = model_read_ || n.variable->storage == ir::Storage::parameter;
  if (n.variable->storage == ir::Storage::local) adjoints_read_.insert(n.variable);
  if (const auto sum = add_to_item(n)) return out_.line(*sum);
  const std::string member = n.field.empty() ? "" : "->" + field_of(n.variable->type, n.field);
  const auto* negated = applied(n.value, "neg");
  const bool subtracts = negated && n.variable->storage == ir::Storage::local && is_of_cpp(negated->operands[0], resolve(n.value->type)->dtype);
  out_.line(fmt::format("{}{} {}= {};", target, member, subtracts ? '-' : '+', expr(subtracts ? negated->operands[0] : n.value).text));
}

void FunctionWriter::gradient(const Gradient& n) {
  const std::string type = spelling::value_type(n.value->type);
  // The callee adds to the gradient of whatever any gradient in the program is asked of.
  if (!n.parameters.empty() || (!names_.program.gradients.empty() && names_.uses_model(n.callee, Form::cps))) {
    model_read_ = true;
    out_.line("model.gradients.begin(model.parameters);");
  }
  if (form_called(n, names_.program.activity) == Form::direct) {
    std::vector<Argument> plain = n.arguments;
    for (auto& argument : plain) argument.adjoint = nullptr;
    return out_.line(fmt::format("const {} {} = {}({});", type, name(n.value), names_.function(n.callee, Form::direct), arguments(n.callee, Form::direct, plain)));
  }
  if (uses_.read.contains(n.value)) out_.line(fmt::format("{} {} = 0;", type, name(n.value)));
  const std::string operands = arguments(n.callee, Form::cps, n.arguments);
  const std::string y = !spellings_.contains("y") ? "y" : !spellings_.contains("result") ? "result" : unique("y");  // it hides nothing
  const bool is_read = uses_.read.contains(n.value);
  out_.open(fmt::format("{0}({1}{2}[&]({3}{4}, {3}& {5}_adj)", names_.function(n.callee, Form::cps), operands, operands.empty() ? "" : ", ", type, is_read ? " " + y : "", y));
  if (is_read) out_.line(fmt::format("{} = {};", name(n.value), y));
  out_.line(fmt::format("{}_adj = 1;", y));
  out_.close(");");
}

std::string FunctionWriter::tape(const ir::Variable* tape) {
  read_.insert(tape);
  return name(tape);
}

void FunctionWriter::push(const Push& n) {
  std::vector<std::string> names;
  for (const auto* variable : n.variables) names.push_back(name(variable));
  out_.line(fmt::format("{}.push({});", tape(n.tape), cpp::list(names)));
}

void FunctionWriter::pop(const Pop& n) {
  std::vector<std::string> types;
  for (const auto* variable : n.variables) types.push_back(spelling::value_type(variable->type));
  let_all(n.variables, fmt::format("{}.pop<{}>()", tape(n.tape), cpp::list(types)));
}

/// `f_forward(x, tape)`, `f_reverse(x, x_adj, y_adj, tape)`
std::string FunctionWriter::sweep(const ir::Function* callee, Form form, const std::vector<Argument>& arguments, const std::vector<ExprPtr>& adjoints,
                                  const ir::Variable* tape) {
  std::vector<std::string> texts;
  if (const std::string plain = this->arguments(callee, form, arguments); !plain.empty()) texts.push_back(plain);
  for (const auto& adjoint : adjoints) texts.push_back(expr(adjoint).text);
  texts.push_back(this->tape(tape));
  return fmt::format("{}({})", names_.function(callee, form), cpp::list(texts));
}

void FunctionWriter::forward(const Forward& n) {
  std::vector<Argument> operands;
  for (const auto& operand : n.operands) operands.push_back({operand, nullptr});
  const std::string call = sweep(n.callee, Form::forward, operands, {}, n.tape);
  const bool is_read = n.results.size() > 1 || uses_.read.contains(n.results[0]);
  if (is_read) let_all(n.results, call);
  else out_.line(call + ";");
}

void FunctionWriter::reverse(const Reverse& n) { out_.line(sweep(n.callee, Form::reverse, n.arguments, n.adjoints, n.tape) + ";"); }

}  // namespace lantern
