#include "frontend/unparse.h"

#include "frontend/printer.h"
#include "support/deep_stack.h"

namespace lantern::syntax {

namespace {

constexpr std::size_t no_mapping = static_cast<std::size_t>(-1);

template <class Print>
Unparsed print_with(Print print) {
  Printer printer;
  on_deep_stack([&] { print(printer); });
  return {std::move(printer.text), std::move(printer.map)};
}

}  // namespace

void Printer::write(std::string_view part) {
  text += part;
  for (const char c : part) {
    if (c == '\n') {
      ++line_;
      column_ = 1;
    } else if ((c & 0xC0) != 0x80) {
      ++column_;
    }
  }
}

void Printer::begin_line() {
  if (!text.empty()) write("\n");
  write(std::string(4 * static_cast<std::size_t>(level_), ' '));
}

std::size_t Printer::open_mapping(const Range& origin) {
  if (!origin.known()) return no_mapping;
  map.push_back({{line_, column_, 0, 0}, origin});
  return map.size() - 1;
}

void Printer::close_mapping(std::size_t index) {
  if (index == no_mapping) return;
  map[index].output.end_line = line_;
  map[index].output.end_column = column_;
}

Unparsed unparse(const Block& block) {
  Unparsed result = print_with([&](Printer& printer) { printer.statements(block); });
  if (!result.text.empty()) result.text += '\n';
  return result;
}

Unparsed unparse(const Module& module) { return unparse(module.body); }

std::string to_source(const Expr& expr) {
  return print_with([&](Printer& printer) { printer.expression(expr, Precedence::bare_tuple); }).text;
}

std::string to_source(const Stmt& stmt) {
  return print_with([&](Printer& printer) { printer.statement(stmt); }).text + "\n";
}

bool same_code(const Expr& a, const Expr& b) { return to_source(a) == to_source(b); }
bool same_code(const Stmt& a, const Stmt& b) { return to_source(a) == to_source(b); }

}  // namespace lantern::syntax
