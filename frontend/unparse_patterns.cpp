#include "frontend/printer.h"

namespace lantern::syntax {

void Printer::pattern(const Pattern& pattern, bool closed) {
  const auto* capture = as<MatchAs>(pattern);
  const bool open = is<MatchOr>(pattern) || (capture && capture->pattern);
  if (open && closed) write("(");
  const std::size_t mapping = open_mapping(pattern.range);
  visit_alternative([this](const auto& node) { print(node); }, pattern.node);
  close_mapping(mapping);
  if (open && closed) write(")");
}

void Printer::print(const MatchValue& node) { expression(*node.value, Precedence::arithmetic); }

void Printer::print(const MatchSingleton& node) { print(Constant{node.kind}); }

void Printer::print(const MatchSequence& node) {
  write("[");
  for (std::size_t i = 0; i < node.patterns.size(); ++i) {
    if (i > 0) write(", ");
    pattern(*node.patterns[i], false);
  }
  write("]");
}

void Printer::print(const MatchMapping& node) {
  write("{");
  for (std::size_t i = 0; i < node.keys.size(); ++i) {
    if (i > 0) write(", ");
    expression(*node.keys[i], Precedence::arithmetic);
    write(": ");
    pattern(*node.patterns[i], false);
  }
  if (!node.rest.empty()) write((node.keys.empty() ? "**" : ", **") + node.rest);
  write("}");
}

void Printer::print(const MatchClass& node) {
  expression(*node.cls, Precedence::atom);
  write("(");
  for (std::size_t i = 0; i < node.patterns.size(); ++i) {
    if (i > 0) write(", ");
    pattern(*node.patterns[i], false);
  }
  for (std::size_t i = 0; i < node.keywords.size(); ++i) {
    if (i > 0 || !node.patterns.empty()) write(", ");
    write(node.keywords[i].attr + "=");
    pattern(*node.keywords[i].pattern, false);
  }
  write(")");
}

void Printer::print(const MatchStar& node) { write(node.name.empty() ? "*_" : "*" + node.name); }

void Printer::print(const MatchAs& node) {
  if (node.pattern) {
    const bool nested = is<MatchAs>(node.pattern) && as<MatchAs>(node.pattern)->pattern;
    pattern(*node.pattern, nested);
    write(" as ");
  }
  write(node.name.empty() ? "_" : node.name);
}

void Printer::print(const MatchOr& node) {
  for (std::size_t i = 0; i < node.patterns.size(); ++i) {
    if (i > 0) write(" | ");
    pattern(*node.patterns[i], true);
  }
}

}  // namespace lantern::syntax
