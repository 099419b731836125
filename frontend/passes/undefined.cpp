//     if c:
//         x = 1
//     print(x)
// becomes (the `if` is the business of if.cpp)
//     x = ag__.Undefined('x')
//     if c:
//         x = 1
//     print(ag__.ld(x))
//
// `ld` raises what Python would for a variable without a value. `del x` of a variable that several functions of
// ours share becomes an assignment of Undefined.
#include "frontend/passes/state.h"

#include <algorithm>
#include <utility>

namespace lantern::passes {

using namespace analysis;
using namespace syntax;

namespace {

class Guards {
 public:
  Guards(const Function& function, NameSet names) : function_(function), names_(std::move(names)) {}

  // Wraps reads of the names; inner scopes that bind one hide it.
  void expression(ExprPtr& expr) {
    if (!expr) return;
    if (auto* read = as<Name>(expr)) {
      if (!names_.count(read->id)) return;
      const Range at = expr->range;
      std::vector<ExprPtr> arguments = list_of<ExprPtr>(std::move(expr));
      if (!from_.empty()) arguments.push_back(string(from_));
      expr = function_.placeless("ld", std::move(arguments), at);
    } else if (auto* lambda = as<Lambda>(expr)) {
      parameters(lambda->parameters);
      const auto body = [&] { without(parameter_names(lambda->parameters), [&] { expression(lambda->body); }); };
      lambdas_are_users_ ? inside("closure", body) : body();
    } else if (is_users_lambda(*expr)) {
      inside("closure", [&] { expression(as<Call>(expr)->args[0]); });
    } else if (auto* comp = as<ListComp>(expr)) {
      comprehension("comprehension", comp->generators, {&comp->elt});
    } else if (auto* comp = as<SetComp>(expr)) {
      comprehension("comprehension", comp->generators, {&comp->elt});
    } else if (auto* comp = as<DictComp>(expr)) {
      comprehension("comprehension", comp->generators, {&comp->key, &comp->value});
    } else if (auto* comp = as<GeneratorExp>(expr)) {
      comprehension("closure", comp->generators, {&comp->elt});
    } else if (auto* named = as<NamedExpr>(expr)) {
      expression(named->value);
    } else if (!is_load_of_undefined(*expr)) {
      for_each_child(*expr, [&](ExprPtr& child) { expression(child); });
    }
  }

  void function_body(FunctionDef& def) {
    const Bindings bindings = bindings_of(def.parameters, def.body);
    std::vector<std::string> bound = bindings.locals;
    bound.insert(bound.end(), bindings.globals.begin(), bindings.globals.end());
    bound.erase(std::remove_if(bound.begin(), bound.end(), [&](const auto& name) { return bindings.nonlocals.count(name); }),
                bound.end());
    const bool ours = function_.ours.count(def.name) > 0;
    const bool outside = std::exchange(lambdas_are_users_, ours);  // its own conversion is still to come
    inside(ours ? "" : "closure", [&] { without(bound, [&] { statements(def.body); }); });
    lambdas_are_users_ = outside;
  }

  void class_body(ClassDef& def) {
    const Bindings bindings = bindings_of({}, def.body);
    const NameSet methods_see = names_;
    const bool outside = std::exchange(lambdas_are_users_, true);  // what stands in a class is not converted
    for (StmtPtr& stmt : def.body) {
      if (auto* method = as<FunctionDef>(stmt)) {
        names_ = methods_see;
        function_body(*method);
      } else {
        inside("closure", [&] { without(bindings.locals, [&] { statement(*stmt); }); });
      }
    }
    names_ = methods_see;
    lambdas_are_users_ = outside;
  }

  void parameters(Parameters& all) {
    for (auto* group : {&all.posonly, &all.args, &all.kwonly}) {
      for (Parameter& parameter : *group) expression(parameter.default_value);
    }
  }

 private:
  bool is_call_of(const char* operation, const Expr& expr) const {
    auto* call = as<Call>(expr);
    return call && function_.is_operator(*call->func) && as<Attribute>(call->func)->attr == operation;
  }
  bool is_load_of_undefined(const Expr& expr) const { return is_call_of("ld", expr); }
  bool is_users_lambda(const Expr& expr) const { return is_call_of("converted_lambda", expr); }

  // Python says of what kind of function it is that reads a variable without a value.
  void inside(const char* kind, const std::function<void()>& work) {
    const std::string outside = std::exchange(from_, from_ == "closure" ? from_ : kind);
    work();
    from_ = outside;
  }

  void without(const std::vector<std::string>& bound, const std::function<void()>& work) {
    NameSet outside = names_;
    for (const std::string& name : bound) names_.erase(name);
    if (!names_.empty()) work();
    names_ = std::move(outside);
  }

  void comprehension(const char* kind, std::vector<Comprehension>& generators, std::vector<ExprPtr*> results) {
    expression(generators[0].iter);
    std::vector<std::string> bound;
    for (const Comprehension& generator : generators) {
      for (std::string& name : bound_names(*generator.target)) bound.push_back(std::move(name));
    }
    inside(kind, [&] { without(bound, [&] {
      for (std::size_t i = 0; i < generators.size(); ++i) {
        if (i > 0) expression(generators[i].iter);
        for (ExprPtr& condition : generators[i].ifs) expression(condition);
      }
      for (ExprPtr* result : results) expression(*result);
    }); });
  }

  void statements(Block& block) {
    Block guarded;
    for (StmtPtr& stmt : block) {
      auto* augmented = as<AugAssign>(stmt);  // `n += 1` of a nonlocal reads it first
      auto* target = augmented ? as<Name>(augmented->target) : nullptr;
      if (target && names_.count(target->id)) {
        ExprPtr read = name(target->id);
        inherit(read, augmented->target->range);
        expression(read);
        guarded.push_back(expr_stmt(std::move(read)));
        inherit(guarded.back(), stmt->range);
      }
      statement(*stmt);
      guarded.push_back(std::move(stmt));
    }
    block = std::move(guarded);
  }

