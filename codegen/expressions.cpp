// Expressions. The runtime's functions carry the table's names, so most operators are a call; what Python's numbers
// ask of C++ (overflow, division by zero) is a checked call with its place.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "codegen/cpp_types.h"
#include "codegen/function_writer.h"
#include "codegen/in_python.h"
#include "codegen/model_values.h"
#include "codegen/numpy_dtypes.h"
#include "codegen/spelling.h"
#include "lantern/conditions.h"
#include "support/diagnostic.h"
#include "support/match.h"

namespace lantern {

using namespace lowered;

namespace {

bool is_structure(const Type& type) { return is(type, TypeKind::structure); }

/// Whether an expression is a part of an adjoint; that of a structure is a pointer, and has the links that the structure has.
bool is_adjoint(const ExprPtr& e) {
  const auto* field = std::get_if<FieldOf>(&e->node);
  return std::holds_alternative<AdjointOf>(e->node) || (field && is_adjoint(field->object));
}

// Operators that can fail, and say where.
bool has_place(std::string_view name) {
  static const std::set<std::string_view> names = {"index", "gather", "cross_entropy", "write", "pop", "remove", "with-slice", "set-slice", "popped", "write-to", "pop-from", "remove-from", "strided", "argsort", "take", "scatter", "scatter-add", "range-length", "round-digits", "quoted", "as-key", "character", "code-of", "character-of", "parse-int", "parse-float", "is-int", "is-float", "split", "tangent-of", "adjoint-of"};
  return names.contains(name);
}

cpp::Expr raw(std::string text) { return {std::move(text), cpp::Binding::postfix}; }
cpp::Expr floating(double value, const std::string& suffix) {
  const std::string text = spelling::number(value, suffix);
  return {text, std::signbit(value) ? cpp::Binding::prefix : cpp::Binding::primary, text.ends_with("f") ? "float" : suffix.empty() ? "double" : ""};
}

std::optional<double> literal_number(const ExprPtr& e) {
  const auto* constant = std::get_if<Constant>(&e->node);
  const auto* whole = constant ? std::get_if<std::int64_t>(&constant->value) : nullptr;
  const auto* value = constant ? std::get_if<double>(&constant->value) : nullptr;
  return whole ? std::optional<double>(*whole) : value ? std::optional<double>(*value) : std::nullopt;
}

}  // namespace

cpp::Expr FunctionWriter::constant(const ir::Literal& literal, const Type& type) {
  return match(
      literal, [](const ir::NoneLiteral&) { return raw("nullptr"); }, [](bool value) { return raw(value ? "true" : "false"); },
      [&](std::int64_t value) -> cpp::Expr {
        if (is_floating(type)) return floating(static_cast<double>(value), resolve(type)->dtype == DType::f32 ? "f" : "");
        if (value == INT64_MIN) return raw("INT64_MIN");
        const bool large = value > INT32_MAX || value < INT32_MIN;
        const std::string text = large ? fmt::format("INT64_C({})", value) : fmt::format("{}", value);
        return {text, value < 0 ? cpp::Binding::prefix : cpp::Binding::primary};
      },
      [&](double value) -> cpp::Expr {
        return floating(value, !step_suffix_.empty() ? step_suffix_ : resolve(type)->dtype == DType::f32 ? "f" : "");
      },
      [](const std::string& value) { return cpp::string_literal(value); });
}

cpp::Expr FunctionWriter::adjoint(const ir::Variable* variable) {
  if (variable->storage == ir::Storage::parameter) {
    model_read_ = true;
    return raw(names_.in_group("model.gradients", variable));
  }
  adjoints_read_.insert(variable);
  return raw(spelling::adjoint_name(name(variable)));
}

cpp::Expr FunctionWriter::expr(const ExprPtr& e) {
  return match(
      e->node, [&](const Constant& n) { return constant(n.value, e->type); },
      [&](const Read& n) -> cpp::Expr {
        if (const auto entry = entries_.find(n.variable); entry != entries_.end()) return raw(entry->second);
        if (n.variable->storage != ir::Storage::local) return raw(array(n.variable));
        read_.insert(n.variable);
        if (pointers_.contains(n.variable) && is_structure(n.variable->type)) return cpp::dereference(raw(name(n.variable)));
        return raw(name(n.variable));
      },
      [&](const AdjointOf& n) { return adjoint(n.variable); },
      [&](const Apply& n) {  // what is read again on the way back is a link
        return n.in_reverse && is_structure(e->type) ? cpp::dereference(apply(*e, n)) : apply(*e, n);
      },
      [&](const FieldOf& n) { return field(*e, n); },
      [&](const NoneTest& n) {
        const cpp::Expr object = pointer_to(n.object);
        return cpp::prefix("!", object);
      },
      [&](const Construct& n) {
        std::vector<cpp::Expr> fields;
        const auto* structure = names_.program.source->structure(n.structure);
        for (std::size_t i = 0; i < n.fields.size(); ++i) {
          const Type& type = structure->fields[i].second;
          fields.push_back(is_structure(type) || is(type, TypeKind::optional) ? pointer_to(n.fields[i]) : expr(n.fields[i]));
        }
        return cpp::dereference(cpp::call(fmt::format("make<{}>", spelling::identifier(n.structure)), fields));
      },
      [&](const DirectCall& n) {
        std::vector<Argument> operands;
        for (const auto& operand : n.operands) operands.push_back({operand, nullptr});
        return raw(fmt::format("{}({})", names_.function(n.callee, Form::direct), arguments(n.callee, Form::direct, operands)));
      },
      [&](const GradientOf& n) {
        if (const auto entry = entries_.find(nullptr); entry != entries_.end()) return raw(entry->second);
        model_read_ = true;
        return raw(fmt::format("copy(model.gradients.{}.view())", names_.global(n.parameter)));
      });
}

cpp::Expr FunctionWriter::pointer_to(const ExprPtr& e) {
  if (!is_structure(e->type) || is_adjoint(e)) return expr(e);
  const cpp::Expr object = expr(e);
  if (object.text.starts_with('*') && object.binding == cpp::Binding::prefix) return raw(object.text.substr(1));
  return cpp::prefix("&", object);
}

cpp::Expr FunctionWriter::expr_as(const ExprPtr& e, const Type& wanted) {
  if (is_structure(wanted) && is(e->type, TypeKind::optional)) {
    return e->present ? cpp::dereference(expr(e)) : present(expr(e), e->location, e);
  }
  if (is(wanted, TypeKind::optional) && is_structure(e->type)) return pointer_to(e);
  if (is_structure(wanted) && is_adjoint(e)) return cpp::dereference(expr(e));
  return expr(e);
}

std::string FunctionWriter::field_of(const Type& object, const std::string& field) const {
  const Type type = resolve(is(object, TypeKind::optional) ? resolve(object)->elements[0] : object);
  return spelling::member(*names_.program.source->structure(type->name), field);
}

cpp::Expr FunctionWriter::field(const lowered::Expr& e, const FieldOf& field) {
  const std::string member = field_of(field.object->type, field.name);
  if (is_adjoint(field.object)) return cpp::arrow(expr(field.object), member);
  cpp::Expr access;
  if (is(field.object->type, TypeKind::optional)) {
    const cpp::Expr object = expr(field.object);
    access = field.object->present ? cpp::arrow(object, member) : cpp::member(present(object, e.location, field.object), member);
  } else {
    const cpp::Expr object = expr(field.object);
    const bool indirect = object.binding == cpp::Binding::prefix && object.text.starts_with('*');
    access = indirect ? cpp::arrow(raw(object.text.substr(1)), member) : cpp::member(object, member);
  }
  // A structure in a field is a link, which malformed data may leave open.
  return !is_structure(e.type) ? access : e.present ? cpp::dereference(access) : present(access, e.location, std::make_shared<const lowered::Expr>(e));
}

cpp::Expr FunctionWriter::present(const cpp::Expr& link, const Location& location, const ExprPtr& e) {
  return cpp::call("present", {link, raw(spelling::place(location)), cpp::string_literal(in_python(e, *function_.source, made_up_))});
}

std::string FunctionWriter::arguments(const ir::Function* callee, Form form, const std::vector<Argument>& arguments) {
  std::vector<std::string> texts;
  if (names_.uses_model(callee, form)) {
    model_read_ = true;
    texts.push_back("model");
  }
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    texts.push_back(expr_as(arguments[i].value, callee->formals[i]->type).text);
    if (arguments[i].adjoint) texts.push_back(adjoint(arguments[i].adjoint).text);
  }
  return cpp::list(texts);
}

