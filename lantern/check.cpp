#include "lantern/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "lantern/elaborate.h"
#include "lantern/varied.h"
#include "support/match.h"

namespace lantern {

namespace {

using sexpr::Datum;
using sexpr::Kind;

constexpr std::int64_t language_version = 1;

[[noreturn]] void malformed(const Datum& datum, const std::string& message) {
  throw Failure({.code = "LT0220", .location = datum.location, .message = message});
}

ir::Initializer read_initializer(const Datum& datum) {
  const std::string kind(datum.head());
  const std::size_t size = datum.size(), wanted = kind == "fill" ? 1 : kind == "uniform" || kind == "normal" ? 2 : kind == "values" && size > 1 ? size - 1 : 0;
  ir::Initializer initializer{kind, {}};
  for (std::size_t i = 1; i < size; ++i) {
    if (datum[i].is(Kind::integer)) initializer.numbers.push_back(datum[i].integer());
    else if (datum[i].is(Kind::boolean)) initializer.numbers.push_back(std::int64_t{datum[i].boolean()});
    else if (datum[i].is(Kind::floating)) initializer.numbers.push_back(datum[i].number());
  }
  if (wanted == 0 || size != wanted + 1 || initializer.numbers.size() != wanted) {
    malformed(datum, "an initializer is (fill NUMBER), (uniform LO HI), (normal MEAN STD) or (values NUMBER*)");
  }
  return initializer;
}

class Checker {
 public:
  Checker(ir::Program& program) : program_(program), inference_(program), elaborator_(program, inference_) {}

  void run(const sexpr::Document& document) {
    each(document, {"lantern"}, [&](const Datum& item) { check_version(item, *document.items.front()); });
    each(document, {"struct"}, [&](const Datum& item) { declare_structure(item); });
    each(document, {"struct"}, [&](const Datum& item) { fill_structure(item); });
    each(document, {"parameter", "state"}, [&](const Datum& item) { declare_global(item); });
    std::vector<FunctionSource*> functions;
    each(document, {"define"}, [&](const Datum& item) { functions.push_back(elaborator_.declare_function(item)); });
    each(document, {}, [&](const Datum& item) {
      malformed(item, "an item is (struct …), (parameter …), (state …), (define …), (derivative …) or (export …)");
    });
    if (failures_.empty()) {
      for (FunctionSource* function : functions) elaborator_.elaborate(*function);
    }
    failures_.insert(failures_.end(), elaborator_.diagnostics.begin(), elaborator_.diagnostics.end());
    each(document, {"export"}, [&](const Datum& item) { declare_export(item); });
    if (!failures_.empty()) {
      std::stable_sort(failures_.begin(), failures_.end(), [](const Diagnostic& a, const Diagnostic& b) {
        return std::tie(a.location.line, a.location.column) < std::tie(b.location.line, b.location.column);
      });
      throw Failure(std::move(failures_));
    }
    if (program_.exports.empty() && !functions.empty()) program_.differentiable_entry = functions.back()->function;
    inference_.settle();
    for (const auto& variable : program_.variables) refuse_missing_numbers(variable.type, variable.location);
    for (const auto& function : program_.functions) {
      for (const auto& type : function.results) refuse_missing_numbers(type, function.location);
    }
    each(document, {"derivative"}, [&](const Datum& item) { give_derivative(item); });
    if (!failures_.empty()) throw Failure(std::move(failures_));
  }

 private:
  // Inference may have made an optional of what turned out to be no structure.
  static void refuse_missing_numbers(const Type& type, const Location& location) {
    const Type t = resolve(type);
    if (t->kind == TypeKind::optional && !is(t->elements[0], TypeKind::structure)) throw refuse_missing(t, location);
    if (t->kind == TypeKind::list || t->kind == TypeKind::tuple) {
      for (const auto& element : t->elements) refuse_missing_numbers(element, location);
    }
  }

  // Items with one of these heads; with none given, those with a head that no item has.
  template <class Do>
  void each(const sexpr::Document& document, std::vector<std::string_view> heads, Do work) {
    static constexpr std::string_view known[] = {"struct", "parameter", "state", "define", "derivative", "export", "lantern"};
    for (const Datum* item : document.items) {
      const bool wanted = heads.empty() ? std::find(std::begin(known), std::end(known), item->head()) == std::end(known)
                                        : std::find(heads.begin(), heads.end(), item->head()) != heads.end();
      if (!wanted) continue;
      try {
        work(*item);
      } catch (const Failure& failure) {
        failures_.insert(failures_.end(), failure.diagnostics.begin(), failure.diagnostics.end());
      }
    }
  }

