// Calls and turns side by side in direct style. They return their results, and so do the parts that stand for them:
//
//   [h_left, h_right] = together([&] { return encode(*tree.left); }, [&] { return encode(*tree.right); });
//
// A loop that was taken apart into turns and what comes of them (fission.h) is one statement, which needs no lists:
//
//   each(trees.size(), [&](int64_t i) { return loss(trees[i]); }, [&](float x) { total = total + x; });
#include <algorithm>
#include <utility>

#include "lantern/lowering.h"
#include "lantern/taken_memory.h"

namespace lantern {

using namespace lowered;

bool calls_host(const ir::Block& block) {
  const auto is_extern = [](const ir::Block& b) {
    return std::any_of(b.bindings.begin(), b.bindings.end(), [](const ir::Binding& binding) {
      const auto* operate = std::get_if<ir::Operate>(&binding.node);
      return operate && operate->op->name == "extern";
    });
  };
  bool found = is_extern(block);
  for (const auto& binding : block.bindings) {
    for (const auto* callee : ir::callees_of(binding.node)) found = found || ir::any_block(*callee, is_extern);
    ir::for_each_block(binding.node, [&](const ir::Block& nested) { found = found || calls_host(nested); });
  }
  return found;
}

bool is_at_once(const ir::Block& block, std::size_t index) {
  std::size_t begin = 0, end = 0;
  for (; end <= index; begin = std::exchange(end, end + block.bindings[end].at_once)) {}
  return end - begin > 1;
}

namespace {

/// Whether a binding is what runs at once with others: a call, or a branch that makes one.
bool is_call_of_part(const ir::Binding& binding) {
  if (std::holds_alternative<ir::Call>(binding.node)) return true;
  if (!std::holds_alternative<ir::If>(binding.node)) return false;
  bool found = false;
  ir::for_each_block(binding.node, [&](const ir::Block& nested) {
    found = found || std::any_of(nested.bindings.begin(), nested.bindings.end(), is_call_of_part);
  });
  return found;
}

bool is_same(const ir::Operand& a, const ir::Operand& b) {
  if (a.variable || b.variable) return a.variable == b.variable;
  const auto* literal = std::get_if<std::int64_t>(&a.literal);
  return literal && ir::is_integer(b, *literal);
}

/// A loop that goes over all turns, from the first to the last.
const ir::For* loop_over(const ir::Binding& binding, const ir::Operand& turns) {
  const auto* loop = std::get_if<ir::For>(&binding.node);
  const auto* range = loop ? std::get_if<ir::Range>(&loop->sequence) : nullptr;
  if (!range || !ir::is_integer(range->start, 0) || !ir::is_integer(range->step, 1) || !is_same(range->stop, turns)) return nullptr;
  return ir::is_true(*loop->test) ? loop : nullptr;
}

std::ptrdiff_t reads_of(const ir::Variable* variable, const ir::Binding& binding) {
  const auto operands = ir::operands_of(binding.node);
  std::ptrdiff_t count = std::count_if(operands.begin(), operands.end(), [&](const ir::Operand* o) { return o->variable == variable; });
  ir::for_each_block(binding.node, [&](const ir::Block& nested) {
    ir::for_each_operand(const_cast<ir::Block&>(nested), [&](const ir::Operand& o) { count += o.variable == variable; });  // looked at only
  });
  return count;
}

/// The bindings, of the loop behind an Each, that take what its turns gave: each list's element of the loop's turn. Empty unless they
/// are all that reads the lists.
std::vector<const ir::Binding*> takers(const ir::Block& block, std::size_t index) {
  const auto* each = std::get_if<ir::Each>(&block.bindings[index].node);
  const auto* loop = each && index + 1 < block.bindings.size() ? loop_over(block.bindings[index + 1], each->turns) : nullptr;
  if (!loop) return {};
  std::vector<const ir::Binding*> found;
  for (const auto* list : block.bindings[index].results) {
    const auto takes = [&](const ir::Binding& binding) {
      const auto* operate = std::get_if<ir::Operate>(&binding.node);
      return operate && operate->op->name == "index" && operate->operands[0].variable == list && operate->operands[1].variable == loop->element;
    };
    const auto& bindings = loop->body->bindings;
    const auto taker = std::find_if(bindings.begin(), bindings.end(), takes);
    std::ptrdiff_t reads = std::count_if(block.results.begin(), block.results.end(), [&](const ir::Operand& o) { return o.variable == list; });
    for (std::size_t i = index + 1; i < block.bindings.size(); ++i) reads += reads_of(list, block.bindings[i]);
    if (taker == bindings.end() || reads != 1) return {};
    found.push_back(&*taker);
  }
  return found;
}

}  // namespace

/// The binding at `index`, and those behind it that make one statement with it. Where the next one is.
std::size_t FormBuilder::direct_bindings(const ir::Block& block, std::size_t index, Statements& out) {
  const ir::Binding& binding = block.bindings[index];
  if (binding.at_once > 1) {
    LetTogether statement;
    const std::size_t end = index + binding.at_once;
    for (std::size_t i = index, begin = index; i < end; begin = ++i) {
      while (!is_call_of_part(block.bindings[i])) ++i;  // what is computed for the call
      const auto& results = block.bindings[i].results;
      statement.parts.push_back(direct_part(block, begin, i));
      statement.variables.insert(statement.variables.end(), results.begin(), results.end());
    }
    out.push_back({std::move(statement), binding.location});
    return end;
  }
  const auto taken = takers(block, index);
  if (!taken.empty() && (form_ == Form::direct || !activity_.carries_adjoint(block.bindings[index + 1]))) {
    each_turn(block, index, taken, out);
    return index + 2;
  }
  direct_binding(block, index, out);
  return index + 1;
}

Part FormBuilder::direct_part(const ir::Block& block, std::size_t begin, std::size_t at) {
  Part made;
  for (std::size_t i = begin; i < at; ++i) direct_binding(block, i, made.statements);
  const ir::Binding& binding = block.bindings[at];
  for (const auto* result : binding.results) made.results.emplace_back(result->type, false);
  if (const auto* branch = std::get_if<ir::If>(&binding.node)) {
    If statement{expr(branch->condition), {}, {}};
    direct_returning(*branch->then, statement.then);
    direct_returning(*branch->otherwise, statement.otherwise);
    made.statements.push_back({std::move(statement), binding.location});
  } else {
    made.statements.push_back({Return{{value_of(binding)}}, binding.location});
  }
  return made;
}

Part FormBuilder::direct_turns(const ir::Binding& binding, const ir::Each& each) {
  Part made;
  for (const auto* list : binding.results) made.results.emplace_back(resolve(list->type)->elements[0], false);
  const auto& bindings = each.body->bindings;
  made.waits = std::any_of(bindings.begin(), bindings.end(), [](const ir::Binding& b) { return std::holds_alternative<ir::AddGradient>(b.node); });
  if (made.waits) waiting_turn(*each.body, 0, made.statements);
  else direct_returning(*each.body, made.statements);
  return made;
}

// A turn that takes a gradient hands its results on and waits: the others' are known before it goes back.
void FormBuilder::waiting_turn(const ir::Block& block, std::size_t from, Statements& out) {
  for (std::size_t i = from; i < block.bindings.size();) {
    const auto* part = std::get_if<ir::AddGradient>(&block.bindings[i].node);
    if (!part) {
      i = direct_bindings(block, i, out);
      continue;
    }
    const ir::Binding& binding = block.bindings[i];
    CallThen call = adding_gradient(binding, *part, out);
    call.body.push_back({AssignAdjoints{{binding.results[part->of]}, {expr(part->adjoint)}}});
    waiting_turn(block, i + 1, call.body);
    return out.push_back({std::move(call), binding.location});
  }
  Resume resume{"k", {}};
  for (const auto& result : block.results) resume.arguments.push_back({expr(result), nullptr, result.type});
  out.push_back({std::move(resume)});
}

void FormBuilder::each_turn(const ir::Block& block, std::size_t index, const std::vector<const ir::Binding*>& taken, Statements& out) {
  const ir::Binding &turns = block.bindings[index], &binding = block.bindings[index + 1];
  const auto& each = std::get<ir::Each>(turns.node);
  const auto& loop = std::get<ir::For>(binding.node);
  EachTurn statement{each.turn, expr(each.turns), direct_turns(turns, each), loop.element, {}, false, {}, calls_host(*each.body)};
  begin_state(binding, loop.state, loop.initial, out);
  bool leaves_something = false;
  for (const auto* taker : taken) {
    statement.results.push_back(taker->results[0]);
    const Type& type = taker->results[0]->type;
    leaves_something = leaves_something || !is_numeric(type) || rank(type) > 0;
  }
  const auto& bindings = loop.body->bindings;
  for (std::size_t i = 0; i < bindings.size();) {
    const bool is_taken = std::find(taken.begin(), taken.end(), &bindings[i]) != taken.end();
    i = is_taken ? i + 1 : direct_bindings(*loop.body, i, statement.then);
  }
  if (!loop.state.empty()) statement.then.push_back({Assign{loop.state, exprs(loop.body->results)}});
  statement.marks = forgets(loop.state, false, leaves_something || takes_memory(statement.then), statement.then);
  out.push_back({std::move(statement), binding.location});
}

}  // namespace lantern
