#pragma once

#include <string>
#include <vector>

#include "frontend/analysis/names.h"
#include "frontend/syntax.h"

namespace lantern {

/// One function of a file, and what its surroundings mean to it.
struct Selection {
  syntax::StmtPtr* function = nullptr;  // a FunctionDef, in the module's tree
  syntax::ExprPtr* lambda = nullptr;    // or a Lambda
  std::string class_name;               // of the innermost class around it; ""
  bool in_class = false;                // whether `super()` means something in it

  struct Scope {
    analysis::NameSet bound;
    analysis::NameSet globals;
  };
  std::vector<Scope> scopes;  // of the functions, lambdas and comprehensions around it, outermost first

  /// Those of its free names that are variables of a function around it, sorted: what CPython keeps in its closure.
  std::vector<std::string> free_variables(const analysis::NameSet& free_names) const;
};

/// The function with this first line and name; `column` tells lambdas on one line apart. Throws Failure LT0156,
/// LT0157.
Selection select_function(syntax::Module& module, int line, const std::string& name, int column);

}  // namespace lantern
