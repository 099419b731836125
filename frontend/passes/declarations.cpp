// Declarations concern the whole function, wherever they stand; an `if` whose branches become functions of their own
// must not contain them.
//
//     if c:
//         global count
//         total: float
//         count = total = 0
// becomes
//     global count
//     if c:
//         count = total = 0
//
// `total: float` goes where an assignment makes the name local, and else moves to the top as well.
#include "frontend/passes/passes.h"

namespace lantern::passes {

using namespace syntax;

void hoist_declarations(Function& function) {
  NameSet globals, nonlocals;
  std::map<std::string, StmtPtr> annotations;
  rewrite_statements(function, [&](StmtPtr stmt) {
    if (auto* node = as<Global>(*stmt)) {
      globals.insert(node->names.begin(), node->names.end());
      return Block();
    }
    if (auto* node = as<Nonlocal>(*stmt)) {
      nonlocals.insert(node->names.begin(), node->names.end());
      return Block();
    }
    auto* annotation = as<AnnAssign>(*stmt);
    auto* simple = annotation && !annotation->value ? as<Name>(annotation->target) : nullptr;
    if (!simple) return list_of<StmtPtr>(std::move(stmt));
    const std::string id = simple->id;
    annotations.try_emplace(id, std::move(stmt));
    return Block();
  });

  const analysis::Bindings bound = analysis::bindings_of(function.def.parameters, function.def.body);
  Block top;
  if (!globals.empty()) top.push_back(make(Global{{globals.begin(), globals.end()}}, function.def.body[0]->range));
  if (!nonlocals.empty()) top.push_back(make(Nonlocal{{nonlocals.begin(), nonlocals.end()}}, function.def.body[0]->range));
  const std::set<std::string> locals(bound.locals.begin(), bound.locals.end());
  for (auto& [id, stmt] : annotations) {
    if (!locals.count(id)) top.push_back(std::move(stmt));
  }
  prepend(function.def.body, std::move(top));
  function.bindings = analysis::bindings_of(function.def.parameters, function.def.body);
}

// Lowering a jump drops what stands behind it. `x: None` keeps `x` local, as the dropped assignment did.
void declare_unreachable_names(Function& function) {
  const analysis::Bindings now = analysis::bindings_of(function.def.parameters, function.def.body);
  const std::set<std::string> locals(now.locals.begin(), now.locals.end());
  Block top;
  for (const std::string& id : function.bindings.locals) {
    if (locals.count(id) || function.bindings.is_declared(id)) continue;
    top.push_back(make(AnnAssign{name(id), none(), nullptr, true}));
    inherit(top.back(), function.def.body[0]->range);
  }
  prepend(function.def.body, std::move(top));
}

}  // namespace lantern::passes
