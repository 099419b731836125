// A copy of a function, binding by binding; behind each whose result varies comes what its tangent is. A branch gives the
// tangents of what varies beside the values, a loop carries them in its state.
#include "lantern/derivation.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "lantern/pushforward.h"
#include "support/diagnostic.h"
#include "support/match.h"

namespace lantern {

using namespace ir;

namespace {

class Derivation {
 public:
  Derivation(const Varied::Found& found, Function& out, Program& program, Tangents& tangents)
      : found_(found), out_(out), program_(program), derived_(tangents), emit_(program) {}

  void write(const Function& function, const std::vector<bool>& mask) {
    for (const auto& name : names_in(function)) emit_.reserve(name);
    for (const auto* formal : function.formals) out_.formals.push_back(copy(formal));
    for (std::size_t i = 0; i < mask.size(); ++i) {
      if (mask[i]) out_.formals.push_back(tangent_variable(function.formals[i]));
    }
    out_.body = block(function.body, found_.results);
  }

 private:
  // --- values and their tangents ---

  Variable* copy(const Variable* variable) { return copies_[variable] = program_.add_variable(*variable); }
  std::vector<Variable*> copies(const std::vector<Variable*>& variables) {
    std::vector<Variable*> all;
    for (const auto* variable : variables) all.push_back(copy(variable));
    return all;
  }
  bool varies(const Variable* variable) const { return !primal_only_ && found_.variables.contains(variable); }
  bool varies(const Operand& operand) const { return operand.variable && varies(operand.variable); }

  Operand mapped(Operand operand) const {
    if (operand.variable && operand.variable->storage == Storage::local) operand.variable = copies_.at(operand.variable);
    return operand;
  }
  std::vector<Operand> mapped(std::vector<Operand> operands) const {
    for (auto& operand : operands) operand = mapped(operand);
    return operands;
  }

  Variable* tangent_variable(const Variable* primal) {
    auto* variable = program_.add_variable({.name = emit_.tangent_name(primal->name), .type = primal->type, .location = primal->location});
    tangents_[primal] = read(variable);
    return variable;
  }
  Operand tangent(const Operand& operand) { return varies(operand) ? tangents_.at(operand.variable) : emit_.zero(mapped(operand)); }
  void add_tangents(const std::vector<Operand>& operands, const std::vector<bool>& wanted, std::vector<Operand>& to) {
    for (std::size_t i = 0; i < operands.size(); ++i) {
      if (wanted[i]) to.push_back(tangent(operands[i]));
    }
  }

  // --- blocks ---

  Block block(const Block& from, const std::vector<bool>& wanted) {
    Block made;
    made.raises = from.raises;
    Block* const outer = std::exchange(emit_.block, &made);
    for (const auto& each : from.bindings) binding(each);
    made.results = mapped(from.results);
    if (!from.raises) add_tangents(from.results, wanted, made.results);
    emit_.block = outer;
    return made;
  }
  std::unique_ptr<Block> nested(const Block& from, const std::vector<bool>& wanted) { return std::make_unique<Block>(block(from, wanted)); }

  void add(std::vector<Variable*> results, Node node, const Location& location) {
    emit_.block->bindings.push_back({std::move(results), std::move(node), location});
  }

  std::vector<bool> varying(const std::vector<Variable*>& variables) const {
    std::vector<bool> mask;
    for (const auto* variable : variables) mask.push_back(varies(variable));
    return mask;
  }

  // The copies of a binding's results, and variables for the tangents of those that vary.
  std::vector<Variable*> results_of(const Binding& binding) {
    std::vector<Variable*> results = copies(binding.results);
    for (const auto* result : binding.results) {
      if (varies(result)) results.push_back(tangent_variable(result));
    }
    return results;
  }

