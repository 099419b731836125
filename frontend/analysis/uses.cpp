// One walk with a stack of the scopes between the node and the name: comprehensions, lambdas, nested functions and
// classes bind names of their own; what no scope on the stack binds is the function's (or lies further out).
//
//     total = sum(x * k for x in xs)      reads: xs    writes: total    captured: k
#include "frontend/analysis/uses.h"

#include "frontend/walk.h"

namespace lantern::analysis {

using namespace syntax;

namespace {

enum class BindingScopeKind { function, comprehension, class_ };

struct BindingScope {
  BindingScopeKind kind;
  NameSet bound;
};

class Collector {
 public:
  Collector(Uses& uses, std::string_view operators) : uses_(uses), operators_(operators) {}

  void expression(const ExprPtr& expr) {
    if (expr) expression(*expr);
  }

  void expression(const Expr& expr) {
    if (auto* name = as<Name>(expr)) return read(name->id, true);
    if (auto* call = as<Call>(expr)) {
      if (auto* callee = called_name(*call)) {
        read(callee->id, false);
        for (const ExprPtr& argument : call->args) expression(argument);
        for (const Keyword& keyword : call->keywords) expression(keyword.value);
        return;
      }
    }
    if (auto* named = as<NamedExpr>(expr)) return walrus(*named);
    if (auto* lambda = as<Lambda>(expr)) return function(lambda->parameters, *lambda->body, true);
    if (auto* comp = as<ListComp>(expr)) return comprehension(comp->generators, {&comp->elt}, false);
    if (auto* comp = as<SetComp>(expr)) return comprehension(comp->generators, {&comp->elt}, false);
    if (auto* comp = as<DictComp>(expr)) return comprehension(comp->generators, {&comp->key, &comp->value}, false);
    if (auto* comp = as<GeneratorExp>(expr)) return comprehension(comp->generators, {&comp->elt}, true);
    if (is_immediate_operator(expr)) return immediate(*as<Call>(expr));
    const bool lazy = is<BoolOp>(expr) || is<IfExp>(expr) || is<Compare>(expr);
    bool first = true;
    for_each_child(expr, [&](const Expr& child) {
      const bool conditional = lazy && !first;
      first = false;
      conditional_ += conditional;
      expression(child);
      conditional_ -= conditional;
    });
  }

  // An expression that may not be evaluated.
  void perhaps(const ExprPtr& expr) {
    ++conditional_;
    expression(expr);
    --conditional_;
  }

  // An expression that is stored to.
  void target(const ExprPtr& expr) {
    if (expr) target(*expr);
  }

  void target(const Expr& expr) {
    if (auto* name = as<Name>(expr)) return write(name->id);
    const bool nests = is<Tuple>(expr) || is<List>(expr) || is<Starred>(expr);
    for_each_child(expr, [&](const Expr& child) { nests ? target(child) : expression(child); });
  }

  void write(const std::string& name) {
    if (find(name)) return;
    (closures_ || conditional_ ? uses_.may_write : uses_.writes).insert(name);
    if (closures_) uses_.captured.insert(name);
  }

  void nested(const FunctionDef& node) {
    header(node);
    write(node.name);
    body(node);
  }

  // What runs where the function is defined.
  void header(const FunctionDef& node) {
    for (const ExprPtr& decorator : node.decorator_list) expression(decorator);
    expression(node.returns);
    defaults_and_annotations(node.parameters);
  }

  // What runs when the function is called.
  void body(const FunctionDef& node) {
    enter(BindingScopeKind::function, bindings_of(node.parameters, node.body), node.body, 1);
  }

  void nested(const ClassDef& node) {
    for (const ExprPtr& decorator : node.decorator_list) expression(decorator);
    for (const ExprPtr& base : node.bases) expression(base);
    for (const Keyword& keyword : node.keywords) expression(keyword.value);
    enter(BindingScopeKind::class_, bindings_of({}, node.body), node.body, 0);
    write(node.name);
  }

  void function(const Parameters& parameters, const Expr& result, bool is_closure) {
    defaults_and_annotations(parameters);
    body(parameters, result, is_closure);
  }

  void body(const Parameters& parameters, const Expr& result, bool is_closure) {
    NameSet bound;
    for (const std::string& name : parameter_names(parameters)) bound.insert(name);
    for (const std::string& name : walrus_names(result)) bound.insert(name);
    scopes_.push_back({BindingScopeKind::function, std::move(bound)});
    closures_ += is_closure;
    expression(result);
    closures_ -= is_closure;
    scopes_.pop_back();
  }

 private:
  // Class scopes are invisible from the functions and comprehensions in them.
  bool find(const std::string& name) const {
    bool inside_function = false;
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
      const bool visible = scope->kind != BindingScopeKind::class_ || !inside_function;
      if (visible && scope->bound.count(name)) return true;
      inside_function = inside_function || scope->kind != BindingScopeKind::class_;
    }
    return false;
  }