  static void check_version(const Datum& item, const Datum& first) {
    if (item.size() != 2 || !item[1].is(Kind::integer)) malformed(item, "the form is (lantern VERSION)");
    if (&item != &first) malformed(item, "(lantern VERSION) stands once, in front of the other items");
    if (item[1].integer() != language_version) {
      malformed(item[1], fmt::format("the program is in version {} of the language, and this is version {}", item[1].integer(), language_version));
    }
  }

  void declare_structure(const Datum& item) {
    if (item.size() < 2) malformed(item, "the form is (struct NAME COMMENT? (FIELD TYPE COMMENT?)…)");
    const std::string name = name_in(item[1]);
    if (program_.structure(name)) {
      throw Failure({.code = "LT0234", .location = item[1].location, .message = fmt::format("structure '{}' is declared twice", name)});
    }
    program_.structures.push_back({name, {}});
  }

  void fill_structure(const Datum& item) {
    ir::Structure* known = item.size() < 2 ? nullptr : program_.structure(std::string(item[1].text()));
    if (!known || !known->fields.empty()) return;  // it has been refused
    const bool has_comment = item.size() > 2 && item[2].is(Kind::string);
    if (has_comment) known->about = item[2].text();
    for (const Datum* field : item.elements().subspan(has_comment ? 3 : 2)) {
      const bool is_commented = field->size() == 3 && (*field)[2].is(Kind::string);
      if (field->size() != 2 && !is_commented) malformed(*field, "a field is (NAME TYPE) or (NAME TYPE COMMENT)");
      const std::string name = name_in((*field)[0]);
      const Type type = read_known_type(program_, (*field)[1]);
      if (is(type, TypeKind::tuple) || is_list_of_tuples(type)) {
        throw Failure({.code = "LT0401", .location = (*field)[1].location, .message = fmt::format("field '{}' holds tuples", name),
                       .hint = "make a field of each of its elements"});
      }
      if (known->field(name)) malformed(*field, fmt::format("'{}' has two fields '{}'", known->name, name));
      known->fields.emplace_back(name, type);
      if (is_commented) known->comments[name] = (*field)[2].text();
    }
  }

  void declare_global(const Datum& item) {
    if (item.size() != 4) malformed(item, fmt::format("the form is ({} NAME TYPE INIT)", item.head()));
    const std::string name = name_in(item[1]);
    const Type type = read_type(item[2]);
    if (!is_numeric(type)) malformed(item[2], fmt::format("'{}' must be a number or an array, not {}", name, to_string(type)));
    for (const auto& global : program_.globals) {
      if (global.variable->name == name) {
        throw Failure({.code = "LT0234", .location = item[1].location, .message = fmt::format("'{}' is declared twice", name)});
      }
    }
    auto* variable = program_.add_variable(
        {.name = name, .type = type, .location = item.location,
         .storage = item.head() == "parameter" ? ir::Storage::parameter : ir::Storage::state});
    program_.globals.push_back({variable, read_initializer(item[3])});
    if (const auto& [kind, numbers] = program_.globals.back().initializer; kind == "values" && numbers.size() > 1) {
      const std::int64_t given = std::ssize(numbers);
      std::int64_t elements = 1;
      for (const auto& dim : resolve(type)->dims) elements = dim.known() && dim.size <= given && elements <= given ? elements * dim.size : -1;
      if (elements != given) malformed(item[3], fmt::format("'{}', of {}, begins with {} values", name, to_string(type), numbers.size()));
    }
    elaborator_.declare_global(name, variable);
  }

