// Assignments of several variables at once: the next state of a loop, and the adjoints of the one before; marks of the arena, and what changes
// items of arrays.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <optional>
#include <vector>

#include "codegen/function_writer.h"
#include "codegen/spelling.h"
#include "lantern/assignments.h"
#include "lantern/expression_effects.h"
#include "lantern/mentions.h"
#include "lantern/walk.h"

namespace lantern {

using namespace lowered;

namespace {

/// An order in which no value reads what has changed by then, and what may fail does so where it did; nothing: there is none.
std::optional<std::vector<std::size_t>> untangled(const Assign& n) {
  std::vector<std::size_t> left(n.variables.size()), order;
  std::iota(left.begin(), left.end(), std::size_t{0});
  while (!left.empty()) {
    const auto next = std::ranges::find_if(left, [&](std::size_t i) {
      return std::ranges::none_of(left, [&](std::size_t other) { return other != i && mentions_of(n.variables[i], n.values[other]).reads > 0; });
    });
    if (next == left.end()) return {};
    order.push_back(*next);
    left.erase(next);
  }
  std::vector<std::size_t> failing;
  std::ranges::copy_if(order, std::back_inserter(failing), [&](std::size_t i) { return has_effect(n.values[i]) || failures(n.values[i]).any(); });
  return std::ranges::is_sorted(failing) ? std::optional(order) : std::nullopt;
}

}  // namespace

// All targets change at once: a value that reads another target is assigned before that, or taken before.
void FunctionWriter::assign(const Assign& n) {
  if (n.kept) return assign_kept(n);
  if (const auto* change = change_in_place(n)) return out_.line(set_item(*change, n.values[0]->location).value_or(expr(n.values[0]).text + ";"));
  const auto order = untangled(n);
  std::vector<Next> all;
  for (std::size_t k = 0; k < n.variables.size(); ++k) {
    const std::size_t i = order ? (*order)[k] : k;
    const auto* read = std::get_if<Read>(&n.values[i]->node);
    if (!read || read->variable != n.variables[i]) all.push_back(next(n.variables[i], n.values[i]));
  }
  assign_all(std::move(all), !order);
}

// `total = total + x` is `total += x`, where + is C++'s own.
FunctionWriter::Next FunctionWriter::next(const ir::Variable* target, const ExprPtr& value) {
  const bool link = is(target->type, TypeKind::structure) || is(target->type, TypeKind::optional);
  const auto* apply = std::get_if<Apply>(&value->node);
  const auto* first = apply && apply->operands.size() == 2 ? std::get_if<Read>(&apply->operands[0]->node) : nullptr;
  std::string text = (link ? pointer_to(value) : expr(value)).text;
  const std::string name = this->name(target);
  const bool goes_on = first && first->variable == target && same_type(value->type, target->type);
  std::string combined = goes_on ? this->combined(name, value, text) : "";
  return {name, std::move(text), std::move(combined)};
}

std::string FunctionWriter::combined(const std::string& target, const ExprPtr& value, const std::string& text) {
  static const std::map<std::string_view, std::string_view> arithmetic = {{"+", "+"}, {"-", "-"}, {"*", "*"}, {"/", "/"}, {"//", "/"}, {"%", "%"}};
  const auto* apply = std::get_if<Apply>(&value->node);
  const auto found = apply && apply->operands.size() == 2 && is_one_number(value->type) ? arithmetic.find(apply->op->name) : arithmetic.end();
  if (found == arithmetic.end()) return {};
  const std::string head = fmt::format("{} {} ", target, found->second);
  if (!text.starts_with(head)) return {};
  std::string second = text.substr(head.size());  // as it stands there: brought to the type that is computed in
  const std::string plain = expr(apply->operands[1]).text;
  if (second == "(" + plain + ")") second = plain;
  return fmt::format("{} {}= {}", target, found->second, second);
}

void FunctionWriter::assign_all(std::vector<Next> all, bool tangled) {
  tangled = tangled && all.size() > 1;
  for (auto& [target, value, combined] : all) {
    if (!tangled) continue;
    const std::string next = unique("next_" + target);
    out_.line(fmt::format("const auto {} = {};", next, value));
    value = next;
  }
  for (const auto& [target, value, combined] : all) out_.line((tangled || combined.empty() ? fmt::format("{} = {}", target, value) : combined) + ";");
}

// A number lies in no arena: it is assigned in front of what does, unless that reads it as it was.
void FunctionWriter::assign_kept(const Assign& n) {
  Assign numbers, rest;
  for (std::size_t i = 0; i < n.variables.size(); ++i) {
    auto& group = is_one_number(n.variables[i]->type) ? numbers : rest;
    group.variables.push_back(n.variables[i]);
    group.values.push_back(n.values[i]);
  }
  const bool tangled = std::any_of(numbers.variables.begin(), numbers.variables.end(), [&](const ir::Variable* number) {
    return std::any_of(rest.values.begin(), rest.values.end(), [&](const ExprPtr& value) { return mentions_of(number, value).reads > 0; });
  });
  if (tangled || rest.variables.empty()) rest = n;
  else assign(numbers);
  std::vector<std::string> targets;
  for (const auto* variable : rest.variables) targets.push_back(name(variable));
  out_.line(kept(targets, rest.values));
}

std::string FunctionWriter::next_mark() {
  const auto is_taken = [&](const std::string& name) {
    const bool is_in_scope = std::find(marks_in_scope_.begin(), marks_in_scope_.end(), name) != marks_in_scope_.end();
    return is_in_scope || names_.called.contains(name) || (spellings_.contains(name) && !mark_names_.contains(name));
  };
  mark_ = "mark";
  for (int i = 2; is_taken(mark_); ++i) mark_ = fmt::format("mark_{}", i);
  spellings_.insert(mark_), mark_names_.insert(mark_);
  marks_in_scope_.push_back(mark_);
  return mark_;
}

void FunctionWriter::mark_arena() { out_.line(fmt::format("const auto {} = arena().mark();", next_mark())); }

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
  std::vector<Next> all;
  std::vector<std::string> targets;  // of what is kept
  std::vector<ExprPtr> values;
  bool tangled = false, read_as_it_was = false;
  for (std::size_t i = 0; i < n.variables.size(); ++i) {
    for (std::size_t j = i + 1; j < n.variables.size(); ++j) tangled = tangled || reads_adjoint(n.values[j], n.variables[i]);
    for (std::size_t j = 0; j < i; ++j) read_as_it_was = read_as_it_was || reads_adjoint(n.values[j], n.variables[i]);
  }
  const bool all_kept = n.kept && (tangled || read_as_it_was);
  for (std::size_t i = 0; i < n.variables.size(); ++i) {
    const std::string target = adjoint(n.variables[i]).text;
    const auto* same = std::get_if<AdjointOf>(&n.values[i]->node);
    const bool is_kept = all_kept || (n.kept && !is_one_number(n.variables[i]->type));
    if (is_kept) targets.push_back(target), values.push_back(n.values[i]);
    else if (!same || same->variable != n.variables[i]) all.push_back({target, expr(n.values[i]).text, {}});
  }
  assign_all(std::move(all), tangled);
  if (n.kept) out_.line(kept(targets, values));
}