  void statement(Stmt& stmt) {
    for_each_load(stmt, [&](ExprPtr& expr) { expression(expr); });
    if (auto* inner = as<FunctionDef>(stmt)) return function_body(*inner);
    if (auto* inner = as<ClassDef>(stmt)) return class_body(*inner);
    for_each_block(stmt, [&](Block& block) { statements(block); });
  }

  const Function& function_;
  NameSet names_;
  bool lambdas_are_users_ = false;  // those that passes have not been at yet; else they are ours
  std::string from_;  // "closure", "comprehension", or "" in the function's own code
};

// The expressions of one node of the graph.
void for_each_load_of(const Node& node, Stmt& stmt, const std::function<void(ExprPtr&)>& visit) {
  auto* choice = as<Match>(stmt);
  if (node.part == Part::subject) {
    visit(choice->subject);
  } else if (node.part == Part::guard) {
    visit(choice->cases[node.index].guard);
  } else if (node.part == Part::handler) {
    if (as<Try>(stmt)->handlers[node.index].type) visit(as<Try>(stmt)->handlers[node.index].type);
  } else if (node.part == Part::statement || node.part == Part::test || node.part == Part::iterable ||
             node.part == Part::items) {
    for_each_load(stmt, visit);
  }
}

using NodeNumbers = std::map<const Stmt*, int>;

NodeNumbers numbers_of(const ControlFlow& flow) {
  NodeNumbers node_of;
  for (std::size_t i = 0; i < flow.graph.nodes.size(); ++i) node_of[flow.graph.nodes[i].stmt] = static_cast<int>(i);
  return node_of;
}

// `ag__.ld(x)` as a statement, where x certainly has a value.
void drop_needless_checks(Function& function, const ControlFlow& flow, const NodeNumbers& node_of) {
  rewrite_statements(function, [&](StmtPtr stmt) {
    auto* node = as<ExprStmt>(*stmt);
    auto* check = node ? as<Call>(node->value) : nullptr;
    const bool is_check = check && function.is_operator(*check->func) && as<Attribute>(check->func)->attr == "ld";
    auto* read = is_check ? as<Name>(check->args[0]) : nullptr;
    const bool needless = read && function.bindings.is_local(read->id) &&
                          !flow.reaching->may_be_undefined(node_of.at(stmt.get()), read->id);
    return needless ? Block{} : list_of<StmtPtr>(std::move(stmt));
  });
}

void delete_shared(Function& function, const ControlFlow& flow, const NameSet& shared, const NodeNumbers& node_of) {
  rewrite_statements(function, [&](StmtPtr stmt) {
    auto* node = as<Delete>(*stmt);
    auto* target = node ? as<Name>(node->targets[0]) : nullptr;
    if (!target || !shared.count(target->id)) return list_of<StmtPtr>(std::move(stmt));
    const Range at = stmt->range;
    Block result;
    if (flow.reaching->may_be_undefined(node_of.at(stmt.get()), target->id)) {
      result.push_back(expr_stmt(function.placeless("ld", list_of<ExprPtr>(name(target->id)), at)));
    }
    result.push_back(assign(name(target->id), function.placeless("Undefined", list_of<ExprPtr>(string(target->id)), at)));
    inherit(result, at);
    return result;
  });
}

}  // namespace

void guard_reads(const Function& function, ExprPtr& expr, NameSet names) { Guards(function, std::move(names)).expression(expr); }

void guard_undefined(Function& function, const ControlFlow& flow) {
  NameSet shared, deleted, undefined = flow.maybe_undefined;
  for (const auto& [stmt, state] : flow.statements) shared.insert(state.shared.begin(), state.shared.end());
  for (const Node& node : flow.graph.nodes) {
    auto* removal = node.part == Part::statement ? as<Delete>(*node.stmt) : nullptr;
    if (!removal) continue;
    for (const std::string& name : bound_names(*removal->targets[0])) {
      if ((shared.count(name) || undefined.count(name)) && function.bindings.is_local(name)) deleted.insert(name);
    }
  }
  undefined.insert(deleted.begin(), deleted.end());

  for (std::size_t i = 0; i < flow.graph.nodes.size(); ++i) {
    const Node& node = flow.graph.nodes[i];
    if (!node.stmt) continue;
    NameSet names;
    for (const NameSet* used : {&flow.uses[i].reads, &flow.uses[i].captured}) {
      for (const std::string& name : *used) {
        const bool later = used == &flow.uses[i].captured && deleted.count(name);
        if (undefined.count(name) && (later || flow.reaching->may_be_undefined(static_cast<int>(i), name))) names.insert(name);
      }
    }
    if (names.empty()) continue;
    Guards guards(function, std::move(names));
    Stmt& stmt = const_cast<Stmt&>(*node.stmt);  // the function's own, which the graph only points into
    for_each_load_of(node, stmt, [&](ExprPtr& expr) { guards.expression(expr); });
    if (auto* inner = as<FunctionDef>(stmt)) {
      for (ExprPtr& decorator : inner->decorator_list) guards.expression(decorator);
      guards.function_body(*inner);
    }
    if (auto* inner = as<ClassDef>(stmt)) {
      for_each_expression(stmt, [&](ExprPtr& expr) { guards.expression(expr); });
      guards.class_body(*inner);
    }
  }
  const NodeNumbers node_of = numbers_of(flow);
  drop_needless_checks(function, flow, node_of);
  delete_shared(function, flow, undefined, node_of);
}

}  // namespace lantern::passes
