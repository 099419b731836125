// Two walks, as in CPython: the first collects what each scope binds and mentions; the second resolves the names from
// outside in.
//
//     def f(a):               f: a parameter, shared; b local; g free in nobody: global
//         b = [a for x in g]  listcomp: x local; a free
//
// The first iterable of a comprehension, defaults, annotations and decorators belong to the scope around; `:=` in a
// comprehension binds outside of it; what a class binds is invisible in the functions in it.
#include "frontend/analysis/scopes.h"

#include "frontend/walk.h"

namespace lantern::analysis {

using namespace syntax;

namespace {

// A scope before its names are resolved.
struct Mentions {
  Scope scope;
  std::vector<std::string> parameters = {};
  NameSet bound = {}, globals = {}, nonlocals = {}, read = {};
  std::vector<Mentions> inner = {};
};

class ScopeCollector {
 public:
  Mentions module(const Module& module) {
    Mentions top{Scope{ScopeKind::module, "", 0}};
    top_ = &top;
    const Bindings bindings = bindings_of({}, module.body);
    declare(top, bindings);
    within(top, [&] { block(module.body); });
    return top;
  }

 private:
  void declare(Mentions& mentions, const Bindings& bindings) {
    mentions.bound.insert(bindings.locals.begin(), bindings.locals.end());
    mentions.globals = bindings.globals;
    mentions.nonlocals = bindings.nonlocals;
    top_->read.insert(bindings.globals.begin(), bindings.globals.end());
    for (const NameSet* declared : {&mentions.globals, &mentions.nonlocals}) {
      mentions.read.insert(declared->begin(), declared->end());
      for (const std::string& name : *declared) mentions.bound.erase(name);
    }
  }

  template <class Work>
  void within(Mentions& mentions, Work work) {
    Mentions* outside = std::exchange(here_, &mentions);
    work();
    here_ = outside;
  }

  template <class Work>
  void inner(Mentions mentions, Work work) {
    within(mentions, work);
    here_->inner.push_back(std::move(mentions));
  }

  void block(const Block& statements) {
    for (const StmtPtr& stmt : statements) statement(*stmt);
  }

  void statement(const Stmt& stmt) {
    if (auto* def = as<FunctionDef>(stmt)) return function(*def, stmt.range.line);
    if (auto* type = as<ClassDef>(stmt)) return class_(*type, stmt.range.line);
    for_each_expression(stmt, [&](const Expr& expr) { expression(expr); });
    for_each_block(stmt, [&](const Block& nested) { block(nested); });
  }

  void function(const FunctionDef& def, int line) {
    for (const ExprPtr& decorator : def.decorator_list) expression(*decorator);
    header(def.parameters);
    if (def.returns) expression(*def.returns);
    Mentions mentions{Scope{ScopeKind::function, def.name, line}, parameter_names(def.parameters)};
    declare(mentions, bindings_of(def.parameters, def.body));
    inner(std::move(mentions), [&] { block(def.body); });
  }

  void class_(const ClassDef& type, int line) {
    for (const ExprPtr& decorator : type.decorator_list) expression(*decorator);
    for (const ExprPtr& base : type.bases) expression(*base);
    for (const Keyword& keyword : type.keywords) expression(*keyword.value);
    Mentions mentions{Scope{ScopeKind::class_, type.name, line}};
    declare(mentions, bindings_of({}, type.body));
    inner(std::move(mentions), [&] { block(type.body); });
  }

  void header(const Parameters& parameters) {
    const auto one = [&](const Parameter& parameter) {
      if (parameter.default_value) expression(*parameter.default_value);
      if (parameter.annotation) expression(*parameter.annotation);
    };
    for (const auto* group : {&parameters.posonly, &parameters.args, &parameters.kwonly}) {
      for (const Parameter& parameter : *group) one(parameter);
    }
    if (parameters.vararg) one(*parameters.vararg);
    if (parameters.kwarg) one(*parameters.kwarg);
  }