  void binding(const Binding& from) {
    const Location& at = from.location;
    match(
        from.node,
        [&](const Operate& n) {
          add(copies(from.results), Operate{n.op, mapped(n.operands), n.attributes, n.derived}, at);
          if (std::any_of(from.results.begin(), from.results.end(), [&](const Variable* result) { return varies(result); })) operation(from, n);
        },
        [&](const Call& n) { call(from, n); },
        [&](const If& n) {
          const auto wanted = varying(from.results);
          If branch{mapped(n.condition), nested(*n.then, wanted), nested(*n.otherwise, wanted)};
          add(results_of(from), std::move(branch), at);
        },
        [&](const While& n) {
          While loop;
          state(n, loop);
          add(results_of(from), std::move(loop), at);
        },
        [&](const For& n) { for_loop(from, n); }, [](const Each&) { bug("forward-mode", "turns are side by side already"); },
        [&](const Field& n) { add(copies(from.results), Field{mapped(n.object), n.name}, at); },
        [&](const IsNone& n) { add(copies(from.results), IsNone{mapped(n.object)}, at); },
        [&](const Make& n) {
          for (const auto& field : n.fields) {
            if (varies(field)) no_derivative(at, fmt::format("the structure '{}' along a direction, since what is put into it varies", n.structure));
          }
          add(copies(from.results), Make{n.structure, mapped(n.fields)}, at);
        },
        [&](const Copy& n) {
          add(copies(from.results), Copy{mapped(n.value)}, at);
          if (varies(from.results[0])) tangents_[from.results[0]] = tangent(n.value);
        },
        [&](const ValueAndGrad& n) { gradient(from, n); },
        [](const AddGradient&) { bug("forward-mode", "a gradient is taken in parts already"); }, [](const Jvp&) { bug("forward-mode", "a jvp is left"); },
        [&](const Update& n) {
          for (std::size_t i = 0; i < n.values.size(); ++i) {
            if (varies(n.values[i])) no_derivative(at, fmt::format("'{}' along a direction, since what is put into it varies", n.targets[i]->name));
          }
          add({}, Update{n.targets, mapped(n.values)}, at);
        },
        [&](const Initialize& n) { add({}, Initialize{n.target, mapped(n.dims)}, at); },
        [&](const Print& n) { add({}, Print{mapped(n.operands), n.is_line}, at); },
        [&](const Assert& n) { add({}, Assert{mapped(n.condition), n.message}, at); },
        [&](const Raise& n) { add({}, Raise{n.kind, n.message, mapped(n.operands)}, at); });
  }

  void operation(const Binding& from, const Operate& n) {
    std::vector<std::optional<Operand>> tangents;
    for (std::size_t i = 0; i < n.operands.size(); ++i) {
      tangents.push_back(varies(n.operands[i]) ? std::optional(tangents_.at(n.operands[i].variable)) : std::nullopt);
      if (tangents.back() && !has_pushforward(*n.op, i)) {
        const auto* name = std::get_if<std::string>(&n.operands[0].literal);  // a function of the host's is known by its own
        no_derivative(from.location, fmt::format("'{}' with respect to '{}'", name ? *name : n.op->name, n.operands[i].variable->name));
      }
    }
    emit_.location = from.location;
    const Operate copied{n.op, mapped(n.operands), n.attributes};
    tangents_[from.results[0]] = push_forward(copied, read(copies_.at(from.results[0])), tangents, emit_);
  }

  void call(const Binding& from, const Call& n) {
    const auto mask = primal_only_ ? std::vector<bool>(n.operands.size()) : mask_of(n.operands, found_);
    if (std::find(mask.begin(), mask.end(), true) == mask.end()) {
      add(copies(from.results), Call{n.callee, mapped(n.operands)}, from.location);
      return;
    }
    if (n.callee->derivative && !n.callee->derivative.exact) {
      no_derivative(from.location, fmt::format("'{}' along a direction: its derivative is its own, for gradients alone", n.callee->name));
    }
    Call made{derived_.derived(*n.callee, mask).function, mapped(n.operands)};
    add_tangents(n.operands, mask, made.operands);
    add(results_of(from), std::move(made), from.location);
  }

  // A gradient's tangent is the gradient of the tangent, since second derivatives do not depend on their order:
  // from (y, g) = (f(x), f'(x)) along x_dot to (f'(x)·x_dot, the gradient of f'(x)·x_dot with respect to x).
  void gradient(const Binding& from, const ValueAndGrad& n) {
    add(copies(from.results), ValueAndGrad{n.callee, n.wrt, mapped(n.operands)}, from.location);
    if (!varies(from.results[0])) return;
    if (has_effect(*n.callee)) {
      no_derivative(from.location, fmt::format("the gradient of '{}', which prints, draws or changes something and would do so twice", n.callee->name));
    }
    if (const Variable* structure = without_tangent(n.wrt)) {
      no_derivative(from.location, fmt::format("the gradient of '{}' with respect to '{}' of type {}", n.callee->name, structure->name, to_string(structure->type)));
    }
    const auto mask = mask_of(n.operands, found_);
    ValueAndGrad made{derived_.tangent_alone(*n.callee, mask), n.wrt, mapped(n.operands)};
    for (auto& wrt : made.wrt) {
      const auto formal = std::find(n.callee->formals.begin(), n.callee->formals.end(), wrt);
      if (formal != n.callee->formals.end()) wrt = made.callee->formals[static_cast<std::size_t>(formal - n.callee->formals.begin())];
    }
    add_tangents(n.operands, mask, made.operands);
    std::vector<Variable*> results;
    for (const auto* result : from.results) results.push_back(tangent_variable(result));
    add(std::move(results), std::move(made), from.location);
  }

