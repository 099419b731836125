#include "frontend/printer.h"

namespace lantern::syntax {

namespace {

bool is_definition(const Stmt& stmt) { return is<FunctionDef>(stmt) || is<ClassDef>(stmt); }

bool has_decorators(const Stmt& stmt) {
  const auto* function = as<FunctionDef>(stmt);
  const auto* type = as<ClassDef>(stmt);
  return (function && !function->decorator_list.empty()) || (type && !type->decorator_list.empty());
}

}  // namespace

void Printer::statement(const Stmt& stmt) {
  if (has_decorators(stmt)) {  // they stand before the definition's own range
    const auto* function = as<FunctionDef>(stmt);
    decorators(function ? function->decorator_list : as<ClassDef>(stmt)->decorator_list);
  }
  const std::size_t mapping = open_mapping(stmt.range);
  visit_alternative([this](const auto& node) { print(node); }, stmt.node);
  close_mapping(mapping);
}

// Definitions stand apart: two blank lines around them in a module, one elsewhere.
void Printer::statements(const Block& block) {
  for (std::size_t i = 0; i < block.size(); ++i) {
    if (i > 0 && (is_definition(*block[i]) || is_definition(*block[i - 1]))) write(level_ == 0 ? "\n\n" : "\n");
    begin_line();
    statement(*block[i]);
  }
}

void Printer::suite(const Block& block) {
  write(":");
  ++level_;
  statements(block);
  if (block.empty()) begin_line(), write("pass");
  --level_;
}

void Printer::decorators(const std::vector<ExprPtr>& decorators) {
  for (const ExprPtr& decorator : decorators) {
    write("@");
    expression(*decorator, Precedence::named);
    begin_line();
  }
}

void Printer::value(std::string_view keyword, const ExprPtr& expr, Precedence wanted) {
  if (!expr) return;
  write(keyword);
  expression(*expr, wanted);
}

void Printer::names(std::string_view keyword, const std::vector<std::string>& names) {
  write(keyword);
  for (std::size_t i = 0; i < names.size(); ++i) write((i > 0 ? ", " : " ") + names[i]);
}

void Printer::print(const FunctionDef& node) {
  write(node.is_async ? "async def " : "def ");
  write(node.name + "(");
  parameters(node.parameters);
  write(")");
  value(" -> ", node.returns, Precedence::test);
  suite(node.body);
}

void Printer::print(const ClassDef& node) {
  write("class " + node.name);
  if (!node.bases.empty() || !node.keywords.empty()) {
    write("(");
    arguments(node.bases, node.keywords);
    write(")");
  }
  suite(node.body);
}

void Printer::print(const Return& node) {
  write("return");
  if (node.value) value(" ", node.value, is<Tuple>(node.value) ? Precedence::bare_tuple : Precedence::test);
}

void Printer::print(const Delete& node) {
  write("del ");
  elements(node.targets);
}

namespace {

// The right-hand side of an assignment: a tuple or a yield needs no parentheses there, `:=` does.
Precedence assigned(const ExprPtr& value) {
  if (is<Tuple>(value)) return Precedence::bare_tuple;
  return is<NamedExpr>(value) ? Precedence::test : Precedence::yield;
}

}  // namespace

void Printer::print(const Assign& node) {
  for (const ExprPtr& target : node.targets) {
    expression(*target, Precedence::bare_tuple);
    write(" = ");
  }
  expression(*node.value, assigned(node.value));
}

void Printer::print(const AugAssign& node) {
  expression(*node.target, Precedence::atom);
  write(" ");
  write(spelling(node.op));
  write("= ");
  expression(*node.value, assigned(node.value));
}

void Printer::print(const AnnAssign& node) {
  const bool parentheses = !node.simple && is<Name>(node.target);
  if (parentheses) write("(");
  expression(*node.target, Precedence::test);
  if (parentheses) write(")");
  write(": ");
  expression(*node.annotation, Precedence::test);
  value(" = ", node.value, Precedence::test);
}

void Printer::orelse(const Block& block) {
  if (block.empty()) return;
  begin_line();
  write("else");
  suite(block);
}

void Printer::print(const For& node) {
  write(node.is_async ? "async for " : "for ");
  expression(*node.target, Precedence::bare_tuple);
  write(" in ");
  expression(*node.iter, Precedence::test);
  suite(node.body);
  orelse(node.orelse);
}

void Printer::print(const While& node) {
  write("while ");
  expression(*node.test, Precedence::named);
  suite(node.body);
  orelse(node.orelse);
}

void Printer::print(const If& node) {
  write("if ");
  expression(*node.test, Precedence::named);
  suite(node.body);
  if (node.orelse.size() == 1 && is<If>(node.orelse[0])) {
    begin_line();
    const std::size_t mapping = open_mapping(node.orelse[0]->range);
    write("el");
    print(*as<If>(node.orelse[0]));
    close_mapping(mapping);
  } else {
    orelse(node.orelse);
  }
}

void Printer::print(const With& node) {
  write(node.is_async ? "async with " : "with ");
  // `with (a, b):` enters two contexts, `with ((a, b)):` the tuple.
  const WithItem& first = node.items.front();
  const auto* tuple = as<Tuple>(first.context_expr);
  const bool parentheses = node.items.size() == 1 && !first.optional_vars && tuple && !tuple->elts.empty();
  if (parentheses) write("(");
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    if (i > 0) write(", ");
    expression(*node.items[i].context_expr, Precedence::test);
    value(" as ", node.items[i].optional_vars, Precedence::test);
  }
  if (parentheses) write(")");
  suite(node.body);
}