  void read(const std::string& name, bool as_value) {
    if (find(name)) return;
    (closures_ ? uses_.captured : uses_.reads).insert(name);
    if (as_value) uses_.as_value.insert(name);
  }

  // The `f` of `f(x)`, or of what that is converted to, `ag__.callee(f, …)(x)`.
  const Name* called_name(const Call& call) const {
    if (auto* direct = as<Name>(call.func)) return direct;
    auto* converted = as<Call>(call.func);
    auto* callee = converted ? as<Attribute>(converted->func) : nullptr;
    auto* module = callee ? as<Name>(callee->value) : nullptr;
    return module && module->id == operators_ && callee->attr == "callee" ? as<Name>(converted->args[0]) : nullptr;
  }

  // Binds outside every comprehension around it.
  void walrus(const NamedExpr& named) {
    expression(named.value);
    std::vector<BindingScope> inner;
    while (!scopes_.empty() && scopes_.back().kind == BindingScopeKind::comprehension) {
      inner.push_back(std::move(scopes_.back()));
      scopes_.pop_back();
    }
    target(named.target);
    for (; !inner.empty(); inner.pop_back()) scopes_.push_back(std::move(inner.back()));
  }

  bool is_immediate_operator(const Expr& expr) const {
    auto* call = as<Call>(expr);
    auto* callee = call ? as<Attribute>(call->func) : nullptr;
    auto* module = callee ? as<Name>(callee->value) : nullptr;
    return module && module->id == operators_ && callee->attr != "converted_lambda";
  }

  void immediate(const Call& call) {
    for (const ExprPtr& argument : call.args) {
      if (auto* lambda = as<Lambda>(argument)) {
        function(lambda->parameters, *lambda->body, false);
      } else if (auto* pair = as<Tuple>(argument)) {  // compare_chain's ('<', lambda: b)
        for (const ExprPtr& element : pair->elts) {
          auto* lazy = as<Lambda>(element);
          lazy ? function(lazy->parameters, *lazy->body, false) : expression(element);
        }
      } else {
        expression(argument);
      }
    }
    for (const Keyword& keyword : call.keywords) expression(keyword.value);
  }

  void comprehension(const std::vector<Comprehension>& generators, std::vector<const ExprPtr*> results, bool is_closure) {
    expression(generators[0].iter);
    NameSet bound;
    for (const Comprehension& generator : generators) {
      for (const std::string& name : bound_names(*generator.target)) bound.insert(name);
    }
    scopes_.push_back({BindingScopeKind::comprehension, std::move(bound)});
    closures_ += is_closure;
    ++conditional_;  // it may run for no element
    bool first = true;
    for (const Comprehension& generator : generators) {
      if (!std::exchange(first, false)) expression(generator.iter);
      target(generator.target);
      for (const ExprPtr& condition : generator.ifs) expression(condition);
    }
    for (const ExprPtr* result : results) expression(*result);
    --conditional_;
    closures_ -= is_closure;
    scopes_.pop_back();
  }

  void defaults_and_annotations(const Parameters& parameters) {
    const auto visit = [&](const Parameter& parameter) {
      expression(parameter.default_value);
      expression(parameter.annotation);
    };
    for (const Parameter& parameter : parameters.posonly) visit(parameter);
    for (const Parameter& parameter : parameters.args) visit(parameter);
    if (parameters.vararg) visit(*parameters.vararg);
    for (const Parameter& parameter : parameters.kwonly) visit(parameter);
    if (parameters.kwarg) visit(*parameters.kwarg);
  }

  void enter(BindingScopeKind kind, const Bindings& bindings, const Block& body, int closures) {
    NameSet bound(bindings.locals.begin(), bindings.locals.end());
    bound.insert(bindings.globals.begin(), bindings.globals.end());  // not the enclosing function's
    for (const std::string& name : bindings.nonlocals) bound.erase(name);
    scopes_.push_back({kind, std::move(bound)});
    closures_ += closures;
    for (const std::string& name : bindings.nonlocals) {
      ++conditional_;
      write(name);
      --conditional_;
    }
    statements(body);
    closures_ -= closures;
    scopes_.pop_back();
  }

  // Statements of a nested function or class: a stored name is either bound there, or declared nonlocal and
  // counted already, so that reading it as well does no harm.
  void statements(const Block& body) {
    for (const StmtPtr& stmt : body) {
      if (auto* inner = as<FunctionDef>(stmt)) {
        nested(*inner);
      } else if (auto* inner = as<ClassDef>(stmt)) {
        nested(*inner);
      } else {
        if (auto* node = as<AugAssign>(stmt)) expression(node->target);
        for_each_expression(static_cast<const Stmt&>(*stmt), [&](const Expr& expr) { expression(expr); });
        for_each_block(static_cast<const Stmt&>(*stmt), [&](const Block& block) { statements(block); });
      }
    }
  }

