#include "lantern/ir.h"

#include <set>
#include <utility>

#include "support/match.h"

namespace lantern::ir {

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
      [&](const Field& n) { all.push_back(&n.object); }, [&](const IsNone& n) { all.push_back(&n.object); },
      [&](const Make& n) { add(n.fields); }, [&](const Copy& n) { all.push_back(&n.value); },
      [&](const ValueAndGrad& n) { add(n.operands); }, [&](const Update& n) { add(n.values); },
      [&](const Initialize& n) { add(n.dims); }, [&](const Print& n) { add(n.operands); },
      [&](const Assert& n) { all.push_back(&n.condition); }, [&](const Raise& n) { add(n.operands); });
  return all;
}

}  // namespace lantern::ir
