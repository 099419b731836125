// `NEAR = [[1, 2], [0]]` and `W = np.array([[1, 2], [3, 4]])`, where they are large:
//
//     namespace tables {                                                      const List<List<int64_t>> NEAR = view_of(tables::NEAR);
//     constexpr int64_t NEAR_elements[] = {1, 2, 0};                          const Tensor<double, 2> W = view_of(tables::W, {2, 2});
//     constexpr List<int64_t> NEAR[] = {{NEAR_elements, 2}, {NEAR_elements + 2, 1}};
//     constexpr double W[] = {1.0, 2.0, 3.0, 4.0};
//     }
#include "codegen/tables.h"

#include <fmt/format.h>

#include "codegen/function_writer.h"
#include "codegen/spelling.h"

namespace lantern {

using namespace lowered;

std::string Tables::add(const std::string& wanted, const std::string& type, const std::vector<std::string>& elements) {
  const auto [known, is_new] = known_.try_emplace({type, cpp::list(elements)});
  if (is_new) {
    known->second = spelling::distinct(wanted, names_);
    definitions_ += fmt::format("constexpr {} {}[] = {{{}}};\n", type, known->second, known->first.second);
  }
  return known->second;
}

std::string Tables::text() const {
  return definitions_.empty() ? "" : fmt::format("namespace {0} {{\n\n{1}\n}}  // namespace {0}\n\n", space_, definitions_);
}

namespace {

void add_numbers(const ExprPtr& e, std::vector<const Constant*>& numbers) {
  if (const auto* number = std::get_if<Constant>(&e->node)) return numbers.push_back(number);
  for (const ExprPtr& operand : std::get<Apply>(e->node).operands) add_numbers(operand, numbers);
}

std::vector<std::string> shape_of(const ExprPtr& e) {
  const auto& apply = std::get<Apply>(e->node);
  if (apply.op->name == "cast") return shape_of(apply.operands[0]);
  std::vector<std::string> shape = rank(e->type) == 1 ? std::vector<std::string>{} : shape_of(apply.operands[0]);
  shape.insert(shape.begin(), fmt::format("{}", apply.operands.size()));
  return shape;
}

std::size_t length_of(const ExprPtr& list) { return std::get<Apply>(list->node).operands.size(); }  // `empty` has none

}  // namespace

/// C++ compilers fail on calls with a thousand arguments, and elements in braces would be copied to the stack.
cpp::Expr FunctionWriter::table(const ir::Variable* variable, const ExprPtr& e) {
  const std::string wanted = ir::is_made_up(variable->name) ? "table" : spelling::identifier(variable->name, names_.in_use);
  if (is(e->type, TypeKind::list)) return cpp::call("view_of", {{names_.tables->outside(lists(wanted, {e}, e->type)), cpp::Binding::primary}});
  std::vector<const Constant*> numbers;
  add_numbers(e, numbers);
  std::vector<std::string> texts;
  for (const Constant* number : numbers) {
    const auto* real = std::get_if<double>(&number->value);
    const bool rounds = real && e->type->dtype == DType::f32;  // what is too large is infinite, as a cast makes it
    texts.push_back(constant(rounds ? ir::Literal(static_cast<double>(static_cast<float>(*real))) : number->value, scalar(e->type->dtype)).text);
  }
  const std::string name = names_.tables->outside(names_.tables->add(wanted, spelling::element_type(e->type), texts));
  return cpp::call("view_of", {{name, cpp::Binding::primary}, {fmt::format("{{{}}}", cpp::list(shape_of(e))), cpp::Binding::primary}});
}

/// The elements of all these lists of one type, one behind the other. A list among them lies in the elements of all lists that are.
std::string FunctionWriter::lists(const std::string& wanted, const std::vector<ExprPtr>& lists, const Type& type) {
  std::vector<ExprPtr> elements;
  for (const ExprPtr& list : lists) {
    const auto& operands = std::get<Apply>(list->node).operands;
    elements.insert(elements.end(), operands.begin(), operands.end());
  }
  const Type element = resolve(resolve(type)->elements[0]);
  std::vector<std::string> texts;
  if (!is(element, TypeKind::list)) {
    for (const ExprPtr& e : elements) texts.push_back(constant(std::get<Constant>(e->node).value, element).text);
    return names_.tables->add(wanted, spelling::value_type(element), texts);
  }
  const bool all_empty = std::all_of(elements.begin(), elements.end(), [](const ExprPtr& e) { return length_of(e) == 0; });
  const std::string within = all_empty ? "" : this->lists(wanted + "_elements", elements, element);
  std::size_t first = 0;
  for (const ExprPtr& e : elements) {
    const std::size_t length = length_of(e);
    texts.push_back(length == 0 ? "{}" : first == 0 ? fmt::format("{{{}, {}}}", within, length) : fmt::format("{{{} + {}, {}}}", within, first, length));
    first += length;
  }
  return names_.tables->add(wanted, spelling::value_type(element), texts);
}

}  // namespace lantern