  Uses& uses_;
  std::string_view operators_;
  std::vector<BindingScope> scopes_;
  int closures_ = 0;
  int conditional_ = 0;
};

std::string bound_by(const Alias& alias) {
  return alias.asname.empty() ? alias.name.substr(0, alias.name.find('.')) : alias.asname;
}

void simple_statement(const Stmt& stmt, Uses& uses, Collector& collect) {
  if (auto* node = as<FunctionDef>(stmt)) return collect.nested(*node);
  if (auto* node = as<ClassDef>(stmt)) return collect.nested(*node);
  if (auto* node = as<Assign>(stmt)) {
    collect.expression(node->value);
    for (const ExprPtr& target : node->targets) collect.target(target);
  } else if (auto* node = as<AugAssign>(stmt)) {
    collect.expression(node->target);
    collect.expression(node->value);
    collect.target(node->target);
  } else if (auto* node = as<AnnAssign>(stmt)) {
    collect.expression(node->value);
    if (node->value || !is<Name>(*node->target)) collect.target(node->target);
  } else if (auto* node = as<Delete>(stmt)) {
    for (const ExprPtr& target : node->targets) {
      for (const std::string& name : bound_names(*target)) {
        uses.reads.insert(name);  // deleting an unbound name raises
        uses.deletes.insert(name);
      }
      if (!is<Name>(*target)) {
        for_each_child(static_cast<const Expr&>(*target), [&](const Expr& child) { collect.expression(child); });
      }
    }
  } else if (auto* node = as<Assert>(stmt)) {
    collect.expression(node->test);
    collect.perhaps(node->msg);
  } else if (auto* node = as<Import>(stmt)) {
    for (const Alias& alias : node->names) collect.write(bound_by(alias));
  } else if (auto* node = as<ImportFrom>(stmt)) {
    for (const Alias& alias : node->names) collect.write(bound_by(alias));
  } else {
    for_each_expression(stmt, [&](const Expr& expr) { collect.expression(expr); });
  }
}

}  // namespace

Uses uses_of(const Node& node, std::string_view operators) {
  Uses uses;
  Collector collect(uses, operators);
  switch (node.part) {
    case Part::statement: simple_statement(*node.stmt, uses, collect); break;
    case Part::test:
      if (auto* branch = as<If>(*node.stmt)) collect.expression(branch->test);
      if (auto* loop = as<While>(*node.stmt)) collect.expression(loop->test);
      break;
    case Part::iterable: collect.expression(as<For>(*node.stmt)->iter); break;
    case Part::target: collect.target(as<For>(*node.stmt)->target); break;
    case Part::items:
      for (const WithItem& item : as<With>(*node.stmt)->items) {
        collect.expression(item.context_expr);
        collect.target(item.optional_vars);
      }
      break;
    case Part::subject: collect.expression(as<Match>(*node.stmt)->subject); break;
    case Part::pattern: {
      PatternPtr pattern = clone(as<Match>(*node.stmt)->cases[node.index].pattern);
      for_each_expression(*pattern, [&](ExprPtr& expr) { collect.expression(expr); });
      break;
    }
    case Part::captures:
      for (const std::string& name : captured_names(*as<Match>(*node.stmt)->cases[node.index].pattern)) collect.write(name);
      break;
    case Part::guard: collect.expression(as<Match>(*node.stmt)->cases[node.index].guard); break;
    case Part::handler: {
      const ExceptHandler& handler = as<Try>(*node.stmt)->handlers[node.index];
      collect.expression(handler.type);
      if (!handler.name.empty()) uses.writes.insert(handler.name);
      break;
    }
    case Part::handler_end: uses.deletes.insert(as<Try>(*node.stmt)->handlers[node.index].name); break;
    case Part::entry:
    case Part::exit:
    case Part::head:
    case Part::element:
    case Part::with_exit:
    case Part::handlers:
    case Part::finally: break;
  }
  return uses;
}

Uses uses_of_body(const FunctionDef& function) {
  Uses uses;
  Collector(uses, "").body(function);
  return uses;
}

Uses uses_of_header(const FunctionDef& function) {
  Uses uses;
  Collector(uses, "").header(function);
  return uses;
}

NameSet free_names(const FunctionDef& function) { return uses_of_body(function).captured; }

NameSet free_names(const Lambda& lambda) {
  Uses uses;
  Collector(uses, "").body(lambda.parameters, *lambda.body, true);
  return uses.captured;
}

}  // namespace lantern::analysis
