#include "lantern/taken_memory.h"

#include <algorithm>
#include <utility>

#include "lantern/assignments.h"
#include "lantern/changed_arrays.h"
#include "lantern/walk.h"
#include "support/match.h"

namespace lantern::lowered {

namespace {

/// Of an operation, its operands aside. One that makes a number of arrays may put something by meanwhile.
bool takes_memory(const Apply& apply, const Type& result) {
  const Operator& op = *apply.op;
  constexpr std::string_view readers[] = {"index", "popped", "matmul", "sum"};
  const bool only_reads = is_of_shape(op) || std::find(std::begin(readers), std::end(readers), op.name) != std::end(readers);
  const auto is_array = [](const ExprPtr& operand) { return is_numeric(operand->type) && !is_one_number(operand->type); };
  if (op.effect || op.name == "extern") return true;  // it may be anybody's code
  if (is(result, TypeKind::string) && (op.name == "character" || op.name == "substring" || op.name == "where")) return false;
  if (op.accumulate_only) return false;
  if (op.in_place) return op.name == "append-to" || op.name == "insert-into" || op.name == "put-slot";
  if (is_one_number(result)) return !only_reads && std::any_of(apply.operands.begin(), apply.operands.end(), is_array);
  return !op.cheap_view && op.name != "index" && op.name != "popped";
}

bool is_reset(const Statement& s) { return std::holds_alternative<ResetArena>(s.node); }

/// Of a statement, its expressions and those within it aside.
bool takes_memory_itself(const Statement& s) {
  return match(
      s.node, [](const Let& n) { return n.owns && may_be_view(n.value); }, [](const Declare&) { return false; },
      [](const Assign& n) { return n.kept && !std::all_of(n.variables.begin(), n.variables.end(), [](const auto* v) { return is_one_number(v->type); }); },
      [](const DeclareAdjoint& n) { return !is_one_number(n.variable->type); },
      [](const Accumulate& n) { return n.variable->storage != ir::Storage::local && !is_one_number(n.variable->type); },
      [](const AssignAdjoints& n) { return n.kept; },
      [](const If& n) { return std::any_of(n.then.begin(), n.then.end(), is_reset) || std::any_of(n.otherwise.begin(), n.otherwise.end(), is_reset); },
      [](const Print& n) { return !std::all_of(n.values.begin(), n.values.end(), [](const ExprPtr& value) { return is(value->type, TypeKind::string); }); },
      [](const Restore&) { return false; }, [](const Change&) { return false; }, [](const ClearItem& n) { return n.like != nullptr; }, [](const While&) { return false; },
      [](const For&) { return false; }, [](const Backwards&) { return false; }, [](const Return&) { return false; }, [](const Do&) { return false; },
      [](const Assert&) { return false; }, [](const Raise&) { return false; }, [](const Store&) { return false; }, [](const Break&) { return false; },
      [](const MarkArena&) { return false; }, [](const ResetArena&) { return false; }, [](const Comment&) { return false; },
      [](const auto&) { return true; });  // what is called may, and what is saved is kept there
}

}  // namespace

bool takes_memory(const ExprPtr& e, const Functions& without) {
  const auto* apply = std::get_if<Apply>(&e->node);
  const auto* call = std::get_if<DirectCall>(&e->node);
  bool takes = (apply && takes_memory(*apply, e->type)) || (call && !without.contains(call->callee)) || std::holds_alternative<Construct>(e->node) ||
               std::holds_alternative<GradientOf>(e->node);
  for_each_operand(*e, [&](const ExprPtr& operand) { takes = takes || takes_memory(operand, without); });
  return takes;
}

bool takes_memory(Statement& s, const Functions& without) {
  if (std::holds_alternative<Raise>(s.node)) return false;  // there is nothing behind it
  bool takes = takes_memory_itself(s);
  for_each_expr(s, [&](const ExprPtr& e) { takes = takes || takes_memory(e, without); });
  for_each_list(s, [&](Statements& nested) { takes = takes || takes_memory(nested, without); });
  return takes;
}

bool takes_memory(Statements& list, const Functions& without) {
  if (!list.empty() && std::holds_alternative<Raise>(list.back().node)) return false;  // nor behind what is computed for it
  return std::any_of(list.begin(), list.end(), [&](Statement& s) { return takes_memory(s, without); });
}

namespace {

/// The functions in whose direct forms nothing takes memory.
Functions functions_without(Program& program) {
  Functions without;
  for (const auto& function : program.functions) {
    if (function.form == Form::direct) without.insert(function.source);
  }
  for (bool is_known = false; !is_known;) {
    is_known = true;
    for (auto& function : program.functions) {
      if (function.form != Form::direct || !without.contains(function.source) || !takes_memory(function.body, without)) continue;
      without.erase(function.source);
      is_known = false;
    }
  }
  return without;
}

void leave_out_marks(Statements& list, const Functions& without) {
  for (auto& s : list) {
    for_each_list(s, [&](Statements& nested) { leave_out_marks(nested, without); });
    auto* loop = std::get_if<For>(&s.node);
    auto* repeated = std::get_if<While>(&s.node);
    if ((!loop && !repeated) || takes_memory(s, without)) continue;
    bool& marks = loop ? loop->marks : repeated->marks;
    if (!std::exchange(marks, false)) continue;
    Statements& body = loop ? loop->body : repeated->body;
    std::erase_if(body, is_reset);
    for (auto& inner : body) {
      if (auto* assign = std::get_if<Assign>(&inner.node)) assign->kept = false;
    }
  }
}

}  // namespace

void leave_out_marks(Program& program) {
  program.without_memory = functions_without(program);
  for (auto& function : program.functions) leave_out_marks(function.body, program.without_memory);
}

}  // namespace lantern::lowered
