// The forms of the language other than let, begin, define, branches and loops: each takes its datum apart, checks it, and
// binds one node.
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

Value Elaborator::special(const Datum& datum, Block& block) {
  const auto head = datum.head();
  if (datum.size() == 0) return unit();
  if (!datum[0].is_symbol()) fail("LT0224", "a form starts with the name of an operator or a function");
  if (head == "if") return branch(datum, block);
  if (head == "while") return while_loop(datum, block);
  if (head == "for") return for_loop(datum, block);
  if (head == "getattr") return getattr(datum, block);
  if (head == "value-and-grad") return value_and_grad(datum, block);
  if (head == "jvp") return jvp(datum, block);
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
      fail("LT0407", fmt::format("'{}' takes {}, and {} given", known->name, counted(known->fields.size(), "field"), is_or_are(datum.size() - 2)));
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
    const std::size_t begin = block.bindings.size();
    const Value value = expression(datum[1], block);
    context_->here = here;
    const bool of_list = is_list_of_tuples(value.type);  // the list of such elements
    const Type type = resolve(of_list ? resolve(value.type)->elements[0] : value.type);
    if (type->kind != TypeKind::tuple || !datum[2].is(Kind::integer) || datum[2].integer() < 0 ||
        datum[2].integer() >= static_cast<std::int64_t>(type->elements.size())) {
      fail("LT0408", fmt::format("{} has no such element", to_string(value.type)));
    }
    const auto wanted = static_cast<std::size_t>(datum[2].integer());
    std::size_t offset = 0;
    for (std::size_t i = 0; i < wanted; ++i) offset += leaves(type->elements[i]).size();
    const auto from = value.parts.begin() + static_cast<std::ptrdiff_t>(offset), behind = from + static_cast<std::ptrdiff_t>(leaves(type->elements[wanted]).size());
    std::vector<Operand> others(value.parts.begin(), from);
    others.insert(others.end(), behind, value.parts.end());
    leave_out_reads(block, begin, others);
    return {.type = of_list ? list_of(type->elements[wanted]) : type->elements[wanted], .parts = {from, behind}};
  }
  if (head == "list") return list(datum, block);
  if (head == "print" || head == "print-part") {
    std::vector<Operand> operands;
    for (const Datum* element : datum.elements().subspan(1)) {
      operands.push_back(single(*element, block));
      const Type type = resolve(operands.back().type);
      if (type->kind == TypeKind::variable) {
        const ir::Variable& variable = *operands.back().variable;
        if (!context_->locations.empty()) context_->here = variable.location.known() ? variable.location : context_->source->function->location;
        fail("LT0409", fmt::format("cannot print '{}', whose type is not known", variable.name), "annotate the parameter that it comes from, as in x: float");
      }
      if (type->kind != TypeKind::string && !(is_numeric(type) && type->dims.empty())) {
        fail("LT0409", fmt::format("cannot print {}", to_string(type)), "print numbers and strings");
      }
    }
    return bind(block, ir::Print{std::move(operands), head == "print"}, {}, tuple_of({}));
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
Value Elaborator::undefined(const Type& written, Block& block, std::set<std::string> within) {
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
        const Value part = undefined(element, block, within);
        value.parts.insert(value.parts.end(), part.parts.begin(), part.parts.end());
      }
      return value;
    }
    case TypeKind::structure: {
      if (!within.insert(type->name).second) {
        fail("LT0406", fmt::format("(undefined {0}) is not supported: each '{0}' holds another one", type->name), "make the field optional: the last one has none there");
      }
      const std::string binding = std::exchange(context_->binding, {});
      std::vector<Operand> fields;
      for (const auto& [name, field] : program_.structure(type->name)->fields) fields.push_back(undefined(field, block, within).parts[0]);
      context_->binding = binding;
      return bind(block, ir::Make{type->name, std::move(fields)}, {type}, type);
    }
    default: fail("LT0406", fmt::format("(undefined {}) is not supported", to_string(type)));
  }
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
    fail("LT0415", fmt::format("'{}' has {}, and {} given", node.target->name, counted(rank(node.target->type), "dimension"), is_or_are(datum.size() - 2)));
  }
  for (const Datum* dim : datum.elements().subspan(2)) {
    node.dims.push_back(coerce_one(single(*dim, block), scalar(DType::i64), block, "a dimension"));
  }
  return bind(block, std::move(node), {}, tuple_of({}));
}

}  // namespace lantern
