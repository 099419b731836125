// Functions: their declarations, those within others, which become functions of their own with what they capture as
// further formals, their bodies, and calls.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <span>
#include <utility>

#include "lantern/elaborate.h"
#include "lantern/elaborate_context.h"

namespace lantern {

using ir::Block;
using ir::Operand;
using sexpr::Datum;
using sexpr::Kind;

namespace {

/// The lists of tuples in what is given, which may be a tuple, or a list; those within such lists, too.
void find_columns(const Type& type, std::span<const Operand> parts, int depth, std::vector<ir::Columns>& all) {
  if (is_list_of_tuples(type)) {
    auto& columns = all.emplace_back(ir::Columns{{}, depth});
    for (const auto& part : parts) columns.lists.push_back(part.variable);
    find_columns(resolve(type)->elements[0], parts, depth + 1, all);
  } else if (is(type, TypeKind::tuple)) {
    for (const auto& element : resolve(type)->elements) {
      const std::size_t count = leaves(element).size();
      find_columns(element, parts.first(count), depth, all);
      parts = parts.subspan(count);
    }
  }
}

void check_locations(const Datum& datum) {
  const auto refuse = [](const Datum& part, const char* message) {
    throw Failure({.code = "LT0220", .location = part.location, .message = message});
  };
  const auto is_count = [](const Datum& number) {
    return number.is(Kind::integer) && number.integer() >= 0 && number.integer() <= std::numeric_limits<int>::max();
  };
  if (datum.size() < 2 || !datum[1].is(Kind::string)) refuse(datum, "the form is (locations FILE (NAME LINE COLUMN)… (LINE COMMENT)…)");
  for (const Datum* entry : datum.elements().subspan(2)) {
    const bool is_place = entry->size() == 3 && (*entry)[0].is_symbol() && is_count((*entry)[1]) && is_count((*entry)[2]);
    const bool is_comment = entry->size() == 2 && is_count((*entry)[0]) && (*entry)[1].is(Kind::string);
    if (!is_place && !is_comment) refuse(*entry, "an entry of (locations …) is (NAME LINE COLUMN) or (LINE COMMENT)");
  }
}

}  // namespace

FunctionSource* Elaborator::declare_function(const Datum& define) {
  if (define.size() < 4 || !define[1].is_symbol() || !define[2].is_list()) {
    throw Failure({.code = "LT0220", .location = define.location, .message = "the form is (define NAME (FORMAL…) BODY)"});
  }
  const Datum& last = define[define.size() - 1];
  const bool has_locations = last.head() == "locations";
  if (has_locations) check_locations(last);
  const std::string name = name_in(define[1]);
  auto& source = sources_.emplace_back();
  source.define = &define;
  if (!context_) {
    if (functions_.contains(name)) {
      throw Failure({.code = "LT0234", .location = define[1].location, .message = fmt::format("'{}' is defined twice", name)});
    }
    functions_[name] = &source;
  }
  std::string unique = name;
  for (int i = 2; !function_names_.insert(unique).second; ++i) unique = fmt::format("{}_{}", name, i);
  source.function = &program_.functions.emplace_back();
  source.function->name = unique;
  source.function->location = define.location;
  if (define.size() > 5 && define[3].is_symbol("->")) source.declared = read_known_type(program_, define[4]);
  const std::size_t behind_body = source.declared ? 6 : 4;
  if (!context_ && define.size() != behind_body + has_locations) {
    const Datum& surplus = define[std::min(behind_body, define.size() - 1)];
    throw Failure({.code = "LT0220", .location = surplus.location, .message = "a define that stands in no other has one EXPR, its body: (begin …) is a sequence"});
  }

  for (const Datum* formal : define[2].elements()) {
    const bool typed = formal->is_list();
    if (typed ? formal->size() != 2 || !(*formal)[0].is_symbol() : !formal->is_symbol()) {
      throw Failure({.code = "LT0220", .location = formal->location, .message = "a formal is NAME or (NAME TYPE)"});
    }
    const std::string formal_name = name_in(typed ? (*formal)[0] : *formal);
    if (std::any_of(source.formals.begin(), source.formals.end(), [&](const auto& other) { return other.first == formal_name; })) {
      throw Failure({.code = "LT0234", .location = formal->location, .message = fmt::format("'{}' is a formal of '{}' twice", formal_name, name)});
    }
    const Type type = typed ? read_known_type(program_, (*formal)[1]) : type_variable();
    Value value{.type = type, .parts = {}};
    const auto parts = leaves(type);
    const auto names = leaf_names(formal_name, type);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      auto* variable = program_.add_variable({.name = names[i], .type = parts[i], .location = formal->location});
      source.function->formals.push_back(variable);
      value.parts.push_back({.variable = variable, .type = parts[i]});
    }
    find_columns(type, value.parts, 0, source.function->columns);
    source.formals.emplace_back(formal_name, std::move(value));
  }
  source.function->result_type = source.declared ? source.declared : type_variable();
  source.function->results = leaves(source.function->result_type);
  return &source;
}

