#include "frontend/passes/function.h"

#include <iterator>
#include <utility>

namespace lantern::passes {

using namespace syntax;

namespace {

// The first of base, base1, base2, … that `is_taken` does not know.
template <class IsTaken>
std::string numbered(const std::string& base, IsTaken is_taken) {
  std::string candidate = base;
  for (int number = 1; is_taken(candidate); ++number) candidate = base + std::to_string(number);
  return candidate;
}

// A decorator that is a plain name (`@property`, `@np.vectorize`) is left as it reads.
bool is_dotted_name(const Expr& expr) {
  if (is<Name>(expr)) return true;
  auto* attribute = as<Attribute>(expr);
  return attribute && is_dotted_name(*attribute->value);
}

// What a stored-to expression evaluates: `a` and `i` in `a[i]`.
void for_each_load_in_target(ExprPtr& target, const std::function<void(ExprPtr&)>& visit) {
  if (!target || is<Name>(*target)) return;
  const bool nests = is<Tuple>(*target) || is<List>(*target) || is<Starred>(*target);
  for_each_child(*target, [&](ExprPtr& child) { nests ? for_each_load_in_target(child, visit) : visit(child); });
}

bool makes_a_lambda(const Expr& expr) {
  bool found = is<Lambda>(expr);
  for_each_child(expr, [&](const Expr& child) { found = found || makes_a_lambda(child); });
  return found;
}

void rewrite_block(Block& block, const std::function<Block(StmtPtr)>& rewrite) {
  Block result;
  result.reserve(block.size());
  for (StmtPtr& stmt : block) {
    if (!is<FunctionDef>(*stmt) && !is<ClassDef>(*stmt)) {
      for_each_block(*stmt, [&](Block& nested) { rewrite_block(nested, rewrite); });
    }
    Block replaced = rewrite(std::move(stmt));
    std::move(replaced.begin(), replaced.end(), std::back_inserter(result));
  }
  if (result.empty() && !block.empty()) result.push_back(pass());
  block = std::move(result);
}

void rewrite_loads_of(Function& function, Block& block, const std::function<void(ExprPtr&)>& visit) {
  for (StmtPtr& stmt : block) {
    for_each_load(*stmt, [&](ExprPtr& expr) { rewrite_loads(function, expr, visit); });
    if (is<FunctionDef>(*stmt) || is<ClassDef>(*stmt)) continue;
    for_each_block(*stmt, [&](Block& nested) { rewrite_loads_of(function, nested, visit); });
  }
}

}  // namespace

std::string Function::variable(const std::string& base) {
  std::string name = numbered(base, [&](const std::string& candidate) {
    return file.used.count(candidate) || ours.count(candidate);
  });
  ours.insert(name);
  return name;
}

std::string Function::local_name(const std::string& base) const {
  return numbered(base, [&](const std::string& candidate) { return file.used.count(candidate) > 0; });
}

const std::string& Function::into() const {
  return role == Role::generator ? def.parameters.posonly[0].name : def.parameters.args[1].name;
}

ExprPtr Function::place(const Range& at) const { return tuple(list_of<ExprPtr>(number(at.line), number(at.column))); }

ExprPtr Function::placeless(const std::string& name, std::vector<ExprPtr> arguments, const Range& at) const {
  ExprPtr result = call(attribute(syntax::name(operators), name), std::move(arguments));
  inherit(result, at);
  return result;
}

ExprPtr Function::operation(const std::string& name, std::vector<ExprPtr> arguments, const Range& at) const {
  arguments.push_back(place(at));
  return placeless(name, std::move(arguments), at);
}

Block Function::note_of_store(const std::string& id, const Range& at) const {
  // The nonlocals of a function that a pass has made are the variables of the function around it, which carries them as state.
  if (role == Role::user || role == Role::generator ? !bindings.is_declared(id) : !bindings.globals.count(id)) return {};
  const bool is_global = bindings.globals.count(id);
  auto arguments = is_global ? list_of<ExprPtr>(string(id)) : list_of<ExprPtr>(string(id), thunk(name(id)));  // whose cell is the variable
  return list_of<StmtPtr>(expr_stmt(operation(is_global ? "stored_global" : "stored_nonlocal", std::move(arguments), at)));
}

bool Function::is_operator(const Expr& callee) const {
  auto* member = as<Attribute>(callee);
  auto* module = member ? as<Name>(member->value) : nullptr;
  return module && module->id == operators;
}

bool Function::is_plain_choice(const Expr& expr) const {
  auto* choice = as<IfExp>(expr);
  auto* test = choice ? as<Call>(choice->test) : nullptr;
  return test && is_operator(*test->func) && as<Attribute>(test->func)->attr == "plain";
}

Block declarations_of(const Function& function, const std::vector<std::string>& bound) {
  const NameSet each(bound.begin(), bound.end());
  std::vector<std::string> globals, nonlocals;
  for (const std::string& id : each) (function.bindings.globals.count(id) ? globals : nonlocals).push_back(id);
  Block result;
  if (!globals.empty()) result.push_back(make(Global{std::move(globals)}));
  if (!nonlocals.empty()) result.push_back(nonlocal_(std::move(nonlocals)));
  return result;
}

ExprPtr thunk(ExprPtr body) {
  const Range range = body->range;
  ExprPtr result = lambda({}, std::move(body));
  result->range = range;
  return result;
}

bool may_be_delayed(const Expr& expr) { return analysis::walrus_names(expr).empty(); }

bool is_constant(const Expr& expr) {
  if (is<Number>(expr) || is<Constant>(expr)) return true;
  auto* string = as<String>(expr);
  return string && !string->is_formatted();
}

void for_each_load(Stmt& stmt, const std::function<void(ExprPtr&)>& visit) {
  const auto each = [&](ExprPtr& expr) {
    if (expr) visit(expr);
  };
  const auto target = [&](ExprPtr& expr) { for_each_load_in_target(expr, visit); };
  const auto defaults = [&](std::vector<Parameter>& parameters) {
    for (Parameter& parameter : parameters) each(parameter.default_value);
  };
  const auto decorators = [&](std::vector<ExprPtr>& list) {
    for (ExprPtr& decorator : list) {
      if (!is_dotted_name(*decorator)) visit(decorator);
    }
  };
  match(
      stmt,
      [&](FunctionDef& node) {
        decorators(node.decorator_list);
        defaults(node.parameters.posonly);
        defaults(node.parameters.args);
        defaults(node.parameters.kwonly);
      },
      [&](ClassDef& node) {
        decorators(node.decorator_list);
        for (ExprPtr& base : node.bases) visit(base);
        for (Keyword& keyword : node.keywords) visit(keyword.value);
      },
      [&](Return& node) { each(node.value); },
      [&](Delete& node) {
        for (ExprPtr& expr : node.targets) target(expr);
      },
      [&](Assign& node) {
        each(node.value);
        for (ExprPtr& expr : node.targets) target(expr);
      },
      [&](AugAssign& node) { target(node.target), each(node.value); },
      [&](AnnAssign& node) { each(node.value), target(node.target); },
      [&](For& node) { each(node.iter), target(node.target); }, [&](While& node) { each(node.test); },
      [&](If& node) { each(node.test); },
      [&](With& node) {
        for (WithItem& item : node.items) each(item.context_expr), target(item.optional_vars);
      },
      [&](Match& node) {
        each(node.subject);
        for (MatchCase& one : node.cases) each(one.guard);
      },
      [&](Raise& node) { each(node.exc), each(node.cause); },
      [&](Try& node) {
        for (ExceptHandler& handler : node.handlers) each(handler.type);
      },
      [&](Assert& node) { each(node.test), each(node.msg); }, [](Import&) {}, [](ImportFrom&) {}, [](Global&) {},
      [](Nonlocal&) {}, [&](ExprStmt& node) { each(node.value); }, [](Pass&) {}, [](Break&) {}, [](Continue&) {});
}

void rewrite_loads(const Function& function, ExprPtr& expr, const std::function<void(ExprPtr&)>& visit) {
  const auto inside = [&](ExprPtr& child) {
    if (child) rewrite_loads(function, child, visit);
  };
  const auto comprehension = [&](std::vector<Comprehension>& generators) {
    for (Comprehension& generator : generators) {
      inside(generator.iter);
      for (ExprPtr& condition : generator.ifs) inside(condition);
    }
  };
  if (function.is_plain_choice(*expr)) {
    auto* choice = as<IfExp>(expr);
    if (makes_a_lambda(*choice->body)) inside(choice->body);
    inside(choice->orelse);
    return;
  }
  if (auto* named = as<NamedExpr>(expr)) {
    inside(named->value);
  } else if (auto* comp = as<ListComp>(expr)) {
    comprehension(comp->generators), inside(comp->elt);
  } else if (auto* comp = as<SetComp>(expr)) {
    comprehension(comp->generators), inside(comp->elt);
  } else if (auto* comp = as<DictComp>(expr)) {
    comprehension(comp->generators), inside(comp->key), inside(comp->value);
  } else if (auto* comp = as<GeneratorExp>(expr)) {
    comprehension(comp->generators), inside(comp->elt);
  } else if (auto* operation = as<Call>(expr); operation && function.is_operator(*operation->func)) {
    for (ExprPtr& argument : operation->args) inside(argument);
    for (Keyword& keyword : operation->keywords) inside(keyword.value);
  } else {
    for_each_child(*expr, inside);
  }
  visit(expr);
}

void rewrite_loads(Function& function, const std::function<void(ExprPtr&)>& visit) {
  rewrite_loads_of(function, function.def.body, visit);
}

void rewrite_statements(Function& function, const std::function<Block(StmtPtr)>& rewrite) {
  rewrite_block(function.def.body, rewrite);
}

bool is_users_definition(const Function& function, const Stmt& stmt) {
  auto* def = as<FunctionDef>(stmt);
  return is<ClassDef>(stmt) || (def && function.file.used.count(def->name));
}

void prepend(Block& body, Block statements) {
  auto at = body.begin();
  if (at != body.end()) {
    auto* first = as<ExprStmt>(*at);
    auto* docstring = first ? as<String>(first->value) : nullptr;
    if (docstring && !docstring->is_formatted() && !docstring->is_bytes()) ++at;
  }
  while (at != body.end() && (is<Global>(**at) || is<Nonlocal>(**at))) ++at;
  body.insert(at, std::make_move_iterator(statements.begin()), std::make_move_iterator(statements.end()));
}

}  // namespace lantern::passes
