// The forms of the language other than let, begin and define: each takes its datum apart, checks it, and binds
// one node.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "lantern/elaborate.h"
#include "lantern/elaborate_context.h"

namespace lantern {

using ir::Block;
using ir::Operand;
using sexpr::Datum;
using sexpr::Kind;

namespace {

std::string text_of(const Datum& datum) { return std::string(datum.text()); }

}  // namespace

Value Elaborator::special(const Datum& datum, Block& block) {
  const auto head = datum.head();
  if (datum.size() == 0) return unit();
  if (!datum[0].is_symbol()) fail("LT0224", "a form starts with the name of an operator or a function");
  if (head == "if") return branch(datum, block);
  if (head == "while") return while_loop(datum, block);
  if (head == "for") return for_loop(datum, block);
  if (head == "getattr") return getattr(datum, block);
  if (head == "value-and-grad") return value_and_grad(datum, block);
  if (head == "update") return update(datum, block);
  if (head == "initialize") return initialize(datum, block);
  if (head == "let") fail("LT0220", "the form is (let NAME EXPR EXPR), or (let NAME EXPR) as an element of a sequence");

  if (head == "undefined") {
    need_size(datum, 2, 2, "(undefined TYPE)");
    return undefined(read_known_type(program_, datum[1]), block);
  }
  if (head == "none?") {
    need_size(datum, 2, 2, "(none? EXPR)");
    const Operand object = single(datum[1], block);
    if (is(object.type, TypeKind::variable)) Inference::bind(object.type, optional_of(type_variable()));
    if (!is(object.type, TypeKind::optional) || object.present) {
      if (!is(object.type, TypeKind::optional) && !is(object.type, TypeKind::none)) {
        return {.type = scalar(DType::boolean), .parts = {{.literal = false, .type = scalar(DType::boolean)}}};
      }
    }
    if (!object.variable) return {.type = scalar(DType::boolean), .parts = {{.literal = true, .type = scalar(DType::boolean)}}};
    const Value test = bind(block, ir::IsNone{object}, {scalar(DType::boolean)}, scalar(DType::boolean));
    context_->set(Context::test_key(test.parts[0].variable), {.type = object.type, .parts = {object}, .never = false});
    return test;
  }
  if (head == "make") {
    if (datum.size() < 2) need_size(datum, 2, 2, "(make NAME EXPR…)");
    ir::Structure* known = program_.structure(text_of(datum[1]));
    if (!known) fail("LT0235", fmt::format("there is no structure '{}'", datum[1].text()), "declare it with (struct NAME (FIELD TYPE)…)");
    if (datum.size() != known->fields.size() + 2) {
      fail("LT0407", fmt::format("'{}' has {} fields, and {} are given", known->name, known->fields.size(), datum.size() - 2));
    }
    std::vector<Operand> fields;
    for (std::size_t i = 0; i < known->fields.size(); ++i) {
      const auto& [name, type] = known->fields[i];
      fields.push_back(coerce_one(single(datum[i + 2], block), type, block, fmt::format("field '{}'", name)));
    }
    const Type type = structure(known->name);
    return bind(block, ir::Make{known->name, std::move(fields)}, {type}, type);
  }
  if (head == "tuple") {
    const std::string binding = std::exchange(context_->binding, {});
    Value value{.type = nullptr, .parts = {}};
    std::vector<Type> types;
    for (const Datum* element : datum.elements().subspan(1)) {
      Value part = expression(*element, block);
      if (part.never) return part;
      types.push_back(part.type);
      value.parts.insert(value.parts.end(), part.parts.begin(), part.parts.end());
    }
    value.type = tuple_of(std::move(types));
    return value;
  }
  if (head == "get") {
    need_size(datum, 3, 3, "(get EXPR INT)");
    const Location here = context_->here;
    const std::string binding = std::exchange(context_->binding, {});
    const Value value = expression(datum[1], block);
    context_->here = here;
    const Type type = resolve(value.type);
    if (type->kind != TypeKind::tuple || !datum[2].is(Kind::integer) || datum[2].integer() < 0 ||
        datum[2].integer() >= static_cast<std::int64_t>(type->elements.size())) {
      fail("LT0408", fmt::format("{} has no such element", to_string(type)));
    }
    const auto wanted = static_cast<std::size_t>(datum[2].integer());
    std::size_t offset = 0;
    for (std::size_t i = 0; i < wanted; ++i) offset += leaves(type->elements[i]).size();
    const auto from = value.parts.begin() + static_cast<std::ptrdiff_t>(offset);
    return {.type = type->elements[wanted],
            .parts = {from, from + static_cast<std::ptrdiff_t>(leaves(type->elements[wanted]).size())}};
  }
  if (head == "print") {
    std::vector<Operand> operands;
    for (const Datum* element : datum.elements().subspan(1)) {
      operands.push_back(single(*element, block));
      const Type type = resolve(operands.back().type);
      if (type->kind != TypeKind::string && !(is_numeric(type) && type->dims.empty())) {
        fail("LT0409", fmt::format("cannot print {}", to_string(type)), "print numbers and strings");
      }
    }
    return bind(block, ir::Print{std::move(operands)}, {}, tuple_of({}));
  }
  if (head == "assert") {
    need_size(datum, 3, datum.size() == 3 && datum[2].is(Kind::string) ? 3 : 0, "(assert EXPR STRING)");
    Operand condition = truth(datum[1], block);
    return bind(block, ir::Assert{condition, text_of(datum[2])}, {}, tuple_of({}));
  }
  if (head == "raise") {
    if (datum.size() < 3 || !datum[2].is(Kind::string)) need_size(datum, 0, 0, "(raise NAME STRING EXPR…)");
    const std::string kind = name_in(datum[1]);
    std::vector<Operand> operands;
    for (const Datum* element : datum.elements().subspan(3)) operands.push_back(single(*element, block));
    bind(block, ir::Raise{kind, text_of(datum[2]), std::move(operands)}, {}, tuple_of({}));
    return {.type = never_type(), .parts = {}, .never = true};
  }
  if (FunctionSource* callee = function_named(text_of(datum[0]))) return call(datum, *callee, 1, block);
  return operation(datum, block);
}

// Some value of a type, which nobody reads: the smallest there is.
Value Elaborator::undefined(const Type& written, Block& block) {
  const Type type = resolve(written);
  const auto literal = [&](ir::Literal value) { return Value{.type = type, .parts = {Operand{.literal = std::move(value), .type = type}}}; };
  switch (type->kind) {
    case TypeKind::optional: return literal(ir::NoneLiteral{});
    case TypeKind::string: return literal(std::string());
    case TypeKind::scalar: {
      if (type->dtype == DType::boolean) return literal(false);
      return {.type = type, .parts = {coerce_one({.literal = std::int64_t{0}, .type = scalar(DType::i64)}, type, block, "it")}};
    }
    case TypeKind::tensor: {
      std::vector<Operand> dims;
      for (const Dim& dim : type->dims) {
        dims.push_back({.literal = dim.known() ? dim.size : std::int64_t{0}, .type = scalar(DType::i64)});
      }
      const Operator* zeros = select_operator("zeros", std::vector<Type>(dims.size(), scalar(DType::i64)));
      return bind(block, ir::Operate{zeros, std::move(dims), {.dtype = type->dtype}}, {type}, type);
    }
    case TypeKind::list:
      return is_list_of_tuples(type) ? columns_operation("empty", {}, {.type = type->elements[0]}, block)
                                     : operate("empty", {}, {.type = type->elements[0]}, block);
    case TypeKind::tuple: {
      context_->binding.clear();
      Value value{.type = type, .parts = {}};
      for (const Type& element : type->elements) {
        const Value part = undefined(element, block);
        value.parts.insert(value.parts.end(), part.parts.begin(), part.parts.end());
      }
      return value;
    }
    case TypeKind::structure: {
      const std::string binding = std::exchange(context_->binding, {});
      std::vector<Operand> fields;
      for (const auto& [name, field] : program_.structure(type->name)->fields) fields.push_back(undefined(field, block).parts[0]);
      context_->binding = binding;
      return bind(block, ir::Make{type->name, std::move(fields)}, {type}, type);
    }
    default: fail("LT0406", fmt::format("(undefined {}) is not supported", to_string(type)));
  }
}

Value Elaborator::branch(const Datum& datum, Block& block) {
  need_size(datum, 4, 4, "(if EXPR EXPR EXPR)");
  const std::string binding = std::exchange(context_->binding, {});
  const Location here = context_->here;
  const Operand condition = truth(datum[1], block);
  ir::If node{condition, std::make_unique<Block>(), std::make_unique<Block>()};
  Value values[2];
  for (const int side : {0, 1}) {
    const Scope scope(*context_);
    narrow(condition, side == 0);
    values[side] = expression(datum[static_cast<std::size_t>(side) + 2], side == 0 ? *node.then : *node.otherwise);
  }
  context_->here = here;
  if (values[0].never && values[1].never) {
    node.then->raises = node.otherwise->raises = true;
    bind(block, std::move(node), {}, tuple_of({}));
    return {.type = never_type(), .parts = {}, .never = true};
  }
  const Type joined = values[0].never   ? values[1].type
                      : values[1].never ? values[0].type
                                        : inference_.join(values[0].type, values[1].type);
  if (!joined) {
    fail("LT0405", fmt::format("the branches of this 'if' give {} and {}", to_string(values[0].type), to_string(values[1].type)),
         "make both branches give the same kind of value");
  }
  for (const int side : {0, 1}) {
    Block& into = side == 0 ? *node.then : *node.otherwise;
    into.raises = values[side].never;
    into.results = coerce(values[side], joined, into, "a branch of this 'if'");
  }
  context_->binding = binding;
  return bind(block, std::move(node), leaves(joined), joined);
}

Elaborator::LoopState Elaborator::loop_state(const Datum& datum, Block& block) {
  LoopState state;
  for (const Datum* entry : datum.elements()) {
    if (entry->size() != 2) {
      throw Failure({.code = "LT0220", .location = entry->location, .message = "a loop's state is ((NAME EXPR)…)"});
    }
    const std::string name = name_in((*entry)[0]);
    if (std::find(state.names.begin(), state.names.end(), name) != state.names.end()) {
      throw Failure({.code = "LT0234", .location = (*entry)[0].location, .message = fmt::format("'{}' is in a loop's state twice", name)});
    }
    state.names.push_back(name);
    state.initial.push_back(expression((*entry)[1], block));
  }
  return state;
}

Value Elaborator::loop(const Datum& datum, LoopState state, const Datum& test, const Datum& body, Block& block,
                       ir::Node node, const std::string& element_name, Type element_type, const Value* columns) {
  context_->here = datum.location;
  std::vector<Type> types;
  for (const auto& value : state.initial) types.push_back(value.type);
  const std::size_t diagnosed = diagnostics.size();
  for (int round = 0;; ++round) {
    const bool none = std::any_of(types.begin(), types.end(), [](const Type& type) { return is(type, TypeKind::none); });
    context_->begins_as_none += none;
    std::vector<ir::Variable*> variables;
    auto tested = std::make_unique<Block>();
    auto turned = std::make_unique<Block>();
    ir::Variable* element = nullptr;
    const Scope scope(*context_);
    for (std::size_t i = 0; i < types.size(); ++i) {
      Value value{.type = types[i], .parts = {}};
      const auto parts = leaves(types[i]);
      for (std::size_t k = 0; k < parts.size(); ++k) {
        variables.push_back(fresh(parts.size() == 1 ? state.names[i] : fmt::format("{}_{}", state.names[i], k), parts[k]));
        value.parts.push_back({.variable = variables.back(), .type = parts[k]});
      }
      context_->set(state.names[i], std::move(value));
    }
    if (element_type) {
      element = fresh(element_name, element_type);
      // The test of a for loop does not see the element: it is asked before there is one.
    }
    const Operand condition = truth(test, *tested);
    tested->results = {condition};
    narrow(condition, true);
    if (columns) {
      Value whole{.type = resolve(columns->type)->elements[0], .parts = {}};
      for (const auto& column : columns->parts) {
        const Operand place{.variable = element, .type = element_type};
        whole.parts.push_back(operate("index", {column, place}, {}, *turned).parts[0]);
      }
      context_->set(element_name, std::move(whole));
    } else if (element) {
      context_->set(element_name, {.type = element_type, .parts = {{.variable = element, .type = element_type}}});
    }
    const Value next = expression(body, *turned);
    context_->begins_as_none -= none;
    context_->here = datum.location;
    const Type whole = types.size() == 1 ? types[0] : tuple_of(types);
    Type joined = next.never ? whole : inference_.join(whole, next.type);
    if (!joined) {
      fail("LT0410", fmt::format("a loop's state starts as {} and becomes {}", to_string(whole), to_string(next.type)),
           "give it the same type before the loop and at the end of its body");
    }
    if (round < 8 && !same_type(joined, whole)) {
      types = types.size() == 1 ? std::vector<Type>{joined} : resolve(joined)->elements;
      diagnostics.resize(diagnosed);
      continue;
    }
    turned->raises = next.never;
    turned->results = coerce(next, whole, *turned, "the loop's next state");
    std::vector<Operand> initial;
    for (std::size_t i = 0; i < types.size(); ++i) {
      for (auto& part : coerce(state.initial[i], types[i], block, fmt::format("'{}'", state.names[i]))) initial.push_back(std::move(part));
    }
    const auto fill = [&](auto& into) {
      into.state = variables;
      into.initial = std::move(initial);
      into.test = std::move(tested);
      into.body = std::move(turned);
    };
    if (auto* loop = std::get_if<ir::While>(&node)) fill(*loop);
    if (auto* loop = std::get_if<ir::For>(&node)) {
      fill(*loop);
      loop->element = element;
    }
    return bind(block, std::move(node), leaves(whole), whole);
  }
}

Value Elaborator::while_loop(const Datum& datum, Block& block) {
  need_size(datum, 4, 4, "(while ((NAME EXPR)…) TEST BODY)");
  const std::string binding = std::exchange(context_->binding, {});
  LoopState state = loop_state(datum[1], block);
  return loop(datum, std::move(state), datum[2], datum[3], block, ir::While{}, "", nullptr);
}

Value Elaborator::for_loop(const Datum& datum, Block& block) {
  need_size(datum, 6, 6, "(for NAME SEQUENCE ((NAME EXPR)…) TEST BODY)");
  const std::string binding = std::exchange(context_->binding, {});
  ir::For node{};
  Type element;
  const std::string element_name = name_in(datum[1]);
  if (datum[2].head() == "range") {
    need_size(datum[2], 4, 4, "(range START STOP STEP)");
    element = scalar(DType::i64);
    Operand bounds[3];
    for (const std::size_t i : {0, 1, 2}) bounds[i] = coerce_one(single(datum[2][i + 1], block), element, block, "a bound of the range");
    node.sequence = ir::Range{bounds[0], bounds[1], bounds[2]};
  } else {
    const Value value = operand_value(datum[2], block);
    if (is_list_of_tuples(value.type)) return columns_loop(datum, value, block);
    const Operand sequence = only_part(value);
    const Type type = resolve(sequence.type);
    if (type->kind == TypeKind::list || type->kind == TypeKind::dataset) {
      element = type->elements[0];
    } else if (type->kind == TypeKind::tensor && !type->dims.empty()) {
      element = tensor(type->dtype, {type->dims.begin() + 1, type->dims.end()});
    } else {
      fail("LT0411", fmt::format("cannot iterate over {}", to_string(type)), "iterate over a range, an array, a list or a data set");
    }
    node.sequence = sequence;
  }
  LoopState state = loop_state(datum[3], block);
  return loop(datum, std::move(state), datum[4], datum[5], block, std::move(node), element_name, element);
}

// Structures do not change: a field that was read is not read again.
Value Elaborator::getattr(const Datum& datum, Block& block) {
  need_size(datum, 3, 3, "(getattr EXPR NAME)");
  const Operand object = single(datum[1], block);
  const std::string name = name_in(datum[2]);
  const Type known = resolve(object.type);
  if (!object.variable) fail("LT0412", fmt::format("none has no field '{}'", name));
  const std::string key = Context::field_key(object.variable, name);
  if (const auto found = context_->names.find(key); found != context_->names.end()) {
    Value value = found->second;
    if (value.parts[0].variable && context_->names.contains(Context::present_key(value.parts[0].variable))) value.parts[0].present = true;
    return value;
  }
  if (known->kind == TypeKind::none && context_->begins_as_none > 0) {  // the loop's state is not known yet to be more
    bind(block, ir::Raise{"AttributeError", fmt::format("'NoneType' object has no attribute '{}'", name), {}}, {}, tuple_of({}));
    return {.type = never_type(), .parts = {}, .never = true};
  }
  const Type type = inference_.field(object.type, name, object.variable->name);
  if (!type) {
    const ir::Structure* owner = program_.structure(known->kind == TypeKind::optional ? resolve(known->elements[0])->name : known->name);
    std::string fields;
    if (owner) {
      for (const auto& [field, unused] : owner->fields) fields += (fields.empty() ? "" : ", ") + field;
    }
    fail("LT0412", fmt::format("'{}' of type {} has no field '{}'", object.variable->name, to_string(object.type), name),
         fields.empty() ? "" : fmt::format("its fields are {}", fields));
  }
  const Value value = bind(block, ir::Field{object, name}, {type}, type);
  context_->set(key, value);
  return value;
}

Value Elaborator::call(const Datum& datum, FunctionSource& callee, std::size_t first, Block& block) {
  const std::string binding = std::exchange(context_->binding, {});
  const Location here = context_->here;
  const std::string name = text_of(datum[first - 1]);
  if (datum.size() - first != callee.formals.size()) {
    fail("LT0414", fmt::format("'{}' takes {} argument{}, and {} {} given", name, callee.formals.size(),
                               callee.formals.size() == 1 ? "" : "s", datum.size() - first, datum.size() - first == 1 ? "is" : "are"));
  }
  std::vector<Operand> operands;
  for (const auto& from : callee.captured_from) {
    const auto inside = context_->captured.find(from.variable);
    Operand operand = from;
    if (inside != context_->captured.end()) operand.variable = inside->second;
    operands.push_back(operand);
  }
  for (std::size_t i = 0; i < callee.formals.size(); ++i) {
    const Value value = expression(datum[first + i], block);
    context_->here = here;
    if (value.never) return value;
    const auto& [formal, wanted] = callee.formals[i];
    for (auto& part : coerce(value, wanted.type, block, fmt::format("argument '{}' of '{}'", formal, name))) {
      operands.push_back(std::move(part));
    }
  }
  if (!callee.declared && callee.progress == FunctionSource::untouched) elaborate(callee);
  context_->here = here;
  context_->binding = binding;
  const Type type = callee.function->result_type;
  return bind(block, ir::Call{callee.function, std::move(operands)}, leaves(type), type);
}

Value Elaborator::value_and_grad(const Datum& datum, Block& block) {
  if (datum.size() < 3 || datum[2].head() != "wrt") need_size(datum, 0, 0, "(value-and-grad NAME (wrt REF…) EXPR…)");
  FunctionSource* callee = function_named(text_of(datum[1]));
  if (!callee) fail("LT0236", fmt::format("there is no function '{}'", datum[1].text()));
  const std::string binding = std::exchange(context_->binding, {});
  Block discarded;
  // An ordinary call, of which the node is taken: the same conversions of its arguments.
  std::vector<const Datum*> elements = {&datum[0], &datum[1]};
  sexpr::Document shell;
  for (const Datum* argument : datum.elements().subspan(3)) elements.push_back(argument);
  const Datum* as_call = shell.list(elements, datum.location);
  const Value value = call(*as_call, *callee, 2, block);
  if (value.never) return value;
  const auto results = leaves(value.type);
  const Type result = resolve(value.type);
  if (results.size() != 1 || !is_floating(result) || !result->dims.empty()) {
    fail("LT0501", fmt::format("'{}' returns {}; a gradient needs one floating number", datum[1].text(), to_string(result)));
  }
  ir::ValueAndGrad node{callee->function, {}, std::get<ir::Call>(block.bindings.back().node).operands};
  block.bindings.pop_back();
  std::vector<Type> types = {result};
  for (const Datum* ref : datum[2].elements().subspan(1)) {
    const std::string name = text_of(*ref);
    ir::Variable* found = nullptr;
    for (const auto& [formal, value] : callee->formals) {
      if (formal == name && value.parts.size() == 1) found = value.parts[0].variable;
    }
    if (!found) found = global(*ref);
    if (!is_floating(found->type)) {
      fail("LT0502", fmt::format("cannot differentiate with respect to '{}' of type {}", name, to_string(found->type)),
           "only floating numbers and arrays have a gradient");
    }
    node.wrt.push_back(found);
    types.push_back(found->type);
  }
  context_->binding = binding;
  return bind(block, std::move(node), types, tuple_of(types));
}

Value Elaborator::update(const Datum& datum, Block& block) {
  ir::Update node;
  for (const Datum* entry : datum.elements().subspan(1)) {
    need_size(*entry, 2, 2, "(update (NAME EXPR)…)");
    ir::Variable* target = global((*entry)[0]);
    if (std::find(node.targets.begin(), node.targets.end(), target) != node.targets.end()) {
      fail("LT0234", fmt::format("'{}' is updated twice at once", target->name));
    }
    node.targets.push_back(target);
    node.values.push_back(coerce_one(single((*entry)[1], block), target->type, block, fmt::format("the new value of '{}'", target->name)));
  }
  return bind(block, std::move(node), {}, tuple_of({}));
}

Value Elaborator::initialize(const Datum& datum, Block& block) {
  if (datum.size() < 2) need_size(datum, 2, 2, "(initialize NAME DIM…)");
  ir::Initialize node{global(datum[1]), {}};
  if (datum.size() - 2 != rank(node.target->type)) {
    fail("LT0415", fmt::format("'{}' has {} dimensions, and {} are given", node.target->name, rank(node.target->type), datum.size() - 2));
  }
  for (const Datum* dim : datum.elements().subspan(2)) {
    node.dims.push_back(coerce_one(single(*dim, block), scalar(DType::i64), block, "a dimension"));
  }
  return bind(block, std::move(node), {}, tuple_of({}));
}

}  // namespace lantern
