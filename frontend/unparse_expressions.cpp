#include <algorithm>

#include "frontend/printer.h"

namespace lantern::syntax {

namespace {

Precedence tighter(Precedence precedence) { return static_cast<Precedence>(static_cast<int>(precedence) + 1); }

Precedence of_operator(BinaryOperator op) {
  switch (op) {
    case BinaryOperator::bit_or: return Precedence::bit_or;
    case BinaryOperator::bit_xor: return Precedence::bit_xor;
    case BinaryOperator::bit_and: return Precedence::bit_and;
    case BinaryOperator::l_shift:
    case BinaryOperator::r_shift: return Precedence::shift;
    case BinaryOperator::add:
    case BinaryOperator::sub: return Precedence::arithmetic;
    case BinaryOperator::mult:
    case BinaryOperator::mat_mult:
    case BinaryOperator::div:
    case BinaryOperator::mod:
    case BinaryOperator::floor_div: return Precedence::term;
    case BinaryOperator::pow: return Precedence::power;
  }
  bug("unparse", "a binary operator without a precedence");
}

Precedence precedence(const Expr& expr) {
  constexpr auto atom = Precedence::atom;
  return match(
      expr, [](const BoolOp& node) { return node.op == BoolOperator::or_ ? Precedence::or_ : Precedence::and_; },
      [](const NamedExpr&) { return Precedence::named; }, [](const BinOp& node) { return of_operator(node.op); },
      [](const UnaryOp& node) { return node.op == UnaryOperator::not_ ? Precedence::not_ : Precedence::factor; },
      [](const Lambda&) { return Precedence::test; }, [](const IfExp&) { return Precedence::test; },
      [](const Dict&) { return atom; }, [](const Set&) { return atom; }, [](const ListComp&) { return atom; },
      [](const SetComp&) { return atom; }, [](const DictComp&) { return atom; }, [](const GeneratorExp&) { return atom; },
      [](const Await&) { return Precedence::await; }, [](const Yield&) { return Precedence::yield; },
      [](const YieldFrom&) { return Precedence::yield; }, [](const Compare&) { return Precedence::compare; },
      [](const Call&) { return atom; }, [](const Attribute&) { return atom; }, [](const Subscript&) { return atom; },
      [](const Starred&) { return atom; }, [](const Name&) { return atom; }, [](const List&) { return atom; },
      [](const Tuple& node) { return node.elts.empty() ? atom : Precedence::bare_tuple; },
      [](const Slice&) { return atom; }, [](const Constant&) { return atom; }, [](const Number&) { return atom; },
      [](const String&) { return atom; });
}

}  // namespace

// CPython counts a tuple's parentheses to its range, and no other expression's.
void Printer::expression(const Expr& expr, Precedence wanted) {
  const bool parentheses = precedence(expr) < wanted;
  const bool inside = is<Tuple>(expr);
  if (parentheses && !inside) write("(");
  const std::size_t mapping = open_mapping(expr.range);
  if (parentheses && inside) write("(");
  visit_alternative([this](const auto& node) { print(node); }, expr.node);
  if (parentheses && inside) write(")");
  close_mapping(mapping);
  if (parentheses && !inside) write(")");
}

void Printer::print(const BoolOp& node) {
  const auto wanted = node.op == BoolOperator::or_ ? Precedence::and_ : Precedence::not_;
  for (std::size_t i = 0; i < node.values.size(); ++i) {
    if (i > 0) {
      write(" ");
      write(spelling(node.op));
      write(" ");
    }
    expression(*node.values[i], wanted);
  }
}

void Printer::print(const NamedExpr& node) {
  expression(*node.target, Precedence::atom);
  write(" := ");
  expression(*node.value, Precedence::test);
}

void Printer::print(const BinOp& node) {
  const Precedence own = of_operator(node.op);
  const bool power = node.op == BinaryOperator::pow;
  expression(*node.left, power ? Precedence::await : own);
  write(" ");
  write(spelling(node.op));
  write(" ");
  expression(*node.right, power ? Precedence::factor : tighter(own));
}

void Printer::print(const UnaryOp& node) {
  write(spelling(node.op));
  if (node.op == UnaryOperator::not_) write(" ");
  expression(*node.operand, node.op == UnaryOperator::not_ ? Precedence::not_ : Precedence::factor);
}

void Printer::print(const Lambda& node) {
  write("lambda");
  const Parameters& formals = node.parameters;
  const bool any = !formals.posonly.empty() || !formals.args.empty() || formals.vararg || !formals.kwonly.empty() || formals.kwarg;
  if (any) write(" ");
  parameters(formals);
  write(": ");
  expression(*node.body, Precedence::test);
}

void Printer::print(const IfExp& node) {
  expression(*node.body, Precedence::or_);
  write(" if ");
  expression(*node.test, Precedence::or_);
  write(" else ");
  expression(*node.orelse, Precedence::test);
}

void Printer::elements(const std::vector<ExprPtr>& elts) {
  for (std::size_t i = 0; i < elts.size(); ++i) {
    if (i > 0) write(", ");
    expression(*elts[i], Precedence::test);
  }
}

void Printer::print(const Dict& node) {
  write("{");
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    if (i > 0) write(", ");
    if (node.items[i].key) {
      expression(*node.items[i].key, Precedence::test);
      write(": ");
      expression(*node.items[i].value, Precedence::test);
    } else {
      write("**");
      expression(*node.items[i].value, Precedence::bit_or);
    }
  }
  write("}");
}

void Printer::print(const Set& node) {
  write(node.elts.empty() ? "{*()" : "{");
  elements(node.elts);
  write("}");
}

