#include "frontend/walk.h"

#include "support/deep_stack.h"

namespace lantern::syntax {

namespace {

using Visit = std::function<void(ExprPtr&)>;

void each(ExprPtr& expr, const Visit& visit) {
  if (expr) visit(expr);
}

void each(std::vector<ExprPtr>& exprs, const Visit& visit) {
  for (ExprPtr& expr : exprs) each(expr, visit);
}

void each(std::vector<Keyword>& keywords, const Visit& visit) {
  for (Keyword& keyword : keywords) each(keyword.value, visit);
}

void each(std::vector<Comprehension>& generators, const Visit& visit) {
  for (Comprehension& generator : generators) {
    each(generator.iter, visit);
    each(generator.target, visit);
    each(generator.ifs, visit);
  }
}

void each(std::vector<StringPart>& parts, const Visit& visit) {
  for (StringPart& part : parts) {
    each(part.value, visit);
    each(part.format_spec, visit);
  }
}

template <class Use>
void for_each_parameter(Parameters& parameters, Use use) {
  for (Parameter& parameter : parameters.posonly) use(parameter);
  for (Parameter& parameter : parameters.args) use(parameter);
  if (parameters.vararg) use(*parameters.vararg);
  for (Parameter& parameter : parameters.kwonly) use(parameter);
  if (parameters.kwarg) use(*parameters.kwarg);
}

void each(Parameters& parameters, const Visit& visit) {
  for_each_parameter(parameters, [&](Parameter& parameter) { each(parameter.default_value, visit); });
  for_each_parameter(parameters, [&](Parameter& parameter) { each(parameter.annotation, visit); });
}

void collect_names(const Pattern& pattern, std::vector<std::string>& names) {
  const auto add = [&](const std::string& name) {
    if (!name.empty()) names.push_back(name);
  };
  const auto all = [&](const std::vector<PatternPtr>& patterns) {
    for (const PatternPtr& each : patterns) collect_names(*each, names);
  };
  match(
      pattern, [](const MatchValue&) {}, [](const MatchSingleton&) {},
      [&](const MatchSequence& node) { all(node.patterns); },
      [&](const MatchMapping& node) {
        all(node.patterns);
        add(node.rest);
      },
      [&](const MatchClass& node) {
        all(node.patterns);
        for (const MatchKeyword& keyword : node.keywords) collect_names(*keyword.pattern, names);
      },
      [&](const MatchStar& node) { add(node.name); },
      [&](const MatchAs& node) {
        if (node.pattern) collect_names(*node.pattern, names);
        add(node.name);
      },
      [&](const MatchOr& node) {
        if (!node.patterns.empty()) collect_names(*node.patterns[0], names);  // every alternative binds the same
      });
}

void settle(Range& range, const Range& origin) {
  if (!range.known()) range = origin;
}

void inherit_all(Expr& expr, const Range& origin) {
  settle(expr.range, origin);
  for_each_child(expr, [&](ExprPtr& child) { inherit_all(*child, origin); });
}

void inherit_all(Pattern& pattern, const Range& origin) {
  settle(pattern.range, origin);
  for_each_pattern(pattern, [&](Pattern& child) { inherit_all(child, origin); });
}

void inherit_all(Stmt& stmt, const Range& origin) {
  settle(stmt.range, origin);
  for_each_expression(stmt, [&](ExprPtr& child) { inherit_all(*child, origin); });
  for_each_block(stmt, [&](Block& block) {
    for (StmtPtr& child : block) inherit_all(*child, origin);
  });
  if (auto* match_stmt = as<Match>(stmt)) {
    for (MatchCase& each : match_stmt->cases) inherit_all(*each.pattern, origin);
  }
}

}  // namespace

void for_each_pattern(Pattern& pattern, const std::function<void(Pattern&)>& visit) {
  const auto all = [&](std::vector<PatternPtr>& patterns) {
    for (PatternPtr& each : patterns) visit(*each);
  };
  match(
      pattern, [](MatchValue&) {}, [](MatchSingleton&) {}, [&](MatchSequence& node) { all(node.patterns); },
      [&](MatchMapping& node) { all(node.patterns); },
      [&](MatchClass& node) {
        all(node.patterns);
        for (MatchKeyword& keyword : node.keywords) visit(*keyword.pattern);
      },
      [](MatchStar&) {},
      [&](MatchAs& node) {
        if (node.pattern) visit(*node.pattern);
      },
      [&](MatchOr& node) { all(node.patterns); });
}

void for_each_child(Expr& expr, const Visit& visit) {
  match(
      expr, [&](BoolOp& node) { each(node.values, visit); },
      [&](NamedExpr& node) { each(node.value, visit), each(node.target, visit); },
      [&](BinOp& node) { each(node.left, visit), each(node.right, visit); },
      [&](UnaryOp& node) { each(node.operand, visit); },
      [&](Lambda& node) { each(node.parameters, visit), each(node.body, visit); },
      [&](IfExp& node) { each(node.test, visit), each(node.body, visit), each(node.orelse, visit); },
      [&](Dict& node) {
        for (DictItem& item : node.items) each(item.key, visit), each(item.value, visit);
      },
      [&](Set& node) { each(node.elts, visit); },
      [&](ListComp& node) { each(node.generators, visit), each(node.elt, visit); },
      [&](SetComp& node) { each(node.generators, visit), each(node.elt, visit); },
      [&](DictComp& node) { each(node.generators, visit), each(node.key, visit), each(node.value, visit); },
      [&](GeneratorExp& node) { each(node.generators, visit), each(node.elt, visit); },
      [&](Await& node) { each(node.value, visit); }, [&](Yield& node) { each(node.value, visit); },
      [&](YieldFrom& node) { each(node.value, visit); },
      [&](Compare& node) { each(node.left, visit), each(node.comparators, visit); },
      [&](Call& node) { each(node.func, visit), each(node.args, visit), each(node.keywords, visit); },
      [&](Attribute& node) { each(node.value, visit); },
      [&](Subscript& node) { each(node.value, visit), each(node.slice, visit); },
      [&](Starred& node) { each(node.value, visit); }, [](Name&) {}, [&](List& node) { each(node.elts, visit); },
      [&](Tuple& node) { each(node.elts, visit); },
      [&](Slice& node) { each(node.lower, visit), each(node.upper, visit), each(node.step, visit); }, [](Constant&) {},
      [](Number&) {},
      [&](String& node) {
        for (StringToken& token : node.tokens) each(token.parts, visit);
      });
}

void for_each_expression(Pattern& pattern, const Visit& visit) {
  if (auto* value = as<MatchValue>(pattern)) each(value->value, visit);
  if (auto* mapping = as<MatchMapping>(pattern)) each(mapping->keys, visit);
  if (auto* instance = as<MatchClass>(pattern)) each(instance->cls, visit);
  for_each_pattern(pattern, [&](Pattern& nested) { for_each_expression(nested, visit); });
}

void for_each_expression(Stmt& stmt, const Visit& visit) {
  match(
      stmt,
      [&](FunctionDef& node) {
        each(node.decorator_list, visit), each(node.parameters, visit), each(node.returns, visit);
      },
      [&](ClassDef& node) { each(node.decorator_list, visit), each(node.bases, visit), each(node.keywords, visit); },
      [&](Return& node) { each(node.value, visit); }, [&](Delete& node) { each(node.targets, visit); },
      [&](Assign& node) { each(node.value, visit), each(node.targets, visit); },
      [&](AugAssign& node) { each(node.target, visit), each(node.value, visit); },
      [&](AnnAssign& node) { each(node.value, visit), each(node.target, visit), each(node.annotation, visit); },
      [&](For& node) { each(node.iter, visit), each(node.target, visit); },
      [&](While& node) { each(node.test, visit); }, [&](If& node) { each(node.test, visit); },
      [&](With& node) {
        for (WithItem& item : node.items) each(item.context_expr, visit), each(item.optional_vars, visit);
      },
      [&](Match& node) {
        each(node.subject, visit);
        for (MatchCase& one : node.cases) for_each_expression(*one.pattern, visit), each(one.guard, visit);
      },
      [&](Raise& node) { each(node.exc, visit), each(node.cause, visit); },
      [&](Try& node) {
        for (ExceptHandler& handler : node.handlers) each(handler.type, visit);
      },
      [&](Assert& node) { each(node.test, visit), each(node.msg, visit); }, [](Import&) {}, [](ImportFrom&) {},
      [](Global&) {}, [](Nonlocal&) {}, [&](ExprStmt& node) { each(node.value, visit); }, [](Pass&) {}, [](Break&) {},
      [](Continue&) {});
}

void for_each_block(Stmt& stmt, const std::function<void(Block&)>& visit) {
  match(
      stmt, [&](FunctionDef& node) { visit(node.body); }, [&](ClassDef& node) { visit(node.body); }, [](Return&) {},
      [](Delete&) {}, [](Assign&) {}, [](AugAssign&) {}, [](AnnAssign&) {},
      [&](For& node) { visit(node.body), visit(node.orelse); },
      [&](While& node) { visit(node.body), visit(node.orelse); }, [&](If& node) { visit(node.body), visit(node.orelse); },
      [&](With& node) { visit(node.body); },
      [&](Match& node) {
        for (MatchCase& one : node.cases) visit(one.body);
      },
      [](Raise&) {},
      [&](Try& node) {
        visit(node.body);
        for (ExceptHandler& handler : node.handlers) visit(handler.body);
        visit(node.orelse), visit(node.finalbody);
      },
      [](Assert&) {}, [](Import&) {}, [](ImportFrom&) {}, [](Global&) {}, [](Nonlocal&) {}, [](ExprStmt&) {},
      [](Pass&) {}, [](Break&) {}, [](Continue&) {});
}

// The const twins share the code above, whose visitors change nothing here.
void for_each_child(const Expr& expr, const std::function<void(const Expr&)>& visit) {
  for_each_child(const_cast<Expr&>(expr), [&](ExprPtr& child) { visit(*child); });
}

void for_each_expression(const Stmt& stmt, const std::function<void(const Expr&)>& visit) {
  for_each_expression(const_cast<Stmt&>(stmt), [&](ExprPtr& child) { visit(*child); });
}

void for_each_block(const Stmt& stmt, const std::function<void(const Block&)>& visit) {
  for_each_block(const_cast<Stmt&>(stmt), [&](Block& block) { visit(block); });
}

std::vector<std::string> captured_names(const Pattern& pattern) {
  std::vector<std::string> names;
  on_deep_stack([&] { collect_names(pattern, names); });
  return names;
}

void inherit(ExprPtr& expr, const Range& origin) {
  on_deep_stack([&] {
    if (expr) inherit_all(*expr, origin);
  });
}

void inherit(StmtPtr& stmt, const Range& origin) {
  on_deep_stack([&] {
    if (stmt) inherit_all(*stmt, origin);
  });
}

void inherit(Block& block, const Range& origin) {
  for (StmtPtr& stmt : block) inherit(stmt, origin);
}

}  // namespace lantern::syntax
