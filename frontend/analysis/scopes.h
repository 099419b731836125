#pragma once

#include <map>
#include <string>
#include <vector>

#include "frontend/analysis/names.h"

/// Scopes: which variable a name means where it stands. The tree of a file's scopes, with every name that one mentions
/// resolved as Python's own symbol table does it.
namespace lantern::analysis {

enum class ScopeKind { module, class_, function, lambda, comprehension };

enum class Meaning {
  parameter,
  local,     // bound here
  free,      // a variable of a function further out: declared `nonlocal`, or only read
  declared,  // `global`
  global     // of the module, or built in: bound by no function around
};

struct Variable {
  Meaning meaning;
  bool shared = false;  // a function further in uses it: it lives in a cell
};

struct Scope {
  ScopeKind kind;
  std::string name;  // of the function or class; "lambda", "listcomp", "setcomp", "dictcomp", "genexpr"
  int line = 0;      // 0: the module
  std::map<std::string, Variable> variables = {};
  std::vector<Scope> inner = {};  // in the order in which they stand in the source, decorators and defaults first
};

Scope scopes_of(const syntax::Module& module);

}  // namespace lantern::analysis