// What a nested function closes over becomes formals of its own: every name in its text that means a value here.
FunctionSource* Elaborator::nested_function(const Datum& define) {
  FunctionSource* source = declare_function(define);
  source->locations = context_->locations;
  if (const auto known = source->locations.find(source->function->name); known != source->locations.end()) source->function->location = known->second;
  source->outer_functions = context_->source->outer_functions;
  for (const auto& [name, function] : context_->functions) source->outer_functions[name] = function;
  source->outer_functions[std::string(define[1].text())] = source;

  std::set<std::string> mentioned;
  std::vector<const Datum*> pending = {&define[source->declared ? 5 : 3]};
  while (!pending.empty()) {
    const Datum* datum = pending.back();
    pending.pop_back();
    if (datum->is_symbol()) mentioned.insert(std::string(datum->text()));
    for (const Datum* element : datum->elements()) pending.push_back(element);
  }
  std::vector<ir::Variable*> extra;
  const auto capture = [&](const std::string& name, const Value& outer) {
    Value inner{.type = outer.type, .parts = {}};
    for (const auto& part : outer.parts) {
      if (!part.variable) {
        inner.parts.push_back(part);
        continue;
      }
      auto* formal = program_.add_variable({.name = part.variable->name, .type = part.type, .location = define.location});
      extra.push_back(formal);
      source->captured_from.push_back(part);
      inner.parts.push_back({.variable = formal, .type = part.type});
    }
    source->captured.emplace_back(name, std::move(inner));
  };
  for (const auto& name : mentioned) {
    if (const auto found = context_->names.find(name); found != context_->names.end()) capture(name, found->second);
    if (FunctionSource* callee = function_named(name); callee && callee != source) {
      for (std::size_t i = 0; i < callee->captured_from.size(); ++i) {
        const auto& from = callee->captured_from[i];
        capture(fmt::format("{} {}", name, i), {.type = from.type, .parts = {from}});
      }
    }
  }
  source->function->formals.insert(source->function->formals.begin(), extra.begin(), extra.end());
  return source;
}

void Elaborator::elaborate(FunctionSource& source) {
  if (source.progress != FunctionSource::untouched) return;
  source.progress = FunctionSource::underway;
  const Datum& define = *source.define;
  Context context;
  context.source = &source;
  context.here = source.function->location;
  context.locations = source.locations;
  Context* const before = std::exchange(context_, &context);
  std::size_t captured = 0;
  for (const auto& [name, value] : source.captured) {
    context.set(name, value);
    for (const auto& part : value.parts) {
      if (part.variable) context.captured[source.captured_from[captured++].variable] = part.variable;
    }
  }
  for (const auto& [name, value] : source.formals) context.set(name, value);
  for (auto* formal : source.function->formals) {
    const int uses = ++context.taken[formal->name];
    if (uses > 1) formal->name = fmt::format("{}_{}", formal->name, uses);
  }
  const std::size_t first = source.declared ? 5 : 3;
  const Datum& last = define[define.size() - 1];
  if (last.head() == "locations") {
    const auto file = std::make_shared<const std::string>(last[1].text());
    for (const Datum* entry : last.elements().subspan(2)) {
      if (entry->size() == 2) {
        program_.comments.emplace(std::pair(*file, static_cast<int>((*entry)[0].integer())), (*entry)[1].text());
        continue;
      }
      const Location place{.file = file, .line = static_cast<int>((*entry)[1].integer()), .column = static_cast<int>((*entry)[2].integer())};
      if ((*entry)[0].text() == source.function->name) source.function->location = place;
      context.locations[std::string((*entry)[0].text())] = place;
    }
  }
  try {
    ir::Block& body = source.function->body;
    const Value value = expression(define[first], body);
    if (value.never) {
      body.raises = true;
      if (!source.declared) Inference::bind(source.function->result_type, none_type());
    } else {
      if (!source.declared) {
        const Type joined = inference_.join(source.function->result_type, value.type);
        if (!joined) fail("LT0405", fmt::format("'{}' returns {} here and {} elsewhere", source.function->name, to_string(value.type), to_string(source.function->result_type)));
        source.function->result_type = joined;
      }
      body.results = coerce(value, source.function->result_type, body, fmt::format("the result of '{}'", source.function->name));
    }
    source.function->results = leaves(source.function->result_type);
  } catch (const Failure& failure) {
    diagnostics.insert(diagnostics.end(), failure.diagnostics.begin(), failure.diagnostics.end());
  }
  source.progress = FunctionSource::finished;
  context_ = before;
  for (const auto& [name, nested] : context.functions) elaborate(*nested);
}

Value Elaborator::call(const Datum& datum, FunctionSource& callee, std::size_t first, Block& block) {
  const std::string binding = std::exchange(context_->binding, {});
  const Location here = context_->here;
  const std::string name = text_of(datum[first - 1]);
  if (datum.size() - first != callee.formals.size()) {
    fail("LT0414", fmt::format("'{}' takes {}, and {} given", name, counted(callee.formals.size(), "argument"), is_or_are(datum.size() - first)));
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

}  // namespace lantern