void Printer::print(const Match& node) {
  write("match ");
  expression(*node.subject, Precedence::test);
  write(":");
  ++level_;
  for (const MatchCase& one : node.cases) {
    begin_line();
    write("case ");
    pattern(*one.pattern, false);
    value(" if ", one.guard, Precedence::named);
    suite(one.body);
  }
  --level_;
}

void Printer::print(const Raise& node) {
  write("raise");
  value(" ", node.exc, Precedence::test);
  value(" from ", node.cause, Precedence::test);
}

void Printer::print(const Try& node) {
  write("try");
  suite(node.body);
  for (const ExceptHandler& handler : node.handlers) {
    begin_line();
    const std::size_t mapping = open_mapping(handler.range);
    write(node.is_star ? "except*" : "except");
    value(" ", handler.type, Precedence::test);
    if (!handler.name.empty()) write(" as " + handler.name);
    suite(handler.body);
    close_mapping(mapping);
  }
  orelse(node.orelse);
  if (node.finalbody.empty()) return;
  begin_line();
  write("finally");
  suite(node.finalbody);
}

void Printer::print(const Assert& node) {
  write("assert ");
  expression(*node.test, Precedence::test);
  value(", ", node.msg, Precedence::test);
}

namespace {

std::string alias_list(const std::vector<Alias>& aliases) {
  std::string result;
  for (const Alias& alias : aliases) {
    if (!result.empty()) result += ", ";
    result += alias.name;
    if (!alias.asname.empty()) result += " as " + alias.asname;
  }
  return result;
}

}  // namespace

void Printer::print(const Import& node) { write("import " + alias_list(node.names)); }

void Printer::print(const ImportFrom& node) {
  write("from " + std::string(static_cast<std::size_t>(node.level), '.') + node.module + " import " + alias_list(node.names));
}

void Printer::print(const Global& node) { names("global", node.names); }
void Printer::print(const Nonlocal& node) { names("nonlocal", node.names); }

void Printer::print(const ExprStmt& node) { expression(*node.value, assigned(node.value)); }

void Printer::print(const Pass&) { write("pass"); }
void Printer::print(const Break&) { write("break"); }
void Printer::print(const Continue&) { write("continue"); }

}  // namespace lantern::syntax
