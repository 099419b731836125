#include "lantern/ir.h"

#include <algorithm>
#include <algorithm>
#include <cctype>
#include <utility>

#include "support/match.h"

namespace lantern::ir {

Node::Node(Node&&) noexcept = default;
Node& Node::operator=(Node&&) noexcept = default;
Node::~Node() = default;

Type Structure::field(const std::string& wanted) const {
  for (const auto& [name, type] : fields) {
    if (name == wanted) return type;
  }
  return nullptr;
}

const Structure* Program::structure(const std::string& wanted) const {
  for (const auto& known : structures) {
    if (known.name == wanted) return &known;
  }
  return nullptr;
}

Structure* Program::structure(const std::string& wanted) { return const_cast<Structure*>(std::as_const(*this).structure(wanted)); }

Function* Program::add_function(const std::string& name, const Location& location) {
  std::set<std::string> taken;
  for (const auto& function : functions) taken.insert(function.name);
  std::string unique = name;
  for (int i = 2; taken.contains(unique); ++i) unique = name + "_" + std::to_string(i);
  return &functions.emplace_back(Function{.name = unique, .location = location});
}

bool is_integer(const Operand& operand, std::int64_t value) {
  const auto* literal = operand.variable ? nullptr : std::get_if<std::int64_t>(&operand.literal);
  return literal && *literal == value;
}

bool is_true(const Block& block) {
  if (!block.bindings.empty() || block.results.size() != 1 || block.results[0].variable) return false;
  const auto* value = std::get_if<bool>(&block.results[0].literal);
  return value && *value;
}

void for_each_variable(const Block& block, const std::function<void(Variable*)>& visit) {
  for (const auto& binding : block.bindings) {
    for (auto* result : binding.results) visit(result);
    if (const auto* loop = std::get_if<While>(&binding.node)) std::for_each(loop->state.begin(), loop->state.end(), visit);
    if (const auto* loop = std::get_if<For>(&binding.node)) {
      std::for_each(loop->state.begin(), loop->state.end(), visit);
      visit(loop->element);
    }
    if (const auto* each = std::get_if<Each>(&binding.node)) visit(each->turn);
    for_each_block(binding.node, [&](const Block& nested) { for_each_variable(nested, visit); });
  }
}

std::set<std::string> names_in(const Function& function) {
  std::set<std::string> names;
  for (const auto* formal : function.formals) names.insert(formal->name);
  for_each_variable(function.body, [&](const Variable* variable) { names.insert(variable->name); });
  return names;
}

bool is_made_up(const std::string& name) {
  if (name.size() < 2 || name[0] != 'x' || (name[1] != '%' && !std::isdigit(static_cast<unsigned char>(name[1])))) return false;
  return name.find_first_not_of("0123456789_", 2) == std::string::npos;
}

std::string without_number(const std::string& name) {
  const auto end = name.find_last_not_of("0123456789");
  return end != std::string::npos && end > 0 && end + 1 < name.size() && name[end] == '_' ? name.substr(0, end) : name;
}

bool have_one_name(const std::string& a, const std::string& b) {
  return without_number(a) == without_number(b) || without_number(a) == b || a == without_number(b);
}

bool holds_floats(const Program& program, const Type& type) {
  std::vector<Type> pending = {type};
  std::set<std::string> seen;
  while (!pending.empty()) {
    const Type next = resolve(pending.back());
    pending.pop_back();
    if (is_floating(next)) return true;
    if (next->kind == TypeKind::list || next->kind == TypeKind::optional) pending.push_back(next->elements[0]);
    if (next->kind == TypeKind::structure && seen.insert(next->name).second) {
      for (const auto& [name, field] : program.structure(next->name)->fields) pending.push_back(field);
    }
  }
  return false;
}

bool has_adjoint_by_reference(const Type& type) {
  const Type t = resolve(type);
  return t->kind == TypeKind::structure || t->kind == TypeKind::optional ||
         (t->kind == TypeKind::list && has_adjoint_by_reference(t->elements[0]));
}

std::vector<Function*> callees_of(const Node& node) {
  Function* callee = nullptr;
  if (const auto* call = std::get_if<Call>(&node)) callee = call->callee;
  if (const auto* gradient = std::get_if<ValueAndGrad>(&node)) callee = gradient->callee;
  if (const auto* part = std::get_if<AddGradient>(&node)) callee = part->callee;
  if (const auto* jvp = std::get_if<Jvp>(&node)) callee = jvp->callee;
  if (!callee) return {};
  if (!callee->derivative) return {callee};
  return {callee, callee->derivative.forward, callee->derivative.backward};
}

void for_each_operand(Block& block, const std::function<void(Operand&)>& visit) {
  for (auto& binding : block.bindings) {
    for (const auto* operand : operands_of(binding.node)) visit(const_cast<Operand&>(*operand));
    for_each_block(binding.node, [&](const Block& nested) { for_each_operand(const_cast<Block&>(nested), visit); });
  }
  for (auto& result : block.results) visit(result);
}

bool any_block(const Function& function, const std::function<bool(const Block&)>& holds) {
  std::set<const Function*> seen = {&function};
  std::vector<const Block*> pending = {&function.body};
  while (!pending.empty()) {
    const Block* block = pending.back();
    pending.pop_back();
    if (holds(*block)) return true;
    for (const auto& binding : block->bindings) {
      for (const auto* callee : callees_of(binding.node)) {
        if (seen.insert(callee).second) pending.push_back(&callee->body);
      }
      for_each_block(binding.node, [&](const Block& nested) { pending.push_back(&nested); });
    }
  }
  return false;
}

bool takes_gradient(const Block& block) {
  return std::any_of(block.bindings.begin(), block.bindings.end(), [](const Binding& b) { return std::holds_alternative<ValueAndGrad>(b.node) || std::holds_alternative<AddGradient>(b.node); });
}
bool does_more(const Block& block) {
  return std::any_of(block.bindings.begin(), block.bindings.end(), [](const Binding& binding) {
    const auto* operate = std::get_if<Operate>(&binding.node);
    return (operate && (operate->op->effect || operate->op->draws || operate->op->fails == Fails::outside)) || std::holds_alternative<Print>(binding.node) ||
           std::holds_alternative<Update>(binding.node) || std::holds_alternative<Initialize>(binding.node);
  });
}

bool takes_gradient(const Function& function) {
  return any_block(function, [](const Block& block) { return takes_gradient(block); });
}

std::vector<const Operand*> operands_of(const Node& node) {
  std::vector<const Operand*> all;
  const auto add = [&](const auto& operands) {
    for (const auto& operand : operands) all.push_back(&operand);
  };
  match(
      node, [&](const Operate& n) { add(n.operands); }, [&](const Call& n) { add(n.operands); },
      [&](const If& n) { all.push_back(&n.condition); }, [&](const While& n) { add(n.initial); },
      [&](const For& n) {
        if (const auto* range = std::get_if<Range>(&n.sequence)) {
          all.insert(all.end(), {&range->start, &range->stop, &range->step});
        } else {
          all.push_back(&std::get<Operand>(n.sequence));
        }
        add(n.initial);
      },
      [&](const Each& n) { all.push_back(&n.turns); }, [&](const Field& n) { all.push_back(&n.object); }, [&](const IsNone& n) { all.push_back(&n.object); },
      [&](const Make& n) { add(n.fields); }, [&](const Copy& n) { all.push_back(&n.value); },
      [&](const ValueAndGrad& n) { add(n.operands); },
      [&](const AddGradient& n) {
        add(n.operands);
        all.push_back(&n.adjoint);
      },
      [&](const Jvp& n) {
        add(n.operands);
        add(n.tangents);
      },
      [&](const Update& n) { add(n.values); },
      [&](const Initialize& n) { add(n.dims); }, [&](const Print& n) { add(n.operands); },
      [&](const Assert& n) { all.push_back(&n.condition); }, [&](const Raise& n) { add(n.operands); });
  return all;
}

}  // namespace lantern::ir
