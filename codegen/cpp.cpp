#include "codegen/cpp.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>

#include "support/diagnostic.h"

namespace lantern::cpp {

namespace {

Binding binding_of(std::string_view symbol) {
  static const std::map<std::string_view, Binding> table = {
      {"||", Binding::logical_or}, {"&&", Binding::logical_and}, {"==", Binding::equality}, {"!=", Binding::equality},
      {"<", Binding::relation},    {"<=", Binding::relation},    {">", Binding::relation},  {">=", Binding::relation},
      {"+", Binding::sum},         {"-", Binding::sum},          {"*", Binding::product},   {"/", Binding::product},       {"%", Binding::product}};
  const auto found = table.find(symbol);
  if (found == table.end()) bug("codegen", fmt::format("'{}' is no operator of C++ that we write", symbol));
  return found->second;
}

Binding tighter(Binding binding) { return static_cast<Binding>(static_cast<int>(binding) + 1); }

}  // namespace

std::string operand(const Expr& e, Binding least) { return e.binding < least ? fmt::format("({})", e.text) : e.text; }

Expr binary(const Expr& left, std::string_view symbol, const Expr& right) {
  const Binding binding = binding_of(symbol);
  if (binding == Binding::logical_or || binding == Binding::logical_and) {  // a chain is the same however it is grouped
    const Binding least = binding == Binding::logical_or ? Binding::equality : binding;  // compilers ask for (a && b) || c
    const auto side = [&](const Expr& e) { return e.binding == binding ? e.text : operand(e, least); };
    return {fmt::format("{} {} {}", side(left), symbol, side(right)), binding};
  }
  const bool compares = binding == Binding::equality || binding == Binding::relation;  // compilers ask for (a < b) == c
  return {fmt::format("{} {} {}", operand(left, compares ? Binding::sum : binding), symbol, operand(right, compares ? Binding::sum : tighter(binding))), binding};
}

Expr prefix(std::string_view symbol, const Expr& e) {
  const std::string inner = operand(e, Binding::prefix);
  const bool doubled = !inner.empty() && inner[0] == symbol[0];  // - -x
  return {fmt::format("{}{}", symbol, doubled ? "(" + inner + ")" : inner), Binding::prefix};
}

Expr call(std::string_view function, const std::vector<Expr>& arguments) {
  std::vector<std::string> texts;
  for (const auto& argument : arguments) texts.push_back(argument.text);
  return {fmt::format("{}({})", function, list(texts)), Binding::postfix};
}

Expr cast(const std::string& type, const Expr& e) {
  if (e.type == type) return e;
  Expr made = call(fmt::format("static_cast<{}>", type), {e});
  made.type = type;
  return made;
}

Expr subscript(const Expr& object, const Expr& place) {
  return {fmt::format("{}[{}]", operand(object, Binding::postfix), place.text), Binding::postfix};
}
Expr member(const Expr& object, std::string_view name) {
  return {fmt::format("{}.{}", operand(object, Binding::postfix), name), Binding::postfix};
}

Expr arrow(const Expr& pointer, std::string_view name) {
  return {fmt::format("{}->{}", operand(pointer, Binding::postfix), name), Binding::postfix};
}

Expr dereference(const Expr& pointer) { return {fmt::format("*{}", operand(pointer, Binding::prefix)), Binding::prefix}; }

Expr conditional(const Expr& condition, const Expr& then, const Expr& otherwise) {
  return {fmt::format("{} ? {} : {}", operand(condition, Binding::logical_or), operand(then, Binding::logical_or),
                      operand(otherwise, Binding::conditional)),
          Binding::conditional};
}

Expr string_literal(std::string_view text) {
  std::string quoted = "\"";
  bool after_hex = false;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool hex_digit = std::isxdigit(byte) != 0;
    if (after_hex && hex_digit) quoted += "\"\"";  // a digit would be taken for the escape's
    after_hex = false;
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (c == '\n') {
      quoted += "\\n";
    } else if (c == '\t') {
      quoted += "\\t";
    } else if (byte < 0x20 || byte == 0x7F) {
      quoted += fmt::format("\\x{:02x}", byte);
      after_hex = true;
    } else {
      quoted += c;
    }
  }
  quoted += '"';
  if (text.find('\0') != std::string_view::npos) return {fmt::format("std::string_view({}, {})", quoted, text.size()), Binding::postfix};
  return {quoted, Binding::primary};
}

namespace {

// In a comment a backslash at the end would join the next line, and marks that turn the direction of writing are refused by compilers.
std::string plain(std::string_view text) {
  std::string line;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const auto byte = static_cast<unsigned char>(text[at]);
    const std::string_view character = text.substr(at, 3);
    const bool turns = (character >= "\u202A" && character <= "\u202E") || (character >= "\u2066" && character <= "\u2069");
    if (turns) at += 2;
    else line += byte < 0x20 || byte == 0x7F ? ' ' : text[at];
  }
  const std::size_t begin = std::min(line.find_first_not_of(' '), line.size());
  return line.substr(begin, line.find_last_not_of(" \\") + 1 - begin);
}

}  // namespace

void Writer::comment(std::string_view text, std::string_view head) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string said = plain(text.substr(0, end));
    const bool is_order = said.find("clang-format o") != std::string::npos;  // which the formatter would obey
    if (!is_order) line(fmt::format("{}{}{}", head, said.empty() ? "" : " ", said));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

std::string list(const std::vector<std::string>& parts) {
  std::string text;
  for (const auto& part : parts) text += (text.empty() ? "" : ", ") + part;
  return text;
}

}  // namespace lantern::cpp