  void check_default(std::string_view function, const std::string& name, const std::vector<std::pair<std::string, Value>>& formals,
                     const ir::Literal& value, const Location& location) {
    const auto formal = std::find_if(formals.begin(), formals.end(), [&](const auto& each) { return each.first == name; });
    const Type type = resolve(formal->second.type);
    const Type given = match(value, [](const ir::NoneLiteral&) { return none_type(); }, [](bool) { return scalar(DType::boolean); },
                             [](std::int64_t) { return scalar(DType::i64); }, [](double) { return scalar(DType::f64); },
                             [](const std::string&) { return string_type(); });
    if (!inference_.accepts(type, given)) {
      throw Failure({.code = "LT0402", .location = location,
                     .message = fmt::format("the default of '{}' of '{}' has type {}, and {} is expected", name, function, to_string(given), to_string(type))});
    }
  }

  // Forward: the same formals; the results, and behind them what is saved. Backward: what is saved, and an adjoint for each
  // floating result, to one for each floating formal.
  void give_derivative(const Datum& item) {
    if (item.size() != 4) malformed(item, "the form is (derivative NAME FORWARD BACKWARD)");
    ir::Function* functions[3];
    for (std::size_t i = 0; i < 3; ++i) {
      FunctionSource* source = elaborator_.function_named(name_in(item[i + 1]));
      if (!source) malformed(item[i + 1], fmt::format("there is no function '{}'", item[i + 1].text()));
      functions[i] = source->function;
    }
    ir::Function *const function = functions[0], *const forward = functions[1], *const backward = functions[2];
    if (function->derivative) {
      throw Failure({.code = "LT0234", .location = item[1].location, .message = fmt::format("'{}' has two derivatives", function->name)});
    }
    const auto types_of = [](const std::vector<ir::Variable*>& formals) {
      std::vector<Type> types;
      for (const auto* formal : formals) types.push_back(formal->type);
      return types;
    };
    const auto floating = [](const std::vector<Type>& types) {
      std::vector<Type> those;
      std::copy_if(types.begin(), types.end(), std::back_inserter(those), [](const Type& type) { return carries_tangent(type); });
      return those;
    };
    const auto fit = [&](const ir::Function& of, std::string_view what, const std::vector<Type>& wanted, const std::vector<Type>& given) {
      bool fits = wanted.size() == given.size();
      for (std::size_t i = 0; fits && i < wanted.size(); ++i) fits = inference_.accepts(wanted[i], given[i]) && inference_.accepts(given[i], wanted[i]);
      if (fits) return;
      throw Failure({.code = "LT0510", .location = of.location,
                     .message = fmt::format("'{}' does not fit '{}', whose derivative it is part of: it {} {}, and {} is expected", of.name, function->name,
                                            what, to_string(tuple_of(given)), to_string(tuple_of(wanted)))});
    };
    const auto formals = types_of(function->formals);
    fit(*forward, "takes", formals, types_of(forward->formals));
    auto given = forward->results;
    given.resize(std::min(given.size(), function->results.size()));
    fit(*forward, "gives first", function->results, given);
    std::vector<Type> taken(forward->results.begin() + static_cast<std::ptrdiff_t>(function->results.size()), forward->results.end());
    const auto adjoints = floating(function->results);
    taken.insert(taken.end(), adjoints.begin(), adjoints.end());
    fit(*backward, "takes", taken, types_of(backward->formals));
    fit(*backward, "gives", floating(formals), backward->results);
    function->derivative = {forward, backward, false};
  }

