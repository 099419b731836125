// Only what stands in a function's own code counts: a nested `def f` binds `f` and hides its inside, while its
// decorators, defaults and annotations are evaluated outside it, so that a `:=` there binds here.
#include "frontend/analysis/names.h"

#include <algorithm>

#include "frontend/build.h"
#include "frontend/walk.h"

namespace lantern::analysis {

using namespace syntax;

namespace {

std::optional<std::string> literal_key(const Expr& expr) {
  if (auto* number = as<Number>(expr)) return number->spelling;
  if (auto* negative = as<UnaryOp>(expr); negative && negative->op == UnaryOperator::u_sub) {
    if (auto* number = as<Number>(negative->operand)) return "-" + number->spelling;
  }
  auto* string = as<String>(expr);
  if (!string || string->tokens.size() != 1 || string->is_formatted()) return std::nullopt;
  const StringToken& token = string->tokens[0];
  std::string spelled = token.prefix + token.quote;
  for (const StringPart& part : token.parts) spelled += part.text;
  return spelled + token.quote;
}

ExprPtr key_expression(const std::string& spelled) {
  const std::size_t quote = spelled.find_first_of("'\"");
  if (quote == std::string::npos) {
    if (spelled[0] != '-') return make(Number{spelled});
    return make(UnaryOp{UnaryOperator::u_sub, make(Number{spelled.substr(1)})});
  }
  const std::string_view body = std::string_view(spelled).substr(quote);
  const bool triple = body.size() >= 6 && body.substr(0, 3) == std::string(3, body[0]);
  const std::size_t width = triple ? 3 : 1;
  StringToken token{spelled.substr(0, quote), std::string(body.substr(0, width)), {}};
  token.parts.push_back(StringPart{.text = std::string(body.substr(width, body.size() - 2 * width))});
  return make(String{list_of<StringToken>(std::move(token))});
}

class Binder {
 public:
  explicit Binder(Bindings& bindings) : bindings_(bindings), seen_(bindings.locals.begin(), bindings.locals.end()) {}

  void block(const Block& block) {
    for (const StmtPtr& stmt : block) statement(*stmt);
  }

 private:
  void bind(const std::string& name) {
    if (seen_.insert(name).second) bindings_.locals.push_back(name);
  }
  void bind_all(const std::vector<std::string>& names) {
    for (const std::string& name : names) bind(name);
  }
  void target(const ExprPtr& expr) {
    if (expr) bind_all(bound_names(*expr));
  }
  void targets(const std::vector<ExprPtr>& exprs) {
    for (const ExprPtr& expr : exprs) target(expr);
  }
  static std::string first_part(const std::string& dotted) { return dotted.substr(0, dotted.find('.')); }

  void statement(const Stmt& stmt) {
    for_each_expression(stmt, [&](const Expr& expr) { bind_all(walrus_names(expr)); });
    bind_here(stmt);
    if (is<FunctionDef>(stmt) || is<ClassDef>(stmt)) return;
    for_each_block(stmt, [&](const Block& nested) { block(nested); });
  }

  void bind_here(const Stmt& stmt) {
    match(
        stmt, [&](const FunctionDef& node) { bind(node.name); }, [&](const ClassDef& node) { bind(node.name); },
        [](const Return&) {}, [&](const Delete& node) { targets(node.targets); },
        [&](const Assign& node) { targets(node.targets); }, [&](const AugAssign& node) { target(node.target); },
        [&](const AnnAssign& node) { target(node.target); }, [&](const For& node) { target(node.target); },
        [](const While&) {}, [](const If&) {},
        [&](const With& node) {
          for (const WithItem& item : node.items) target(item.optional_vars);
        },
        [&](const Match& node) {
          for (const MatchCase& each : node.cases) bind_all(captured_names(*each.pattern));
        },
        [](const Raise&) {},
        [&](const Try& node) {
          for (const ExceptHandler& handler : node.handlers) {
            if (!handler.name.empty()) bind(handler.name);
          }
        },
        [](const Assert&) {},
        [&](const Import& node) {
          for (const Alias& alias : node.names) bind(alias.asname.empty() ? first_part(alias.name) : alias.asname);
        },
        [&](const ImportFrom& node) {
          for (const Alias& alias : node.names) {
            if (alias.name != "*") bind(alias.asname.empty() ? alias.name : alias.asname);
          }
        },
        [&](const Global& node) { bindings_.globals.insert(node.names.begin(), node.names.end()); },
        [&](const Nonlocal& node) { bindings_.nonlocals.insert(node.names.begin(), node.names.end()); },
        [](const ExprStmt&) {}, [](const Pass&) {}, [](const Break&) {}, [](const Continue&) {});
  }