  void expression(const Expr& expr) {
    if (auto* name = as<Name>(expr)) {
      here_->read.insert(name->id);
      // `super()` is `super(__class__, self)`
      if (name->id == "super" && here_->scope.kind == ScopeKind::function) here_->read.insert("__class__");
    } else if (auto* lambda = as<Lambda>(expr)) {
      header(lambda->parameters);
      Mentions mentions{Scope{ScopeKind::lambda, "lambda", expr.range.line}, parameter_names(lambda->parameters)};
      mentions.bound.insert(mentions.parameters.begin(), mentions.parameters.end());
      for (const std::string& name : walrus_names(*lambda->body)) mentions.bound.insert(name);
      inner(std::move(mentions), [&] { expression(*lambda->body); });
    } else if (auto* comp = as<ListComp>(expr)) {
      comprehension("listcomp", expr.range.line, comp->generators, {&comp->elt});
    } else if (auto* comp = as<SetComp>(expr)) {
      comprehension("setcomp", expr.range.line, comp->generators, {&comp->elt});
    } else if (auto* comp = as<DictComp>(expr)) {
      comprehension("dictcomp", expr.range.line, comp->generators, {&comp->key, &comp->value});
    } else if (auto* comp = as<GeneratorExp>(expr)) {
      comprehension("genexpr", expr.range.line, comp->generators, {&comp->elt});
    } else {
      for_each_child(expr, [&](const Expr& child) { expression(child); });
    }
  }

  void comprehension(const char* name, int line, const std::vector<Comprehension>& generators,
                     std::vector<const ExprPtr*> results) {
    expression(*generators[0].iter);
    Mentions mentions{Scope{ScopeKind::comprehension, name, line}};
    for (const Comprehension& generator : generators) {
      for (const std::string& target : bound_names(*generator.target)) mentions.bound.insert(target);
    }
    inner(std::move(mentions), [&] {
      for (std::size_t i = 0; i < generators.size(); ++i) {
        if (i > 0) expression(*generators[i].iter);
        expression(*generators[i].target);
        for (const ExprPtr& condition : generators[i].ifs) expression(*condition);
      }
      for (const ExprPtr* result : results) expression(**result);
    });
  }

  Mentions* top_ = nullptr;
  Mentions* here_ = nullptr;
};

// Gives the names of a scope their meanings. `visible` are the variables of the functions around; returns the names that
// the scope and those in it leave to them.
NameSet resolve(Mentions& mentions, NameSet visible) {
  Scope& scope = mentions.scope;
  NameSet mentioned = mentions.read, free;
  mentioned.insert(mentions.bound.begin(), mentions.bound.end());
  for (const std::string& name : mentioned) {
    Meaning meaning = visible.count(name) ? Meaning::free : Meaning::global;
    if (mentions.bound.count(name)) meaning = Meaning::local;
    if (mentions.globals.count(name)) meaning = Meaning::declared;
    if (scope.kind == ScopeKind::module && meaning == Meaning::local) meaning = Meaning::global;
    scope.variables[name] = {meaning};
    if (meaning == Meaning::free) free.insert(name);
  }
  for (const std::string& name : mentions.parameters) scope.variables[name] = {Meaning::parameter};

  const bool is_class = scope.kind == ScopeKind::class_;
  if (!is_class && scope.kind != ScopeKind::module) {
    for (const std::string& name : mentions.bound) visible.insert(name);
    for (const std::string& name : mentions.globals) visible.erase(name);
  }
  if (is_class) visible.insert("__class__");
  for (Mentions& each : mentions.inner) {
    for (const std::string& name : resolve(each, visible)) {
      const auto found = scope.variables.find(name);
      const bool owner = !is_class && found != scope.variables.end() &&
                         (found->second.meaning == Meaning::local || found->second.meaning == Meaning::parameter);
      if (owner) {
        found->second.shared = true;
      } else if (!is_class || name != "__class__") {
        free.insert(name);
        if (found == scope.variables.end()) scope.variables[name] = {Meaning::free};
      }
    }
    scope.inner.push_back(std::move(each.scope));
  }
  return free;
}

}  // namespace

Scope scopes_of(const Module& module) {
  Mentions mentions = ScopeCollector().module(module);
  resolve(mentions, {});
  return std::move(mentions.scope);
}

}  // namespace lantern::analysis
