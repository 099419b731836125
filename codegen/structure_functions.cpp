#include "codegen/structure_functions.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>

#include "codegen/spelling.h"
#include "lantern/walk.h"

namespace lantern {

using namespace lowered;
using ir::has_adjoint_by_reference;

namespace {

bool has_adjoints_of_structures(const Function& function) {
  const std::function<bool(Statements&)> declares = [&](Statements& statements) {
    return std::any_of(statements.begin(), statements.end(), [&](Statement& statement) {
      const auto* adjoint = std::get_if<DeclareAdjoint>(&statement.node);
      bool found = adjoint && has_adjoint_by_reference(adjoint->variable->type);
      for_each_list(statement, [&](Statements& nested) { found = found || declares(nested); });
      return found;
    });
  };
  return declares(const_cast<Statements&>(function.body)) ||  // which are looked at only
         std::any_of(function.formals.begin(), function.formals.end(), [](const Parameter& p) { return p.active && has_adjoint_by_reference(p.variable->type); });
}

// The adjoint of a structure is one of its type: zeros for its numbers, and links to the adjoints of what it links to.
std::string begun_adjoints(const Program& program) {
  const auto& functions = program.functions;
  if (std::none_of(functions.begin(), functions.end(), [](const Function& f) { return has_adjoints_of_structures(f); })) return "";
  std::string text;
  for (const auto& structure : program.source->structures) {
    if (!holds_floats(*program.source, lantern::structure(structure.name))) continue;
    const std::string type = spelling::identifier(structure.name);
    std::string body;
    bool links = false, reads = false;
    for (const auto& [name, field] : structure.fields) {
      if (!holds_floats(*program.source, field)) continue;
      const std::string member = spelling::member(structure, name);
      const bool link = has_adjoint_by_reference(field);
      const bool number = is_one_number(field);
      body += number ? fmt::format("adjoint.{} = 0;\n", member)
                     : fmt::format("adjoint.{0} = {1}(of.{0});\n", member, link ? "links.of" : "zeros_like");
      links = links || link;
      reads = reads || !number;
    }
    text += fmt::format("void begin_adjoint({0}const {1}& of, {1}& adjoint, {2}AdjointLinks& links) {{\n{3}}}\n\n", reads ? "" : "[[maybe_unused]] ", type,
                        links ? "" : "[[maybe_unused]] ", body);
  }
  return text;
}

// --- copies ---

/// Every structure that a value of the type may lead to.
void collect_structures(const Program& program, const Type& given, std::set<std::string>& all) {
  const Type type = resolve(given);
  if (type->kind == TypeKind::structure) {
    if (!all.insert(type->name).second) return;
    for (const auto& [name, field] : program.source->structure(type->name)->fields) collect_structures(program, field, all);
  } else if (!is_numeric(type)) {
    for (const auto& element : type->elements) collect_structures(program, element, all);
  }
}

void collect_returned(const Program& program, Statements& statements, std::set<std::string>& all) {
  const auto collect_from = [&](const Part& part) {
    for (const auto& [type, active] : part.results) collect_structures(program, type, all);
  };
  for (auto& statement : statements) {
    if (const auto* n = std::get_if<LetTogether>(&statement.node)) std::for_each(n->parts.begin(), n->parts.end(), collect_from);
    if (const auto* n = std::get_if<LetEach>(&statement.node)) collect_from(n->each);
    if (const auto* n = std::get_if<EachTurn>(&statement.node)) collect_from(n->each);
    for_each_list(statement, [&](Statements& nested) { collect_returned(program, nested, all); });
  }
}

/// Of what calls side by side return, which is copied out of their arenas.
std::string copied_links(const Program& program) {
  std::set<std::string> returned;
  for (const auto& function : program.functions) collect_returned(program, const_cast<Statements&>(function.body), returned);  // which are looked at only
  std::string text;
  for (const auto& structure : program.source->structures) {
    if (!returned.contains(structure.name)) continue;
    std::string body;
    for (const auto& [name, field] : structure.fields) {
      if (is_one_number(field)) continue;
      body += fmt::format("copy.{0} = copies.of(copy.{0});\n", spelling::member(structure, name));
    }
    const char* unused = body.empty() ? "[[maybe_unused]] " : "";
    text += fmt::format("void copy_links({0}{1}& copy, {0}Copies& copies) {{\n{2}}}\n\n", unused, spelling::identifier(structure.name), body);
  }
  return text;
}

}  // namespace

std::string structure_functions(const Program& program) { return begun_adjoints(program) + copied_links(program); }

}  // namespace lantern
