// `(let h (tanh c) (+ h 1))` becomes the bindings h = tanh(c), t0 = h + 1 and the value t0: a block. A chain of
// lets is walked, not recursed into; what nests for good reasons (branches, operands) recurses.
#include "lantern/elaborate.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "lantern/elaborate_context.h"
#include "support/nearest.h"

namespace lantern {

using ir::Block;
using ir::Operand;
using sexpr::Datum;
using sexpr::Kind;

namespace {

bool is_identifier(std::string_view text) {
  bool start = true;
  for (const char c : text) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    const bool digit = c >= '0' && c <= '9';
    if (c == '.' ? start : !(letter || (digit && !start))) return false;
    start = c == '.';
  }
  return !start;
}

}  // namespace

Value unit() { return {.type = tuple_of({}), .parts = {}}; }

std::string name_in(const Datum& datum) {
  if (datum.is_symbol() && is_identifier(datum.text())) return std::string(datum.text());
  throw Failure({.code = "LT0221",
                 .location = datum.location,
                 .message = datum.is_symbol() ? fmt::format("'{}' is not a name", datum.text()) : "a name is expected here"});
}

std::string counted(std::size_t count, const std::string& what) { return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s"); }
std::string is_or_are(std::size_t count) { return fmt::format("{} {}", count, count == 1 ? "is" : "are"); }

Failure refuse_missing(const Type& type, const Location& location) {
  return Failure({.code = "LT0505",
                  .location = location,
                  .message = fmt::format("{} is not supported: only structures can be missing", to_string(type)),
                  .hint = "hold the value in a structure, or say by a bool whether it is there"});
}

Type read_known_type(ir::Program& program, const Datum& datum) {
  const Type type = read_type(datum);
  struct Part { Type type; bool stands_alone; };  // a list that does may be one of tuples: it is several lists
  std::vector<Part> pending = {{type, true}};
  while (!pending.empty()) {
    const Type t = resolve(pending.back().type);
    const bool columns = pending.back().stands_alone && is_list_of_tuples(t);
    const bool parts_do = pending.back().stands_alone && (t->kind == TypeKind::tuple || columns);
    pending.pop_back();
    if (t->kind == TypeKind::structure && !program.structure(t->name)) {
      throw Failure({.code = "LT0235",
                     .location = datum.location,
                     .message = fmt::format("there is no type or structure '{}'", t->name),
                     .hint = "declare it with (struct NAME (FIELD TYPE)…)"});
    }
    if (t->kind != TypeKind::tuple && !columns && std::any_of(t->elements.begin(), t->elements.end(), [](const Type& e) { return is(e, TypeKind::tuple); })) {
      throw Failure({.code = "LT0401",
                     .location = datum.location,
                     .message = fmt::format("{} holds tuples", to_string(t)),
                     .hint = "make a structure of what they hold: only a tuple can hold a tuple"});
    }
    if (t->kind == TypeKind::optional && !is(t->elements[0], TypeKind::structure)) throw refuse_missing(t, datum.location);
    for (const auto& element : t->elements) pending.push_back({element, parts_do});
  }
  return type;
}

void Elaborator::fail(const std::string& code, const std::string& message, const std::string& hint) {
  throw Failure({.code = code, .location = context_ ? context_->here : Location{}, .message = message, .hint = hint});
}

void Elaborator::need_size(const Datum& datum, std::size_t least, std::size_t most, const std::string& form) {
  if (datum.size() < least || datum.size() > most) {
    throw Failure({.code = "LT0220", .location = datum.location, .message = fmt::format("the form is {}", form)});
  }
}

void Elaborator::declare_global(const std::string& name, ir::Variable* variable) {
  globals_[name] = {.type = variable->type, .parts = {{.variable = variable, .type = variable->type}}};
}

const Value* Elaborator::lookup(const std::string& name) const {
  if (const auto found = context_->names.find(name); found != context_->names.end()) return &found->second;
  if (const auto found = globals_.find(name); found != globals_.end()) return &found->second;
  return nullptr;
}

FunctionSource* Elaborator::function_named(const std::string& name) {
  if (context_) {
    if (const auto found = context_->functions.find(name); found != context_->functions.end()) return found->second;
    const auto& outer = context_->source->outer_functions;
    if (const auto found = outer.find(name); found != outer.end()) return found->second;
  }
  const auto found = functions_.find(name);
  return found == functions_.end() ? nullptr : found->second;
}

ir::Variable* Elaborator::fresh(const std::string& name, Type type) {
  const auto numbered = [&](int uses) { return uses == 1 ? name : fmt::format("{}_{}", name, uses); };
  std::string unique = numbered(context_->take(name));
  if (unique != name) {
    while (context_->taken.contains(unique)) unique = numbered(context_->take(name));
    context_->take(unique);
  }
  return program_.add_variable({.name = unique, .type = std::move(type), .location = context_->here});
}

Value Elaborator::bind(Block& block, ir::Node node, std::vector<Type> types, Type type) {
  const std::string given = std::exchange(context_->binding, {});
  Value value{.type = std::move(type), .parts = {}};
  std::vector<ir::Variable*> results;
  const auto names = names_of_parts(given.empty() ? ir::temporary : given, value.type);
  for (std::size_t i = 0; i < types.size(); ++i) {
    auto* variable = fresh(names[i], types[i]);
    if (given.empty() || types.size() > 1) context_->provisional.insert(variable);
    results.push_back(variable);
    value.parts.push_back({.variable = variable, .type = types[i]});
  }
  block.bindings.push_back({.results = std::move(results), .node = std::move(node), .location = context_->here});
  return value;
}

void Elaborator::bind_name(const std::string& name, const Value& value) {
  if (!is_identifier(name)) {
    fail("LT0221", fmt::format("'{}' cannot be bound: it is not a name", name));
  }
  if (value.parts.size() == 1 && value.parts[0].variable) {
    auto* variable = value.parts[0].variable;
    if (ir::is_made_up(variable->name) ? context_->provisional.erase(variable) : !ir::is_made_up(name) && context_->provisional.erase(variable)) {
      variable->name = fresh(name, variable->type)->name;
      program_.variables.pop_back();  // only its name was wanted
    }
  }
  context_->set(name, value);
}

Operand Elaborator::coerce_one(Operand operand, const Type& to, Block& block, const std::string& what) {
  const Type target = resolve(to), source = resolve(operand.type);
  if (!inference_.accepts(target, source)) {
    fail("LT0402", fmt::format("{} has type {}, and {} is expected", what, to_string(source), to_string(target)));
  }
  if (source->kind == TypeKind::structure || source->kind == TypeKind::optional) {
    if (is(target, TypeKind::structure) && source->kind == TypeKind::optional && !operand.present) {
      return bind(block, ir::Copy{operand}, {target}, target).parts[0];  // checked when it runs
    }
    return operand;
  }
  if (!is_numeric(source) || !is_numeric(target)) return operand;
  const bool same = resolve(target)->kind == source->kind && resolve(target)->dtype == source->dtype;
  if (same) return operand;
  if (!operand.variable) {  // a literal promotes as it stands
    const Type wanted = resolve(target);
    if (is_floating(wanted->dtype)) {
      if (const auto* integer = std::get_if<std::int64_t>(&operand.literal)) operand.literal = static_cast<double>(*integer);
      if (const auto* boolean = std::get_if<bool>(&operand.literal)) operand.literal = *boolean ? 1.0 : 0.0;
    } else if (const auto* boolean = std::get_if<bool>(&operand.literal); boolean && wanted->dtype != DType::boolean) {
      operand.literal = static_cast<std::int64_t>(*boolean);
    }
    operand.type = wanted;
    return operand;
  }
  context_->binding.clear();
  ir::Operate node{operators_named("cast")[0], {operand}, {.dtype = resolve(target)->dtype}};
  return bind(block, std::move(node), {target}, target).parts[0];
}

std::vector<Operand> Elaborator::coerce(const Value& value, const Type& to, Block& block, const std::string& what) {
  if (value.never) return {};
  const auto wanted = leaves(to);
  if (wanted.size() != value.parts.size() || !inference_.accepts(to, value.type)) {
    const bool undeclared = to_string(value.type) == to_string(to);  // the call stood before the result was known to be a tuple
    fail("LT0402", fmt::format("{} has type {}, and {} is expected", what, to_string(value.type), to_string(to)),
         undeclared ? "declare what the function returns: (define NAME (FORMAL…) -> TYPE BODY)" : "");
  }
  std::vector<Operand> parts;
  for (std::size_t i = 0; i < wanted.size(); ++i) parts.push_back(coerce_one(value.parts[i], wanted[i], block, what));
  return parts;
}

Value Elaborator::expression(const Datum& datum, Block& block) { return tail(&datum, block); }

// An expression whose last part stands in tail position is a loop, not a recursion.
Value Elaborator::tail(const Datum* datum, Block& block) {
  // Forms that bind names open a scope; what an operation learns (a field read, a test) outlives it.
  const auto opens_scope = datum->head() == "let" || datum->head() == "begin" || datum->head() == "define";
  std::optional<Scope> scope;
  if (opens_scope) scope.emplace(*context_);
  while (true) {
    const auto head = datum->head();
    if (context_->locations.empty()) {
      context_->here = datum->location;
    } else if (!context_->binding.empty()) {  // a define that says where it comes from: its text is no place of the user's
      const auto known = context_->locations.find(context_->binding);
      context_->here = known != context_->locations.end() ? known->second : context_->source->function->location;
    }
    if (head == "let" && datum->size() == 4) {
      const auto& name = (*datum)[1];
      if (!name.is_symbol()) fail("LT0221", "let binds a name");
      const std::string text(name.text());
      const std::string after = std::exchange(context_->binding, text);
      const Value value = expression((*datum)[2], block);
      context_->binding.clear();
      if (value.never) return value;
      bind_name(text, value);
      context_->binding = after;
      datum = &(*datum)[3];
      continue;
    }
    if (head == "begin" && datum->size() == 2) {
      datum = &(*datum)[1];
      continue;
    }
    if (head == "begin") return sequence(datum->elements().subspan(1), block);
    if (head == "define") {
      if (datum->size() < 4) need_size(*datum, 4, 4, "(define NAME (FORMAL…) BODY EXPR…)");
      FunctionSource* nested = nested_function(*datum);
      context_->functions[std::string((*datum)[1].text())] = nested;
      auto scope_of_it = datum->elements().subspan(4);
      if (!scope_of_it.empty() && scope_of_it.back()->head() == "locations") scope_of_it = scope_of_it.first(scope_of_it.size() - 1);
      return sequence(scope_of_it, block);
    }
    return datum->is_list() ? special(*datum, block) : atom(*datum, block);
  }
}

Value Elaborator::sequence(std::span<const Datum* const> elements, Block& block) {
  const std::string binding = std::exchange(context_->binding, {});
  Value last = unit();
  for (std::size_t i = 0; i < elements.size(); ++i) {
    const Datum& element = *elements[i];
    if (element.head() == "let" && element.size() == 3) {
      bind_name(std::string(element[1].text()), last);
      last = expression(element[2], block);
      continue;
    }
    if (i + 1 == elements.size()) context_->binding = binding;
    last = expression(element, block);
    if (last.never) return last;
  }
  return last;
}

Value Elaborator::atom(const Datum& datum, Block& block) {
  const auto literal = [&](ir::Literal value, Type type) {
    return Value{.type = type, .parts = {{.variable = nullptr, .literal = std::move(value), .type = type}}};
  };
  switch (datum.kind()) {
    case Kind::none: return literal(ir::NoneLiteral{}, none_type());
    case Kind::boolean: return literal(datum.boolean(), scalar(DType::boolean));
    case Kind::integer: return literal(datum.integer(), scalar(DType::i64));
    case Kind::floating: return literal(datum.number(), scalar(DType::f64));
    case Kind::string: return literal(std::string(datum.text()), string_type());
    case Kind::symbol: break;
    case Kind::keyword: fail("LT0222", fmt::format(":{} stands where an expression is expected", datum.text()));
    case Kind::list: bug("elaborate", "a list is no atom");
  }
  const std::string name(datum.text());
  const Value* value = lookup(name);
  if (!value) {
    if (function_named(name)) fail("LT0232", fmt::format("'{}' is a function; only a call of it is a value", name));
    fail("LT0231", fmt::format("'{}' is not defined", name), did_you_mean(name, names_of_values(), "bind it with let, or make it a formal of the function"));
  }
  Value found = *value;
  // A number is taken when it is read: an update may follow, and a derivative may ask for it after that.
  const bool changes = found.parts.size() == 1 && found.parts[0].variable && found.parts[0].variable->storage != ir::Storage::local;
  if (changes && rank(found.type) == 0) return bind(block, ir::Copy{found.parts[0]}, {found.type}, found.type);
  for (auto& part : found.parts) {
    if (part.variable && context_->names.contains(Context::present_key(part.variable))) part.present = true;
  }
  return found;
}

Operand Elaborator::single(const Datum& datum, Block& block) { return only_part(operand_value(datum, block)); }

Value Elaborator::operand_value(const Datum& datum, Block& block) {
  const std::string binding = std::exchange(context_->binding, {});
  const Location here = context_->here;
  Value value = expression(datum, block);
  context_->here = here;
  context_->binding = binding;
  if (value.never) fail("LT0223", "an operand raises: what follows is never reached");
  return value;
}

Operand Elaborator::only_part(const Value& value) {
  if (value.parts.size() != 1) {
    fail("LT0403", fmt::format("one value is expected here, not {}", to_string(value.type)), "take its elements with (get EXPR INT)");
  }
  return value.parts[0];
}

Operand Elaborator::truth(const Datum& datum, Block& block) {
  Operand condition = single(datum, block);
  if (is(condition.type, TypeKind::variable)) Inference::bind(condition.type, scalar(DType::boolean));
  const Type type = resolve(condition.type);
  const bool boolean = is_numeric(type) && type->dtype == DType::boolean && type->dims.empty();
  if (!boolean) {
    fail("LT0404", fmt::format("a condition must be bool, not {}", to_string(type)), "compare it with something");
  }
  return condition;
}

// `(if (none? x) A B)`: in B, x is present. A condition remembers what it tests.
void Elaborator::narrow(const Operand& condition, bool holds) {
  if (!condition.variable) return;
  const auto found = context_->names.find(Context::test_key(condition.variable));
  if (found == context_->names.end()) return;
  const Value test = found->second;
  const bool none_if_true = !test.never;
  if (none_if_true != holds) context_->set(Context::present_key(test.parts[0].variable), test);
}

ir::Variable* Elaborator::global(const Datum& name) {
  const auto found = globals_.find(std::string(name.text()));
  if (found == globals_.end()) {
    std::vector<std::string> known;
    for (const auto& [other, value] : globals_) known.push_back(other);
    fail("LT0233", fmt::format("'{}' is neither a parameter nor a state", name.text()), did_you_mean(name.text(), known));
  }
  return found->second.parts[0].variable;
}

std::vector<std::string> Elaborator::names_of_values() const {
  std::vector<std::string> names;
  for (const auto& [name, value] : globals_) names.push_back(name);
  for (const auto& [name, value] : context_->names) {
    if (!Context::is_fact(name)) names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<std::string> Elaborator::names_of_functions() const {
  std::vector<std::string> names;
  for (const auto& [name, source] : functions_) names.push_back(name);
  for (const auto& [name, source] : context_->functions) names.push_back(name);
  for (const auto& row : operators()) {
    if (!row.internal) names.emplace_back(row.name);
  }
  return names;
}

}  // namespace lantern