/// Texts are joined at once, and the text of a number is written where it belongs.
cpp::Expr FunctionWriter::apply(const lowered::Expr& e, const Apply& apply) {
  const Operator& op = *apply.op;
  const auto name = op.name;
  const Type type = resolve(e.type);
  const bool single_floats = type->kind == TypeKind::tensor && type->dtype == DType::f32;
  const auto computed = numpys_dtype(apply, type);
  const auto widened = widened_dtype(apply);
  const auto brought = [&](std::size_t i) -> cpp::Expr {
    const auto& o = apply.operands[i];
    const DType own = resolve(o->type)->dtype;
    const bool beside = op.spelling == Spelling::infix && resolve(apply.operands[1 - i]->type)->dtype == *computed;
    if (own == *computed || (beside && follows(o, *computed))) return expr(o);
    const Type wanted = tensor(*computed, {});
    const auto* literal = std::get_if<Constant>(&o->node);
    if (literal && is_floating(wanted) && own != DType::boolean) return constant(literal->value, wanted);
    if (*computed == DType::i32 && may_exceed_i32(o) && name != "where") return cpp::call("to_i32", {expr(o), raw(spelling::place(e.location))});
    return cpp::cast(spelling::element_type(wanted), expr(o));
  };
  const bool divides = name == "/" && type->kind == TypeKind::scalar && !apply.in_reverse &&  // by a call that checks the divisor
                       !(is_scalar(apply.operands[0]->type, DType::f64) && literal_number(apply.operands[1]).value_or(0) != 0);
  const auto operand = [&](std::size_t i) -> cpp::Expr {
    const auto& o = apply.operands[i];
    if (is_structure(o->type)) return pointer_to(o);  // a list holds links
    if (computed && !(name == "where" && i == 0)) return brought(i);
    if (widened && !(name == "where" && i == 0) && rank(o->type) > 0) return cpp::call(fmt::format("cast<{}>", spelling::element_type(tensor(*widened, {}))), {expr(o)});
    // Next to f32 a literal is an f32.
    const auto* literal = std::get_if<Constant>(&o->node);
    if (single_floats && op.elementwise && literal && is_scalar(o->type, DType::f64)) return constant(literal->value, tensor(DType::f32, {}));
    // C++ would convert an integer beside a float, with a warning; those that are compared to the type of the other.
    const bool compares = op.spelling == Spelling::infix && is_one_number(type) && type->dtype == DType::boolean;
    const bool two_texts = compares && literal && is(o->type, TypeKind::string) && std::holds_alternative<Constant>(apply.operands[1 - i]->node);
    if (two_texts && i == 0) return cpp::call("std::string_view", {expr(o)});  // two pointers would be compared
    const Type wanted = compares ? resolve(apply.operands[1 - i]->type) : type;
    const bool beside_float = !divides && step_suffix_.empty() && op.spelling == Spelling::infix && is_one_number(type) && is_one_number(wanted) && is_floating(wanted);
    if (beside_float && is_one_number(o->type) && !is_floating(o->type) && !follows(o, wanted->dtype)) return cpp::cast(spelling::element_type(wanted), expr(o));
    return expr(o);
  };
  const auto all = [&](std::size_t from = 0) {
    std::vector<cpp::Expr> operands;
    for (std::size_t i = from; i < apply.operands.size(); ++i) operands.push_back(operand(i));
    return operands;
  };
  const auto type_of = [&](std::size_t i) { return resolve(apply.operands[i]->type); };
  const auto number = [&](std::size_t i) { return type_of(i)->kind == TypeKind::scalar; };
  const auto rankless = [&](std::size_t i) { return is_one_number(type_of(i)); };
  const bool numbers = !apply.operands.empty() && number(0) && (apply.operands.size() < 2 || number(1)) && is(e.type, TypeKind::scalar);
  const auto with_place = [&](std::string_view function) {
    auto operands = all();
    operands.push_back(raw(spelling::place(e.location)));
    return cpp::call(function, operands);
  };
  const bool checked = numbers && !apply.in_reverse && !apply.unchecked && step_suffix_.empty();
  const auto dims = [&](std::size_t from) {
    std::vector<std::string> texts;
    for (const auto& dim : all(from)) texts.push_back(dim.text);
    return raw(fmt::format("{{{}}}", cpp::list(texts)));
  };
  const auto with_dtype = [&](std::string_view function) { return fmt::format("{}<{}>", function, spelling::element_type(e.type)); };

  if (checked && type->dtype == DType::i64) {
    if (name == "+") return with_place("checked_add");
    if (name == "-") return with_place("checked_subtract");
    if (name == "*") return with_place("checked_multiply");
    if (name == "neg") return with_place("checked_negate");
    if (name == "abs") return with_place("checked_abs");
    if (name == "square") return cpp::call("power", {operand(0), raw("2"), raw(spelling::place(e.location))});
  }
  if (checked && name == "/") return divides ? with_place("divide") : cpp::binary(operand(0), "/", operand(1));
  const bool follows_ieee = name == "**" && apply.in_reverse && is_floating(type);  // a derivative may be infinite
  if (numbers && apply.unchecked && (name == "//" || name == "%")) return cpp::binary(operand(0), name == "%" ? "%" : "/", operand(1));
  if (numbers && !follows_ieee && (name == "//" || name == "%" || name == "**" || name == "shift-left" || name == "shift-right")) return with_place(op.cpp);
  if (name == "join-strings") {
    std::vector<cpp::Expr> operands;
    joined(apply, operands);
    return cpp::call(op.cpp, operands);
  }
  if (name == "with-item" || name == "set-item") {
    std::vector<cpp::Expr> operands = {operand(0)};
    std::vector<std::string> places;
    for (std::size_t i = 1; i + 1 < apply.operands.size(); ++i) places.push_back(operand(i).text);
    operands.push_back(raw(places.size() == 1 ? places[0] : fmt::format("{{{}}}", cpp::list(places))));
    operands.push_back(operand(apply.operands.size() - 1));
    if (!apply.in_reverse) operands.push_back(raw(spelling::place(e.location)));
    return cpp::call(op.cpp, operands);
  }
  if (const auto row = row_with_steps(e, apply)) return *row;
  if (const auto item = item_of_row(e, apply)) return *item;
  if (const auto item = this->item(apply)) return is_structure(e.type) && !apply.in_reverse ? cpp::dereference(*item) : *item;
  if (name == "character" && apply.unchecked) return cpp::call(op.cpp, all());
  if (has_place(name) && !apply.in_reverse) {
    const cpp::Expr value = with_place(op.cpp);
    return is_structure(e.type) ? cpp::dereference(value) : value;
  }
  const auto exactly = [&](std::size_t i) {  // of its own type, not of that of C++'s promotions
    const std::string exact = spelling::value_type(type_of(i));
    const bool is_exact = std::holds_alternative<Read>(apply.operands[i]->node) || !is_numeric(type_of(i));
    return is_exact ? operand(i) : cpp::call(rankless(i) ? fmt::format("static_cast<{}>", exact) : exact, {operand(i)});
  };
  if (name == "extern") {
    std::vector<cpp::Expr> operands;
    for (std::size_t i = 2; i < apply.operands.size(); ++i) operands.push_back(exactly(i));
    const auto& function = std::get<Constant>(apply.operands[0]->node).value;  // by its whole name: ours may have one like it
    const cpp::Expr result = cpp::call("::" + std::get<std::string>(function), operands);
    return type->kind == TypeKind::string ? cpp::call("arena_string", {result}) : result;  // whose bytes may be others at its next call
  }
  if (name == "py-function") {
    std::vector<cpp::Expr> operands = {operand(0), raw(spelling::place(e.location))};
    for (std::size_t i = 1; i < apply.operands.size(); ++i) operands.push_back(exactly(i));
    return cpp::call(fmt::format("call_host<{}>", spelling::value_type(e.type)), operands);
  }
  if (name == "read-treebank") return cpp::call(fmt::format("read_treebank<{}>", spelling::identifier(apply.attributes.name)), all());
  if (op.leading == Leading::type && name.starts_with("read-")) {
    std::vector<std::string> sizes;
    for (const auto& dim : type->dims) sizes.push_back(std::to_string(dim.known() ? dim.size : -1));
    auto operands = all();
    operands.push_back(raw(fmt::format("{{{}}}", cpp::list(sizes))));
    return cpp::call(with_dtype(op.cpp), operands);
  }
  if (name == "cast" || name == "cast-like" || name == "item") {
    if (!rankless(0)) return cpp::call(with_dtype("cast"), {operand(0)});
    if (is_floating(type_of(0)) && !is_floating(type)) {
      cpp::Expr whole = with_place("to_int");
      if (type->dtype == DType::i32) whole = cpp::call("to_i32", {whole, raw(spelling::place(e.location))});
      return type->dtype == DType::boolean ? cpp::binary(operand(0), "!=", raw("0")) : whole;
    }
    if (type->dtype == DType::i32 && may_exceed_i32(apply.operands[0])) return with_place("to_i32");
    return step_suffix_.empty() && has_own_type(apply.operands[0], type->dtype) ? operand(0) : cpp::cast(spelling::element_type(type), operand(0));
  }
  if (name == "where" && type->kind == TypeKind::string) {  // a choice of two literals would be a pointer
    return cpp::conditional(operand(0), std::holds_alternative<Constant>(apply.operands[1]->node) ? cpp::call("std::string_view", {operand(1)}) : operand(1), operand(2));
  }
  if (is_one_number(type)) {
    bool single = true;
    for (std::size_t i = 0; i < apply.operands.size(); ++i) single = single && (!is_numeric(type_of(i)) || rankless(i));
    const bool inverts = name == "bit-not" && type->kind == TypeKind::tensor && type->dtype == DType::boolean;
    const auto* none = name == "not" ? std::get_if<NoneTest>(&apply.operands[0]->node) : nullptr;
    if (none) return cpp::binary(pointer_to(none->object), "!=", raw("nullptr"));
    if (single && name == "not") {
      const ExprPtr opposite = is_condition(apply.operands[0]->type) ? negated(apply.operands[0]) : nullptr;
      return opposite && !applied(opposite, "not") ? expr(opposite) : cpp::prefix("!", operand(0));
    }
    if (single && inverts) return cpp::prefix("!", operand(0));
    if (single && name == "and") return cpp::binary(operand(0), "&&", operand(1));
    if (single && name == "or") return cpp::binary(operand(0), "||", operand(1));
    if (single && name == "where") {
      const auto chosen = [&](std::size_t i) {  // of a parameter its number: C++ would not know which of two types to take
        const auto& o = apply.operands[i];
        const auto* read = std::get_if<Read>(&o->node);
        const bool stored = read && read->variable->storage != ir::Storage::local && !entries_.contains(read->variable);
        const bool beside_float = is_floating(type) && !is_floating(o->type) && !follows(o, type->dtype);
        return stored || beside_float ? cpp::cast(spelling::element_type(type), operand(i)) : operand(i);
      };
      return cpp::conditional(operand(0), chosen(1), chosen(2));
    }
    if (name == "larger" || name == "smaller") {
      const bool is_clear = has_own_type(apply.operands[0], type->dtype) && has_own_type(apply.operands[1], type->dtype);
      return cpp::call(is_clear ? std::string(op.cpp) : with_dtype(op.cpp), {operand(0), operand(1)});
    }
    // An array of rank 0 is a number of C++'s, whose own operators mean something else.
    if (single && name == "/" && is_of_cpp(apply.operands[0], type->dtype)) return cpp::binary(operand(0), "/", operand(1));
    if (single && name == "/") return cpp::binary(cpp::cast(spelling::element_type(type), operand(0)), "/", operand(1));
    if (single && name == "bit-not" && type->dtype == DType::boolean) return cpp::prefix("!", operand(0));
    if (name == "zeros" || name == "ones") return raw(spelling::number(name == "ones", type->dtype == DType::f32 ? "f" : ""));
    const auto* literal = apply.operands.empty() ? nullptr : std::get_if<Constant>(&apply.operands[0]->node);
    const bool is_truth = literal && std::holds_alternative<bool>(literal->value);
    if (name == "full" && literal && (is_truth ? type->dtype == DType::boolean : is_floating(type))) return constant(literal->value, type);
    if (name == "full" && type->dtype == DType::i32 && may_exceed_i32(apply.operands[0])) return cpp::call("to_i32", {operand(0), raw(spelling::place(e.location))});
    if (name == "full" && step_suffix_.empty() && has_own_type(apply.operands[0], type->dtype)) return operand(0);
    if (name == "full" || name == "like") return cpp::cast(spelling::element_type(type), operand(0));
    if (name == "size" && rankless(0)) return raw("1");
    if (name == "sum-to") return cpp::call("sum", {operand(0)});
    if (name == "zeros-like" || name == "zeros-of" || name == "ones-like") return raw(spelling::number(name == "ones-like", type->dtype == DType::f32 ? "f" : ""));
  }
  if (name == "seed") return cpp::call("stream().seed", all());
  if (name == "sum-to") return cpp::call("sum_to", {operand(0), cpp::call("shape_of", {operand(1)})});
  if (name == "like") return cpp::call("broadcast_to", {operand(0), cpp::call("shape_of", {operand(1)})});
  if (name == "reshape-like") return cpp::call("reshape", {operand(0), cpp::call("shape_of", {operand(1)})});
  if (name == "spread") return cpp::call("spread", {operand(0), operand(1), cpp::call("shape_of", {operand(2)})});
  if (op.accumulate_only) {  // the last operand is what is added to
    auto operands = all();
    operands.pop_back();
    return cpp::call(op.cpp, operands);
  }
  if (name == "stack" && type->dtype == DType::i64 && std::holds_alternative<Constant>(apply.operands[0]->node)) {
    auto operands = all();
    operands[0] = raw(fmt::format("int64_t{{{}}}", operands[0].text));  // C++ would take literals alone for ints
    return cpp::call(op.cpp, operands);
  }
  if (name == "one-hot") return cpp::call(fmt::format("one_hot<{}>", spelling::element_type(type)), {operand(0), rank(type) == 1 ? cpp::call("length", {operand(1)}) : cpp::call("dimension", {operand(1), raw("1")})});
  if (name == "reshape") return cpp::call("reshape", {operand(0), dims(1)});
  if (name == "zeros" || name == "ones") return cpp::call(with_dtype(name), {dims(0)});
  if (name == "full" && type->dtype == DType::i32 && may_exceed_i32(apply.operands[0])) {
    return cpp::call("full", {dims(1), cpp::call("to_i32", {operand(0), raw(spelling::place(e.location))})});
  }
  if (name == "full") return cpp::call("full", {dims(1), cpp::cast(spelling::element_type(type), operand(0))});
  if (op.leading == Leading::dtype && op.operands.ends_with("*")) {  // draws: what they are drawn by, the dimensions
    const auto named = static_cast<std::size_t>(std::count(op.operands.begin(), op.operands.end(), ' '));
    std::vector<cpp::Expr> operands;
    for (std::size_t i = 0; i < named; ++i) operands.push_back(operand(i));
    if (rank(type) > 0) operands.push_back(dims(named));
    return cpp::call(with_dtype(op.cpp), operands);
  }
  if (name == "stop-gradient") return operand(0);
  if (name == "list") return list_of(type, all());
  if (name == "append") {
    if (const auto elements = elements_of(apply)) return list_of(type, *elements);
  }
  if (name == "repeated") return cpp::call(fmt::format("repeated<{}>", spelling::value_type(type->elements[0])), all());
  if (name == "empty") return raw(spelling::value_type(e.type) + "{}");
  if (op.leading == Leading::text) return cpp::call(op.cpp, {cpp::string_literal(apply.attributes.text), operand(0), raw(spelling::place(e.location))});
  if (name == "save-parameters" || name == "load-parameters") {
    model_read_ = true;
    auto operands = all();
    operands.insert(operands.begin() + 1, raw(names_.program.deferred.empty() ? "model.parameters" : "model.up_to_date().parameters"));
    if (const auto shapes = name == "load-parameters" ? known_shapes(*function_.source, names_) : ""; !shapes.empty()) operands.push_back(raw(shapes));
    return cpp::call(op.cpp, operands);
  }
  if (name == "save-checkpoint" || name == "load-checkpoint") {
    std::vector<cpp::Expr> operands = {operand(0)};
    for (std::size_t i = 1; i < apply.operands.size(); ++i) {
      const auto* read = std::get_if<Read>(&apply.operands[i]->node);
      if (!read || read->variable->storage == ir::Storage::local) {
        throw Failure({.code = "LT0402", .location = e.location, .message = fmt::format("'{}' keeps parameters and states, and its operand {} is none", name, i)});
      }
      operands.push_back(cpp::call("named", {cpp::string_literal(read->variable->name), expr(apply.operands[i])}));
    }
    return cpp::call(op.cpp, operands);
  }
  if (name == "**") return cpp::call("pow", all());
  if (type->kind == TypeKind::tensor && rank(type) == 0 && !is_floating(type) && type->dtype != DType::boolean) {
    static const std::map<std::string_view, std::string_view> wrapping = {
        {"+", "wrapping_add"}, {"-", "wrapping_subtract"}, {"*", "wrapping_multiply"}, {"neg", "wrapping_negate"}, {"abs", "wrapping_abs"}};
    if (const auto found = wrapping.find(name); found != wrapping.end()) return cpp::call(found->second, all());
  }
  if (computed == DType::boolean && (name == "+" || name == "*")) return cpp::binary(operand(0), name == "+" ? "||" : "&&", operand(1));
  if (name == "-" && literal_number(apply.operands[0]) == 0.0 && is_floating(type) && rankless(1) && !is_floating(type_of(1)))
    return cpp::call("difference", {operand(0), cpp::cast(spelling::element_type(type), operand(1))});  // g++ 12: `0.0 - i` is `-i`, of another zero
  if (op.spelling == Spelling::infix) return cpp::binary(operand(0), op.cpp, operand(1));
  if (op.spelling == Spelling::prefix) return cpp::prefix(op.cpp, operand(0));
  return cpp::call(op.cpp, all());
}

}  // namespace lantern
