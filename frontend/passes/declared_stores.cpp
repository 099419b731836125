//     global total
//     if (total := f(x)) > 0: …
//     def best(): …
//     return (total := x)
// becomes
//     global total
//     if (total := f(x)) > 0: …
//     ag__.stored_global('total', (2, 1))
//     def best(): …
//     value__ = (total := x)
//     ag__.stored_global('total', (4, 1))
//     return value__
//
// where something else than an assignment (assignments.cpp) stores to a name that is declared global or nonlocal: `:=`, `def`,
// `class`, `with … as`, `except … as`. An import gives the same each time.
#include <iterator>
#include <utility>

#include "frontend/passes/passes.h"

namespace lantern::passes {

using namespace syntax;

namespace {

std::vector<std::string> bound_by(Stmt& stmt) {
  std::vector<std::string> names;
  for_each_load(stmt, [&](ExprPtr& expr) {
    for (std::string& id : analysis::walrus_names(*expr)) names.push_back(std::move(id));
  });
  if (auto* def = as<FunctionDef>(stmt)) names.push_back(def->name);
  if (auto* type = as<ClassDef>(stmt)) names.push_back(type->name);
  return names;
}

Block notes(const Function& function, const std::vector<std::string>& names, const Range& at) {
  Block result;
  for (const std::string& id : names) {
    for (StmtPtr& note : function.note_of_store(id, at)) result.push_back(std::move(note));
  }
  inherit(result, at);
  return result;
}

// What a statement binds before its block begins.
void note_at_heads(const Function& function, Stmt& stmt) {
  const auto at_head = [&](Block& body, const std::vector<std::string>& names, const Range& at) {
    Block noted = notes(function, names, at);
    body.insert(body.begin(), std::make_move_iterator(noted.begin()), std::make_move_iterator(noted.end()));
  };
  if (auto* node = as<With>(stmt)) {
    for (auto item = node->items.rbegin(); item != node->items.rend(); ++item) {
      if (item->optional_vars) at_head(node->body, analysis::bound_names(*item->optional_vars), item->optional_vars->range);
    }
  } else if (auto* node = as<Try>(stmt)) {
    for (ExceptHandler& handler : node->handlers) {
      if (!handler.name.empty()) at_head(handler.body, {handler.name}, handler.range);
    }
  }
}

}  // namespace

void note_declared_stores(Function& function) {
  if (function.bindings.globals.empty() && function.bindings.nonlocals.empty()) return;
  rewrite_statements(function, [&](StmtPtr stmt) {
    const Range at = stmt->range;
    note_at_heads(function, *stmt);
    Block noted = notes(function, bound_by(*stmt), at), result;
    if (auto* node = as<Return>(*stmt); node && !noted.empty()) {
      const std::string value = function.local_name("value__");
      function.ours.insert(value);
      result.push_back(assign(name(value), std::exchange(node->value, name(value))));
      noted.push_back(std::move(stmt));
    } else {
      result.push_back(std::move(stmt));
    }
    std::move(noted.begin(), noted.end(), std::back_inserter(result));
    inherit(result, at);
    return result;
  });
}

}  // namespace lantern::passes