  void declare_export(const Datum& item) {
    const auto is_pair = [](const Datum& datum) { return datum.is(Kind::list) && datum.size() == 2 && datum[0].is_symbol() && datum[1].is_symbol(); };
    if (item.size() < 2 || !(item[1].is_symbol() || is_pair(item[1]))) malformed(item, "the form is (export NAME DOC (FORMAL DEFAULT DOC)…), or (NAME FUNCTION) for NAME");
    const Datum& named = item[1].is_symbol() ? item[1] : item[1][0];
    const Datum& exports = item[1].is_symbol() ? item[1] : item[1][1];
    FunctionSource* source = elaborator_.function_named(std::string(exports.text()));
    if (!source) malformed(exports, fmt::format("there is no function '{}' to export", exports.text()));
    for (const auto& other : program_.exports) {
      if (other.function == source->function || other.name == named.text()) {
        throw Failure({.code = "LT0234", .location = named.location, .message = fmt::format("'{}' is exported twice", (other.function == source->function ? exports : named).text())});
      }
    }
    const bool has_doc = item.size() > 2 && item[2].is(Kind::string);
    ir::Export exported{source->function, std::string(named.text()), has_doc ? std::string(item[2].text()) : "", {}};
    for (const Datum* entry : item.elements().subspan(has_doc ? 3 : 2)) {
      if (entry->size() != 3 || !(*entry)[0].is_symbol() || !(*entry)[2].is(Kind::string)) {
        malformed(*entry, "an exported formal is (NAME DEFAULT DOC)");
      }
      const std::string name((*entry)[0].text());
      if (std::none_of(source->formals.begin(), source->formals.end(), [&](const auto& formal) { return formal.first == name; })) {
        malformed((*entry)[0], fmt::format("'{}' has no formal '{}'", exports.text(), name));
      }
      const Datum& value = (*entry)[1];
      std::optional<ir::Literal> literal;
      switch (value.kind()) {
        case Kind::none: literal = ir::NoneLiteral{}; break;
        case Kind::boolean: literal = value.boolean(); break;
        case Kind::integer: literal = value.integer(); break;
        case Kind::floating: literal = value.number(); break;
        case Kind::string: literal = std::string(value.text()); break;
        case Kind::list:
          if (value.head() == "required" && value.size() == 1) break;
          [[fallthrough]];
        default: malformed(value, "a default is a literal, or (required)");
      }
      if (literal) check_default(exports.text(), name, source->formals, *literal, value.location);
      exported.formals.push_back({name, literal, std::string((*entry)[2].text())});
    }
    program_.exports.push_back(std::move(exported));
  }

  ir::Program& program_;
  Inference inference_;
  Elaborator elaborator_;
  std::vector<Diagnostic> failures_;
};

}  // namespace

ir::Program check(const sexpr::Document& document, const std::string& name, const std::string& source_name) {
  ir::Program program;
  program.name = name;
  program.source_name = source_name;
  Checker(program).run(document);
  if (program.functions.empty()) {
    throw Failure({.code = "LT0225", .location = {}, .message = "the program defines no function", .hint = "write (define NAME (FORMAL…) BODY)"});
  }
  return program;
}

Type infer(const Datum& operation) {
  const std::string name(operation.head());
  const auto rows = operators_named(name);
  const auto fail = [&](const std::string& message, const std::string& hint = {}) {
    throw Failure({.code = "LT0403", .location = operation.location, .message = message, .hint = hint});
  };
  if (rows.empty() || rows[0]->internal) fail(fmt::format("there is no operator '{}'", name));
  Attributes attributes;
  std::vector<Type> types;
  std::vector<std::optional<std::int64_t>> literals;
  std::size_t first = 1;
  if (rows[0]->leading != Leading::nothing && operation.size() > 1) {
    first = 2;
    if (rows[0]->leading == Leading::dtype) attributes.dtype = dtype_named(operation[1].text());
    if (rows[0]->leading == Leading::dtype && !attributes.dtype) fail(fmt::format("'{}' takes a dtype first", name));
    if (rows[0]->leading == Leading::structure) attributes.name = std::string(operation[1].text());
    if (rows[0]->leading == Leading::type) attributes.type = read_type(operation[1]);
  }
  for (const Datum* operand : operation.elements().subspan(std::min(first, operation.size()))) {
    const bool integer = operand->is(Kind::integer);
    if (operand->is(Kind::keyword)) fail(fmt::format("'{}' takes no :{}", name, operand->text()));
    literals.push_back(integer ? std::optional(operand->integer()) : std::nullopt);
    types.push_back(integer                        ? scalar(DType::i64)
                    : operand->is(Kind::floating) ? scalar(DType::f64)
                    : operand->is(Kind::boolean)  ? scalar(DType::boolean)
                    : operand->is(Kind::string)   ? string_type()
                                                   : read_type(*operand));
  }
  try {
    check_operand_count(rows, types.size());
    const Operator* row = select_operator(name, types);
    const Type type = (row ? row : rows[0])->rule({types, literals, attributes});
    if (!row) throw TypeMismatch{"takes no operands of these ranks", {}};
    return type;
  } catch (const TypeMismatch& mismatch) {
    fail(fmt::format("'{}' {}", name, mismatch.message), mismatch.hint);
  }
  bug("check", "unreachable");
}

}  // namespace lantern
