#include "lantern/fission.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "lantern/derivation.h"
#include "lantern/outline.h"
#include "support/diagnostic.h"

namespace lantern {

using namespace ir;

namespace {

const std::int64_t* integer_of(const Operand& operand) { return operand.variable ? nullptr : std::get_if<std::int64_t>(&operand.literal); }

/// Whether it prints, draws, takes a gradient of its own, changes something or ends the program on purpose.
bool has_effect(const Binding& binding) {
  const auto* operate = std::get_if<Operate>(&binding.node);
  bool effect = (operate && operate->op->effect) || std::holds_alternative<Print>(binding.node) || std::holds_alternative<Update>(binding.node) ||
                std::holds_alternative<Initialize>(binding.node) || std::holds_alternative<Assert>(binding.node) ||
                std::holds_alternative<Raise>(binding.node) || std::holds_alternative<ValueAndGrad>(binding.node);
  for (const auto* callee : callees_of(binding.node)) effect = effect || lantern::has_effect(*callee) || takes_gradient(*callee);
  for_each_block(binding.node, [&](const Block& nested) {
    effect = effect || nested.raises || std::any_of(nested.bindings.begin(), nested.bindings.end(), [](const Binding& inner) { return has_effect(inner); });
  });
  return effect;
}

class Fission {
 public:
  Fission(Program& program, Block& block, std::size_t at) : program_(program), block_(block), at_(at), loop_(std::get<For>(block.bindings[at].node)) {}

  std::string run(const std::function<bool(const Binding&)>& worthwhile) {
    Block& body = *loop_.body;
    if (!is_true(*loop_.test)) return "it can end early";
    if (body.raises) return "it raises an error";
    if (std::any_of(body.bindings.begin(), body.bindings.end(), [](const Binding& binding) { return has_effect(binding); })) {
      return "it prints, draws, changes or raises something, which keeps its order";
    }
    if (const auto* range = std::get_if<Range>(&loop_.sequence); range && (!integer_of(range->step) || is_integer(range->step, 0))) {
      return "how it counts is not known";
    }
    dependent_ = dependent_on_turns(loop_);
    if (std::none_of(body.bindings.begin(), body.bindings.end(), [&](const Binding& b) { return !dependent(b) && worthwhile(b); })) {
      return "its calls depend on the turn before";
    }
    find_crossing();
    if (crossing_.empty()) return "nothing is made of what they give";
    for (const auto* variable : crossing_) {
      const TypeKind kind = resolve(variable->type)->kind;
      if (kind == TypeKind::optional || kind == TypeKind::none) return fmt::format("'{}' may be None, which no list holds", variable->name);
      if (kind == TypeKind::dataset) return fmt::format("'{}' is a data set, which no list holds", variable->name);
    }
    rewrite();
    return {};
  }

 private:
  bool dependent(const Binding& binding) const { return dependent_.contains(&binding); }

  // What of the rest that part reads.
  void find_crossing() {
    std::set<const Variable*> free;
    for (const auto& binding : loop_.body->bindings) {
      if (!dependent(binding)) free.insert(binding.results.begin(), binding.results.end());
    }
    const auto cross = [&](const Operand& operand) {
      element_crosses_ = element_crosses_ || operand.variable == loop_.element;
      if (free.contains(operand.variable) && std::find(crossing_.begin(), crossing_.end(), operand.variable) == crossing_.end()) crossing_.push_back(operand.variable);
    };
    for (const auto& binding : loop_.body->bindings) {
      if (dependent(binding)) for_operands(binding, cross);
    }
    for (const auto& result : loop_.body->results) cross(result);
  }

  Variable* fresh(const std::string& name, Type type) { return program_.add_variable({.name = name, .type = std::move(type)}); }
  static Operand integer(std::int64_t value) { return {.literal = value, .type = scalar(DType::i64)}; }

  static Binding operation(Variable* result, const char* op, std::vector<Operand> operands, const Location& at) {
    std::vector<Type> types;
    for (const auto& operand : operands) types.push_back(operand.type);
    return {{result}, Operate{select_operator(op, types), std::move(operands), {}}, at};
  }

  /// Adds an operation of integers, but for + 0 and * 1.
  Operand integers(std::vector<Binding>& into, const char* op, const Operand& a, const Operand& b, const Location& at) {
    if (is_integer(b, std::string_view(op) == "+" || std::string_view(op) == "-" ? 0 : 1)) return a;
    Variable* result = fresh(temporary, scalar(DType::i64));
    into.push_back(operation(result, op, {a, b}, at));
    return read(result);
  }

  Operand count_turns(std::vector<Binding>& into, const Location& at) {
    const auto* range = std::get_if<Range>(&loop_.sequence);
    if (!range) {
      Variable* length = fresh("turns", scalar(DType::i64));
      into.push_back(operation(length, "length", {std::get<Operand>(loop_.sequence)}, at));
      return read(length);
    }
    const std::int64_t step = *integer_of(range->step);
    const Operand way = integers(into, "-", range->stop, range->start, at);  // below 0: there are no turns
    return integers(into, "//", integers(into, "+", way, integer(step > 0 ? step - 1 : step + 1), at), range->step, at);
  }

  /// What the loop goes over is in turn `turn`: the turn itself, or a variable of that name.
  Variable* element_of(Variable* turn, Variable* element, std::vector<Binding>& into, const Location& at) {
    const auto* range = std::get_if<Range>(&loop_.sequence);
    if (!range) {
      into.push_back(operation(element, "index", {std::get<Operand>(loop_.sequence), read(turn)}, at));
      return element;
    }
    if (counts_from_0()) return turn;
    const Operand way = integers(into, "*", read(turn), range->step, at);
    into.push_back(operation(element, "+", {range->start, way}, at));
    return element;
  }
  bool counts_from_0() const {
    const auto* range = std::get_if<Range>(&loop_.sequence);
    return range && is_integer(range->start, 0) && is_integer(range->step, 1);
  }