  Bindings& bindings_;
  NameSet seen_;
};

void collect_walrus(const Expr& expr, std::vector<std::string>& names) {
  if (auto* named = as<NamedExpr>(expr)) {
    if (auto* target = as<Name>(named->target)) names.push_back(target->id);
  }
  if (auto* lambda = as<Lambda>(expr)) {  // its defaults are evaluated out here, its body is not
    for (const auto* group : {&lambda->parameters.posonly, &lambda->parameters.args, &lambda->parameters.kwonly}) {
      for (const Parameter& parameter : *group) {
        if (parameter.default_value) collect_walrus(*parameter.default_value, names);
      }
    }
    return;
  }
  for_each_child(expr, [&](const Expr& child) { collect_walrus(child, names); });
}

void collect_places(const Expr& target, std::vector<QualifiedName>& places) {
  if (auto* tuple = as<Tuple>(target)) {
    for (const ExprPtr& element : tuple->elts) collect_places(*element, places);
  } else if (auto* list = as<List>(target)) {
    for (const ExprPtr& element : list->elts) collect_places(*element, places);
  } else if (auto* starred = as<Starred>(target)) {
    collect_places(*starred->value, places);
  } else if (auto place = qualified_name(target); place && is<Attribute>(target)) {
    if (std::find(places.begin(), places.end(), *place) == places.end()) places.push_back(std::move(*place));
  }
}

void collect_places(const Block& block, std::vector<QualifiedName>& places) {
  for (const StmtPtr& stmt : block) {
    if (auto* assign = as<Assign>(stmt)) {
      for (const ExprPtr& target : assign->targets) collect_places(*target, places);
    } else if (auto* augmented = as<AugAssign>(stmt)) {
      collect_places(*augmented->target, places);
    } else if (auto* annotated = as<AnnAssign>(stmt); annotated && annotated->value) {
      collect_places(*annotated->target, places);
    } else if (auto* loop = as<For>(stmt)) {
      collect_places(*loop->target, places);
    } else if (auto* del = as<Delete>(stmt)) {
      for (const ExprPtr& target : del->targets) collect_places(*target, places);
    }
    if (is<FunctionDef>(*stmt) || is<ClassDef>(*stmt)) continue;
    for_each_block(static_cast<const Stmt&>(*stmt), [&](const Block& nested) { collect_places(nested, places); });
  }
}

}  // namespace

std::string QualifiedName::text() const {
  std::string result = root;
  for (const Selector& selector : selectors) {
    if (selector.kind == Selector::Kind::attribute) {
      result += "." + selector.text;
    } else {
      result += "[" + selector.text + "]";
    }
  }
  return result;
}

bool QualifiedName::may_be_within(const QualifiedName& other) const {
  const auto starts_with = [&](std::size_t count) { return root == other.root && std::equal(other.selectors.begin(), other.selectors.end(), selectors.begin(), selectors.begin() + static_cast<std::ptrdiff_t>(count)); };
  for (std::size_t count = 1; count < selectors.size(); ++count) {
    const Selector& last = selectors[count - 1];
    if (count == other.selectors.size() && starts_with(count)) return true;
    if (last.kind == Selector::Kind::attribute && !other.is_simple() && other.selectors.back() == last) return true;
  }
  return false;
}

ExprPtr QualifiedName::expression() const { return expression(name(root)); }

ExprPtr QualifiedName::expression(ExprPtr result) const {
  for (const Selector& selector : selectors) {
    if (selector.kind == Selector::Kind::attribute) {
      result = attribute(std::move(result), selector.text);
    } else {
      result = subscript(std::move(result), key_expression(selector.text));
    }
  }
  return result;
}

std::optional<QualifiedName> qualified_name(const Expr& expr) {
  if (auto* simple = as<Name>(expr)) return QualifiedName{simple->id};
  if (auto* attribute = as<Attribute>(expr)) {
    auto result = qualified_name(*attribute->value);
    if (result) result->selectors.push_back({Selector::Kind::attribute, attribute->attr});
    return result;
  }
  if (auto* item = as<Subscript>(expr)) {
    const auto key = literal_key(*item->slice);
    if (!key) return std::nullopt;
    auto result = qualified_name(*item->value);
    if (result) result->selectors.push_back({Selector::Kind::item, *key});
    return result;
  }
  return std::nullopt;
}

bool Bindings::is_local(const std::string& name) const {
  return !is_declared(name) && std::find(locals.begin(), locals.end(), name) != locals.end();
}

std::vector<std::string> parameter_names(const Parameters& parameters) {
  std::vector<std::string> names;
  for (const Parameter& parameter : parameters.posonly) names.push_back(parameter.name);
  for (const Parameter& parameter : parameters.args) names.push_back(parameter.name);
  if (parameters.vararg) names.push_back(parameters.vararg->name);
  for (const Parameter& parameter : parameters.kwonly) names.push_back(parameter.name);
  if (parameters.kwarg) names.push_back(parameters.kwarg->name);
  return names;
}

Bindings bindings_of(const Parameters& parameters, const Block& body) {
  Bindings bindings{parameter_names(parameters), {}, {}};
  Binder(bindings).block(body);
  return bindings;
}

std::vector<std::string> bound_names(const Expr& target) {
  std::vector<std::string> names;
  if (auto* simple = as<Name>(target)) names.push_back(simple->id);
  if (is<Tuple>(target) || is<List>(target) || is<Starred>(target)) {
    for_each_child(target, [&](const Expr& child) {
      for (std::string& name : bound_names(child)) names.push_back(std::move(name));
    });
  }
  return names;
}

std::vector<std::string> walrus_names(const Expr& expr) {
  std::vector<std::string> names;
  collect_walrus(expr, names);
  return names;
}

std::vector<QualifiedName> stored_places(const Block& block) {
  std::vector<QualifiedName> places;
  collect_places(block, places);
  return places;
}

}  // namespace lantern::analysis