void Printer::print(const List& node) {
  write("[");
  elements(node.elts);
  write("]");
}

void Printer::print(const Tuple& node) {
  if (node.elts.empty()) write("()");
  elements(node.elts);
  if (node.elts.size() == 1) write(",");
}

void Printer::generators(const std::vector<Comprehension>& generators) {
  for (const Comprehension& generator : generators) {
    write(generator.is_async ? " async for " : " for ");
    expression(*generator.target, Precedence::bare_tuple);
    write(" in ");
    expression(*generator.iter, Precedence::or_);
    for (const ExprPtr& test : generator.ifs) {
      write(" if ");
      expression(*test, Precedence::or_);
    }
  }
}

void Printer::print(const ListComp& node) {
  write("[");
  expression(*node.elt, Precedence::test);
  generators(node.generators);
  write("]");
}

void Printer::print(const SetComp& node) {
  write("{");
  expression(*node.elt, Precedence::test);
  generators(node.generators);
  write("}");
}

void Printer::print(const DictComp& node) {
  write("{");
  expression(*node.key, Precedence::test);
  write(": ");
  expression(*node.value, Precedence::test);
  generators(node.generators);
  write("}");
}

void Printer::print(const GeneratorExp& node) {
  write("(");
  expression(*node.elt, Precedence::test);
  generators(node.generators);
  write(")");
}

void Printer::print(const Await& node) {
  write("await ");
  expression(*node.value, Precedence::atom);
}

void Printer::print(const Yield& node) {
  write("yield");
  if (!node.value) return;
  write(" ");
  const bool bare = is<Tuple>(node.value);
  expression(*node.value, bare ? Precedence::bare_tuple : Precedence::test);
}

void Printer::print(const YieldFrom& node) {
  write("yield from ");
  expression(*node.value, Precedence::test);
}

void Printer::print(const Compare& node) {
  expression(*node.left, Precedence::bit_or);
  for (std::size_t i = 0; i < node.ops.size(); ++i) {
    write(" ");
    write(spelling(node.ops[i]));
    write(" ");
    expression(*node.comparators[i], Precedence::bit_or);
  }
}

void Printer::arguments(const std::vector<ExprPtr>& args, const std::vector<Keyword>& keywords) {
  elements(args);
  for (std::size_t i = 0; i < keywords.size(); ++i) {
    if (i > 0 || !args.empty()) write(", ");
    write(keywords[i].name.empty() ? "**" : keywords[i].name + "=");
    expression(*keywords[i].value, Precedence::test);
  }
}

void Printer::print(const Call& node) {
  expression(*node.func, Precedence::atom);
  if (node.args.size() == 1 && node.keywords.empty() && is<GeneratorExp>(node.args[0])) {
    expression(*node.args[0], Precedence::atom);  // its own parentheses are the call's
    return;
  }
  write("(");
  arguments(node.args, node.keywords);
  write(")");
}

void Printer::print(const Attribute& node) {
  const bool number = is<Number>(node.value);  // `1.real` would be a float
  if (number) write("(");
  expression(*node.value, Precedence::atom);
  if (number) write(")");
  write(".");
  write(node.attr);
}

void Printer::print(const Subscript& node) {
  expression(*node.value, Precedence::atom);
  write("[");
  const auto* indices = as<Tuple>(node.slice);
  const auto holds = [&](auto wanted) { return std::any_of(indices->elts.begin(), indices->elts.end(), wanted); };
  // A star without parentheses is new in 3.11, and slices cannot have any.
  const bool bare = indices && (!holds([](const ExprPtr& each) { return is<Starred>(each); }) ||
                                holds([](const ExprPtr& each) { return is<Slice>(each); }));
  expression(*node.slice, bare ? Precedence::bare_tuple : Precedence::test);
  write("]");
}

void Printer::print(const Starred& node) {
  write("*");
  expression(*node.value, Precedence::bit_or);
}

void Printer::print(const Name& node) { write(node.id); }

void Printer::print(const Slice& node) {
  if (node.lower) expression(*node.lower, Precedence::test);
  write(":");
  if (node.upper) expression(*node.upper, Precedence::test);
  if (!node.step) return;
  write(":");
  expression(*node.step, Precedence::test);
}

void Printer::print(const Constant& node) {
  switch (node.kind) {
    case ConstantKind::none: return write("None");
    case ConstantKind::true_: return write("True");
    case ConstantKind::false_: return write("False");
    case ConstantKind::ellipsis: return write("...");
  }
}

void Printer::print(const Number& node) { write(node.spelling); }

void Printer::parameters(const Parameters& all) {
  std::string_view separator;
  const auto next = [&] {
    write(separator);
    separator = ", ";
  };
  const auto one = [&](std::string_view star, const Parameter& parameter) {
    next();
    write(star);
    write(parameter.name);
    if (parameter.annotation) {
      write(": ");
      expression(*parameter.annotation, Precedence::test);
    }
    if (!parameter.default_value) return;
    write(parameter.annotation ? " = " : "=");
    expression(*parameter.default_value, Precedence::test);
  };
  for (const Parameter& parameter : all.posonly) one("", parameter);
  if (!all.posonly.empty()) next(), write("/");
  for (const Parameter& parameter : all.args) one("", parameter);
  if (all.vararg) one("*", *all.vararg);
  else if (!all.kwonly.empty()) next(), write("*");
  for (const Parameter& parameter : all.kwonly) one("", parameter);
  if (all.kwarg) one("**", *all.kwarg);
}

}  // namespace lantern::syntax
