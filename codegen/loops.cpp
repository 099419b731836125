// A loop with several results: a function of elements.
#include <fmt/format.h>

#include "codegen/function_writer.h"
#include "codegen/spelling.h"

namespace lantern {

using namespace lowered;

void FunctionWriter::in_one_loop(const InOneLoop& n) {
  std::vector<std::string> arguments = {""}, formals, names, results;
  for (const auto& result : n.results) names.push_back(result.is_adjoint ? spelling::adjoint_name(name(result.variable)) : name(result.variable));
  for (const auto& [array, element] : n.operands) arguments.push_back(expr(array).text);
  cpp::Writer outer = std::move(out_);
  out_ = {};
  naming_.enter();
  for (const auto& [array, element] : n.operands) formals.push_back("auto " + name(element));
  for (const auto& [element, value] : n.values) out_.line(fmt::format("const auto {} = {};", name(element), expr(value).text));
  Type type;
  for (const auto& result : n.results) {
    const cpp::Expr value = expr(result.value);
    type = resolve(result.variable->type);
    results.push_back((result.total == InOneLoop::Total::none ? value : cpp::call(result.total == InOneLoop::Total::mean ? "mean_of" : "sum_of", {value})).text);
  }
  out_.line(fmt::format("return std::tuple({});", cpp::list(results)));
  naming_.leave();
  const std::string body = out_.take();
  out_ = std::move(outer);
  arguments[0] = fmt::format("[]({}) {{\n{}}}", cpp::list(formals), body);
  out_.line(fmt::format("const auto [{}] = in_one_loop<{}>({});", cpp::list(names), spelling::element_type(type), cpp::list(arguments)));
}

}  // namespace lantern
