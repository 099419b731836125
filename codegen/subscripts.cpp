// `xs[i]` where xs certainly has that place; else index(xs, i, "model.py:3:9"), which looks.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <span>

#include "codegen/cpp_types.h"
#include "codegen/function_writer.h"
#include "codegen/spelling.h"
#include "lantern/conditions.h"
#include "lantern/expression_effects.h"

namespace lantern {

using namespace lowered;

namespace {

bool is_index(const Apply* item) { return item && item->op->name == "index" && item->operands.size() == 2 && is(item->operands[1]->type, TypeKind::scalar); }

/// Whether C++ computes a number in that type, too: of what has the type, and literals.
bool is_computed_in(const ExprPtr& e, DType dtype) {
  static const std::set<std::string_view> arithmetic = {"+", "-", "*", "/", "neg"};
  if (is_of_cpp(e, dtype)) return true;
  const auto* apply = std::get_if<Apply>(&e->node);
  if (!apply || !arithmetic.contains(apply->op->name) || !is_one_number(e->type) || resolve(e->type)->dtype != dtype) return false;
  const auto follows = [&](const ExprPtr& o) { return std::holds_alternative<Constant>(o->node) || is_computed_in(o, dtype); };
  return std::ranges::all_of(apply->operands, follows) && std::ranges::any_of(apply->operands, [&](const ExprPtr& o) { return is_computed_in(o, dtype); });
}

}  // namespace

// `rows[i][j]`: index(rows, i, j, "…").
std::optional<cpp::Expr> FunctionWriter::item_of_row(const lowered::Expr& e, const Apply& apply) {
  const auto looks = [](const Apply* item) { return is_index(item) && !item->in_reverse && !item->unchecked; };
  const auto* row = looks(&apply) ? std::get_if<Apply>(&apply.operands[0]->node) : nullptr;
  const std::string place = spelling::place(e.location);
  if (!looks(row) || is(e.type, TypeKind::structure) || spelling::place(apply.operands[0]->location) != place) return {};
  return cpp::call("index", {expr(row->operands[0]), expr(row->operands[1]), expr(apply.operands[1]), {place, cpp::Binding::postfix}});
}

/// What has the place, where C++ can ask it for that: a list or an array that is there.
std::optional<cpp::Expr> FunctionWriter::subscripted(const ExprPtr& whole) {
  if (!is(whole->type, TypeKind::list) && !has_elements(whole->type)) return {};
  const auto* read = std::get_if<Read>(&whole->node);
  const auto* adjoint = std::get_if<AdjointOf>(&whole->node);
  const auto is_array = [&](const ir::Variable* variable, const std::set<const ir::Variable*>& lazy) {
    return variable->storage == ir::Storage::local && !entries_.contains(variable) && !lazy.contains(variable);
  };
  const bool is_there = read      ? is_array(read->variable, lazy_)
                        : adjoint ? is_array(adjoint->variable, lazy_adjoints_)
                                  : is_index(std::get_if<Apply>(&whole->node)) || std::holds_alternative<FieldOf>(whole->node);
  return is_there ? std::optional(expr(whole)) : std::nullopt;
}

std::optional<cpp::Expr> FunctionWriter::item(const Apply& apply) {
  const auto whole = apply.unchecked && is_index(&apply) ? subscripted(apply.operands[0]) : std::nullopt;
  return whole ? at_place(*whole, apply.operands[1]) : std::nullopt;
}

// `xs[-1]`: xs[length(xs) - 1].
std::optional<cpp::Expr> FunctionWriter::at_place(const cpp::Expr& whole, const ExprPtr& place) {
  const auto number = integer_value(place);
  if (!number || *number >= 0) return cpp::subscript(whole, expr(place));
  const bool is_name = std::ranges::all_of(whole.text, [](unsigned char c) { return std::isalnum(c) || c == '_'; });
  if (!is_name) return {};
  return cpp::subscript(whole, cpp::binary(cpp::call("length", {whole}), "-", {std::to_string(-*number)}));
}

/// Whether an expression reads what a change sets: `xs[i][j]`, at the same place in Python.
bool FunctionWriter::reads_item(ExprPtr read, const Apply& change, const std::string& place) {
  const std::size_t count = change.operands.size() - 2;
  std::vector<ExprPtr> places;
  for (const auto* item = std::get_if<Apply>(&read->node); is_index(item) && places.size() < count; item = std::get_if<Apply>(&read->node)) {
    if (item->in_reverse || item->unchecked || spelling::place(read->location) != place) return false;
    places.insert(places.begin(), item->operands[1]);
    read = item->operands[0];
  }
  const auto is_same = [&](const ExprPtr& a, const ExprPtr& b) { return expr(a).text == expr(b).text; };
  return places.size() == count && is_same(read, change.operands[0]) && std::ranges::equal(places, std::span(change.operands).subspan(1, count), is_same);
}

// `item_of(xs, i, "…") += x;` and `append_to_item(rows, i, x, "…");`, which look for the place once.
std::optional<std::string> FunctionWriter::updated_item(const Apply& change, const Location& location) {
  static const std::map<std::string_view, std::string_view> updates = {{"+", "+="}, {"-", "-="}, {"*", "*="}, {"append", ""}};
  const ExprPtr& value = change.operands.back();
  const auto* update = std::get_if<Apply>(&value->node);
  const bool sets = change.op->name == "set-item" || change.op->name == "write-to";
  const auto found = sets && !change.unchecked && update && update->operands.size() == 2 && !update->in_reverse ? updates.find(update->op->name) : updates.end();
  const std::string place = spelling::place(location);
  if (found == updates.end() || spelling::place(value->location) != place || !reads_item(update->operands[0], change, place)) return {};
  const ExprPtr& other = update->operands[1];
  if (failures(other).any() || has_effect(other)) return {};  // which come in front of what is read
  const std::string item = fmt::format("{}, {}", expr(change.operands[0]).text, places({change.operands.begin() + 1, change.operands.end() - 1}));
  if (found->first == "append") return fmt::format("append_to_item({}, {}, {});", item, expr(other).text, place);
  const Type whole = resolve(change.operands[0]->type), number = resolve(value->type);
  const bool is_of_type = whole->kind == TypeKind::list ? same_type(whole->elements[0], number) : whole->dtype == number->dtype && whole->dims.size() + 2 == change.operands.size();
  const bool is_added_as_it_is = is_one_number(other->type) && resolve(other->type)->dtype == number->dtype &&
                                 (number->dtype == DType::i64 || number->dtype == DType::f64 || (number->dtype == DType::f32 && is_computed_in(other, DType::f32)));
  if (!is_one_number(number) || !is_of_type || !is_added_as_it_is) return {};
  return fmt::format("item_of({}, {}) {} {};", item, place, found->second, expr(other).text);
}

// `xs[i] = x`.
std::optional<std::string> FunctionWriter::set_item(const Apply& change, const Location& location) {
  if (const auto update = updated_item(change, location)) return update;
  const ExprPtr& value = change.operands.back();
  const auto whole = change.unchecked && (change.op->name == "set-item" || change.op->name == "write-to") ? subscripted(change.operands[0]) : std::nullopt;
  if (!whole) return {};
  std::optional<cpp::Expr> place = whole;
  for (std::size_t i = 1; place && i + 1 < change.operands.size(); ++i) place = at_place(*place, change.operands[i]);
  if (!place) return {};
  const cpp::Expr& item = *place;
  const bool link = is(value->type, TypeKind::structure) || is(value->type, TypeKind::optional);
  const std::string text = (link ? pointer_to(value) : expr(value)).text;
  const auto* apply = std::get_if<Apply>(&value->node);
  const bool goes_on = apply && !apply->operands.empty() && expr(apply->operands[0]).text == item.text;
  const std::string combined = goes_on ? this->combined(item.text, value, text) : "";
  return combined.empty() ? fmt::format("{} = {};", item.text, text) : combined + ";";
}

// `x_adj[i] += y_adj`, of a number.
std::optional<std::string> FunctionWriter::add_to_item(const Accumulate& n) {
  if (!n.field.empty() || n.variable->storage != ir::Storage::local) return {};
  cpp::Expr item = adjoint(n.variable);
  ExprPtr value = n.value;
  const auto* part = std::get_if<Apply>(&value->node);
  if (!part || part->op->name != "index-at") return {};
  Type whole = resolve(n.variable->type);
  for (; part && part->op->name == "index-at"; part = std::get_if<Apply>(&value->node)) {
    if (!part->unchecked || (whole->kind != TypeKind::list && rank(whole) == 0)) return {};
    const auto place = at_place(item, part->operands[0]);
    if (!place) return {};
    item = *place;
    value = part->operands[1];
    whole = whole->kind == TypeKind::list ? resolve(whole->elements[0]) : tensor(whole->dtype, {whole->dims.begin() + 1, whole->dims.end()});
  }
  const auto* negated = applied(value, "neg");
  const bool is_exact = is_one_number(whole) && is_one_number(value->type) && is_floating(whole) && resolve(value->type)->dtype == whole->dtype;
  const bool follows = is_exact && (whole->dtype == DType::f64 || is_computed_in(negated ? negated->operands[0] : value, whole->dtype));
  if (!follows) return {};
  return fmt::format("{} {}= {};", item.text, negated ? '-' : '+', expr(negated ? negated->operands[0] : value).text);
}

}  // namespace lantern
