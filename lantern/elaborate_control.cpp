// Branches and loops. A branch's results join; a loop's test and body are elaborated until its state's types no longer change.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "lantern/elaborate.h"
#include "lantern/elaborate_context.h"

namespace lantern {

using ir::Block;
using ir::Operand;
using sexpr::Datum;

Value Elaborator::branch(const Datum& datum, Block& block) {
  need_size(datum, 4, 4, "(if EXPR EXPR EXPR)");
  const std::string binding = std::exchange(context_->binding, {});
  const Location here = context_->here;
  const Operand condition = truth(datum[1], block);
  ir::If node{condition, std::make_unique<Block>(), std::make_unique<Block>()};
  Value values[2];
  for (const int side : {0, 1}) {
    const Scope scope(*context_);
    narrow(condition, side == 0);
    values[side] = expression(datum[static_cast<std::size_t>(side) + 2], side == 0 ? *node.then : *node.otherwise);
  }
  context_->here = here;
  if (values[0].never && values[1].never) {
    node.then->raises = node.otherwise->raises = true;
    bind(block, std::move(node), {}, tuple_of({}));
    return {.type = never_type(), .parts = {}, .never = true};
  }
  const Type joined = values[0].never   ? values[1].type
                      : values[1].never ? values[0].type
                                        : inference_.join(values[0].type, values[1].type);
  if (!joined) {
    fail("LT0405", fmt::format("the branches of this 'if' give {} and {}", to_string(values[0].type), to_string(values[1].type)),
         "make both branches give the same kind of value");
  }
  for (const int side : {0, 1}) {
    Block& into = side == 0 ? *node.then : *node.otherwise;
    into.raises = values[side].never;
    into.results = coerce(values[side], joined, into, "a branch of this 'if'");
  }
  context_->binding = binding;
  return bind(block, std::move(node), leaves(joined), joined);
}

Elaborator::LoopState Elaborator::loop_state(const Datum& datum, Block& block) {
  LoopState state;
  for (const Datum* entry : datum.elements()) {
    if (entry->size() != 2) {
      throw Failure({.code = "LT0220", .location = entry->location, .message = "a loop's state is ((NAME EXPR)…)"});
    }
    const std::string name = name_in((*entry)[0]);
    if (std::find(state.names.begin(), state.names.end(), name) != state.names.end()) {
      throw Failure({.code = "LT0234", .location = (*entry)[0].location, .message = fmt::format("'{}' is in a loop's state twice", name)});
    }
    state.names.push_back(name);
    state.initial.push_back(expression((*entry)[1], block));
  }
  return state;
}

Value Elaborator::loop(const Location& here, LoopState state, const Datum& test, const Datum& body, Block& block,
                       ir::Node node, const std::string& element_name, Type element_type, const Value* columns) {
  context_->here = here;
  std::vector<Type> types;
  for (const auto& value : state.initial) types.push_back(value.type);
  const std::size_t diagnosed = diagnostics.size(), named = context_->takings.size();
  for (int round = 0;; ++round) {
    const bool none = std::any_of(types.begin(), types.end(), [](const Type& type) { return is(type, TypeKind::none); });
    context_->begins_as_none += none;
    std::vector<ir::Variable*> variables;
    auto tested = std::make_unique<Block>();
    auto turned = std::make_unique<Block>();
    ir::Variable* element = nullptr;
    const Scope scope(*context_);
    for (std::size_t i = 0; i < types.size(); ++i) {
      Value value{.type = types[i], .parts = {}};
      const auto parts = leaves(types[i]);
      const auto names = names_of_parts(state.names[i], types[i]);
      for (std::size_t k = 0; k < parts.size(); ++k) {
        variables.push_back(fresh(names[k], parts[k]));
        value.parts.push_back({.variable = variables.back(), .type = parts[k]});
      }
      context_->set(state.names[i], std::move(value));
    }
    if (element_type) {
      element = fresh(element_name, element_type);
      // The test of a for loop does not see the element: it is asked before there is one.
    }
    const std::size_t learned = context_->undo.size();
    const Operand condition = truth(test, *tested);
    tested->results = {condition};
    // The body reads fields itself: a turn's reverse sweep does not go through the test.
    for (std::size_t i = learned; i < context_->undo.size(); ++i) {
      if (Context::is_field(context_->undo[i].first)) context_->names.erase(context_->undo[i].first);
    }
    narrow(condition, true);
    if (columns) {
      Value whole{.type = resolve(columns->type)->elements[0], .parts = {}};
      const auto labelled = [&](const Type& type) { return is(type, TypeKind::tuple) && !resolve(type)->labels.empty(); };
      const auto names = names_of_parts(element_name, whole.type);
      for (std::size_t k = 0; k < columns->parts.size(); ++k) {
        if (labelled(whole.type)) context_->binding = names[k];
        const Operand place{.variable = element, .type = element_type};
        whole.parts.push_back(operate("index", {columns->parts[k], place}, {}, *turned).parts[0]);
        context_->provisional.insert(whole.parts.back().variable);
      }
      context_->set(element_name, std::move(whole));
    } else if (element) {
      context_->set(element_name, {.type = element_type, .parts = {{.variable = element, .type = element_type}}});
    }
    const Value next = expression(body, *turned);
    context_->begins_as_none -= none;
    context_->here = here;
    const Type whole = types.size() == 1 ? types[0] : tuple_of(types);
    Type joined = next.never ? whole : inference_.join(whole, next.type);
    if (!joined) {
      fail("LT0410", fmt::format("a loop's state starts as {} and becomes {}", to_string(whole), to_string(next.type)),
           "give it the same type before the loop and at the end of its body");
    }
    if (round < 8 && !same_type(joined, whole)) {
      types = types.size() == 1 ? std::vector<Type>{joined} : resolve(joined)->elements;
      diagnostics.resize(diagnosed);
      context_->release(named);
      continue;
    }
    turned->raises = next.never;
    turned->results = coerce(next, whole, *turned, "the loop's next state");
    std::vector<Operand> initial;
    for (std::size_t i = 0; i < types.size(); ++i) {
      for (auto& part : coerce(state.initial[i], types[i], block, fmt::format("'{}'", state.names[i]))) initial.push_back(std::move(part));
    }
    const auto fill = [&](auto& into) {
      into.state = variables;
      into.initial = std::move(initial);
      into.test = std::move(tested);
      into.body = std::move(turned);
    };
    if (auto* loop = std::get_if<ir::While>(&node)) fill(*loop);
    if (auto* loop = std::get_if<ir::For>(&node)) {
      fill(*loop);
      loop->element = element;
    }
    return bind(block, std::move(node), leaves(whole), whole);
  }
}

Value Elaborator::while_loop(const Datum& datum, Block& block) {
  need_size(datum, 4, 4, "(while ((NAME EXPR)…) TEST BODY)");
  const std::string binding = std::exchange(context_->binding, {});
  const Location here = context_->here;
  LoopState state = loop_state(datum[1], block);
  return loop(here, std::move(state), datum[2], datum[3], block, ir::While{}, "", nullptr);
}

Value Elaborator::for_loop(const Datum& datum, Block& block) {
  need_size(datum, 6, 6, "(for NAME SEQUENCE ((NAME EXPR)…) TEST BODY)");
  const std::string binding = std::exchange(context_->binding, {});
  const Location here = context_->here;
  ir::For node{};
  Type element;
  const std::string element_name = name_in(datum[1]);
  if (datum[2].head() == "range") {
    need_size(datum[2], 4, 4, "(range START STOP STEP)");
    element = scalar(DType::i64);
    Operand bounds[3];
    for (const std::size_t i : {0, 1, 2}) bounds[i] = coerce_one(single(datum[2][i + 1], block), element, block, "a bound of the range");
    node.sequence = ir::Range{bounds[0], bounds[1], bounds[2]};
  } else {
    const Value value = operand_value(datum[2], block);
    if (is_list_of_tuples(value.type)) return columns_loop(here, datum, value, block);
    const Operand sequence = only_part(value);
    const Type type = resolve(sequence.type);
    if (type->kind == TypeKind::list || type->kind == TypeKind::dataset) {
      element = type->elements[0];
    } else if (type->kind == TypeKind::tensor && !type->dims.empty()) {
      element = tensor(type->dtype, {type->dims.begin() + 1, type->dims.end()});
    } else {
      fail("LT0411", fmt::format("cannot iterate over {}", to_string(type)), "iterate over a range, an array, a list or a data set");
    }
    node.sequence = sequence;
  }
  LoopState state = loop_state(datum[3], block);
  return loop(here, std::move(state), datum[4], datum[5], block, std::move(node), element_name, element);
}

// Over a list of tuples: over its places, each column's element being taken at the beginning of a turn.
Value Elaborator::columns_loop(const Location& here, const Datum& datum, const Value& list, Block& block) {
  const Type element = resolve(list.type)->elements[0];
  const Value length = operate("length", {list.parts[0]}, {}, block);
  const auto integer = [](std::int64_t value) { return Operand{.literal = value, .type = scalar(DType::i64)}; };
  ir::For node{};
  node.sequence = ir::Range{integer(0), length.parts[0], integer(1)};
  LoopState state = loop_state(datum[3], block);
  return loop(here, std::move(state), datum[4], datum[5], block, std::move(node), text_of(datum[1]), scalar(DType::i64), &list);
}

}  // namespace lantern