void FunctionWriter::change(const Change& n, const Location& location) {
  const std::string history = name(n.history);
  if (n.act == Change::Act::declare) {
    const bool bytes = is(n.history->type, TypeKind::list);  // its items are of several types, or no numbers
    return out_.line(fmt::format("Changes<{}> {};", bytes ? "unsigned char" : spelling::element_type(n.history->type), history));
  }
  if (n.act == Change::Act::note && n.places.empty()) return out_.line(fmt::format("{}.note({});", history, expr(n.array).text));
  if (n.act == Change::Act::note) return out_.line(fmt::format("{}.note({}, {}, {});", history, expr(n.array).text, places(n.places), spelling::place(location)));
  constexpr const char* acts[] = {"", "begin", "", "redo", "undo", "undo_to_begin"};
  out_.line(fmt::format("{}.{}();", history, acts[static_cast<std::size_t>(n.act)]));
}

void FunctionWriter::clear(const ClearItem& n) {
  adjoints_read_.insert(n.variable);
  cpp::Expr whole = adjoint(n.variable);
  const bool list = is(n.variable->type, TypeKind::list), is_number = list ? !n.like : rank(n.variable->type) == n.places.size();
  if (!list && !(n.unchecked && is_number)) return out_.line(fmt::format("clear_item({}, {});", whole.text, places(n.places)));
  for (std::size_t i = 0; i + 1 < n.places.size(); ++i) whole = list ? cpp::call("index", {whole, expr(n.places[i])}) : cpp::subscript(whole, expr(n.places[i]));
  const auto item = n.unchecked && is_number ? at_place(whole, n.places.back()) : std::nullopt;
  out_.line(item ? item->text + " = 0;" : fmt::format("clear_item({}, {}{});", whole.text, expr(n.places.back()).text, n.like ? ", " + expr(n.like).text : ""));
}

std::string FunctionWriter::places(const std::vector<ExprPtr>& places) {
  std::vector<std::string> texts;
  for (const auto& place : places) texts.push_back(expr(place).text);
  return texts.size() == 1 ? texts[0] : fmt::format("{{{}}}", cpp::list(texts));
}

}  // namespace lantern
