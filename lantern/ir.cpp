#include "lantern/ir.h"

#include "support/match.h"

namespace lantern::ir {

Type Structure::field(const std::string& wanted) const {
  for (const auto& [name, type] : fields) {
    if (name == wanted) return type;
  }
  return nullptr;
}

Structure* Program::structure(const std::string& wanted) {
  for (auto& known : structures) {
    if (known.name == wanted) return &known;
  }
  return nullptr;
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