  void rewrite() {
    const Location at = block_.bindings[at_].location;
    std::vector<Binding> made;
    const Operand turns = count_turns(made, at);

    // The turns.
    Variable* turn = fresh(counts_from_0() ? loop_.element->name : "i", scalar(DType::i64));
    Each each{turn, turns, std::make_unique<Block>()};
    Variable* element = element_of(turn, fresh(loop_.element->name, loop_.element->type), each.body->bindings, at);
    std::vector<Binding> rest;
    for (auto& binding : loop_.body->bindings) {
      if (dependent(binding)) {
        rest.push_back(std::move(binding));
        continue;
      }
      for_operands(binding, [&](Operand& operand) {
        if (operand.variable == loop_.element) operand.variable = element;
      });
      each.body->bindings.push_back(std::move(binding));
    }
    std::vector<Variable*> lists;
    for (auto* variable : crossing_) {
      lists.push_back(fresh(variable->name, list_of(variable->type)));
      each.body->results.push_back(read(variable));
    }
    made.push_back({lists, std::move(each), at});

    // And what comes of them.
    Binding& binding = block_.bindings[at_];
    if (!lists.empty() && only_collects(rest, lists[0])) {
      binding.node = Copy{read(lists[0])};
    } else {
      std::map<const Variable*, Variable*> renamed;
      Block body;
      Variable* again = counts_from_0() ? loop_.element : fresh("i", scalar(DType::i64));
      if (element_crosses_) element_of(again, loop_.element, body.bindings, at);
      for (std::size_t i = 0; i < lists.size(); ++i) {
        renamed[crossing_[i]] = fresh(crossing_[i]->name, crossing_[i]->type);
        body.bindings.push_back(operation(renamed[crossing_[i]], "index", {read(lists[i]), read(again)}, at));
      }
      for (auto& later : rest) body.bindings.push_back(std::move(later));
      body.results = std::move(loop_.body->results);
      for_each_operand(body, [&](Operand& operand) {
        const auto other = renamed.find(operand.variable);
        if (other != renamed.end()) operand.variable = other->second;
      });
      *loop_.body = std::move(body);
      loop_.element = again;
      loop_.sequence = Range{integer(0), turns, integer(1)};
    }
    block_.bindings.insert(block_.bindings.begin() + static_cast<std::ptrdiff_t>(at_), std::make_move_iterator(made.begin()), std::make_move_iterator(made.end()));
  }

  /// Whether all that is left is a list, empty at first, to which each turn appends what is in `list`.
  bool only_collects(const std::vector<Binding>& rest, const Variable* list) const {
    if (loop_.state.size() != 1 || rest.size() != 1 || crossing_.size() != 1 || element_crosses_) return false;
    const auto* operate = std::get_if<Operate>(&rest[0].node);
    if (!operate || operate->op->name != "append" || !same_type(loop_.state[0]->type, list->type)) return false;
    if (operate->operands[0].variable != loop_.state[0] || operate->operands[1].variable != crossing_[0]) return false;
    if (loop_.body->results[0].variable != rest[0].results[0]) return false;
    for (const auto& before : block_.bindings) {
      const auto* start = std::get_if<Operate>(&before.node);
      if (start && start->op->name == "empty" && before.results[0] == loop_.initial[0].variable) return true;
    }
    return false;
  }

  Program& program_;
  Block& block_;
  const std::size_t at_;
  For& loop_;
  std::set<const Binding*> dependent_;
  std::vector<Variable*> crossing_;
  bool element_crosses_ = false;
};

}  // namespace

std::set<const Binding*> dependent_on_turns(const For& loop) {
  std::set<const Binding*> all;
  std::set<const Variable*> carried(loop.state.begin(), loop.state.end());
  for (const auto& binding : loop.body->bindings) {
    bool depends = false;
    for_operands(binding, [&](const Operand& operand) { depends = depends || carried.contains(operand.variable); });
    if (!depends) continue;
    all.insert(&binding);
    carried.insert(binding.results.begin(), binding.results.end());
  }
  return all;
}

bool is_quiet(const Binding& binding) {
  if (std::holds_alternative<If>(binding.node)) {
    bool all = true;
    for_each_block(binding.node, [&](const Block& block) { all = all && !block.raises && std::all_of(block.bindings.begin(), block.bindings.end(), is_quiet); });
    return all;
  }
  if (const auto* field = std::get_if<Field>(&binding.node)) return !is(field->object.type, TypeKind::optional) || field->object.present;
  if (std::holds_alternative<IsNone>(binding.node) || std::holds_alternative<Make>(binding.node)) return true;
  if (const auto* copy = std::get_if<Copy>(&binding.node)) {
    return !is(copy->value.type, TypeKind::optional) || copy->value.present || is(binding.results[0]->type, TypeKind::optional);
  }
  const auto* operate = std::get_if<Operate>(&binding.node);
  if (!operate || operate->op->effect) return false;
  std::vector<Type> types;
  std::vector<std::optional<std::int64_t>> literals;
  for (const auto& operand : operate->operands) {
    types.push_back(operand.type);
    const auto* literal = operand.variable ? nullptr : std::get_if<std::int64_t>(&operand.literal);
    literals.push_back(literal ? std::optional(*literal) : std::nullopt);
  }
  return !failures_of(*operate->op, {types, literals, operate->attributes}, binding.results[0]->type).any();
}

std::string take_apart(Program& program, Block& block, std::size_t loop, const std::function<bool(const Binding&)>& worthwhile) {
  return Fission(program, block, loop).run(worthwhile);
}

}  // namespace lantern
