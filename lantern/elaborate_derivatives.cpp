// value-and-grad and jvp: each is a call of the function, checked as one, of which a node of its own is made.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "lantern/elaborate.h"
#include "lantern/elaborate_context.h"
#include "lantern/varied.h"

namespace lantern {

using ir::Block;
using ir::Operand;
using sexpr::Datum;

namespace {

/// The type of a value's tangent: none where there is none.
Type tangent_type(const Type& type) {
  const Type t = resolve(type);
  if (t->kind != TypeKind::tuple) return carries_tangent(t) ? t : none_type();
  std::vector<Type> elements;
  for (const auto& element : t->elements) elements.push_back(tangent_type(element));
  return tuple_of(std::move(elements));
}

}  // namespace

// An ordinary call, the last binding of the block: the same conversions of its arguments.
Value Elaborator::differentiated_call(const Datum& datum, FunctionSource& callee, std::span<const Datum* const> arguments, Block& block) {
  std::vector<const Datum*> elements = {&datum[0], &datum[1]};
  elements.insert(elements.end(), arguments.begin(), arguments.end());
  sexpr::Document shell;
  return call(*shell.list(elements, datum.location), callee, 2, block);
}

Value Elaborator::value_and_grad(const Datum& datum, Block& block) {
  if (datum.size() < 3 || datum[2].head() != "wrt") need_size(datum, 0, 0, "(value-and-grad NAME (wrt REF…) EXPR…)");
  FunctionSource* callee = function_named(text_of(datum[1]));
  if (!callee) fail("LT0236", fmt::format("there is no function '{}'", datum[1].text()));
  const std::string binding = std::exchange(context_->binding, {});
  const Value value = differentiated_call(datum, *callee, datum.elements().subspan(3), block);
  if (value.never) return value;
  const auto results = leaves(value.type);
  const Type result = resolve(value.type);
  if (results.size() != 1 || !is_floating(result) || !result->dims.empty()) {
    fail("LT0501", fmt::format("'{}' returns {}; a gradient needs one floating number", datum[1].text(), to_string(result)),
         "sum it, or take the element that is meant");
  }
  ir::ValueAndGrad node{callee->function, {}, std::get<ir::Call>(block.bindings.back().node).operands};
  block.bindings.pop_back();
  std::vector<Type> leaf_types = {result}, types = {result};
  for (const Datum* ref : datum[2].elements().subspan(1)) {
    const std::string name = text_of(*ref);
    const auto formal = std::ranges::find(callee->formals, name, [](const auto& each) { return each.first; });
    std::vector<ir::Variable*> found;  // a tuple is so many variables
    if (formal == callee->formals.end()) found.push_back(global(*ref));
    else for (const auto& part : formal->second.parts) found.push_back(part.variable);
    types.push_back(formal == callee->formals.end() ? found[0]->type : formal->second.type);
    for (ir::Variable* variable : found) {
      if (!holds_floats(program_, variable->type)) {
        fail("LT0502", fmt::format("cannot differentiate with respect to '{}' of type {}", name, to_string(types.back())),
             "only floating numbers, arrays of them, and lists and structures that hold such have a gradient");
      }
      if (std::ranges::find(node.wrt, variable) != node.wrt.end()) fail("LT0234", fmt::format("'{}' is in wrt twice", name));
      node.wrt.push_back(variable);
      leaf_types.push_back(variable->type);
    }
  }
  context_->binding = binding;
  return bind(block, std::move(node), leaf_types, tuple_of(types));
}

Value Elaborator::jvp(const Datum& datum, Block& block) {
  need_size(datum, 4, 4, "(jvp NAME (EXPR…) (EXPR…))");
  FunctionSource* callee = function_named(text_of(datum[1]));
  if (!callee) fail("LT0236", fmt::format("there is no function '{}'", datum[1].text()));
  const std::string name = text_of(datum[1]);
  const std::string binding = std::exchange(context_->binding, {});
  const Location here = context_->here;
  const Value value = differentiated_call(datum, *callee, datum[2].elements(), block);
  if (value.never) return value;
  if (datum[3].size() != callee->formals.size()) {
    fail("LT0414", fmt::format("'{}' takes {} arguments, and {} tangents are given", name, callee->formals.size(), datum[3].size()),
         "a tangent for each, none where it has none");
  }
  ir::Jvp node{callee->function, std::get<ir::Call>(block.bindings.back().node).operands, {}};
  block.bindings.pop_back();
  const Operand none{.literal = ir::NoneLiteral{}, .type = none_type()};
  node.tangents.assign(callee->captured_from.size(), none);  // what a nested function closes over is a constant here
  for (std::size_t i = 0; i < callee->formals.size(); ++i) {
    const auto& [formal, wanted] = callee->formals[i];
    const Value tangent = expression(*datum[3].elements()[i], block);
    context_->here = here;
    if (tangent.never) return tangent;
    const bool constant = is(tangent.type, TypeKind::none);
    if (!constant && tangent.parts.size() != wanted.parts.size()) {
      fail("LT0402", fmt::format("the tangent of '{}' has type {}, and {} is expected", formal, to_string(tangent.type), to_string(wanted.type)));
    }
    for (std::size_t k = 0; k < wanted.parts.size(); ++k) {
      const Operand& part = constant ? none : tangent.parts[k];
      const bool varies = !is(part.type, TypeKind::none);
      if (varies && !carries_tangent(wanted.parts[k].type)) {
        fail("LT0502", fmt::format("cannot differentiate with respect to '{}' of type {}", formal, to_string(wanted.parts[k].type)),
             "give none in the place of its tangent: only floating numbers and arrays have one");
      }
      node.tangents.push_back(varies ? tangent_of(part, node.operands[node.tangents.size()], fmt::format("the tangent of '{}'", formal), block) : none);
    }
  }
  std::vector<Type> types = leaves(value.type);
  std::vector<bool> carries;
  for (const auto& type : types) carries.push_back(carries_tangent(type));
  const Type of_tangent = tangent_type(value.type);
  const auto count = static_cast<std::size_t>(std::count(carries.begin(), carries.end(), true));
  if (count == 0 || (leaves(of_tangent).size() != carries.size())) {
    fail("LT0501", fmt::format("'{}' returns {}; a tangent needs floating numbers or arrays", name, to_string(value.type)));
  }
  for (std::size_t i = 0; i < carries.size(); ++i) {
    if (carries[i]) types.push_back(types[i]);
  }
  context_->binding = binding;
  const Type both = tuple_of({value.type, of_tangent});
  Value result = bind(block, std::move(node), types, both);
  const std::vector<Operand> tangents(result.parts.begin() + static_cast<std::ptrdiff_t>(carries.size()), result.parts.end());
  result.parts.resize(carries.size());
  auto next = tangents.begin();
  for (const bool is_there : carries) result.parts.push_back(is_there ? *next++ : none);
  return result;
}

// A tangent has the shape of what it is the tangent of: it would be stretched to it otherwise, and nobody would know.
Operand Elaborator::tangent_of(const Operand& tangent, const Operand& primal, const std::string& what, Block& block) {
  const Operand given = coerce_one(tangent, primal.type, block, what);
  if (!given.variable || rank(given.type) == 0 || certainly_same_shape(given.type, primal.type)) return given;
  context_->binding.clear();
  return bind(block, ir::Operate{operators_named("tangent-of")[0], {given, primal}, {}}, {primal.type}, primal.type).parts[0];
}

}  // namespace lantern
