#include "frontend/build.h"

#include <fmt/format.h>

namespace lantern::syntax {

ExprPtr make(Expr::Node node, Range range) { return ExprPtr(new Expr{std::move(node), range}); }
StmtPtr make(Stmt::Node node, Range range) { return StmtPtr(new Stmt{std::move(node), range}); }
PatternPtr make(Pattern::Node node, Range range) { return PatternPtr(new Pattern{std::move(node), range}); }

ExprPtr name(std::string id) { return make(Name{std::move(id)}); }

ExprPtr dotted_name(std::string_view dotted) {
  std::size_t end = dotted.find('.');
  ExprPtr result = name(std::string(dotted.substr(0, end)));
  while (end != std::string_view::npos) {
    const std::size_t begin = end + 1;
    end = dotted.find('.', begin);
    result = attribute(std::move(result), std::string(dotted.substr(begin, end - begin)));
  }
  return result;
}

ExprPtr attribute(ExprPtr value, std::string attr) { return make(Attribute{std::move(value), std::move(attr)}); }
ExprPtr subscript(ExprPtr value, ExprPtr slice) { return make(Subscript{std::move(value), std::move(slice)}); }

ExprPtr call(ExprPtr func, std::vector<ExprPtr> args, std::vector<Keyword> keywords) {
  return make(Call{std::move(func), std::move(args), std::move(keywords)});
}

ExprPtr tuple(std::vector<ExprPtr> elts) { return make(Tuple{std::move(elts)}); }
ExprPtr list(std::vector<ExprPtr> elts) { return make(List{std::move(elts)}); }
ExprPtr lambda(Parameters parameters, ExprPtr body) { return make(Lambda{std::move(parameters), std::move(body)}); }
ExprPtr not_(ExprPtr operand) { return make(UnaryOp{UnaryOperator::not_, std::move(operand)}); }

ExprPtr number(long long value) {
  if (value >= 0) return make(Number{std::to_string(value)});
  // Negated as unsigned: the least long long has no positive twin.
  return make(UnaryOp{UnaryOperator::u_sub, make(Number{std::to_string(-static_cast<unsigned long long>(value))})});
}

ExprPtr none() { return make(Constant{ConstantKind::none}); }
ExprPtr boolean(bool value) { return make(Constant{value ? ConstantKind::true_ : ConstantKind::false_}); }

ExprPtr string(std::string_view value) {
  const bool has_double = value.find('"') != std::string_view::npos;
  const bool has_single = value.find('\'') != std::string_view::npos;
  const char quote = has_double && !has_single ? '\'' : '"';
  std::string text;
  for (const char c : value) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == quote || c == '\\') {
      text += '\\';
      text += c;
    } else if (c == '\n') {
      text += "\\n";
    } else if (c == '\t') {
      text += "\\t";
    } else if (c == '\r') {
      text += "\\r";
    } else if (byte < 0x20 || byte == 0x7f) {
      text += fmt::format("\\x{:02x}", byte);
    } else {
      text += c;
    }
  }
  StringToken token{"", std::string(1, quote), {}};
  if (!text.empty()) token.parts.push_back({.text = std::move(text)});
  return make(String{list_of<StringToken>(std::move(token))});
}

ExprPtr strings(const std::vector<std::string>& values) {
  std::vector<ExprPtr> elts;
  for (const std::string& value : values) elts.push_back(string(value));
  return tuple(std::move(elts));
}

StmtPtr assign(ExprPtr target, ExprPtr value) {
  return make(Assign{list_of<ExprPtr>(std::move(target)), std::move(value)});
}
StmtPtr expr_stmt(ExprPtr value) { return make(ExprStmt{std::move(value)}); }
StmtPtr return_(ExprPtr value) { return make(Return{std::move(value)}); }
StmtPtr pass() { return make(Pass{}); }
StmtPtr nonlocal_(std::vector<std::string> names) { return make(Nonlocal{std::move(names)}); }

StmtPtr if_(ExprPtr test, Block body, Block orelse) {
  return make(If{std::move(test), std::move(body), std::move(orelse)});
}

StmtPtr function_def(std::string name, Parameters parameters, Block body) {
  return make(FunctionDef{std::move(name), std::move(parameters), std::move(body)});
}

Parameters parameters(std::vector<std::string> names) {
  Parameters result;
  for (std::string& name : names) result.args.push_back({.name = std::move(name)});
  return result;
}

}  // namespace lantern::syntax