  // A loop's state with its tangents; its test gives none.
  template <class Loop>
  void state(const Loop& from, Loop& to) {
    const auto wanted = varying(from.state);
    to.initial = mapped(from.initial);
    add_tangents(from.initial, wanted, to.initial);
    to.state = copies(from.state);
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      if (wanted[i]) to.state.push_back(tangent_variable(from.state[i]));
    }
    const bool outer = std::exchange(primal_only_, true);
    to.test = nested(*from.test, {false});
    primal_only_ = outer;
    to.body = nested(*from.body, wanted);
  }

  void for_loop(const Binding& from, const For& n) {
    For loop;
    loop.element = copy(n.element);
    const auto* range = std::get_if<Range>(&n.sequence);
    if (range) {
      loop.sequence = Range{mapped(range->start), mapped(range->stop), mapped(range->step)};
      state(n, loop);
      add(results_of(from), std::move(loop), from.location);
      return;
    }
    const Operand& sequence = std::get<Operand>(n.sequence);
    loop.sequence = mapped(sequence);
    if (!varies(sequence)) {
      state(n, loop);
      add(results_of(from), std::move(loop), from.location);
      return;
    }
    // The element's tangent stands in the sequence's, at a place that is counted.
    const Type i64 = scalar(DType::i64);
    auto* at = emit_.variable(loop.element->name + "_at", i64);
    auto* element_dot = tangent_variable(n.element);
    state(n, loop);
    loop.initial.push_back({.literal = std::int64_t{0}, .type = i64});
    loop.state.push_back(at);
    const Operand whole = tangents_.at(sequence.variable);
    const Operator* index = select_operator("index", std::vector<Type>{whole.type, i64});
    auto& turn = loop.body->bindings;
    turn.insert(turn.begin(), {{element_dot}, Operate{index, {whole, read(at)}, {}, true}, from.location});
    if (!loop.body->raises) {
      Block* const outer = std::exchange(emit_.block, loop.body.get());
      loop.body->results.push_back(emit_.operate("+", {read(at), {.literal = std::int64_t{1}, .type = i64}}));
      emit_.block = outer;
    }
    auto results = results_of(from);
    results.push_back(emit_.variable(temporary, i64));
    add(std::move(results), std::move(loop), from.location);
  }

  static void no_derivative(const Location& at, const std::string& of) {
    throw Failure({.code = "LT0503", .location = at, .message = fmt::format("no derivative is known for {}", of),
                   .hint = "use stop-gradient if none is wanted"});
  }

  const Varied::Found& found_;
  Function& out_;
  Program& program_;
  Tangents& derived_;
  DerivedOperations emit_;
  bool primal_only_ = false;  // in a loop's test, which decides and has no tangent
  std::map<const Variable*, Variable*> copies_;
  std::map<const Variable*, Operand> tangents_;
};

}  // namespace

bool has_effect(const Block& block) {
  return std::any_of(block.bindings.begin(), block.bindings.end(), [](const Binding& binding) {
    const auto* operate = std::get_if<Operate>(&binding.node);
    return (operate && operate->op->effect) || std::holds_alternative<Print>(binding.node) ||
           std::holds_alternative<Update>(binding.node) || std::holds_alternative<Initialize>(binding.node);
  });
}
bool has_effect(const Function& function) {
  return any_block(function, [](const Block& block) { return has_effect(block); });
}

void derive(const Function& function, const std::vector<bool>& mask, const Varied::Found& found, Function& out, Program& program,
            Tangents& tangents) {
  Derivation(found, out, program, tangents).write(function, mask);
}

}  // namespace lantern
