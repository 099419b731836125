// Loops; of one with several results its function of elements.
#include <fmt/format.h>

#include <cstdint>
#include <limits>
#include <string_view>
#include <utility>

#include "codegen/function_writer.h"
#include "codegen/spelling.h"
#include "lantern/assignments.h"
#include "lantern/conditions.h"
#include "lantern/mentions.h"

namespace lantern {

using namespace lowered;

void FunctionWriter::in_one_loop(const InOneLoop& n) {
  std::vector<std::string> arguments = {""}, formals, names, results;
  for (const auto& result : n.results) names.push_back(result.is_adjoint ? spelling::adjoint_name(name(result.variable)) : name(result.variable));
  for (const auto& [array, element] : n.operands) arguments.push_back(expr(array).text);
  cpp::Writer outer = std::move(out_);
  out_ = {};
  naming_.enter();
  for (const auto& [array, element] : n.operands) formals.push_back("auto " + name(element));
  for (const auto& [element, value] : n.values) out_.line(fmt::format("const auto {} = {};", name(element), expr(value).text));
  Type type;
  for (const auto& result : n.results) {
    const cpp::Expr value = expr(result.value);
    type = resolve(result.variable->type);
    results.push_back((result.total == InOneLoop::Total::none ? value : cpp::call(result.total == InOneLoop::Total::mean ? "mean_of" : "sum_of", {value})).text);
  }
  out_.line(fmt::format("return std::tuple({});", cpp::list(results)));
  naming_.leave();
  const std::string body = out_.take();
  out_ = std::move(outer);
  arguments[0] = fmt::format("[]({}) {{\n{}}}", cpp::list(formals), body);
  out_.line(fmt::format("const auto [{}] = in_one_loop<{}>({});", cpp::list(names), spelling::element_type(type), cpp::list(arguments)));
}

// What a loop does in a turn: `if (c) {} else { … }` at its end goes on with the next where c holds.
void FunctionWriter::turn(const Statements& body) {
  const auto* around = std::exchange(skips_, body.empty() ? nullptr : std::get_if<If>(&body.back().node));
  statements(body, false, false);
  skips_ = around;
}

void FunctionWriter::loop_body(const Statements& test, const ExprPtr& condition, const Statements& body) {
  naming_.enter();
  const std::size_t marks_around = marks_in_scope_.size(), tables_around = tables_in_scope_.size();
  statements(test, false, false);
  if (condition) {
    out_.line(fmt::format("if ({}) break;", (is_condition(condition->type) ? expr(negated(condition)) : cpp::prefix("!", expr(condition))).text));
  }
  turn(body);
  marks_in_scope_.resize(marks_around);
  tables_in_scope_.resize(tables_around);
  naming_.leave();
}

void FunctionWriter::while_loop(const While& n) {
  const std::string mark_around = mark_;
  if (n.marks) mark_arena();
  if (n.test.empty()) {
    out_.open(fmt::format("while ({})", expr(n.condition).text));
    loop_body({}, nullptr, n.body);
  } else {
    out_.open("while (true)");
    loop_body(n.test, n.condition, n.body);
  }
  out_.close();
  mark_ = mark_around;
}

namespace {

/// Whether a loop goes over a slice of a list that it does not change: of the list itself then, not of a copy.
bool is_part_as_it_stays(const For& loop) {
  const auto* slice = is(loop.sequence->type, TypeKind::list) ? applied(loop.sequence, "slice") : nullptr;
  const ir::Variable* list = slice ? lowered::variable_of(slice->operands[0]) : nullptr;
  return list && list->storage == ir::Storage::local && mentions_of(list, const_cast<Statements&>(loop.body)).unchanged();  // which is looked at only
}

}  // namespace

void FunctionWriter::for_loop(const For& n, const Location& location) {
  naming_.enter();
  const std::string mark_around = mark_;
  const bool in_front = n.marks && goes_over_what_is_there(n);
  if (in_front) mark_arena();
  const bool dataset = !n.sequence ? false : is(n.sequence->type, TypeKind::dataset);
  const bool structure = is(n.element->type, TypeKind::structure);
  if (structure && !dataset) pointers_.insert(n.element);  // a list holds links
  cpp::Writer outer = std::move(out_);
  out_ = {};
  const std::size_t marks_around = marks_in_scope_.size();
  if (n.marks && !in_front) mark_arena();
  const auto read_around = std::exchange(read_, {});
  loop_body(n.test, n.condition, n.body);
  const bool used = read_.contains(n.element);
  read_.insert(read_around.begin(), read_around.end());
  mark_ = mark_around;
  marks_in_scope_.resize(marks_around);
  const std::string body = out_.take();
  out_ = std::move(outer);
  if (is_draft_ && !n.range.empty()) naming_.counts(n.element);
  const std::string element = name(n.element);
  if (n.range.empty()) {
    const cpp::Expr sequence = is_part_as_it_stays(n) ? raw("part_of" + expr(n.sequence).text.substr(std::string_view("slice").size())) : expr(n.sequence);
    const Type type = resolve(n.sequence->type);
    if (type->kind == TypeKind::tensor) {
      const std::string at = beside(element, "_at");
      out_.open(fmt::format("for (int64_t {0} = 0; {0} < length({1}); ++{0})", at, sequence.text));
      const auto whole = subscripted(n.sequence);
      const cpp::Expr item = whole ? cpp::subscript(*whole, {at}) : cpp::call("index", {sequence, {at}});
      if (used) out_.line(fmt::format("const {} {} = {};", spelling::value_type(n.element->type), element, item.text));
    } else {
      const std::string head = structure && dataset ? spelling::formal_type(n.element->type) : spelling::constant_type(n.element->type);
      out_.open(fmt::format("for ({}{} {} : {})", used ? "" : "[[maybe_unused]] ", head, element, sequence.text));
    }
  } else {
    const auto* step = std::get_if<Constant>(&n.range[2]->node);
    const auto* by = step ? std::get_if<std::int64_t>(&step->value) : nullptr;
    const std::string start = expr(n.range[0]).text, stop = expr(n.range[1]).text;
    if (by && *by == 1) {
      const auto* read = std::get_if<Read>(&n.range[1]->node);  // the bounds are taken once: a state may change meanwhile
      const bool simple = std::holds_alternative<Constant>(n.range[1]->node) || (read && read->variable->storage == ir::Storage::local);
      const std::string end = simple ? stop : beside(element, "_end");
      const std::string bound = simple ? "" : fmt::format(", {} = {}", end, stop);
      out_.open(fmt::format("for (int64_t {0} = {1}{2}; {0} < {3}; ++{0})", element, start, bound, end));
    } else if (const auto last = integer_value(n.range[1]); by && *by == -1 && last && *last < std::numeric_limits<std::int64_t>::max()) {
      out_.open(fmt::format("for (int64_t {0} = {1}; {0} >= {2}; --{0})", element, start, *last + 1));
    } else {
      out_.open(fmt::format("for ({}const int64_t {} : range({}, {}, {}, {}))", used ? "" : "[[maybe_unused]] ", element, start, stop, expr(n.range[2]).text, spelling::place(location)));
    }
  }
  out_.line(body);
  out_.close();
  naming_.leave();
}

}  // namespace lantern
