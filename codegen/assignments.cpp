// Assignments of several variables at once: the next state of a loop, and the adjoints of the one before; and what changes items of arrays.
#include <fmt/format.h>

#include <functional>

#include "codegen/function_writer.h"
#include "codegen/spelling.h"
#include "lantern/assignments.h"
#include "lantern/walk.h"

namespace lantern {

using namespace lowered;

// All targets change at once: a value that reads an earlier target is taken before.
void FunctionWriter::assign(const Assign& n) {
  if (n.kept) {
    std::vector<std::string> targets;
    for (const auto* variable : n.variables) targets.push_back(name(variable));
    out_.line(kept(targets, n.values));
    return;
  }
  if (change_in_place(n)) return out_.line(expr(n.values[0]).text + ";");
  std::vector<std::pair<std::string, std::string>> pairs;
  for (std::size_t i = 0; i < n.variables.size(); ++i) {
    const auto* target = n.variables[i];
    const auto* read = std::get_if<Read>(&n.values[i]->node);
    if (read && read->variable == target) continue;
    const bool link = is(target->type, TypeKind::structure) || is(target->type, TypeKind::optional);
    pairs.emplace_back(name(target), (link ? pointer_to(n.values[i]) : expr(n.values[i])).text);
  }
  const std::function<bool(const ExprPtr&, const ir::Variable*)> reads = [&](const ExprPtr& e, const ir::Variable* variable) {
    const auto* read = std::get_if<Read>(&e->node);
    bool found = read && read->variable == variable;
    for_each_operand(*e, [&](const ExprPtr& operand) { found = found || reads(operand, variable); });
    return found;
  };
  bool tangled = false;
  for (std::size_t i = 0; i < n.variables.size(); ++i) {
    for (std::size_t j = i + 1; j < n.variables.size(); ++j) tangled = tangled || reads(n.values[j], n.variables[i]);
  }
  assign_all(std::move(pairs), tangled);
}

void FunctionWriter::assign_all(std::vector<std::pair<std::string, std::string>> pairs, bool tangled) {
  if (tangled && pairs.size() > 1) {
    for (auto& [target, value] : pairs) {
      const std::string next = unique("next_" + target);
      out_.line(fmt::format("const auto {} = {};", next, value));
      value = next;
    }
  }
  for (const auto& [target, value] : pairs) out_.line(fmt::format("{} = {};", target, value));
}

// What lies in the arena behind the mark is moved there, all else there is forgotten.
std::string FunctionWriter::kept(const std::vector<std::string>& targets, const std::vector<ExprPtr>& values) {
  std::vector<std::string> texts;
  for (const auto& value : values) {
    const auto* read = std::get_if<Read>(&value->node);
    const bool named = (read && read->variable->storage == ir::Storage::local) || std::holds_alternative<AdjointOf>(value->node);
    const std::string type = spelling::value_type(value->type);
    texts.push_back(named ? expr(value).text : fmt::format("{}({})", type, expr(value).text));
  }
  const std::string moved = fmt::format("keep({}, {})", mark_, cpp::list(texts));
  return targets.size() == 1 ? fmt::format("{} = {};", targets[0], moved) : fmt::format("std::tie({}) = {};", cpp::list(targets), moved);
}

void FunctionWriter::assign_adjoints(const AssignAdjoints& n) {
  std::vector<std::string> targets;
  std::vector<std::pair<std::string, std::string>> pairs;
  bool tangled = false;
  for (std::size_t i = 0; i < n.variables.size(); ++i) {
    targets.push_back(adjoint(n.variables[i]).text);
    const auto* same = std::get_if<AdjointOf>(&n.values[i]->node);
    if (same && same->variable == n.variables[i]) continue;
    pairs.emplace_back(targets.back(), n.kept ? "" : expr(n.values[i]).text);
    for (std::size_t j = i + 1; j < n.variables.size(); ++j) tangled = tangled || reads_adjoint(n.values[j], n.variables[i]);
  }
  if (n.kept) {
    out_.line(kept(targets, n.values));
  } else {
    assign_all(std::move(pairs), tangled);
  }
}

void FunctionWriter::change(const Change& n, const Location& location) {
  const std::string history = name(n.history);
  if (n.act == Change::Act::declare) return out_.line(fmt::format("Changes<{}> {};", spelling::element_type(n.history->type), history));
  if (n.act == Change::Act::note) return out_.line(fmt::format("{}.note({}, {}, {});", history, expr(n.array).text, places(n.places), spelling::place(location)));
  constexpr const char* acts[] = {"", "begin", "", "redo", "undo", "undo_to_begin"};
  out_.line(fmt::format("{}.{}();", history, acts[static_cast<std::size_t>(n.act)]));
}

std::string FunctionWriter::places(const std::vector<ExprPtr>& places) {
  std::vector<std::string> texts;
  for (const auto& place : places) texts.push_back(expr(place).text);
  return texts.size() == 1 ? texts[0] : fmt::format("{{{}}}", cpp::list(texts));
}

}  // namespace lantern
